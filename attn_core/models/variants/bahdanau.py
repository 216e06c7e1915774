"""Bahdanau 2015, and what goes by that name."""

from attn_core.models.variants.variant import Change, Variant

_BAHDANAU = {"score": "additive", "order": "attend-then-update", "first_word": "zero"}
_TUTORIAL = {"order": "attend-then-update", "readout": "s_cur", "reset": "after", "tied": False}
_NORMED = {"score": "additive", "normed": True, "score_bias": True}
_GNMT = _NORMED | {"order": "gnmt", "layers": 2, "tied": False}
_RESIDUAL = (
    "Residual connections (from the third layer on) are left out, and every encoder layer reads both ways; there only "
    "the first does, and the decoder's bottom layer starts from its backward state."
)
_FIRST = Change(("first_word",), "The first step reads the embedding of a start symbol, where the paper has none.")
_CURRENT = Change(("readout",), "The output layer reads the new state $s_i$; A.2.2 prints $s_{i-1}$, eq. 4 $s_i$.")
_AFTER = Change(
    ("reset",), "The library's GRU resets after the matrix product, $r \\circ (U s + b)$; the paper $U [r \\circ s]$."
)
_ENDS = Change(("start",), "$s_0$ is made from the last states of both directions; the paper takes the backward one.")
_ONE_WAY = Change(("bidirectional",), "The encoder reads in one direction: a state knows nothing of the words to come.")
_PADS = Change(
    ("padding",),
    "Padding is not masked: it is read, and takes part in the softmax. What a sentence gets depends on its batch.",
)
_COIN = Change(
    ("teacher_forcing",), "In training half of the steps read the model's own word in place of the given one."
)
_LUONGS_ORDER = Change(
    ("order", "feeding"),
    "Luong's order under Bahdanau's name: the new state looks, and the vector $\\tilde h$ is fed back.",
)
_LSTM = Change(("cell",), "LSTMs in place of GRUs.")
_COPY = Change(("start",), "The decoder starts from the encoder's last states as they are, layer by layer.")
_NORM = Change(
    ("normed", "score_bias"), "$v_a$ is divided by its length and multiplied by a learned $g$; a bias in tanh."
)
BRIDGE = Change(
    ("start",), "The decoder starts from $\\tanh(W_s h)$, $h$ both directions' last states, in every layer."
)

PAPER = Variant(
    "bahdanau2015",
    "Bahdanau 2015, as printed",
    "paper",
    "section 3 and appendix A.2.2",
    None,
    _BAHDANAU,
)

BAHDANAU = (
    PAPER,
    Variant(
        "groundhog",
        "GroundHog",
        "authors' code",
        "the code of Bahdanau 2015",
        PAPER,
        _BAHDANAU | {"update": "groundhog"},
        (
            Change(
                ("update",),
                "The word $y_i$ is said first; then $s_i$ is made from it. The state that looks knows $y_{i-1}$.",
            ),
        ),
        left_out="Its beam search has limits of its own.",
    ),
    Variant(
        "annotated-encoder-decoder",
        "Annotated Encoder–Decoder",
        "tutorial",
        "Bastings 2018, notebook",
        PAPER,
        _TUTORIAL | {"score": "additive", "combine": "linear", "start": "both-ends"},
        (
            _CURRENT,
            _AFTER,
            _ENDS,
            _FIRST,
            Change(("combine",), "No maxout: the sum $U_o s + V_o E y + C_o c$ is read as it is."),
        ),
        left_out="Its $U_o$ has no bias.",
    ),
    Variant(
        "bentrevett",
        "bentrevett, notebook 3",
        "tutorial",
        "pytorch-seq2seq, “Jointly Learning to Align and Translate”",
        PAPER,
        _TUTORIAL
        | {"score": "concat", "score_bias": True, "combine": "concat", "start": "both-ends", "padding": "read"},
        (
            Change(
                ("score", "score_bias"), "One matrix on $[s; h]$, as Luong spells it, with a bias: the same function."
            ),
            _CURRENT,
            _AFTER,
            _ENDS,
            _FIRST,
            Change(
                ("combine",), "No maxout: the output layer reads the vectors side by side, $[s_i; c_i; E y_{i-1}]$."
            ),
            _PADS,
            _COIN,
        ),
        recipe={"teacher_forcing": 0.5},
        left_out="$v_a$ is drawn here as Luong's is, and the embedding of padding stays zero.",
    ),
    Variant(
        "pytorch-tutorial",
        "PyTorch tutorial (1.x)",
        "tutorial",
        "“Translation with a Sequence to Sequence Network and Attention”",
        PAPER,
        _TUTORIAL
        | {"score": "location", "unmasked_fixed": True, "score_bias": True, "query": "word-and-state"}
        | {"input_layer": True, "combine": "state", "start": "copy", "bidirectional": False},
        (
            Change(
                ("score", "unmasked_fixed", "score_bias"),
                "Weights from the place alone, $\\text{softmax}(W_a [E y; s] + b)$ over a fixed number of slots: the "
                "encoder's states are averaged, but no score looks at them. It is Luong's location score.",
            ),
            Change(("query",), "The word just said looks too: $[E y_{i-1}; s_{i-1}]$."),
            Change(("input_layer",), "The GRU reads $\\text{relu}(W_x [E y; c])$ in place of both."),
            Change(("combine", "readout"), "The output layer reads the new state and nothing else."),
            Change(("start",), "$s_0$ is the encoder's last state."),
            _ONE_WAY,
            _AFTER,
            _FIRST,
            _COIN,
        ),
        recipe={"teacher_forcing": 0.5},
        left_out="There a coin is thrown for a sentence, not for a word; one sentence is a batch.",
    ),
    Variant(
        "tf-tutorial",
        "TensorFlow tutorial",
        "tutorial",
        "“Neural machine translation with attention”, TensorFlow 2.0",
        PAPER,
        _TUTORIAL
        | {"score": "additive", "score_bias": True, "recurrent": False, "combine": "state", "start": "copy"}
        | {"bidirectional": False, "padding": "read"},
        (
            Change(
                ("recurrent",), "The GRU is called without its state: $s_{i-1}$ reaches $s_i$ through the look alone."
            ),
            Change(
                ("score_bias",), "Biases in the score; that of $v_a$ adds the same to all scores and changes nothing."
            ),
            Change(("combine", "readout"), "The output layer reads the new state and nothing else."),
            Change(("start",), "$s_0$ is the encoder's last state."),
            _ONE_WAY,
            _AFTER,
            _FIRST,
            _PADS,
        ),
        left_out="Three biases in the score are one here, which computes the same.",
    ),
    Variant(
        "tf-nmt-normed-bahdanau",
        "tf-nmt, normed_bahdanau",
        "toolkit",
        "tensorflow/nmt, attention=normed_bahdanau",
        PAPER,
        _NORMED | {"combine": "linear", "feeding": True},
        (
            _LUONGS_ORDER,
            _NORM,
            Change(("combine",), "No maxout: $\\tilde h = W_c [c; h]$, with neither tanh nor bias, is read."),
            _LSTM,
            _COPY,
        ),
        left_out="Its output layer has no bias; its bidirectional layers are numbered otherwise. It reads both ways in "
        "its published settings (wmt16.json), one way by default.",
    ),
    Variant(
        "gnmt",
        "tf-nmt, gnmt",
        "toolkit",
        "tensorflow/nmt, attention_architecture=gnmt; Wu 2016, section 3",
        PAPER,
        _GNMT | {"query": "previous"},
        (
            Change(
                ("order", "query"),
                "A stack: the bottom layer's previous output looks, as $s_{i-1}$ does, and all layers read $c_t$.",
            ),
            _NORM,
            Change(("combine",), "The output layer reads the top state."),
            _LSTM,
            _COPY,
        ),
        left_out=f"Its first look is skipped there. {_RESIDUAL}",
    ),
    Variant(
        "gnmt-v2",
        "tf-nmt, gnmt_v2",
        "toolkit",
        "tensorflow/nmt, attention_architecture=gnmt_v2",
        PAPER,
        _GNMT,
        (
            Change(
                ("order",),
                "A stack: the bottom layer's new output looks, and the layers above read $c_t$ in the same step; the "
                "bottom layer itself reads it in the next one.",
            ),
            _NORM,
            Change(("combine",), "The output layer reads the top state."),
            _LSTM,
            _COPY,
        ),
        left_out=_RESIDUAL,
    ),
    Variant(
        "joeynmt-bahdanau",
        "JoeyNMT, bahdanau",
        "toolkit",
        "joeynmt, attention: bahdanau",
        PAPER,
        {"score": "additive", "feeding": True, "cell": "gru", "start": "both-ends", "combine_bias": True},
        (
            _LUONGS_ORDER,
            Change(("combine",), "No maxout: $\\tilde h = \\tanh(W_c [c; h] + b)$, as in Luong's paper, with a bias."),
            BRIDGE,
        ),
        left_out="Its output layer has no bias; dropout falls on $[c; h]$. Its GRU is the library's: it "
        "resets after the matrix product, here too. The start is its init_hidden=bridge; zero and last are its others.",
    ),
)
