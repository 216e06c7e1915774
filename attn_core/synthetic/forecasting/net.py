"""The forecaster: encoder, score and decoder of a translator, on numbers instead of words."""

from dataclasses import dataclass
from typing import Any, ClassVar

import torch
from jaxtyping import Float
from torch import Tensor, nn

from attn_core.attention.build import build_attention
from attn_core.models.checkpoint import Kind
from attn_core.models.config import ModelConfig
from attn_core.models.decoders.decoder import Decoder
from attn_core.models.encoders.encoder import Encoder
from attn_core.models.encoders.settings import ENCODERS
from attn_core.models.recipe import DrawnConfig
from attn_core.models.settings import ORDERS
from attn_core.settings import UNITS, Settings, setting
from attn_core.synthetic.forecasting.data import CALENDAR, Batch
from attn_core.trace import Memory, Step


@dataclass(frozen=True)
class SeriesConfig(Settings):
    """The forecaster's mechanism and sizes."""

    score: str | None = setting("general", "score function, a key of SCORES; none: no attention, one vector")
    order: str = setting("update-then-attend", "order of a decoding step, a key of ORDERS")
    hidden: int = setting(
        48, "units of the decoder, and of the two directions of the encoder together", least=1, most=UNITS, size=True
    )
    embedding: int = setting(24, "size of a day's embedding", least=1, most=UNITS, size=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.score is not None and self.hidden % 2:
            raise ValueError(f"hidden must be even (half for each direction of the encoder), not {self.hidden}")
        self.as_translator()

    def as_translator(self) -> ModelConfig:
        """The config of a translator with the same parts. Raises ValueError for an impossible combination."""
        bidirectional = self.score is not None
        settings: dict[str, Any] = {
            "score": self.score,
            "order": self.order,
            "encoder.cell": "gru" if ORDERS.settings_class(self.order).cell == "gru" else "lstm",
            "embedding": self.embedding,
            "encoder.hidden": self.hidden // 2 if bidirectional else self.hidden,
            "decoder.hidden": self.hidden,
            "attentional": self.embedding,
            "bidirectional": bidirectional,
            "tied": False,
            "dropout": 0.0,
            "output_dropout": 0.0,
        }
        config = ModelConfig.of(settings)
        name = "attention.score.hidden"
        return config.set({name: self.hidden}) if config[name] else config


class Forecaster(nn.Module):
    """A translator's encoder and decoder with linear maps for embeddings and one number for an output.

    A day is represented by its value, standardised over the history, and its calendar. The input of a decoder step is
    the value of the day before and the calendar of the day to forecast.
    """

    kind: ClassVar[str] = "series"

    def __init__(self, config: SeriesConfig, name: str = "untrained"):
        super().__init__()
        self.config, self.name, point = config, name, config.as_translator()
        self.encoder: Encoder = ENCODERS[point.encoder.name](point, 1)
        attention = build_attention(point.attention, point.query, point.memory, point.head_size)
        self.decoder: Decoder = ORDERS[point.decoder.name](point, 1, attention)
        self.calendar = CALENDAR
        self.encoder.embed = nn.Linear(1 + CALENDAR, point.embedding)
        self.decoder.embed = nn.Linear(1 + CALENDAR, point.embedding)
        self.decoder.output = nn.Linear(point.readout_size, 1)

    def begin(self, batch: Batch) -> tuple[Memory, Any, Tensor, Tensor]:
        """Encode the history: memory, first carry, and the history's mean and standard deviation."""
        embedded, mean, deviation = self.embed(batch.history, batch.calendar[:, : batch.history.size(1)])
        mask = torch.ones_like(batch.history, dtype=torch.bool)
        encoded = self.encoder.encode(embedded, mask)
        return self.decoder.memory(encoded, mask), self.decoder.start(encoded, mask), mean, deviation

    def embed(
        self, history: Float[Tensor, "b src"], calendar: Float[Tensor, "b src c"]
    ) -> tuple[Float[Tensor, "b src m"], Float[Tensor, "b 1"], Float[Tensor, "b 1"]]:
        """The embeddings of the history's days, and the history's mean and standard deviation."""
        mean, deviation = history.mean(1, keepdim=True), history.std(1, keepdim=True).clamp(min=1e-6)
        days = torch.cat([((history - mean) / deviation).unsqueeze(-1), calendar], -1)
        return self.encoder.embed(days), mean, deviation

    def step(
        self, before: Float[Tensor, "b tgt"], calendar: Float[Tensor, "b tgt c"], carry: Any, memory: Memory
    ) -> tuple[Float[Tensor, "b tgt"], Step, Any]:
        """The value after each value `before`, on the days of `calendar`."""
        embedded = self.decoder.embed(torch.cat([before.unsqueeze(-1), calendar], -1))
        step, carry = self.decoder.steps(embedded, carry, memory)
        return self.decoder.output(step.attentional).squeeze(-1), step, carry

    def loss(self, batch: Batch) -> Float[Tensor, ""]:
        """Mean absolute error with teacher forcing, in standard deviations of the history."""
        memory, carry, mean, deviation = self.begin(batch)
        gold = (batch.future - mean) / deviation
        before = torch.cat([(batch.history[:, -1:] - mean) / deviation, gold[:, :-1]], 1)
        predicted, *_ = self.step(before, batch.calendar[:, batch.history.size(1) :], carry, memory)
        return (predicted - gold).abs().mean()


KIND = Kind(
    Forecaster.kind,
    SeriesConfig.from_json,
    DrawnConfig.from_json,
    lambda config, name, folder: Forecaster(config, name),
)
