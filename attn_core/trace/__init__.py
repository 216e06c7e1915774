"""The record of a model's computation (`records`), and its JSON form (`dump` here, `parse` in `reading`).

As JSON, a trace is one object (`dump`, `parse`), schema 2. All positions, steps, layers and heads count from 0:

    schema    2
    model     name of the model
    settings  `text`, the sentence as it was written (not where it was given as tokens); the model's settings: score,
              window, half_width, sigma, attention_type (soft, hard-argmax, hard-sample), trained_attention_type,
              normalizer (default softmax), order (attend-then-update, update-then-attend, gnmt, transformer), ... (see
              `Translator.settings`); `edits`, if weights, contexts, heads or words were set by hand: see
              decoding/edits.py; `keep_states` true, if each step was computed from the state and the words of the model
              as it was trained (browser/engine/types.d.ts, Request)
    source    source tokens          unknown   positions of source tokens outside the vocabulary
    target    target tokens, including `</s>` if the model produced it
    steps     one object for each target token:
        t         0, 1, 2 ...
        token     the chosen token   log_prob  its log probability (natural)
        top       [[token, log probability], ...], the most probable first
        center    p_t, a real position in the source, in written order; null without a local window
        window    [lo, hi], first and last position in view, inclusive, clipped to the sentence; null if none is
        excluded  positions between these two that are not in view (a pointer's earlier choices); omitted if empty
        looks     one object for each layer and head (an RNN has one layer; a Transformer's are its cross-attention):
            layer, head
            scores, alignment, gaussian, weights   lists over the source positions
            center, window, excluded   only where they are not those of the step: in an ensemble
        own       a Transformer's masked self-attention in the decoder: one object for each layer and head, with
                  `layer`, `head`, `scores`, `weights`, lists over <s> and the earlier words
    encoder   a Transformer's self-attention in the encoder: objects as in `own`, with a list for each source position

`own` is present only for a Transformer decoder, `encoder` only for a Transformer encoder. Their missing fields are as
in `looks` without a window.
With `vectors=True` the file also has `memory` {states, keys}, `hidden` and `attentional` in every step, and `query` and
`context` in every look. A Transformer's file also has the values that the weights multiply, so that each context can be
recomputed: `memory.values` has a matrix for each of the `looks` (in an ensemble, null where the weights multiply the
states), each object of `encoder` has `values`, and each object of `own` has `value`, the vector of the newest position
(earlier steps have those of the earlier positions). Without vectors, these fields load as empty tensors, and values as
None.
"""

from attn_core.trace.records import Focus, Look, Memory, Record, Step, Trace, Word, summary
from attn_core.trace.writing import SCHEMA, dump

__all__ = ["SCHEMA", "Focus", "Look", "Memory", "Record", "Step", "Trace", "Word", "dump", "summary"]
