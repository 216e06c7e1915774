"""The third order: the bottom layer of several looks, and all layers read what it saw (Wu 2016, section 3)."""

from collections.abc import Sequence
from typing import cast

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from attn_core.attention.attention import Attention
from attn_core.attention.multihead import MultiHead
from attn_core.models.cells import LSTM
from attn_core.models.config import ModelConfig
from attn_core.models.decoders import ORDERS, Carry, Decoder
from attn_core.models.encoders import Encoded
from attn_core.models.gathered_gradients import gathered_gradients
from attn_core.tensors import cat
from attn_core.trace import Look, Memory, Step


@ORDERS.add("gnmt", r"h^1_t = f([E\,y_{t-1}; c_{t-1}], h^1_{t-1}), \quad h^k_t = f([h^{k-1}_t; c_t], h^k_{t-1})")
class GNMT(Decoder):
    """Layers of LSTMs of which the lowest looks; the output layer reads the top one's state h^L_t.

    `query` "state" is gnmt_v2 of tf-nmt: h^1_t looks, and the layers above read what it saw in the same step.
    "previous" is its gnmt, and the paper's: h^1_{t-1} looks, so that all layers can start at once (section 3). It is
    Bahdanau's order, then, in a stack. No residual connections: tf-nmt has them from the third layer on.
    """

    def __init__(self, config: ModelConfig, vocabulary: int, attention: Attention | MultiHead | None):
        super().__init__(config, vocabulary, attention)
        self.previous, self.context = config.query == "previous", config.context
        inputs = [config.embedding, *[config.hidden] * (config.layers - 1)]
        rnns = (LSTM(size + config.context, config.hidden, bias=config.biases, batch_first=True) for size in inputs)
        self.rnns = cast(Sequence[LSTM], nn.ModuleList(rnns))

    @classmethod
    def equations(cls, config: ModelConfig) -> list[str]:
        return [
            r"h^1_t = f(x_t, h^1_{t-1})",
            r"h^k_t = f([h^{k-1}_t; c_t], h^k_{t-1})",
            rf"\tilde h_t = h^{{{config.layers}}}_t",
        ]

    @classmethod
    def fed(cls, config: ModelConfig) -> list[str]:
        return [rf"x_t = [E\,y_{{t-1}};\ c_{{{'t' if config.query == 'previous' else 't-1'}}}]"]

    def start(self, encoded: Encoded) -> Carry:
        """Layer k starts from encoder layer k; the first context is zero."""
        return Carry(0, encoded.final, encoded.states.new_zeros(encoded.states.size(0), self.context))

    def forward(self, words: Int[Tensor, "b tgt"], carry: Carry, memory: Memory) -> tuple[Step, Carry]:
        return self.read(self.dropout(self.embed(words)), carry, memory)

    def read(self, embedded: Float[Tensor, "b tgt m"], carry: Carry, memory: Memory) -> tuple[Step, Carry]:
        """The steps that read words, or anything else, as vectors."""
        layers = [tuple(part[:, k : k + 1] for part in carry.state) for k in range(len(self.rnns))]
        context, steps = carry.fed, []
        bottom, *above = self.rnns
        lowest = bottom.stepper(embedded)
        with gathered_gradients():
            for t in range(embedded.size(1)):
                if self.previous:
                    looks, context = self._look(layers[0][0].squeeze(1), memory, carry.t + t)
                hidden, layers[0] = lowest(t, context, layers[0])
                if not self.previous:
                    looks, context = self._look(hidden, memory, carry.t + t)
                for k, rnn in enumerate(above, 1):
                    below = torch.cat([self.dropout(hidden), context], -1)
                    hidden, layers[k] = rnn.stepper(below.unsqueeze(1))(0, None, layers[k])
                steps.append(Step(looks, hidden.unsqueeze(1), hidden.unsqueeze(1)))
        state = tuple(torch.cat(part, 1) for part in zip(*layers, strict=True))
        return cat(steps, dim=1), Carry(carry.t + len(steps), state, context)

    def _look(self, query: Float[Tensor, "b n"], memory: Memory, t: int) -> tuple[tuple[Look, ...], Tensor]:
        assert self.attention is not None
        looks, context = self.attention.looks(query.unsqueeze(1), memory, t)
        return looks, context.squeeze(1)
