"""The encoders and decoders (the orders of a decoding step), and the settings of each of them."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from attn_core.registry import Registry
from attn_core.settings import Part, setting

if TYPE_CHECKING:
    from attn_core.models.decoders.decoder import Decoder
    from attn_core.models.encoders.encoder import Encoder


@dataclass(frozen=True)
class EncoderSettings(Part):
    """Base of the encoders' settings."""

    def memory(self, embedding: int) -> int:
        """The size of one encoder state, where embeddings have `embedding` units."""
        return embedding

    @property
    def reverse(self) -> bool:
        """Whether the source is read from its end."""
        return False


@dataclass(frozen=True)
class RNNSettings(EncoderSettings):
    """A recurrent encoder (Bahdanau 2015, A.2.1; Luong 2015, section 3)."""

    name: str = "rnn"
    cell: str = setting(
        "lstm",
        "lstm: Luong 2015; gru: Bahdanau 2015, A.1.1; torch-gru: torch's GRU, in toolkits",
        allowed=("lstm", "gru", "torch-gru"),
    )
    hidden: int = setting(128, "units of each direction", least=1, size=True)
    layers: int = setting(
        1, "layers; the top one's states are the memory", source="Luong 2015, 4.1", least=1, size=True
    )
    bidirectional: bool = setting(True, "read the source in both directions", source="Bahdanau 2015, 3.2")
    directions: str = setting(
        "concat", "concat: [forward; backward]; sum: their sum", source="Bahdanau 2015, 3.2", allowed=("concat", "sum")
    )
    reverse: bool = setting(False, "read the source from its end", source="Sutskever 2014; nmt.matlab")
    reset: str = setting(
        "before",
        "of cell gru: the reset gate acts before the product, U [r * s], or after it, r * (U s + b), as in torch",
        source="Bahdanau 2015, A.1.1",
        allowed=("before", "after"),
    )
    biases: bool = setting(True, "biases in the LSTM; nmt.matlab has none")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.directions == "sum" and not self.bidirectional:
            raise ValueError("directions=sum adds up two directions: set bidirectional=true")
        if self.cell == "gru" and self.layers > 1:
            raise ValueError("an encoder of cell gru has one layer: set encoder.layers=1, or cell=torch-gru or lstm")
        if self.cell == "gru" and not self.biases:
            raise ValueError("an encoder of cell gru has biases: set encoder.biases=true, or cell=torch-gru or lstm")
        if self.cell != "gru" and self.reset != "before":
            raise ValueError(f"reset is for an encoder of cell gru and changes nothing in {self.cell}: leave it out")

    def memory(self, embedding: int) -> int:
        return self.hidden * (2 if self.bidirectional and self.directions == "concat" else 1)


@dataclass(frozen=True)
class StackSettings:
    """Settings of a Transformer's layers, on either side (Vaswani 2017, section 3)."""

    layers: int = setting(1, "layers", source="Vaswani 2017, 3.1", least=1, size=True)
    feedforward: int = setting(512, "d_ff, inner units of the feed-forward network", source="3.3", least=1, size=True)
    positions: str = setting(
        "sinusoidal",
        "sinusoidal, or learned up to `longest`",
        source="Vaswani 2017, 3.5 and table 3, row E",
        allowed=("sinusoidal", "learned"),
    )
    longest: int = setting(256, "positions that can be learned", least=1, size=True)
    norm: str = setting(
        "post",
        "layer normalisation after each sublayer (post) or before it (pre)",
        source="Vaswani 2017, 3.1; Xiong 2020",
        allowed=("post", "pre"),
    )


@dataclass(frozen=True)
class TransformerEncoderSettings(StackSettings, EncoderSettings):
    """Self-attention over the source (Vaswani 2017, section 3.1)."""

    name: str = "transformer"
    heads: int = setting(1, "heads of each layer's self-attention", source="Vaswani 2017, 3.2.2", least=1)
    score: str = setting("scaled_dot", "score of the self-attention", allowed=("scaled_dot", "dot"))


@dataclass(frozen=True)
class ConvSettings(EncoderSettings):
    """A convolutional encoder (Gehring 2017, section 3)."""

    name: str = "conv"
    hidden: int = setting(128, "channels of the convolutions", source="Gehring 2017, 3.2", least=1, size=True)
    layers: int = setting(4, "blocks", source="Gehring 2017, 3.2", least=1, size=True)
    width: int = setting(
        3, "source words that one convolution reads; an odd number", source="Gehring 2017, 3.2", least=1
    )
    longest: int = setting(256, "positions that can be embedded", source="Gehring 2017, 3.1", least=1, size=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.width % 2 == 0:
            raise ValueError(f"width must be odd, so that a convolution has a middle, not {self.width}")


@dataclass(frozen=True)
class DecoderSettings(Part):
    """Base of the decoders' settings. Those that an order does not have are what it does."""

    @property
    def biases(self) -> bool:
        """Whether the output layer has a bias."""
        return True

    @property
    def query(self) -> str:
        """What attends: the state, or what the order offers beside it."""
        return "state"

    @property
    def feeding(self) -> bool:
        return False

    @property
    def combine(self) -> str:
        """What the output layer reads: the state, or what the order offers beside it."""
        return "state"

    @property
    def dropout_once(self) -> bool:
        return False


@dataclass(frozen=True)
class UpdateThenAttendSettings(DecoderSettings):
    """Luong 2015, section 3: the RNN steps, and its new state h_t attends."""

    name: str = "update-then-attend"
    cell: str = setting("lstm", "lstm: Luong 2015; torch-gru: torch's GRU, in toolkits", allowed=("lstm", "torch-gru"))
    hidden: int = setting(256, "n, units of the decoder's state", least=1, size=True)
    layers: int = setting(1, "layers; the top one's state attends", source="Luong 2015, 4.1", least=1, size=True)
    biases: bool = setting(True, "biases in the LSTM and the output layer; nmt.matlab has none")
    feeding: bool = setting(False, "feed the attentional vector to the next step", source="Luong 2015, 3.3")
    attentional: int = setting(144, "units of the attentional vector", source="Luong 2015, eq. 5", least=1, size=True)
    combine: str = setting(
        "tanh",
        "what W_c [c_t; h_t] goes through: tanh (eq. 5), relu, or nothing (linear); without attention also state: h_t",
        source="Luong 2015, eq. 5",
        allowed=("tanh", "linear", "relu", "state"),
    )
    combine_bias: bool = setting(False, "a bias beside W_c")
    dropout_once: bool = setting(
        False, "drop out the attentional vector before it is fed, not for each reader anew", source="OpenNMT-py"
    )
    start: str = setting(
        "copy",
        "the first state: a copy of the encoder's last one, layer by layer (nmt.matlab); both-ends: tanh(W_s h) of it "
        "in every layer (JoeyNMT); mean: tanh(W_s h) of the mean encoder state",
        allowed=("copy", "both-ends", "mean"),
    )


@dataclass(frozen=True)
class AttendThenUpdateSettings(DecoderSettings):
    """Bahdanau 2015, section 3.1 and A.2.2: s_{i-1} attends, and s_i is made from the context."""

    name: str = "attend-then-update"
    hidden: int = setting(256, "n, units of the decoder's state", source="Bahdanau 2015, B.1", least=1, size=True)
    attentional: int = setting(144, "l, maxout units", source="Bahdanau 2015, A.2.2", least=1, size=True)
    update: str = setting(
        "printed",
        "printed: s_i = f(s_{i-1}, y_{i-1}, c_i), as in the paper; groundhog: s_i = f(s_{i-1}, y_i, c_i), as in the "
        "authors' program",
        source="Bahdanau 2015, 3.1; GroundHog",
        allowed=("groundhog", "printed"),
    )
    readout: str = setting(
        "s_prev",
        "the state that the output layer reads: s_prev (A.2.2 and GroundHog) or s_cur (eq. 4)",
        source="Bahdanau 2015, A.2.2",
        allowed=("s_prev", "s_cur"),
    )
    reset: str = setting(
        "before",
        "the reset gate acts before the product, U [r * s], or after it, r * (U s + b), as in torch",
        source="Bahdanau 2015, A.1.1",
        allowed=("before", "after"),
    )
    first_word: str = setting(
        "bos",
        "what the first step reads: a start symbol, or zero, as in the paper, which has no start symbol",
        source="Bahdanau 2015",
        allowed=("bos", "zero"),
    )
    query: str = setting("state", "what attends: s_{i-1}, or [E y_{i-1}; s_{i-1}]", allowed=("state", "word-and-state"))
    combine: str = setting(
        "maxout",
        "what the output layer reads: maxout of U_o s + V_o E y + C_o c; that sum as it is (linear); the three vectors "
        "side by side (concat); the state alone",
        source="Bahdanau 2015, A.2.2",
        allowed=("maxout", "linear", "concat", "state"),
    )
    start: str = setting(
        "backward",
        "s_0: tanh(W_s h) of the backward state at the first word (A.2.2), of both-ends, or of the mean encoder state; "
        "or a copy of the encoder's last state",
        source="Bahdanau 2015, A.2.2",
        allowed=("backward", "both-ends", "copy", "mean"),
    )
    recurrent: bool = setting(True, "the GRU reads s_{i-1}; without, each step begins from zero")
    input_layer: bool = setting(False, "the GRU reads relu(W_x [E y; c]) in place of both")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.readout == "s_cur" and self.update == "groundhog":
            raise ValueError("readout s_cur needs update=printed: GroundHog's s_i does not exist before y_i is chosen")


@dataclass(frozen=True)
class GNMTSettings(DecoderSettings):
    """Wu 2016, section 3: the bottom layer of several attends."""

    name: str = "gnmt"
    hidden: int = setting(256, "units of each layer's state", least=1, size=True)
    layers: int = setting(2, "layers, of which the lowest attends", source="Wu 2016, section 3", least=2, size=True)
    biases: bool = setting(True, "biases in the LSTMs and the output layer")
    query: str = setting(
        "state",
        "what attends: the bottom layer's new state (tf-nmt, gnmt_v2) or its previous one (Wu 2016)",
        allowed=("state", "previous"),
    )
    start: str = setting(
        "copy",
        "the first states: copies of the encoder's last ones, layer by layer, or tanh(W_s h) of its mean state",
        allowed=("copy", "mean"),
    )


@dataclass(frozen=True)
class TransformerDecoderSettings(StackSettings, DecoderSettings):
    """Vaswani 2017, section 3.1. Its heads and score are those of the attention."""

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
