"""The two orders of one decoding step, and the decoder that cannot look.

A decoder reads any number of target words at once: all of them when a target is given (training, forced decoding),
one when it searches. Either way the same lines run.
"""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from attn_core.attention.attention import Attention
from attn_core.attention.multihead import MultiHead
from attn_core.data.tokenizer import BOS
from attn_core.models.cells import STACKS, GRUCell
from attn_core.models.config import ModelConfig
from attn_core.models.encoders import Encoded, Encoder
from attn_core.models.gathered_gradients import gathered_gradients
from attn_core.registry import Registry
from attn_core.tensors import cat, wide
from attn_core.trace import Look, Memory, Record, Step

ORDERS: "Registry[Decoder]" = Registry("order")


@dataclass(frozen=True)
class Carry(Record):
    """What one decoding step hands to the next; batch first."""

    t: int
    state: tuple[Float[Tensor, "b *n"], ...]  # s_{i-1}, or the LSTM's (h, c) with a layer axis
    fed: Float[Tensor, "b f"]  # the context (Bahdanau) or the attentional vector (Luong) of the step before


class Decoder(nn.Module):
    """Base: the target embeddings, the attention and the output layer."""

    name: str
    formula: str

    def __init__(self, config: ModelConfig, vocabulary: int, attention: Attention | MultiHead | None):
        super().__init__()
        embed = nn.Embedding(vocabulary, config.embedding, padding_idx=0)
        self.embed: nn.Module = embed
        self.attention = attention
        self.dropout: nn.Module = nn.Dropout(config.dropout)
        self.output_dropout = nn.Dropout(config.output_dropout)
        self.dropped = config.dropout_once  # what the steps make has been dropped out already
        self.output = nn.Linear(config.output_reads, vocabulary, bias=config.biases)
        if config.tied:
            self.output.weight = embed.weight

    @classmethod
    def equations(cls, config: ModelConfig) -> list[str]:
        """One step in LaTeX, in the order in which a model with this ModelConfig computes it."""
        raise NotImplementedError

    @classmethod
    def fed(cls, config: ModelConfig) -> list[str]:
        """What a step is told of the one before it, beside its state; nothing in most orders."""
        return []

    def memory(self, encoded: Encoded, mask: Bool[Tensor, "b src"]) -> Memory:
        """What the steps may look at."""
        if self.attention is None:
            return Memory(encoded.states, encoded.states, mask)
        return self.attention.memory(encoded.states, mask)

    def start(self, encoded: Encoded) -> Carry:
        """The carry into the first step."""
        raise NotImplementedError

    def forward(self, words: Int[Tensor, "b tgt"], carry: Carry, memory: Memory) -> tuple[Step, Carry]:
        """The steps that read `words`; `*b` of the Step is `b tgt`."""
        raise NotImplementedError

    def log_probs(self, attentional: Float[Tensor, "*b a"]) -> Float[Tensor, "*b vocab"]:
        """log p(y_t | y_<t, x), natural."""
        return wide(self.logits(attentional)).log_softmax(-1)

    def logits(self, attentional: Float[Tensor, "*b a"]) -> Float[Tensor, "*b vocab"]:
        return self.output(attentional if self.dropped else self.output_dropout(attentional))


@ORDERS.add("update-then-attend", r"h_t = f(x_t, h_{t-1}), \quad \tilde h_t = \tanh(W_c [c_t; h_t])")
class UpdateThenAttend(Decoder):
    """Luong 2015, section 3: the LSTM steps, its top state h_t looks, and both make the attentional vector.

    `combine` is what W_c [c_t; h_t] goes through: "tanh" (eq. 5), "relu", or "linear" for nothing. `start` "both-ends"
    makes the first state of every layer from the encoder's last one, tanh(W_s h), as JoeyNMT does, where "copy"
    takes layer k over from encoder layer k, as nmt.matlab does.
    """

    def __init__(self, config: ModelConfig, vocabulary: int, attention: Attention | MultiHead | None):
        super().__init__(config, vocabulary, attention)
        self.feeding = config.feeding
        self.attentional, self.layers = config.attentional, config.layers
        self.activation = _ACTIVATIONS[config.chosen("combine")]
        self.rnn = STACKS[config.cell](
            config.embedding + (config.attentional if config.feeding else 0),
            config.hidden,
            config.layers,
            bias=config.biases,
            batch_first=True,
            dropout=config.dropout if config.layers > 1 else 0.0,
        )
        self.W_c = nn.Linear(config.context + config.hidden, config.attentional, bias=config.combine_bias)
        both = config.chosen("start") == "both-ends"
        self.W_s = nn.Linear(config.start_reads, config.hidden) if both else None

    @classmethod
    def equations(cls, config: ModelConfig) -> list[str]:
        combined = "W_c [c_t; h_t]" + (" + b_c" if config.combine_bias else "")
        if (name := config.chosen("combine")) != "linear":
            combined = rf"\{'tanh' if name == 'tanh' else 'operatorname{relu}'}({combined})"
        lines = [r"h_t = f(x_t, h_{t-1})", rf"\tilde h_t = {combined}"]
        if config.chosen("start") != "both-ends":
            return lines
        first = "h_{-1} = c_{-1}" if config.cell == "lstm" else "h_{-1}"
        layers = r"\ \text{in every layer}" if config.layers > 1 else ""
        return [*lines, rf"{first} = \tanh(W_s {_ends(config)}){layers}"]

    @classmethod
    def fed(cls, config: ModelConfig) -> list[str]:
        return [r"x_t = [E\,y_{t-1};\ \tilde h_{t-1}]" if config.feeding else r"x_t = E\,y_{t-1}"]

    def start(self, encoded: Encoded) -> Carry:
        """The first states, and the first fed vector, which is zero (so in nmt.matlab; the paper does not say)."""
        state = encoded.final
        if self.W_s is not None:
            first = wide(torch.tanh(self.W_s(state[0][:, -1]))).unsqueeze(1).expand(-1, self.layers, -1)
            state = (first,) * len(state)
        return Carry(0, state, encoded.states.new_zeros(encoded.states.size(0), self.attentional))

    def forward(self, words: Int[Tensor, "b tgt"], carry: Carry, memory: Memory) -> tuple[Step, Carry]:
        return self.read(self.dropout(self.embed(words)), carry, memory)

    def read(self, embedded: Float[Tensor, "b tgt m"], carry: Carry, memory: Memory) -> tuple[Step, Carry]:
        """The steps that read words, or anything else, as vectors."""
        if self.feeding or embedded.size(1) == 1:
            return self._stepwise(embedded, carry, memory)
        before = tuple(part.transpose(0, 1).contiguous() for part in carry.state)
        hidden, after = self.rnn(embedded, before)
        step = self._look(hidden, memory, carry.t)
        state = tuple(part.transpose(0, 1) for part in after)
        return step, Carry(carry.t + embedded.size(1), state, step.attentional[:, -1])

    def _stepwise(self, embedded: Float[Tensor, "b tgt m"], carry: Carry, memory: Memory) -> tuple[Step, Carry]:
        """With input feeding (section 3.3) h~_{t-1} goes into step t beside the word, so steps cannot be batched."""
        rnn, state, fed, steps = self.rnn.stepper(embedded), carry.state, carry.fed, []
        with gathered_gradients():
            for t in range(embedded.size(1)):
                read = fed if self.dropped else self.dropout(fed)
                hidden, state = rnn(t, read if self.feeding else None, state)
                steps.append(self._look(hidden.unsqueeze(1), memory, carry.t + t))
                fed = steps[-1].attentional.squeeze(1)
        return cat(steps, dim=1), Carry(carry.t + len(steps), state, fed)

    def _look(self, hidden: Float[Tensor, "b tgt n"], memory: Memory, t: int) -> Step:
        assert self.attention is not None
        looks, context = self.attention.looks(hidden, memory, t)
        combined = self.activation(self.W_c(torch.cat([context, hidden], -1)))
        return Step(looks, hidden, self.output_dropout(combined) if self.dropped else combined)


def _ends(config: ModelConfig) -> str:
    """What start "both-ends" reads: of the top layer, in LaTeX."""
    ends = Encoder.ends(config)
    if len(ends) == 1:
        return ends[0]
    # A GRU's directions are added up where they are looked at, not at the ends; a stack's are at both.
    summed = config.directions == "sum" and config.order != "attend-then-update"
    return f"({' + '.join(ends)})" if summed else f"[{'; '.join(ends)}]"


_ACTIVATIONS: dict[str, Callable[[Tensor], Tensor]] = {"tanh": torch.tanh, "relu": torch.relu, "linear": lambda x: x}


@ORDERS.add("attend-then-update", r"c_i = q(s_{i-1}, h), \quad s_i = f(s_{i-1}, y_{i-1}, c_i)")
class AttendThenUpdate(Decoder):
    """Bahdanau 2015, section 3.1 and A.2.2: s_{i-1} looks; s_i is then made from what was seen.

    `update` "groundhog" is the authors' code: attend with s_{i-1}, predict y_i, then s_i = GRU(s_{i-1}, y_i, c_i), so
    that the querying state knows y_{i-1}. "printed" is the recurrence as printed, s_i = GRU(s_{i-1}, y_{i-1}, c_i).
    `readout` names the state that the output layer reads: "s_prev" (A.2.2 and the code) or "s_cur" (eq. 4).

    `combine` is how it is read: "maxout" of U_o s + V_o E y + C_o c (A.2.2), the same sum as it is ("linear"), the
    vectors side by side ("concat"), or the "state" alone. `start` is s_0: from the "backward" state at the first
    word (A.2.2), from "both-ends" through tanh(W_s [forward; backward]), or a "copy" of the encoder's last state. With
    `query` "word-and-state" [E y_{i-1}; s_{i-1}] looks. `input_layer` puts relu(W_x [E y; c_i]) before the GRU; without
    `recurrent` the GRU begins each step from zero, so that s_{i-1} has no part in s_i but through the look. Whose each
    of these is, attn_core.models.variants says.
    """

    def __init__(self, config: ModelConfig, vocabulary: int, attention: Attention | MultiHead | None):
        super().__init__(config, vocabulary, attention)
        self.update, self.readout, self.first_word = config.update, config.readout, config.first_word
        self.query, self.combine, self.recurrent = config.query, config.chosen("combine"), config.recurrent
        self.context = config.context
        m, n, mem = config.embedding, config.hidden, config.context
        self.W_s: nn.Linear | None = None
        self.W_x: nn.Linear | None = None
        self.C: nn.Linear | None = None
        if config.chosen("start") != "copy":
            # With the bias of GroundHog, which the text does not print.
            self.W_s = nn.Linear(config.start_reads, n)
        self.W = nn.Linear(n if config.input_layer else m, 3 * n)  # W_z, W_r, W: the word's share of gates, candidate
        if config.input_layer:
            self.W_x = nn.Linear(m + mem, n)
        else:
            self.C = nn.Linear(mem, 3 * n, bias=False)  # C_z, C_r, C: the context's share
        self.cell = GRUCell(n, config.reset)
        if self.combine in ("maxout", "linear"):
            units = config.attentional * (2 if self.combine == "maxout" else 1)
            self.U_o = nn.Linear(n, units)
            self.V_o = nn.Linear(m, units, bias=False)
            self.C_o = nn.Linear(mem, units, bias=False)

    @classmethod
    def equations(cls, config: ModelConfig) -> list[str]:
        read = "s_i" if config.readout == "s_cur" else "s_{i-1}"
        units = rf"U_o {read} + V_o E\,y_{{i-1}} + C_o c_i"
        lines = {
            "maxout": [rf"\tilde t_i = {units}", r"t_i = \operatorname{maxout}(\tilde t_i)"],
            "linear": [rf"t_i = {units}"],
            "concat": [rf"t_i = [{read}; c_i; E\,y_{{i-1}}]"],
            "state": [rf"t_i = {read}"],
        }[config.chosen("combine")]
        word = "y_i" if config.update == "groundhog" else "y_{i-1}"
        entering = rf"\operatorname{{relu}}(W_x [E\,{word}; c_i])" if config.input_layer else f"{word}, c_i"
        updated = f"s_i = f({'s_{i-1}' if config.recurrent else '0'}, {entering})"
        lines = [*lines, updated] if config.update == "groundhog" else [updated, *lines]
        if config.first_word == "zero":
            lines.append(r"E\,y_0 = 0")
        first = {"both-ends": rf"\tanh(W_s {_ends(config)})", "copy": Encoder.ends(config)[-1]}
        start = config.chosen("start")
        return [*lines, f"s_0 = {first[start]}"] if start in first else lines

    def start(self, encoded: Encoded) -> Carry:
        """s_0 = tanh(W_s h), h the final states that `start` says; in the paper the backward one (A.2.2)."""
        last = encoded.final[0][:, -1]
        first = last if self.W_s is None else torch.tanh(self.W_s(last))
        return Carry(0, (wide(first),), encoded.states.new_zeros(len(last), self.context))

    def forward(self, words: Int[Tensor, "b tgt"], carry: Carry, memory: Memory) -> tuple[Step, Carry]:
        embedded = self.dropout(self.embed(words))
        if self.first_word == "zero":
            embedded = embedded * (words != BOS).unsqueeze(-1)
        return self.read(embedded, carry, memory)

    def read(self, embedded: Float[Tensor, "b tgt m"], carry: Carry, memory: Memory) -> tuple[Step, Carry]:
        """The steps that read words, or anything else, as vectors."""
        (state,), context = carry.state, carry.fed
        looks, contexts, read = [], [], []
        enters = self.enters(embedded)
        with gathered_gradients():
            for t, word in enumerate(embedded.unbind(1), carry.t):
                if self.update == "groundhog" and t > 0:
                    state = self.renewed(enters(t - carry.t, context), state)
                query = torch.cat([word, state], -1) if self.query == "word-and-state" else state
                context, look = self.look(query, context, memory, t)
                queried = state
                if self.update == "printed":
                    state = self.renewed(enters(t - carry.t, context), state)
                looks.append(look)
                contexts.append(context)
                read.append(state if self.readout == "s_cur" else queried)
        hidden = torch.stack(read, 1)
        step = Step(cat(looks, dim=1), hidden, self.combined(hidden, embedded, torch.stack(contexts, 1)))
        return step, Carry(carry.t + embedded.size(1), (state,), context)

    def enters(self, embedded: Float[Tensor, "b tgt m"]) -> Callable[[int, Tensor], Tensor]:
        """A function of the word's number and the context: what enters the cell's gates and candidate."""
        W_x, C = self.W_x, self.C
        if W_x is not None:
            return lambda t, context: self.W(torch.relu(W_x(torch.cat([embedded[:, t], context], -1))))
        shares = self.W(embedded).unbind(1)
        assert C is not None  # there is one or the other
        return lambda t, context: shares[t] + C(context)

    def renewed(self, entering: Float[Tensor, "b gates"], state: Float[Tensor, "b n"]) -> Float[Tensor, "b n"]:
        return self.cell(entering, state if self.recurrent else torch.zeros_like(state))

    def look(
        self, state: Float[Tensor, "b q"], context: Float[Tensor, "b mem"], memory: Memory, t: int
    ) -> tuple[Float[Tensor, "b mem"], tuple[Look, ...]]:
        """c_i, and how it came about."""
        assert self.attention is not None  # a FixedVector does not get here
        looks, context = self.attention.looks(state.unsqueeze(1), memory, t)
        return context.squeeze(1), looks

    def combined(
        self,
        hidden: Float[Tensor, "b tgt n"],
        embedded: Float[Tensor, "b tgt m"],
        contexts: Float[Tensor, "b tgt mem"],
    ) -> Float[Tensor, "b tgt l"]:
        """What the output layer reads; in the paper t_j = max(t~_{2j-1}, t~_{2j}), t~ = U_o s + V_o E y + C_o c."""
        if self.combine == "state":
            return hidden
        if self.combine == "concat":
            return torch.cat([hidden, contexts, embedded], -1)
        units = self.U_o(hidden) + self.V_o(embedded) + self.C_o(contexts)
        return units.unflatten(-1, (-1, 2)).amax(-1) if self.combine == "maxout" else units


class FixedVector(AttendThenUpdate):
    """RNNencdec (Cho 2014; Bahdanau 2015, A.2.2): every step reads the same context, the encoder's last state."""

    @classmethod
    def equations(cls, config: ModelConfig) -> list[str]:
        return [rf"c_i = {Encoder.ends(config)[-1]} \ \text{{at every step}}", *super().equations(config)]

    def start(self, encoded: Encoded) -> Carry:
        begun = super().start(encoded)
        return Carry(begun.t, begun.state, encoded.final[0][:, -1])

    def look(
        self, state: Float[Tensor, "b q"], context: Float[Tensor, "b mem"], memory: Memory, t: int
    ) -> tuple[Float[Tensor, "b mem"], tuple[Look, ...]]:
        return context, ()
