"""How well a model's attention aligns our own sentence pairs, whose words were aligned by hand."""

from typing import Any

from attn_core.data.alignments import Alignment, alignment_error_rate
from attn_core.data.examples import examples
from attn_core.decoding.alignment import links_of
from attn_core.decoding.translate import force
from attn_core.models.translator import Translator


def own_alignment(model: Translator) -> dict[str, Any] | None:
    """Alignment error rate (Och and Ney 2003) on our pairs in the model's languages, with the reference forced.

    Each target word is linked to the source word with the largest weight of its own step, of several heads in their
    mean. The result has the number of `pairs`, and `aer`. None for a model without attention, and where we have no
    pairs in its languages.
    """
    pairs = examples(model.source.lang, model.target.lang)
    if not pairs or model.config.attention is None:
        return None
    sides = [(one.source_tokens, one.target_tokens) for one in pairs]
    sources, targets = ([" ".join(tokens) for tokens in side] for side in zip(*sides, strict=True))
    traces = force(model, sources, targets, tokenized=True, top=1)
    golds = [Alignment(*one.links(*tokens)) for one, tokens in zip(pairs, sides, strict=True)]
    scores = alignment_error_rate(golds, [links_of(model, trace, 0) for trace in traces])
    return {"pairs": len(pairs), "aer": round(scores.aer, 4)}
