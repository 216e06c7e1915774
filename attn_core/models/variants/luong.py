"""Luong 2015, and variants under its name."""

from attn_core.models.variants.bahdanau import BRIDGE
from attn_core.models.variants.variant import Change, Variant

_LUONG = {"score": "general", "feeding": True, "bidirectional": False}
_OPENNMT = _LUONG | {"dropout_once": True}
_LINEAR = Change(("combine",), "No tanh: $\\tilde h = W_c [c; h]$.")
_ONCE = Change(
    ("dropout_once",),
    "The output layer and the LSTM read $\\tilde h$ with the same dropout mask.",
)
_GRU = Change(("cell",), "GRUs instead of LSTMs.")
_BIAS = Change(("combine_bias",), "A bias is added to $W_c [c; h]$.")
_MATLAB = "It reverses the source, and clips states at ±50."

PAPER = Variant(
    "luong2015",
    "Luong 2015, general, global",
    "paper",
    "sections 3.1 and 3.3",
    None,
    _LUONG,
)

LUONG = (
    PAPER,
    Variant(
        "nmt-matlab",
        "nmt.matlab, local-p",
        "authors' code",
        "the code of Luong 2015",
        PAPER,
        _LUONG | {"window": "local-p", "biases": False},
        (
            Change(
                ("center_rule",),
                "The window is $\\lfloor p_t \\rfloor \\pm D$ and always has 2D + 1 positions; "
                "the text: $|s - p_t| \\le D$.",
            ),
            Change(("biases",), "There are no biases."),
        ),
        point={"window": "local-p", "center_rule": "real"},
        left_out=_MATLAB,
    ),
    Variant(
        "nmt-matlab-concat",
        "nmt.matlab, concat",
        "authors' code",
        "the code of Luong 2015",
        PAPER,
        _LUONG | {"score": "concat", "identity_source": True, "biases": False},
        (
            Change(
                ("identity_source",),
                "$v_a^\\top \\tanh(W_a h_t + \\bar h_s)$: there are no parameters on the source side.",
            ),
            Change(("biases",), "There are no biases."),
        ),
        point={"score": "concat"},
        left_out=_MATLAB,
    ),
    Variant(
        "nmt-matlab-location",
        "nmt.matlab, location (August 2015)",
        "authors' code",
        "the code of Luong 2015, at the time of the conference",
        PAPER,
        _LUONG | {"score": "location", "unmasked_fixed": True, "biases": False},
        (
            Change(("unmasked_fixed",), "The softmax includes all 50 slots; those without a word get weight too."),
            Change(("biases",), "There are no biases."),
        ),
        point={"score": "location"},
        left_out=f"{_MATLAB} It puts the sentence at the end of the slots; here it is at the beginning.",
    ),
    Variant(
        "tf-nmt-scaled-luong",
        "tf-nmt, scaled_luong",
        "toolkit",
        "tensorflow/nmt, attention=scaled_luong",
        PAPER,
        _LUONG | {"combine": "linear", "score_scale": True},
        (Change(("score_scale",), "All scores are multiplied by a learned scalar, initially 1."), _LINEAR),
        left_out="Its output layer has no bias. Its encoder has one direction by default, as here, but two in its "
        "published settings for this score (iwslt15.json).",
    ),
    Variant(
        "opennmt-general",
        "OpenNMT-py, general",
        "toolkit",
        "OpenNMT-py, global_attention=general (default)",
        PAPER,
        _OPENNMT,
        (_ONCE,),
        left_out="By default two layers.",
    ),
    Variant(
        "opennmt-dot",
        "OpenNMT-py, dot",
        "toolkit",
        "OpenNMT-py, global_attention=dot",
        PAPER,
        _OPENNMT | {"score": "dot"},
        (_ONCE,),
        point={"score": "dot"},
        left_out="By default two layers.",
    ),
    Variant(
        "opennmt-mlp",
        "OpenNMT-py, mlp",
        "toolkit",
        "OpenNMT-py, global_attention=mlp",
        PAPER,
        _OPENNMT | {"score": "additive", "score_bias": True, "combine": "linear", "combine_bias": True},
        (
            Change(
                ("score", "score_bias"), "Concat in Bahdanau's notation, with two matrices, and a bias inside tanh."
            ),
            Change(("combine", "combine_bias"), "$\\tilde h = W_c [c; h] + b$: a bias instead of the tanh."),
            _ONCE,
        ),
        point={"score": "concat"},
        left_out="Here $v_a$ is initially 0, as in Bahdanau's paper. It has two layers by default.",
    ),
    Variant(
        "opennmt-sparsemax",
        "OpenNMT-py, general with sparsemax",
        "toolkit",
        "OpenNMT-py, global_attention_function=sparsemax",
        PAPER,
        _OPENNMT | {"normalizer": "sparsemax"},
        (Change(("normalizer",), "Sparsemax instead of softmax: words with much lower scores get exactly 0."), _ONCE),
        left_out="By default two layers.",
    ),
    Variant(
        "joeynmt-luong",
        "JoeyNMT, luong",
        "toolkit",
        "joeynmt, attention: luong",
        PAPER,
        {"feeding": True, "cell": "gru", "start": "both-ends", "combine_bias": True},
        (
            _BIAS,
            BRIDGE,
            _GRU,
            Change(("bidirectional",), "The encoder is bidirectional."),
        ),
        left_out="Its output layer has no bias, and dropout is applied to $[c; h]$. The start is its "
        "init_hidden=bridge; it also has zero and last.",
    ),
    Variant(
        "kevinlu1211",
        "kevinlu1211",
        "tutorial",
        "pytorch-batch-luong-attention",
        PAPER,
        {"cell": "gru", "bidirectional": True, "directions": "sum", "score_bias": True, "combine_bias": True}
        | {"padding": "zero"},
        (
            Change(("bidirectional", "directions"), "The encoder is bidirectional, and adds the two states."),
            Change(("score_bias",), "A bias is added to the projected query."),
            Change(("feeding",), "No input feeding."),
            Change(
                ("padding",),
                "Padding is not masked: its states are zero, so its scores are 0, and $e^0 = 1$ enters the softmax.",
            ),
            _GRU,
            _BIAS,
        ),
        left_out="The excerpt does not show the decoder's initial state; here it is the sum of both directions' last "
        "states.",
    ),
)
