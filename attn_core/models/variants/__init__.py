"""Variants: the models of the papers, their authors' code, tutorials and toolkits, as points of the product space.

    from attn_core.models.variants import VARIANTS
    config = VARIANTS["bentrevett"].config(hidden=64)  # a ModelConfig
    VARIANTS["bentrevett"].differences()               # setting -> (the paper's value, its value)

Each is also a preset of the same name (`python -m attn_core train bentrevett ...`), with the sizes and the recipe that
all small presets share, so that they differ only in mechanism. Preprocessing (reversal, </s> on the source side,
vocabularies) and training time are not part of a variant.

Sources: github.com/lisa-groundhog/GroundHog, lmthang/nmt.matlab, tensorflow/nmt (tf-nmt), OpenNMT/OpenNMT-py,
joeynmt/joeynmt, bentrevett/pytorch-seq2seq, bastings/annotated_encoder_decoder, and the sequence-to-sequence tutorials
of PyTorch and TensorFlow.
"""

from attn_core.models.variants.bahdanau import BAHDANAU
from attn_core.models.variants.luong import LUONG
from attn_core.models.variants.variant import Change as Change
from attn_core.models.variants.variant import Variant

VARIANTS: dict[str, Variant] = {variant.name: variant for variant in (*BAHDANAU, *LUONG)}
