"""Who computes what under the papers' names: the papers, their authors' code, tutorials and toolkits, as points.

    from attn_core.models.variants import VARIANTS
    config = VARIANTS["bentrevett"].config(hidden=64)  # a ModelConfig
    VARIANTS["bentrevett"].differences()               # setting -> (the paper's value, its value)

Each is also a preset of the same name (`python -m attn_core train bentrevett ...`), in the small size and with the
recipe that all small presets share, so that two of them differ in their mechanism alone. What they do with the text
(reversal, </s> on the source's side, vocabularies) and with how long they train is no part of a variant.
"""

from attn_core.models.variants.bahdanau import BAHDANAU
from attn_core.models.variants.luong import LUONG
from attn_core.models.variants.results import measured as measured
from attn_core.models.variants.variant import Change as Change
from attn_core.models.variants.variant import Variant

VARIANTS: dict[str, Variant] = {variant.name: variant for variant in (*BAHDANAU, *LUONG)}
