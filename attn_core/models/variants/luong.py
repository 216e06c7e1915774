"""Luong 2015, and what goes by that name."""

from attn_core.models.variants.bahdanau import BRIDGE
from attn_core.models.variants.variant import Change, Variant

_LUONG = {"score": "general", "feeding": True, "bidirectional": False}
_OPENNMT = _LUONG | {"dropout_once": True}
_LINEAR = Change(("combine",), "No tanh: $\\tilde h = W_c [c; h]$.")
_ONCE = Change(
    ("dropout_once",),
    "Dropout falls on $\\tilde h$ once, and what is left goes to the output layer and back into the LSTM.",
)
_GRU = Change(("cell",), "GRUs in place of LSTMs.")
_BIAS = Change(("combine_bias",), "A bias beside $W_c$.")
_MATLAB = "It reads the source from its end, and clips states at ±50."

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
                "The window stands on $\\lfloor p_t \\rfloor$ and always has 2D + 1 places; "
                "the text: $|s - p_t| \\le D$.",
            ),
            Change(("biases",), "No biases anywhere."),
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
                "$v_a^\\top \\tanh(W_a h_t + \\bar h_s)$: nothing is learned on the source's side.",
            ),
            Change(("biases",), "No biases anywhere."),
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
            Change(("unmasked_fixed",), "The softmax runs over 50 slots; those without a word take their share."),
            Change(("biases",), "No biases anywhere."),
        ),
        point={"score": "location"},
        left_out=f"{_MATLAB} There the sentence stands at the end of the slots, here at their beginning.",
    ),
    Variant(
        "tf-nmt-scaled-luong",
        "tf-nmt, scaled_luong",
        "toolkit",
        "tensorflow/nmt, attention=scaled_luong",
        PAPER,
        _LUONG | {"combine": "linear", "score_scale": True},
        (Change(("score_scale",), "All scores are multiplied by a learned number, 1 at first."), _LINEAR),
        left_out="Its output layer has no bias. It reads one way by default, as here; its published settings for this "
        "score (iwslt15.json) read both ways.",
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
            Change(("score", "score_bias"), "Concat in Bahdanau's spelling, two matrices, with a bias within tanh."),
            Change(("combine", "combine_bias"), "A bias beside $W_c$ in place of the tanh."),
            _ONCE,
        ),
        point={"score": "concat"},
        left_out="$v_a$ begins at 0, as in Bahdanau's paper. By default two layers.",
    ),
    Variant(
        "opennmt-sparsemax",
        "OpenNMT-py, general with sparsemax",
        "toolkit",
        "OpenNMT-py, global_attention_function=sparsemax",
        PAPER,
        _OPENNMT | {"normalizer": "sparsemax"},
        (Change(("normalizer",), "Sparsemax in place of softmax: words far below the best get exactly 0."), _ONCE),
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
            Change(("bidirectional",), "The encoder reads both ways."),
        ),
        left_out="Its output layer has no bias; dropout falls on $[c; h]$. The start is its init_hidden=bridge; zero "
        "and last are its others.",
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
            Change(("bidirectional", "directions"), "The encoder reads both ways, and the two states are added up."),
            Change(("score_bias",), "A bias on the projected query."),
            Change(("feeding",), "No input feeding."),
            Change(
                ("padding",), "Padding is not masked: its states are zero, its scores 0, and $e^0 = 1$ takes its share."
            ),
            _GRU,
            _BIAS,
        ),
        left_out="What starts its decoder is not in the excerpt; here it is the sum of both directions' last states.",
    ),
)
