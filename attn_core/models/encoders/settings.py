"""The axis of encoders, and the settings of each value."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from attn_core.attention.settings import HEAD_SCORES
from attn_core.messages import N_, _
from attn_core.registry import Registry
from attn_core.settings import LAYERS, POSITIONS, UNITS, Part, setting

if TYPE_CHECKING:
    from attn_core.models.encoders.encoder import Encoder


@dataclass(frozen=True)
class EncoderSettings(Part):
    """Base class of encoder settings. The constants are the values of what an encoder has no setting for."""

    reverse = False  # whether the source is read from the last word to the first
    cell = ""  # the recurrent cell; empty if there is none
    layers = 1
    value = ""  # what the context averages, in LaTeX, with {0} for its position; empty if it is the encoder states

    def memory(self, embedding: int) -> int:
        """The size of an encoder state, given the size of embeddings."""
        return embedding

    @property
    def reading(self) -> tuple[bool, bool]:
        """Whether a state is computed from the state of the word before it, and from that of the word after it."""
        return False, False

    @property
    def final_states(self) -> int:
        """The number of vectors in a last state: 2 for an LSTM's h and c; 0 if there is none to start a decoder from.

        An encoder with last states computes one for each layer and direction of `reading`.
        """
        return 0

    @property
    def end_size(self) -> int:
        """The size of a last state of one direction; 0 if there is none."""
        return 0

    @property
    def summed(self) -> bool:
        """Whether the states of two directions are added, not concatenated."""
        return False

    @property
    def most_tokens(self) -> int | None:
        """The largest number of input tokens; None if there is no limit."""
        return None

    def in_words(self) -> str:
        """The encoder in the words of a model card."""
        return f"`{self.name}`, {self.layers} layers"


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
            raise ValueError(_("directions=sum adds two directions: set bidirectional=true, or directions=concat"))
        if self.cell == "gru" and self.layers > 1:
            raise ValueError(
                _("an encoder of cell gru has one layer: set encoder.layers=1, or encoder.cell=torch-gru or lstm")
            )
        if self.cell == "gru" and not self.biases:
            raise ValueError(
                _("an encoder of cell gru has biases: set encoder.biases=true, or encoder.cell=torch-gru or lstm")
            )
        if self.cell != "gru" and self.reset != "before":
            raise ValueError(
                _("reset has no effect in an encoder of cell {cell}, only of cell gru: leave it out").format(
                    cell=self.cell
                )
            )

    @property
    def reading(self) -> tuple[bool, bool]:
        return (True, True) if self.bidirectional else (not self.reverse, self.reverse)

    @property
    def final_states(self) -> int:
        return 2 if self.cell == "lstm" else 1

    @property
    def end_size(self) -> int:
        return self.hidden

    @property
    def summed(self) -> bool:
        return self.directions == "sum"

    def in_words(self) -> str:
        direction = "bidirectional" if self.bidirectional else "unidirectional"
        cell, layers = "LSTM" if self.cell == "lstm" else "GRU", "layers" if self.layers > 1 else "layer"
        return f"{self.layers} {direction} {cell} {layers} of {self.hidden} units per direction"

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

    @property
    def most_tokens(self) -> int | None:
        return self.longest if self.positions == "learned" else None


@dataclass(frozen=True)
class TransformerEncoderSettings(StackSettings, EncoderSettings):
    """Self-attention over the source (Vaswani 2017, section 3.1)."""

    name: str = "transformer"
    heads: int = setting(1, "number of heads of the self-attention", source="Vaswani 2017, 3.2.2", least=1, most=1000)
    score: str = setting("scaled_dot", "score function of the self-attention", allowed=HEAD_SCORES)


@dataclass(frozen=True)
class ConvSettings(EncoderSettings):
    """A convolutional encoder (Gehring 2017, section 3)."""

    name: str = "conv"
    value = "(z_{0} + e_{0})"
    hidden: int = setting(
        128, "channels of the convolutions", source="Gehring 2017, 3.2", least=1, most=UNITS, size=True
    )
    layers: int = setting(
        4, "number of convolutional blocks", source="Gehring 2017, 3.2", least=1, most=LAYERS, size=True
    )
    width: int = setting(
        3, "kernel width of the convolutions, odd", source="Gehring 2017, 3.2", least=1, most=1001, unit=N_("words")
    )
    longest: int = setting(
        256, "number of position embeddings", source="Gehring 2017, 3.1", least=1, most=POSITIONS, size=True
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.width % 2 == 0:
            raise ValueError(
                _("width must be odd, so that a convolution has a centre, not {width}").format(width=self.width)
            )

    @property
    def most_tokens(self) -> int:
        return self.longest


ENCODERS: "Registry[Encoder]" = Registry("encoder", EncoderSettings)
ENCODERS.at("rnn", "attn_core.models.encoders.rnn:RNNEncoder", RNNSettings)
ENCODERS.at("transformer", "attn_core.models.encoders.transformer:TransformerEncoder", TransformerEncoderSettings)
ENCODERS.at("conv", "attn_core.models.encoders.conv:ConvEncoder", ConvSettings)
