"""The order of GNMT: the bottom layer attends, and all layers get the context (Wu 2016, section 3)."""

from collections.abc import Sequence
from typing import Any, cast

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from attn_core.attention.attention import Attention
from attn_core.attention.describe import attention_quantities
from attn_core.attention.mode import AS_BUILT, Mode
from attn_core.attention.multihead import MultiHead
from attn_core.attention.notation import Node, Quantity
from attn_core.messages import N_
from attn_core.models.cells import LSTM
from attn_core.models.config import ModelConfig
from attn_core.models.decoders.decoder import Carry, Decoder, distribution, initial_lines
from attn_core.models.encoders.encoder import Encoded
from attn_core.models.settings import GNMTSettings
from attn_core.trace import Look, Memory, Step
from attn_core.trace.naming import named
from attn_core.trace.tensors import cat, wide


class GNMT(Decoder):
    """A stack of LSTMs whose bottom layer attends; the output layer's input is the top layer's state h^L_t.

    `query` "state" is tf-nmt's gnmt_v2: h^1_t attends, and the upper layers get the context in the same step.
    "previous" is the paper's model and tf-nmt's gnmt: h^1_{t-1} attends, as in Bahdanau's order, so that all layers can
    start at once (section 3). There are no residual connections, which tf-nmt has from the third layer on.
    """

    def __init__(self, config: ModelConfig, vocabulary: int, attention: Attention | MultiHead | None):
        super().__init__(config, vocabulary, attention)
        own = config.decoder
        assert isinstance(own, GNMTSettings)
        self.previous, self.context = own.query == "previous", config.context
        inputs = [config.embedding, *[own.hidden] * (own.layers - 1)]
        rnns = (LSTM(size + config.context, own.hidden, bias=own.biases, batch_first=True) for size in inputs)
        self.rnns = cast(Sequence[LSTM], nn.ModuleList(rnns))
        self.W_init = None if own.start == "copy" else nn.Linear(config.memory, own.hidden)

    @classmethod
    def quantities(cls, config: Any) -> tuple[Quantity, ...]:
        own, n, m, mem = config.decoder, config.hidden, config.embedding, config.context
        previous = own.query == "previous"
        attention = attention_quantities(config, ("previous",) if previous else ("state",))
        entering = ("word", "context" if previous else "fed")
        x = rf"x_t = [E\,y_{{t-1}};\ c_{{{'t' if previous else 't-1'}}}]"
        top = rf"h^{{{own.layers}}}_t"
        bottom = (
            Quantity("input", "feeding", "x_t", N_("input of the bottom layer"), (x,), entering, (m + mem,)),
            Quantity(
                "state", "order", "h^1_t", N_("new state of the bottom layer"), (r"h^1_t = f(x_t, h^1_{t-1})",),
                ("previous", "input"), (n,), node=Node.STATE,
            ),
        )  # fmt: skip
        fed = Quantity(
            "fed", "feeding", "c_{t-1}", N_("previous context vector"), (), (), (mem,), given=True,
            node=Node.CONTEXT_BEFORE, first=("c_{-1} = 0",),
        )  # fmt: skip
        return (
            Quantity(
                "previous", "order", "h^1_{t-1}", N_("previous state of the bottom layer"), (), (), (n,),
                given=True, node=Node.STATE_BEFORE, first=initial_lines(config, "h^k_{-1}"),
            ),
            Quantity(
                "word", "order", r"E\,y_{t-1}", N_("embedding of the previous word"), (), (), (m,), given=True,
                node=Node.WORD_BEFORE,
            ),
            Quantity(
                "above", "order", "h^k_{t-1}", N_("previous states of the upper layers"), (), (), (own.layers - 1, n),
                given=True, node=Node.OUTPUT_BEFORE, first=initial_lines(config, "h^k_{-1}"),
            ),
            *(() if previous else (fed,)),
            *((*attention, *bottom) if previous else (*bottom, *attention)),
            Quantity(
                "readout", "order", top, N_("state of the top layer"),
                (r"h^k_t = f([h^{k-1}_t; c_t], h^k_{t-1})",),
                ("state", "context", "above"), (n,), node=Node.OUTPUT,
            ),
            distribution(config, "y_t", top, "W_s"),
        )  # fmt: skip

    def context_matrix(self) -> Float[Tensor, "out mem"]:
        """The context's columns, which come last, of the input matrices of the layers that get it in the same step."""
        layers = self.rnns if self.previous else self.rnns[1:]
        return torch.cat([rnn.get_parameter("weight_ih_l0")[:, -self.context :] for rnn in layers])

    def start(self, encoded: Encoded, mask: Bool[Tensor, "b src"]) -> Carry:
        """Layer k starts from encoder layer k, or from tanh(W_init h) of the mean state; the first context is zero."""
        context = encoded.states.new_zeros(encoded.states.size(0), self.context)
        if self.W_init is not None:
            first = wide(torch.tanh(self.W_init(encoded.mean(mask)))).unsqueeze(1).expand(-1, len(self.rnns), -1)
            return Carry(0, (first, first), context)
        return Carry(0, tuple(wide(encoded.joined(part)) for part in encoded.final), context)

    def steps(
        self, embedded: Float[Tensor, "b tgt m"], carry: Carry, memory: Memory, mode: Mode = AS_BUILT
    ) -> tuple[Step, Carry]:
        layers = [tuple(part[:, k : k + 1] for part in carry.state) for k in range(len(self.rnns))]
        named("previous", carry.state[0][:, 0])
        named("above", carry.state[0][:, 1:])
        context, steps = carry.fed, []
        bottom, *above = self.rnns
        lowest = bottom.stepper(embedded)
        for t in range(embedded.size(1)):
            if self.previous:
                looks, context = self._attend(layers[0][0].squeeze(1), memory, carry.t + t, mode)
            hidden, layers[0] = lowest(t, context, layers[0])
            named("state", hidden)
            if not self.previous:
                looks, context = self._attend(hidden, memory, carry.t + t, mode)
            for k, rnn in enumerate(above, 1):
                below = torch.cat([self.dropout(hidden), context], -1)
                hidden, layers[k] = rnn.stepper(below.unsqueeze(1), k)(0, None, layers[k])
            steps.append(Step(looks, hidden.unsqueeze(1), hidden.unsqueeze(1)))
        state = tuple(torch.cat(part, 1) for part in zip(*layers, strict=True))
        return cat(steps, dim=1), Carry(carry.t + len(steps), state, context)

    def _attend(
        self, query: Float[Tensor, "b n"], memory: Memory, t: int, mode: Mode
    ) -> tuple[tuple[Look, ...], Float[Tensor, "b mem"]]:
        assert self.attention is not None  # checked in conflicts.py
        looks, context = self.attention.looks(query.unsqueeze(1), memory, t, mode)
        return looks, context.squeeze(1)
