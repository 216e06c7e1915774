"""The axis of decoders (the orders of a decoding step), and the settings of each value."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from attn_core.attention.notation import BAHDANAU, LUONG, VASWANI, Letters
from attn_core.messages import _
from attn_core.models.encoders.settings import StackSettings
from attn_core.registry import Registry
from attn_core.settings import LAYERS, UNITS, Part, setting

if TYPE_CHECKING:
    from attn_core.models.decoders.decoder import Decoder


@dataclass(frozen=True)
class DecoderSettings(Part):
    """Base class of decoder settings. The constants are the values of what an order has no setting for."""

    biases = True  # of the output layer
    query = "state"  # or an option of the order
    feeding = False
    combine = "state"  # the input of the output layer: the state, or an option of the order
    dropout_once = False
    paper = "Luong 2015"  # which introduced the order
    cell = "lstm"  # the recurrent cell; empty if there is none

    @property
    def letters(self) -> Letters:
        """The symbols of the paper."""
        return LUONG

    @property
    def attention_layers(self) -> int:
        """The number of layers that attend to the source."""
        return 1

    @property
    def most_tokens(self) -> int | None:
        """The largest number of input tokens, <s> included; None if there is no limit."""
        return None


@dataclass(frozen=True)
class UpdateThenAttendSettings(DecoderSettings):
    """Luong 2015, section 3: the RNN is updated, and its new state h_t attends."""

    name: str = "update-then-attend"
    cell: str = setting(
        "lstm",
        "recurrent cell; lstm: Luong 2015; torch-gru: torch's GRU, as in toolkits",
        allowed=("lstm", "torch-gru"),
    )
    hidden: int = setting(256, "size n of the decoder's state", least=1, most=UNITS, size=True)
    layers: int = setting(
        1, "number of layers; the top layer's state attends", source="Luong 2015, 4.1", least=1, most=LAYERS, size=True
    )
    biases: bool = setting(True, "biases in the recurrent cell and the output layer; nmt.matlab has none")
    feeding: bool = setting(
        False, "input feeding: the attentional vector is an input of the next step", source="Luong 2015, 3.3"
    )
    attentional: int = setting(
        144, "size of the attentional vector", source="Luong 2015, eq. 5", least=1, most=UNITS, size=True
    )
    combine: str = setting(
        "tanh",
        "activation of W_c [c_t; h_t]: tanh (eq. 5), relu, or none (linear); state: h_t itself, without attention",
        source="Luong 2015, eq. 5",
        allowed=("tanh", "linear", "relu", "state"),
    )
    combine_bias: bool = setting(False, "add a bias to W_c [c_t; h_t]")
    dropout_once: bool = setting(
        False,
        "use the same dropout mask on the attentional vector for the output layer and for input feeding",
        source="OpenNMT-py",
    )
    start: str = setting(
        "copy",
        "initial state; copy: the encoder's last states, layer by layer (nmt.matlab); both-ends: tanh(W_init h) of the "
        "last state, in every layer (JoeyNMT); mean: tanh(W_init h) of the mean encoder state",
        allowed=("copy", "both-ends", "mean"),
    )


@dataclass(frozen=True)
class AttendThenUpdateSettings(DecoderSettings):
    """Bahdanau 2015, section 3.1 and A.2.2: s_{i-1} attends, and s_i is computed from the context."""

    name: str = "attend-then-update"
    paper = "Bahdanau 2015"
    cell = "gru"
    hidden: int = setting(
        256, "size n of the decoder's state", source="Bahdanau 2015, B.1", least=1, most=UNITS, size=True
    )
    attentional: int = setting(
        144, "number l of maxout units", source="Bahdanau 2015, A.2.2", least=1, most=UNITS, size=True
    )
    update: str = setting(
        "printed",
        "printed: s_i = f(s_{i-1}, y_{i-1}, c_i), as in the paper; groundhog: s_i = f(s_{i-1}, y_i, c_i), as in the "
        "authors' program",
        source="Bahdanau 2015, 3.1; GroundHog",
        allowed=("groundhog", "printed"),
    )
    readout: str = setting(
        "s_prev",
        "state in the output layer's input; s_prev: s_{i-1} (A.2.2, GroundHog); s_cur: s_i (eq. 4)",
        source="Bahdanau 2015, A.2.2",
        allowed=("s_prev", "s_cur"),
    )
    reset: str = setting(
        "before",
        "reset gate; before: U [r * s], as in the paper; after: r * (U s + b), as in torch",
        source="Bahdanau 2015, A.1.1",
        allowed=("before", "after"),
    )
    first_word: str = setting(
        "bos",
        "input of the first step; bos: a start symbol; zero: a zero vector, as in the paper, which has no start symbol",
        source="Bahdanau 2015",
        allowed=("bos", "zero"),
    )
    query: str = setting(
        "state",
        "query; state: s_{i-1}; word-and-state: [E y_{i-1}; s_{i-1}]",
        allowed=("state", "word-and-state"),
    )
    combine: str = setting(
        "maxout",
        "input of the output layer; maxout: maxout of U_o s + V_o E y + C_o c; linear: that sum; concat: the three "
        "vectors concatenated; state: the state alone",
        source="Bahdanau 2015, A.2.2",
        allowed=("maxout", "linear", "concat", "state"),
    )
    start: str = setting(
        "backward",
        "initial state s_0; backward: tanh(W_s h) of the backward state at the first word (A.2.2), or of a "
        "one-directional encoder's last state; both-ends: of both directions' last states; mean: of the mean encoder "
        "state; copy: the encoder's last state",
        source="Bahdanau 2015, A.2.2",
        allowed=("backward", "both-ends", "copy", "mean"),
    )
    recurrent: bool = setting(True, "the GRU starts each step from s_{i-1}; false: from zero")
    input_layer: bool = setting(False, "the input of the GRU is relu(W_x [E y; c]), not [E y; c]")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.readout == "s_cur" and self.update == "groundhog":
            raise ValueError(_("readout=s_cur needs update=printed: GroundHog computes s_i only after y_i is chosen"))

    @property
    def letters(self) -> Letters:
        x = BAHDANAU
        return replace(x, query=rf"[E\,y_{{i-1}}; {x.query}]") if self.query == "word-and-state" else x


@dataclass(frozen=True)
class GNMTSettings(DecoderSettings):
    """Wu 2016, section 3: the bottom layer of a stack attends."""

    name: str = "gnmt"
    paper = "Wu 2016"
    hidden: int = setting(256, "size of each layer's state", least=1, most=UNITS, size=True)
    layers: int = setting(
        2,
        "number of layers; the bottom layer's state attends",
        source="Wu 2016, section 3",
        least=2,
        most=LAYERS,
        size=True,
    )
    biases: bool = setting(True, "biases in the LSTMs and the output layer")
    query: str = setting(
        "state",
        "query; state: the bottom layer's new state (tf-nmt, gnmt_v2); previous: its previous state (Wu 2016)",
        allowed=("state", "previous"),
    )
    start: str = setting(
        "copy",
        "initial states; copy: the encoder's last states, layer by layer; mean: tanh(W_init h) of the mean encoder "
        "state",
        allowed=("copy", "mean"),
    )

    @property
    def letters(self) -> Letters:
        return replace(LUONG, query="{h^1_{t-1}}" if self.query == "previous" else "{h^1_t}")


@dataclass(frozen=True)
class TransformerDecoderSettings(StackSettings, DecoderSettings):
    """Vaswani 2017, section 3.1. The heads and score are settings of the attention."""

    name: str = "transformer"
    paper = "Vaswani 2017"
    cell = ""

    @property
    def letters(self) -> Letters:
        return VASWANI

    @property
    def attention_layers(self) -> int:
        return self.layers


ORDERS: "Registry[Decoder]" = Registry("order", DecoderSettings)
ORDERS.at(
    "update-then-attend", "attn_core.models.decoders.update_then_attend:UpdateThenAttend", UpdateThenAttendSettings
)
ORDERS.at(
    "attend-then-update", "attn_core.models.decoders.attend_then_update:AttendThenUpdate", AttendThenUpdateSettings
)
ORDERS.at("gnmt", "attn_core.models.decoders.gnmt:GNMT", GNMTSettings)
ORDERS.at("transformer", "attn_core.models.decoders.transformer:TransformerDecoder", TransformerDecoderSettings)
