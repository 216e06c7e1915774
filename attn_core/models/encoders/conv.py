"""The convolutional encoder (Gehring 2017, section 3)."""

import math
from collections.abc import Sequence
from typing import Any

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn
from torch.nn import functional as F

from attn_core.models.config import ModelConfig
from attn_core.models.encoders.encoder import Encoded, Encoder
from attn_core.models.encoders.settings import ConvSettings


class Block(nn.Module):
    """One block: h <- (GLU(conv(h)) + h) * sqrt(1/2), GLU([A; B]) = A * sigmoid(B) (sections 3.2 and 3.4).

    The input is padded with zeros on both sides, so that the output has the same length.
    """

    def __init__(self, channels: int, width: int):
        super().__init__()
        self.conv = nn.Conv1d(channels, 2 * channels, width, padding=width // 2)

    def forward(self, h: Float[Tensor, "b d src"], real: Bool[Tensor, "b 1 src"]) -> Float[Tensor, "b d src"]:
        """Positions that are not `real` are set to zero, like the padding of the convolution."""
        return (F.glu(self.conv(h * real), dim=1) + h) * math.sqrt(0.5)


class ConvEncoder(Encoder):
    """Convolutional blocks over e_j = word + position embedding, computed for all words in parallel (section 3).

    Scores compare a query with the last block's output z_j; the context averages z_j + e_j (section 3.3). Linear layers
    before and after the blocks convert between the sizes of embeddings and channels.
    """

    def __init__(self, config: ModelConfig, vocabulary: int):
        super().__init__(config, vocabulary)
        settings = config.encoder
        assert isinstance(settings, ConvSettings)
        self.embed_place = nn.Embedding(settings.longest, config.embedding)
        self.enter = nn.Linear(config.embedding, settings.hidden)
        self.blocks = nn.ModuleList(Block(settings.hidden, settings.width) for _ in range(settings.layers))
        self.leave = nn.Linear(settings.hidden, config.embedding)

    @classmethod
    def equations(cls, config: Any) -> list[str]:
        x, own = config.decoder.letters, config.encoder
        j, layers = x.place, own.layers
        return [
            rf"e_{j} = x_{j} + P_{j}, \quad h^0 = W_{{in}}\,e",
            r"h^n = (\operatorname{GLU}(\operatorname{conv}(h^{n-1})) + h^{n-1})\,\sqrt{0.5}"
            rf", \quad n = 1 \dots {layers}",
            rf"{x.state} = z_{j} = W_{{out}}\,h^{{{layers}}}_{j}",
        ]

    def encode(
        self, embedded: Float[Tensor, "b src m"], mask: Bool[Tensor, "b src"], lengths: Sequence[int] | None = None
    ) -> Encoded:
        """Raises ValueError for a sentence with more words than position embeddings."""
        longest, length = self.embed_place.num_embeddings, embedded.size(1)
        if length > longest:
            raise ValueError(
                f"this encoder has {longest} position embeddings, but the source has {length} tokens: shorten it, or "
                f"train with encoder.longest={length} or more"
            )
        e = embedded + self.embed_place(torch.arange(length, device=embedded.device))
        h, real = self.enter(e).mT, mask.unsqueeze(1)
        for block in self.blocks:
            h = block(self.dropout(h), real)
        z = self.leave(h.mT)
        return Encoded(z, (), values=z + e)
