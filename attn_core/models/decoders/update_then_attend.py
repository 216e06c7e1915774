"""Luong's order: the RNN is updated, and its new state attends."""

from collections.abc import Callable
from typing import Any

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from attn_core.attention.attention import Attention
from attn_core.attention.describe import attention_quantities
from attn_core.attention.mode import AS_BUILT, Mode
from attn_core.attention.multihead import MultiHead
from attn_core.attention.notation import Node, Quantity
from attn_core.messages import N_
from attn_core.models.cells import GRU, LSTM
from attn_core.models.config import ModelConfig
from attn_core.models.decoders.decoder import Carry, Decoder, distribution, initial_lines
from attn_core.models.encoders.encoder import Encoded
from attn_core.models.settings import UpdateThenAttendSettings
from attn_core.trace import Look, Memory, Step
from attn_core.trace.naming import named
from attn_core.trace.tensors import cat, wide

_ACTIVATIONS: dict[str, Callable[[Tensor], Tensor]] = {"tanh": torch.tanh, "relu": torch.relu, "linear": lambda x: x}
_CELLS: dict[str, type[LSTM] | type[GRU]] = {"lstm": LSTM, "torch-gru": GRU}


class UpdateThenAttend(Decoder):
    """Luong 2015, section 3: the LSTM is updated, its top state h_t attends, and h_t and c_t are combined.

    `combine` is the activation of W_c [c_t; h_t]: "tanh" (eq. 5), "relu", or "linear" for none. Without attention it is
    the activation of W_c h_t, or h_t itself with "state", as in Luong's base model. `start` "copy" copies the last
    state of encoder layer k to layer k, as in nmt.matlab; "both-ends" is tanh(W_init h) of the encoder's last state in
    all layers, as in JoeyNMT; "mean" is tanh(W_init h) of the mean encoder state.
    """

    def __init__(self, config: ModelConfig, vocabulary: int, attention: Attention | MultiHead | None):
        super().__init__(config, vocabulary, attention)
        own = config.decoder
        assert isinstance(own, UpdateThenAttendSettings)
        self.feeding, self.layers, self.start_from = own.feeding, own.layers, own.start
        self.attentional = config.readout_size
        self.rnn = _CELLS[own.cell](
            config.embedding + (self.attentional if own.feeding else 0),
            own.hidden,
            own.layers,
            bias=own.biases,
            batch_first=True,
            dropout=config.dropout if own.layers > 1 else 0.0,
        )
        self.W_c: nn.Linear | None = None
        if own.combine != "state":
            self.activation = _ACTIVATIONS[own.combine]
            context = 0 if attention is None else config.context
            self.W_c = nn.Linear(context + own.hidden, own.attentional, bias=own.combine_bias)
        self.W_init = None if own.start == "copy" else nn.Linear(config.memory, own.hidden)

    @classmethod
    def quantities(cls, config: Any) -> tuple[Quantity, ...]:
        own, n, m = config.decoder, config.hidden, config.embedding
        fed = ("fed",) if own.feeding else ()
        x = r"x_t = [E\,y_{t-1};\ \tilde h_{t-1}]" if own.feeding else r"x_t = E\,y_{t-1}"
        attention = () if config.attention is None else attention_quantities(config, ("state",))
        read = ("state",) if config.attention is None else ("context", "state")
        size = config.readout_size
        return (
            Quantity(
                "previous", "order", "h_{t-1}", N_("previous state"), (), (), (n,), given=True, node=Node.STATE_BEFORE,
                first=initial_lines(config, "h_{-1}"),
            ),
            Quantity(
                "word", "order", r"E\,y_{t-1}", N_("embedding of the previous word"), (), (), (m,), given=True,
                node=Node.WORD_BEFORE,
            ),
            Quantity(  # of every model; without input feeding nothing is computed from it
                "fed", "feeding", r"\tilde h_{t-1}", N_("previous attentional vector"), (), (), (size,), given=True,
                node=Node.OUTPUT_BEFORE, first=(r"\tilde h_{-1} = 0",) if own.feeding else (),
            ),
            Quantity("input", "feeding", "x_t", N_("input of the RNN"), (x,), ("word", *fed), (m + len(fed) * size,)),
            Quantity(
                "state", "order", "h_t", N_("new state"), (r"h_t = f(x_t, h_{t-1})",), ("previous", "input"), (n,),
                node=Node.STATE,
            ),
            *attention,
            Quantity(
                "readout", "order", r"\tilde h_t", N_("attentional vector"),
                (rf"\tilde h_t = {_combined(config)}",), read, (size,), node=Node.OUTPUT,
            ),
            distribution(config, "y_t", r"\tilde h_t", "W_s"),
        )  # fmt: skip

    def context_matrix(self) -> Float[Tensor, "out mem"] | None:
        """The context's columns of W_c, which come first."""
        return None if self.W_c is None else self.W_c.weight[:, : -self.rnn.hidden_size]

    def start(self, encoded: Encoded, mask: Bool[Tensor, "b src"]) -> Carry:
        """The initial states, and a zero vector for input feeding (as in nmt.matlab; the paper does not specify it)."""
        fed = encoded.states.new_zeros(encoded.states.size(0), self.attentional)
        if self.W_init is None:
            return Carry(0, tuple(wide(encoded.joined(part)) for part in encoded.final), fed)
        last = encoded.mean(mask) if self.start_from == "mean" else encoded.joined(encoded.final[0][:, -1])
        first = wide(torch.tanh(self.W_init(last))).unsqueeze(1).expand(-1, self.layers, -1)
        return Carry(0, (first,) * (2 if isinstance(self.rnn, LSTM) else 1), fed)

    def steps(
        self, embedded: Float[Tensor, "b tgt m"], carry: Carry, memory: Memory, mode: Mode = AS_BUILT
    ) -> tuple[Step, Carry]:
        if self.feeding or embedded.size(1) == 1:
            return self._stepwise(embedded, carry, memory, mode)
        before = tuple(part.transpose(0, 1).contiguous() for part in carry.state)
        hidden, after = self.rnn(embedded, before)
        step = self._attend(hidden, memory, carry.t, mode)
        state = tuple(part.transpose(0, 1) for part in after)
        return step, Carry(carry.t + embedded.size(1), state, step.attentional[:, -1])

    def _stepwise(
        self, embedded: Float[Tensor, "b tgt m"], carry: Carry, memory: Memory, mode: Mode
    ) -> tuple[Step, Carry]:
        """With input feeding (section 3.3), h~_{t-1} is an input of step t, so steps cannot be batched."""
        rnn, state, fed = self.rnn.stepper(embedded), carry.state, carry.fed
        named("previous", state[0][:, -1])
        steps: list[Step] = []
        for t in range(embedded.size(1)):
            fed_in = fed if self.dropout_once else self.dropout(fed)
            hidden, state = rnn(t, fed_in if self.feeding else None, state)
            steps.append(self._attend(hidden.unsqueeze(1), memory, carry.t + t, mode))
            fed = steps[-1].attentional.squeeze(1)
        return cat(steps, dim=1), Carry(carry.t + len(steps), state, fed)

    def _attend(self, hidden: Float[Tensor, "b tgt n"], memory: Memory, t: int, mode: Mode) -> Step:
        looks: tuple[Look, ...] = ()
        joined = hidden
        if self.attention is not None:
            looks, context = self.attention.looks(hidden, memory, t, mode)
            joined = torch.cat([context, hidden], -1)
        combined = joined if self.W_c is None else self.activation(self.W_c(joined))
        return Step(looks, hidden, self.output_dropout(combined) if self.dropout_once else combined)


def _combined(config: Any) -> str:
    """The attentional vector in LaTeX."""
    own = config.decoder
    if own.combine == "state":
        return "h_t"
    combined = ("W_c h_t" if config.attention is None else "W_c [c_t; h_t]") + (" + b_c" if own.combine_bias else "")
    function = {"tanh": r"\tanh", "relu": r"\operatorname{relu}"}.get(own.combine)
    return f"{function}({combined})" if function else combined
