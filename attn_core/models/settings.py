"""The axes of encoders and of decoders (the orders of a decoding step), and the settings of each value."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from attn_core.registry import Registry
from attn_core.settings import LAYERS, POSITIONS, UNITS, Part, setting

if TYPE_CHECKING:
    from attn_core.models.decoders.decoder import Decoder
    from attn_core.models.encoders.encoder import Encoder


@dataclass(frozen=True)
class EncoderSettings(Part):
    """Base class of encoder settings."""

    def memory(self, embedding: int) -> int:
        """The size of an encoder state, given the size of embeddings."""
        return embedding

    @property
    def reverse(self) -> bool:
        """Whether the source is read from the last word to the first."""
        return False


@dataclass(frozen=True)
class RNNSettings(EncoderSettings):
    """A recurrent encoder (Bahdanau 2015, A.2.1; Luong 2015, section 3)."""

    name: str = "rnn"
    cell: str = setting(
        "lstm",
        "recurrent cell; lstm: Luong 2015; gru: Bahdanau 2015, A.1.1; torch-gru: torch's GRU, as in toolkits",
        allowed=("lstm", "gru", "torch-gru"),
    )
    hidden: int = setting(128, "units per direction", least=1, most=UNITS, size=True)
    layers: int = setting(
        1,
        "number of layers; decoders attend to the top layer",
        source="Luong 2015, 4.1",
        least=1,
        most=LAYERS,
        size=True,
    )
    bidirectional: bool = setting(True, "read the source in both directions", source="Bahdanau 2015, 3.2")
    directions: str = setting(
        "concat",
        "combination of the directions; concat: [forward; backward]; sum: forward + backward",
        source="Bahdanau 2015, 3.2",
        allowed=("concat", "sum"),
    )
    reverse: bool = setting(
        False, "read the source from the last word to the first", source="Sutskever 2014; nmt.matlab"
    )
    reset: str = setting(
        "before",
        "reset gate of cell gru; before: U [r * s], as in the paper; after: r * (U s + b), as in torch",
        source="Bahdanau 2015, A.1.1",
        allowed=("before", "after"),
    )
    biases: bool = setting(True, "biases in the LSTM or torch-gru; nmt.matlab has none")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.directions == "sum" and not self.bidirectional:
            raise ValueError("directions=sum adds two directions: set bidirectional=true, or directions=concat")
        if self.cell == "gru" and self.layers > 1:
            raise ValueError("an encoder of cell gru has one layer: set encoder.layers=1, or cell=torch-gru or lstm")
        if self.cell == "gru" and not self.biases:
            raise ValueError("an encoder of cell gru has biases: set encoder.biases=true, or cell=torch-gru or lstm")
        if self.cell != "gru" and self.reset != "before":
            raise ValueError(f"reset has no effect in an encoder of cell {self.cell}, only of cell gru: leave it out")

    def memory(self, embedding: int) -> int:
        return self.hidden * (2 if self.bidirectional and self.directions == "concat" else 1)


@dataclass(frozen=True)
class StackSettings:
    """Settings of a Transformer's layers, in the encoder or the decoder (Vaswani 2017, section 3)."""

    layers: int = setting(1, "number of layers", source="Vaswani 2017, 3.1", least=1, most=LAYERS, size=True)
    feedforward: int = setting(
        512, "inner size d_ff of the feed-forward network", source="Vaswani 2017, 3.3", least=1, most=UNITS, size=True
    )
    positions: str = setting(
        "sinusoidal",
        "position encodings; learned: an embedding for each of `longest` positions",
        source="Vaswani 2017, 3.5 and table 3, row E",
        allowed=("sinusoidal", "learned"),
    )
    longest: int = setting(256, "number of learned positions", least=1, most=POSITIONS, size=True)
    norm: str = setting(
        "post",
        "layer normalisation; post: after each sublayer; pre: before it",
        source="Vaswani 2017, 3.1; Xiong 2020",
        allowed=("post", "pre"),
    )


@dataclass(frozen=True)
class TransformerEncoderSettings(StackSettings, EncoderSettings):
    """Self-attention over the source (Vaswani 2017, section 3.1)."""

    name: str = "transformer"
    heads: int = setting(1, "number of heads of the self-attention", source="Vaswani 2017, 3.2.2", least=1, most=1000)
    score: str = setting("scaled_dot", "score function of the self-attention", allowed=("scaled_dot", "dot"))


@dataclass(frozen=True)
class ConvSettings(EncoderSettings):
    """A convolutional encoder (Gehring 2017, section 3)."""

    name: str = "conv"
    hidden: int = setting(
        128, "channels of the convolutions", source="Gehring 2017, 3.2", least=1, most=UNITS, size=True
    )
    layers: int = setting(
        4, "number of convolutional blocks", source="Gehring 2017, 3.2", least=1, most=LAYERS, size=True
    )
    width: int = setting(
        3, "kernel width of the convolutions, odd", source="Gehring 2017, 3.2", least=1, most=1001, unit="words"
    )
    longest: int = setting(
        256, "number of position embeddings", source="Gehring 2017, 3.1", least=1, most=POSITIONS, size=True
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.width % 2 == 0:
            raise ValueError(f"width must be odd, so that a convolution has a centre, not {self.width}")


@dataclass(frozen=True)
class DecoderSettings(Part):
    """Base class of decoder settings. The properties are the fixed values of settings that an order does not have."""

    @property
    def biases(self) -> bool:
        """Whether the output layer has a bias."""
        return True

    @property
    def query(self) -> str:
        """The query; "state", or an option of the order."""
        return "state"

    @property
    def feeding(self) -> bool:
        return False

    @property
    def combine(self) -> str:
        """The input of the output layer; "state", or an option of the order."""
        return "state"

    @property
    def dropout_once(self) -> bool:
        return False


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
        "initial state; copy: the encoder's last states, layer by layer (nmt.matlab); both-ends: tanh(W_s h) of the "
        "last state, in every layer (JoeyNMT); mean: tanh(W_s h) of the mean encoder state",
        allowed=("copy", "both-ends", "mean"),
    )


@dataclass(frozen=True)
class AttendThenUpdateSettings(DecoderSettings):
    """Bahdanau 2015, section 3.1 and A.2.2: s_{i-1} attends, and s_i is made from the context."""

    name: str = "attend-then-update"
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
        "initial state s_0; backward: tanh(W_s h) of the backward state at the first word (A.2.2); both-ends: of both "
        "directions' last states; mean: of the mean encoder state; copy: the encoder's last state",
        source="Bahdanau 2015, A.2.2",
        allowed=("backward", "both-ends", "copy", "mean"),
    )
    recurrent: bool = setting(True, "the GRU starts each step from s_{i-1}; false: from zero")
    input_layer: bool = setting(False, "the input of the GRU is relu(W_x [E y; c]), not [E y; c]")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.readout == "s_cur" and self.update == "groundhog":
            raise ValueError("readout=s_cur needs update=printed: GroundHog computes s_i only after y_i is chosen")


@dataclass(frozen=True)
class GNMTSettings(DecoderSettings):
    """Wu 2016, section 3: the bottom layer of a stack attends."""

    name: str = "gnmt"
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
        "initial states; copy: the encoder's last states, layer by layer; mean: tanh(W_s h) of the mean encoder state",
        allowed=("copy", "mean"),
    )


@dataclass(frozen=True)
class TransformerDecoderSettings(StackSettings, DecoderSettings):
    """Vaswani 2017, section 3.1. The heads and score are settings of the attention."""

    name: str = "transformer"


ENCODERS: "Registry[Encoder]" = Registry("encoder", EncoderSettings)
ENCODERS.at("rnn", "attn_core.models.encoders.rnn:RNNEncoder", RNNSettings)
ENCODERS.at("transformer", "attn_core.models.encoders.transformer:TransformerEncoder", TransformerEncoderSettings)
ENCODERS.at("conv", "attn_core.models.encoders.conv:ConvEncoder", ConvSettings)

ORDERS: "Registry[Decoder]" = Registry("order", DecoderSettings)
ORDERS.at(
    "update-then-attend", "attn_core.models.decoders.update_then_attend:UpdateThenAttend", UpdateThenAttendSettings
)
ORDERS.at(
    "attend-then-update", "attn_core.models.decoders.attend_then_update:AttendThenUpdate", AttendThenUpdateSettings
)
ORDERS.at("gnmt", "attn_core.models.decoders.gnmt:GNMT", GNMTSettings)
ORDERS.at("transformer", "attn_core.models.decoders.transformer:TransformerDecoder", TransformerDecoderSettings)
