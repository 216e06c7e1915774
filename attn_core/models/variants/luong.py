"""Luong 2015, and variants under its name."""

from attn_core.messages import N_
from attn_core.models.variants.bahdanau import BRIDGE
from attn_core.models.variants.variant import Change, Variant

_LUONG = {"score": "general", "feeding": True, "bidirectional": False}
_UNBIASED = _LUONG | {"encoder.biases": False, "decoder.biases": False}
_OPENNMT = _LUONG | {"dropout_once": True}
_LINEAR = Change(("combine",), N_("No tanh: $\\tilde h = W_c [c; h]$."))
_ONCE = Change(
    ("dropout_once",),
    N_("The output layer and the LSTM read $\\tilde h$ with the same dropout mask."),
)
_GRU = Change(("cell",), N_("GRUs instead of LSTMs."))
_BIAS = Change(("combine_bias",), N_("A bias is added to $W_c [c; h]$."))
_MATLAB = N_("It reverses the source, and clips states at ±50.")

PAPER = Variant(
    "luong2015",
    N_("Luong 2015, general, global"),
    N_("paper"),
    N_("sections 3.1 and 3.3"),
    None,
    _LUONG,
)

LUONG = (
    PAPER,
    Variant(
        "nmt-matlab",
        N_("nmt.matlab, local-p"),
        N_("authors' code"),
        N_("the code of Luong 2015"),
        PAPER,
        _UNBIASED | {"window": "local-p"},
        (
            Change(
                ("center_rule",),
                N_(
                    "The window is $\\lfloor p_t \\rfloor \\pm D$ and always has 2D + 1 positions; "
                    "the text: $|s - p_t| \\le D$."
                ),
            ),
            Change(("biases",), N_("There are no biases.")),
        ),
        point={"window": "local-p", "center_rule": "real"},
        left_out=(_MATLAB,),
    ),
    Variant(
        "nmt-matlab-concat",
        N_("nmt.matlab, concat"),
        N_("authors' code"),
        N_("the code of Luong 2015"),
        PAPER,
        _UNBIASED | {"score": "concat", "identity_source": True},
        (
            Change(
                ("identity_source",),
                N_("$v_a^\\top \\tanh(W_a h_t + \\bar h_s)$: there are no parameters on the source side."),
            ),
            Change(("biases",), N_("There are no biases.")),
        ),
        point={"score": "concat"},
        left_out=(_MATLAB,),
    ),
    Variant(
        "nmt-matlab-location",
        N_("nmt.matlab, location (August 2015)"),
        N_("authors' code"),
        N_("the code of Luong 2015, at the time of the conference"),
        PAPER,
        _UNBIASED | {"score": "location", "unmasked_fixed": True},
        (
            Change(("unmasked_fixed",), N_("The softmax includes all 50 slots; those without a word get weight too.")),
            Change(("biases",), N_("There are no biases.")),
        ),
        point={"score": "location"},
        left_out=(_MATLAB, N_("It puts the sentence at the end of the slots; here it is at the beginning.")),
    ),
    Variant(
        "tf-nmt-scaled-luong",
        N_("tf-nmt, scaled_luong"),
        N_("toolkit"),
        N_("tensorflow/nmt, attention=scaled_luong"),
        PAPER,
        _LUONG | {"combine": "linear", "scale": True},
        (Change(("scale",), N_("All scores are multiplied by a learned scalar, initially 1.")), _LINEAR),
        left_out=(
            N_(
                "Its output layer has no bias. Its encoder has one direction by default, as here, but two in its "
                "published settings for this score (iwslt15.json)."
            ),
        ),
    ),
    Variant(
        "opennmt-general",
        N_("OpenNMT-py, general"),
        N_("toolkit"),
        N_("OpenNMT-py, global_attention=general (default)"),
        PAPER,
        _OPENNMT,
        (_ONCE,),
        left_out=(N_("By default two layers."),),
    ),
    Variant(
        "opennmt-dot",
        N_("OpenNMT-py, dot"),
        N_("toolkit"),
        N_("OpenNMT-py, global_attention=dot"),
        PAPER,
        _OPENNMT | {"score": "dot"},
        (_ONCE,),
        point={"score": "dot"},
        left_out=(N_("By default two layers."),),
    ),
    Variant(
        "opennmt-mlp",
        N_("OpenNMT-py, mlp"),
        N_("toolkit"),
        N_("OpenNMT-py, global_attention=mlp"),
        PAPER,
        _OPENNMT | {"score": "additive", "bias": True, "combine": "linear", "combine_bias": True},
        (
            Change(("score", "bias"), N_("Concat in Bahdanau's notation, with two matrices, and a bias inside tanh.")),
            Change(("combine", "combine_bias"), N_("$\\tilde h = W_c [c; h] + b$: a bias instead of the tanh.")),
            _ONCE,
        ),
        point={"score": "concat"},
        left_out=(N_("Here $v_a$ is initially 0, as in Bahdanau's paper. It has two layers by default."),),
    ),
    Variant(
        "opennmt-sparsemax",
        N_("OpenNMT-py, general with sparsemax"),
        N_("toolkit"),
        N_("OpenNMT-py, global_attention_function=sparsemax"),
        PAPER,
        _OPENNMT | {"normalizer": "sparsemax"},
        (
            Change(("normalizer",), N_("Sparsemax instead of softmax: words with much lower scores get exactly 0.")),
            _ONCE,
        ),
        left_out=(N_("By default two layers."),),
    ),
    Variant(
        "joeynmt-luong",
        N_("JoeyNMT, luong"),
        N_("toolkit"),
        N_("joeynmt, attention: luong"),
        PAPER,
        {"feeding": True, "encoder.cell": "torch-gru", "decoder.cell": "torch-gru"}
        | {"start": "both-ends", "combine_bias": True},
        (
            _BIAS,
            BRIDGE,
            _GRU,
            Change(("bidirectional",), N_("The encoder is bidirectional.")),
        ),
        left_out=(
            N_(
                "Its output layer has no bias, and dropout is applied to $[c; h]$. The start is its "
                "init_hidden=bridge; it also has zero and last."
            ),
        ),
    ),
    Variant(
        "kevinlu1211",
        N_("kevinlu1211"),
        N_("tutorial"),
        N_("pytorch-batch-luong-attention"),
        PAPER,
        {"encoder.cell": "torch-gru", "decoder.cell": "torch-gru", "bidirectional": True, "directions": "sum"}
        | {"bias": True, "combine_bias": True, "padding": "zero"},
        (
            Change(("bidirectional", "directions"), N_("The encoder is bidirectional, and adds the two states.")),
            Change(("bias",), N_("A bias is added to the projected query.")),
            Change(("feeding",), N_("No input feeding.")),
            Change(
                ("padding",),
                N_(
                    "Padding is not masked: its states are zero, so its scores are 0, and $e^0 = 1$ enters the softmax."
                ),
            ),
            _GRU,
            _BIAS,
        ),
        left_out=(
            N_(
                "The part of its code that is reproduced here does not include the decoder's initial state, which is "
                "the sum of both directions' last states here."
            ),
        ),
    ),
)
