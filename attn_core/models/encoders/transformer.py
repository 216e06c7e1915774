"""The Transformer's encoder: self-attention over the source (Vaswani 2017, section 3.1)."""

from collections.abc import Sequence
from typing import Any, cast

from jaxtyping import Bool, Float
from torch import Tensor, nn

from attn_core.models.config import ModelConfig
from attn_core.models.encoders.encoder import Encoded, Encoder
from attn_core.models.transformer_layers import EncoderLayer, Input, Residual, Shape
from attn_core.models.transformer_notation import HEADS, inner, input_lines, last_lines, layer_lines, sublayer


class TransformerEncoder(Encoder):
    """A stack of layers in which every word attends to every word of the sentence (section 3.1).

    The Looks of every layer and head are `Encoded.looks`.
    """

    def __init__(self, config: ModelConfig, vocabulary: int):
        super().__init__(config, vocabulary)
        shape = Shape.of_encoder(config)
        self.input = Input(shape)
        self.dropout = nn.Identity()  # `Input` applies dropout
        layers = nn.ModuleList(EncoderLayer(shape) for _ in range(shape.stack.layers))
        self.layers = cast(Sequence[EncoderLayer], layers)
        self.last = Residual.last(shape)

    @classmethod
    def equations(cls, config: Any) -> list[str]:
        own = config.encoder
        u, before = layer_lines("h^{n-1}", own)
        return [
            *input_lines("h^0_s", r"E\,x_s" if config.shared else r"E_x\,x_s", "s", config.embedding, own),
            *u,
            sublayer("g_s", before.format("s"), rf"{HEADS}(u_s, u, u)", own),
            sublayer("h^n_s", "g_s", rf"\operatorname{{FFN}}({inner('g_s', own)})", own),
            *last_lines("h", own),
        ]

    def encode(
        self, embedded: Float[Tensor, "b src m"], mask: Bool[Tensor, "b src"], lengths: Sequence[int] | None = None
    ) -> Encoded:
        x, looks = self.input(embedded), ()
        for number, layer in enumerate(self.layers):
            x, found = layer(x, mask.unsqueeze(1), number)
            looks += found
        return Encoded(self.last(x), (), looks=looks)
