"""Which source words mattered for each written word: attention, gradients, removal and exchange.

    from attn_core import attribute, load
    print(attribute(load("bahdanau"), "Ein Hund läuft durch den Schnee.", method="integrated-gradients"))

`METHODS` has the methods by name, and `attribute` the record of one (`Attribution`). For many methods on one sentence,
build a `Case` once: `attribution(build_method(name, model), Case.read(model, text, target))`. `split_score` splits
the scores of a head by parts of query and key; `patch` exchanges vectors of two sentences.
"""

from attn_core.attribution.attribute import attribute, attribution, build_method
from attn_core.attribution.case import Case
from attn_core.attribution.method import Found, Method
from attn_core.attribution.patching import Patch, patch
from attn_core.attribution.record import Attribution
from attn_core.attribution.settings import METHODS
from attn_core.attribution.split import ScoreSplit, split_score

__all__ = [
    "METHODS",
    "Attribution",
    "Case",
    "Found",
    "Method",
    "Patch",
    "ScoreSplit",
    "attribute",
    "attribution",
    "build_method",
    "patch",
    "split_score",
]
