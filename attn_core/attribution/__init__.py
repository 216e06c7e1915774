"""Which source words mattered for each written word: attention, gradients, removal and exchange.

    from attn_core import attribute, load
    print(attribute(load("bahdanau"), "Ein Hund läuft durch den Schnee.", method="integrated-gradients"))

`METHODS` has the methods by name, and `attribute` the record of one (`Attribution`). For many methods on one sentence,
build a `Case` once: `attribution(build_method(name, model), Case.read(model, text, target))`.
"""

from attn_core.attribution.attribute import attribute, attribution, build_method
from attn_core.attribution.case import Case
from attn_core.attribution.method import Found, Method
from attn_core.attribution.record import Attribution
from attn_core.attribution.settings import METHODS

__all__ = ["METHODS", "Attribution", "Case", "Found", "Method", "attribute", "attribution", "build_method"]
