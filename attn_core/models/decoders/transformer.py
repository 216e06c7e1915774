"""The Transformer's decoder: masked self-attention, then cross-attention (Vaswani 2017, section 3.1)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from attn_core.attention.describe import attention_quantities
from attn_core.attention.mode import AS_BUILT, Mode
from attn_core.attention.notation import Quantity
from attn_core.messages import N_
from attn_core.models.config import ModelConfig
from attn_core.models.decoders.decoder import Carry, Decoder, distribution
from attn_core.models.encoders.encoder import Encoded
from attn_core.models.transformer_layers import DecoderLayer, Input, Residual, Shape
from attn_core.models.transformer_notation import HEADS, inner, input_lines, last_lines, layer_lines, sublayer
from attn_core.trace import Memory, Step
from attn_core.trace.naming import named


@dataclass(frozen=True, kw_only=True)
class ProjectedMemory(Memory):
    """Here `states` are the encoder states. `keys` and `values` concatenate those of all layers and heads."""

    values: Float[Tensor, "*b src v"]


class TransformerDecoder(Decoder):
    """A stack of layers without recurrence: earlier words affect later ones through self-attention (section 3.1).

    The Carry caches every layer's keys and values of the words so far, so that a step computes only one word. The Looks
    of self-attention are `Step.own`, those of cross-attention `Step.looks`.
    """

    def __init__(self, config: ModelConfig, vocabulary: int, attention: None = None):
        super().__init__(config, vocabulary, attention)
        shape = Shape.of_decoder(config)
        self.input = Input(shape)
        self.dropout = nn.Identity()  # `Input` applies dropout
        layers = nn.ModuleList(DecoderLayer(shape) for _ in range(shape.stack.layers))
        self.layers = cast(Sequence[DecoderLayer], layers)
        self.last = Residual.last(shape)
        self.heads = shape.heads

    @classmethod
    def quantities(cls, config: Any) -> tuple[Quantity, ...]:
        own, d, heads = config.decoder, config.embedding, config.attention.heads
        # The encoder states, and what stands for one of them as a key and as a value.
        memory = f"h^{{{config.encoder.layers}}}" if config.encoder.name == "transformer" else "h"
        key, value = f"{memory}_s", config.encoder.value.format("s") or f"{memory}_s"
        u, before = layer_lines("z^{n-1}", own)
        attend = (
            *input_lines("z^0_t", r"E\,y_{t-1}", "t", d, own)[:1],
            *u,
            sublayer("g_t", before.format("t"), rf"{HEADS}(u_t, u_{{\le t}}, u_{{\le t}})", own),
            rf"{HEADS}(q, k, v) = W_O [c^1; \dots; c^{{{heads}}}]\ \text{{(as for }} c_t \text{{)}}",
            rf"q_t = W_Q^m\,{inner('g_t', own)}",
            rf"k_s = W_K^m\,{key}",
            rf"v_s = W_V^m\,{value}",
        )
        rest = (
            sublayer("b_t", "g_t", "c_t", own),
            sublayer("z^n_t", "b_t", rf"\operatorname{{FFN}}({inner('b_t', own)})", own),
            *last_lines("z", own),
        )
        top = f"z^{{{own.layers}}}_t"
        words = Quantity("word", "order", "y_{<t}", N_("the words so far"), (), (), (d,), given=True)
        query = Quantity("query", "order", "q_t", N_("query of a head"), attend, ("word",), (d // heads,))
        return (
            words,
            query,
            *attention_quantities(config, ("query",)),
            Quantity("readout", "order", top, N_("state of the last layer"), rest, ("word", "context"), (d,)),
            distribution(config, "y_t", top, "W_s"),  # W_O is that of the heads
        )

    def memory(self, encoded: Encoded, mask: Bool[Tensor, "b src"]) -> ProjectedMemory:
        states = named("memory", encoded.states)
        own = states if encoded.values is None else encoded.values
        keys = torch.cat([layer.cross.W_K(states) for layer in self.layers], -1)
        values = torch.cat([layer.cross.W_V(own) for layer in self.layers], -1)
        return ProjectedMemory(states, keys, mask, encoded.looks, values=values)

    def start(self, encoded: Encoded, mask: Bool[Tensor, "b src"]) -> Carry:
        """An empty cache: there are no words yet."""
        rows, _, d = encoded.states.shape
        nothing = encoded.states.new_zeros(rows, self.heads, 0, d // self.heads)
        return Carry(0, (nothing,) * (2 * len(self.layers)), encoded.states.new_zeros(rows, 0))

    def context_maps(self) -> dict[tuple[int, int], Float[Tensor, "out v"] | None]:
        """Each head's columns of its layer's W_O."""
        parts = [layer.cross.W_O.weight.chunk(self.heads, 1) for layer in self.layers]
        return {(layer, head): part for layer, heads in enumerate(parts) for head, part in enumerate(heads)}

    def steps(
        self, embedded: Float[Tensor, "b tgt m"], carry: Carry, memory: Memory, mode: Mode = AS_BUILT
    ) -> tuple[Step, Carry]:
        assert isinstance(memory, ProjectedMemory)
        x = self.input(embedded, carry.t)
        places = torch.arange(carry.t + embedded.size(1), device=embedded.device)
        causal = (places <= places[carry.t :, None]).unsqueeze(0)
        inside = memory.src_mask.unsqueeze(1)
        state, own, looks = [], (), ()
        for number, layer in enumerate(self.layers):
            past = carry.state[2 * number], carry.state[2 * number + 1]
            memory_of_layer = self.of_layer(memory, number)
            x, cache, of_self, of_cross = layer(x, past, causal, memory_of_layer, inside, number, mode.recorded)
            state += cache
            own, looks = own + of_self, looks + of_cross
        x = self.last(x)
        return Step(looks, x, x, own), Carry(carry.t + embedded.size(1), tuple(state), carry.fed)

    def of_layer(self, memory: ProjectedMemory, number: int) -> tuple[Tensor, Tensor]:
        """One layer's keys and values, split into heads: (b heads src d_k)."""
        d = memory.states.size(-1)
        one = slice(number * d, (number + 1) * d)
        split = self.layers[number].cross.split
        return split(memory.keys[..., one]), split(memory.values[..., one])
