"""The settings of a whole model: those of its parts, those that parts share, and derived sizes."""

from dataclasses import dataclass, field

from attn_core.attention.settings import AttentionSettings
from attn_core.models.encoders.settings import EncoderSettings, RNNSettings
from attn_core.models.settings import DecoderSettings, UpdateThenAttendSettings
from attn_core.settings import UNITS, Settings, meaning_of_part, setting


@dataclass(frozen=True)
class Composition(Settings):
    """The settings of all parts of a model; `config.ModelConfig` checks that they are compatible."""

    encoder: EncoderSettings = field(
        default_factory=RNNSettings,
        metadata=meaning_of_part(
            "encoder; rnn: recurrent; conv: convolutional (Gehring 2017); transformer: self-attention (Vaswani 2017)"
        ),
    )
    attention: AttentionSettings | None = field(
        default_factory=AttentionSettings,
        metadata=meaning_of_part("attention; none: the same context vector at every step"),
    )
    decoder: DecoderSettings = field(
        default_factory=UpdateThenAttendSettings,
        metadata=meaning_of_part(
            "decoder, by the order of its step; update-then-attend: Luong 2015; attend-then-update: Bahdanau 2015; "
            "gnmt: the bottom layer attends (Wu 2016); transformer: Vaswani 2017"
        ),
    )

    embedding: int = setting(
        144,
        "size m of word embeddings; d_model of a Transformer",
        source="Bahdanau 2015, B.1",
        least=1,
        most=UNITS,
        size=True,
    )
    tied: bool = setting(True, "tie the output layer's weights to the target embeddings", size=True)
    shared: bool = setting(False, "one vocabulary and one embedding matrix for both languages")
    dropout: float = setting(0.3, "dropout on embeddings and between layers", least=0, below=1, size=True)
    output_dropout: float = setting(0.3, "dropout on the input of the output layer", least=0, below=1, size=True)
    init: str = setting(
        "large-embeddings",
        "initialisation of the parameters; none: weights are loaded",
        source="Bahdanau 2015, B.1; Luong 2015, 4.1",
        allowed=("glorot", "large-embeddings", "bahdanau2015", "luong2015", "none"),
        size=True,
    )
    source_eos: bool = setting(
        False, "the source ends with </s>, which the decoder may attend to", source="Luong 2015; nmt.matlab omits </s>"
    )
    padding: str = setting(
        "masked",
        "padding in a batch; masked: not attended to; zero: attended to, with zero states; read: attended to, with the "
        "states that the encoder computes for it",
        allowed=("masked", "zero", "read"),
    )

    @property
    def hidden(self) -> int:
        """Size of the decoder's state."""
        return getattr(self.decoder, "hidden", self.embedding)

    @property
    def memory(self) -> int:
        """Size of one encoder state."""
        return self.encoder.memory(self.embedding)

    @property
    def context(self) -> int:
        """Size of the context vector."""
        return (self.attention and self.attention.values) or self.memory

    @property
    def query(self) -> int:
        """Size of a query."""
        return self.hidden + (self.embedding if self.decoder.query == "word-and-state" else 0)

    @property
    def head_size(self) -> int:
        """Size d_k = d_v of a head; 0 without attention."""
        return 0 if self.attention is None else self.attention.head_size or self.hidden // self.attention.heads

    @property
    def readout_size(self) -> int:
        """Size of the output layer's input."""
        combine = self.decoder.combine
        if combine == "concat":
            return self.hidden + self.context + self.embedding
        return self.hidden if combine == "state" else getattr(self.decoder, "attentional", self.hidden)
