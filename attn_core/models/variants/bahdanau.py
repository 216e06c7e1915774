"""Bahdanau 2015, and variants under its name."""

from attn_core.messages import N_
from attn_core.models.variants.variant import Change, Variant

_BAHDANAU = {"score": "additive", "order": "attend-then-update", "encoder.cell": "gru", "first_word": "zero"}
_TUTORIAL = {
    "order": "attend-then-update",
    "encoder.cell": "gru",
    "encoder.reset": "after",
    "decoder.reset": "after",
    "readout": "s_cur",
    "tied": False,
}
_NORMED = {"score": "additive", "normed": True, "bias": True}
_GNMT = _NORMED | {"order": "gnmt", "encoder.layers": 2, "decoder.layers": 2, "tied": False}
_RESIDUAL = N_(
    "The residual connections (from the third layer on) are omitted. Every encoder layer is bidirectional here; in "
    "tf-nmt only the first is, and the decoder's bottom layer starts from its backward state."
)
_FIRST = Change(("first_word",), N_("The first step reads the embedding of a start symbol; the paper has none."))
_CURRENT = Change(("readout",), N_("The output layer reads the new state $s_i$; A.2.2 prints $s_{i-1}$, eq. 4 $s_i$."))
_AFTER = Change(
    ("reset",),
    N_(
        "The library's GRU applies the reset gate after the matrix product, $r \\circ (U s + b)$; the paper before it, "
        "$U [r \\circ s]$."
    ),
)
_ENDS = Change(
    ("start",), N_("$s_0$ is computed from the last states of both directions; the paper uses the backward one.")
)
_ONE_WAY = Change(
    ("bidirectional",), N_("The encoder reads in one direction, so its states do not depend on later words.")
)
_PADS = Change(
    ("padding",),
    N_("Padding is not masked: it is encoded and takes part in the softmax, so results depend on the batch."),
)
_COIN = Change(
    ("teacher_forcing",), N_("In training, half of the steps read the model's own word instead of the reference word.")
)
_LUONGS_ORDER = Change(
    ("order", "feeding"),
    N_("Luong's order under Bahdanau's name: the new state attends, and the vector $\\tilde h$ is fed back."),
)
_LSTM = Change(("cell",), N_("LSTMs instead of GRUs."))
_COPY = Change(("start",), N_("The decoder starts from the encoder's last states, layer by layer."))
_NORM = Change(
    ("normed", "bias"),
    N_("$v_a$ is divided by its norm and multiplied by a learned scalar $g$; a bias is added inside tanh."),
)
BRIDGE = Change(
    ("start",),
    N_(
        "Every layer of the decoder starts from $\\tanh(W_{\\text{init}} h)$, where $h$ is made of the last states of "
        "both directions."
    ),
)

PAPER = Variant(
    "bahdanau2015",
    N_("Bahdanau 2015, as printed"),
    N_("paper"),
    N_("section 3 and appendix A.2.2"),
    None,
    _BAHDANAU,
)

BAHDANAU = (
    PAPER,
    Variant(
        "groundhog",
        N_("GroundHog"),
        N_("authors' code"),
        N_("the code of Bahdanau 2015"),
        PAPER,
        _BAHDANAU | {"update": "groundhog"},
        (
            Change(
                ("update",),
                N_(
                    "The word $y_i$ is predicted first, and $s_i$ is computed from it. The query $s_{i-1}$ depends on "
                    "$y_{i-1}$."
                ),
            ),
        ),
        left_out=(N_("Its beam search has different limits."),),
    ),
    Variant(
        "annotated-encoder-decoder",
        N_("Annotated Encoder–Decoder"),
        N_("tutorial"),
        N_("Bastings 2018, notebook"),
        PAPER,
        _TUTORIAL | {"score": "additive", "combine": "linear", "start": "both-ends"},
        (
            _CURRENT,
            _AFTER,
            _ENDS,
            _FIRST,
            Change(("combine",), N_("No maxout: the output layer reads the sum $U_o s + V_o E y + C_o c$.")),
        ),
        left_out=(N_("Its $U_o$ has no bias."),),
    ),
    Variant(
        "bentrevett",
        N_("bentrevett, notebook 3"),
        N_("tutorial"),
        N_("pytorch-seq2seq, “Jointly Learning to Align and Translate”"),
        PAPER,
        _TUTORIAL | {"score": "concat", "bias": True, "combine": "concat", "start": "both-ends", "padding": "read"},
        (
            Change(
                ("score", "bias"),
                N_(
                    "One matrix for $[s; h]$, as in Luong's notation, with a bias; without the bias, the same function."
                ),
            ),
            _CURRENT,
            _AFTER,
            _ENDS,
            _FIRST,
            Change(("combine",), N_("No maxout: the output layer reads the concatenation $[s_i; c_i; E y_{i-1}]$.")),
            _PADS,
            _COIN,
        ),
        recipe={"teacher_forcing": 0.5},
        left_out=(N_("Here $v_a$ is initialised as in Luong's score, and the embedding of padding is not trained."),),
    ),
    Variant(
        "pytorch-tutorial",
        N_("PyTorch tutorial (1.x)"),
        N_("tutorial"),
        N_("“Translation with a Sequence to Sequence Network and Attention”"),
        PAPER,
        _TUTORIAL
        | {"score": "location", "unmasked_fixed": True, "bias": True, "query": "word-and-state"}
        | {"input_layer": True, "combine": "state", "start": "copy", "bidirectional": False},
        (
            Change(
                ("score", "unmasked_fixed", "bias"),
                N_(
                    "The scores do not use the encoder states: each of a fixed number of positions gets its score from "
                    "the previous word and state alone, $\\text{softmax}(W_a [E y; s] + b)$. This is Luong's location "
                    "score."
                ),
            ),
            Change(("query",), N_("The query includes the previous word: $[E y_{i-1}; s_{i-1}]$.")),
            Change(("input_layer",), N_("The GRU reads $\\text{relu}(W_x [E y; c])$ instead of $[E y; c]$.")),
            Change(("combine", "readout"), N_("The output layer reads only the new state.")),
            Change(("start",), N_("$s_0$ is the encoder's last state.")),
            _ONE_WAY,
            _AFTER,
            _FIRST,
            _COIN,
        ),
        recipe={"teacher_forcing": 0.5},
        left_out=(
            N_("The tutorial chooses teacher forcing per sentence, not per word, and trains on single sentences."),
        ),
    ),
    Variant(
        "tf-tutorial",
        N_("TensorFlow tutorial"),
        N_("tutorial"),
        N_("“Neural machine translation with attention”, TensorFlow 2.0"),
        PAPER,
        _TUTORIAL
        | {"score": "additive", "bias": True, "recurrent": False, "combine": "state", "start": "copy"}
        | {"bidirectional": False, "padding": "read"},
        (
            Change(
                ("recurrent",),
                N_("The GRU is called without its state: $s_i$ depends on $s_{i-1}$ through attention alone."),
            ),
            Change(
                ("bias",),
                N_(
                    "Biases in the score; the bias of $v_a$ shifts all scores equally and has no effect on the weights."
                ),
            ),
            Change(("combine", "readout"), N_("The output layer reads only the new state.")),
            Change(("start",), N_("$s_0$ is the encoder's last state.")),
            _ONE_WAY,
            _AFTER,
            _FIRST,
            _PADS,
        ),
        left_out=(N_("Here one bias in the score replaces three; the function is the same."),),
    ),
    Variant(
        "tf-nmt-normed-bahdanau",
        N_("tf-nmt, normed_bahdanau"),
        N_("toolkit"),
        N_("tensorflow/nmt, attention=normed_bahdanau"),
        PAPER,
        _NORMED | {"combine": "linear", "feeding": True},
        (
            _LUONGS_ORDER,
            _NORM,
            Change(
                ("combine",), N_("No maxout: the output layer reads $\\tilde h = W_c [c; h]$, without tanh and bias.")
            ),
            _LSTM,
            _COPY,
        ),
        left_out=(
            N_(
                "Its output layer has no bias; its bidirectional layers are numbered differently. Its encoder is "
                "bidirectional in its published settings (wmt16.json), but not by default."
            ),
        ),
    ),
    Variant(
        "gnmt",
        N_("tf-nmt, gnmt"),
        N_("toolkit"),
        N_("tensorflow/nmt, attention_architecture=gnmt; Wu 2016, section 3"),
        PAPER,
        _GNMT | {"query": "previous"},
        (
            Change(
                ("order", "query"),
                N_(
                    "A stack: the bottom layer's previous output attends, as $s_{i-1}$ does, and all layers read $c_t$."
                ),
            ),
            _NORM,
            Change(("combine",), N_("The output layer reads the top state.")),
            _LSTM,
            _COPY,
        ),
        left_out=(N_("tf-nmt skips attention in the first step."), _RESIDUAL),
    ),
    Variant(
        "gnmt-v2",
        N_("tf-nmt, gnmt_v2"),
        N_("toolkit"),
        N_("tensorflow/nmt, attention_architecture=gnmt_v2"),
        PAPER,
        _GNMT,
        (
            Change(
                ("order",),
                N_(
                    "A stack: the bottom layer's new output attends; the upper layers read $c_t$ in the same step, the "
                    "bottom layer in the next one."
                ),
            ),
            _NORM,
            Change(("combine",), N_("The output layer reads the top state.")),
            _LSTM,
            _COPY,
        ),
        left_out=(_RESIDUAL,),
    ),
    Variant(
        "joeynmt-bahdanau",
        N_("JoeyNMT, bahdanau"),
        N_("toolkit"),
        N_("joeynmt, attention: bahdanau"),
        PAPER,
        {"score": "additive", "feeding": True, "encoder.cell": "torch-gru", "decoder.cell": "torch-gru"}
        | {"start": "both-ends", "combine_bias": True},
        (
            _LUONGS_ORDER,
            Change(
                ("combine",),
                N_("No maxout: $\\tilde h = \\tanh(W_c [c; h] + b)$, as in Luong's paper, but with a bias."),
            ),
            BRIDGE,
        ),
        left_out=(
            N_(
                "Its output layer has no bias, and dropout is applied to $[c; h]$. As here, its GRU is the library's, "
                "with the reset gate after the matrix product. The start is its init_hidden=bridge; it also has zero "
                "and last."
            ),
        ),
    ),
)
