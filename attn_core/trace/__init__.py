"""The record of what a model computed (`records`), and its JSON (`dump` here, `parse` in `reading`).

On disk and on the wire a trace is one JSON object (`dump`, `parse`), schema 2:

    schema    2
    model     name of the model
    settings  what it ran with: score, window, half_width, sigma, attention_type (soft, hard-argmax, hard-sample),
              trained_attention_type, normalizer (softmax, if left out), order (attend-then-update,
              update-then-attend, transformer), ... (see `Translator.settings`)
    source    tokens read            unknown   positions of source tokens that the vocabulary lacks
    target    tokens produced, `</s>` included when the model ended the sentence itself
    steps     one object for each target token:
        t         0, 1, 2 ...
        token     the word chosen    log_prob  its log probability (natural)
        top       [[word, log probability], ...], the most probable first
        center    p_t, a real position in the source (0-based, as written), or null
        window    [lo, hi], first and last position in view, inclusive, clipped to the sentence, or null: none is
        excluded  positions between these two that are not in view (what a pointer may not choose again); if any
        looks     one object for each layer and head (an RNN has one; a Transformer's are its cross-attention):
            layer, head
            scores, alignment, gaussian, weights   lists over the source positions
        own       a Transformer's looks at the words said so far (the decoder's masked self-attention): one object for
                  each layer and head, with `layer`, `head`, `scores`, `weights`, lists over <s> and the words before
    encoder   a Transformer's looks at the source by itself (the encoder's self-attention): objects as in `own`, with a
              list for each source position

`own` and `encoder` are there only when the model has such looks; what they lack is as in `looks` without a window.
With `vectors=True` more entries make the file complete: `memory` {states, keys}, in every step `hidden` and
`attentional`, in every look `query` and `context`. A Transformer's file also holds the values that the weights
multiply, so that each context can be recomputed: `memory.values` has a matrix for each of the `looks`, each object of
`encoder` has `values`, and each object of `own` has `value`, the vector of the newest position (those of the positions
before it are in the steps before). Without vectors they come back as empty tensors, and values as None.

Schema 1 is still read (`older`): it said `align` for `alignment`, and `read`, `trained_read`, `align`, step-then-look
and look-then-step among the settings.
"""

from attn_core.aliases import SCHEMA
from attn_core.trace.records import Focus, Look, Memory, Record, Step, Trace, Word, summary
from attn_core.trace.writing import dump

__all__ = ["SCHEMA", "Focus", "Look", "Memory", "Record", "Step", "Trace", "Word", "dump", "summary"]
