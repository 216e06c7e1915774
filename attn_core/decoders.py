"""The two orders of one decoding step, and the decoder that cannot look.

A decoder reads any number of target words at once: all of them when a target is given (training, forced decoding),
one when it searches. Either way the same lines run.
"""

from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from attn_core.attention import Attention
from attn_core.cells import LSTM, GRUCell
from attn_core.config import ModelConfig
from attn_core.encoders import Encoded
from attn_core.gathered import gathered_gradients
from attn_core.heads import MultiHead
from attn_core.registry import Registry
from attn_core.trace import Look, Memory, Record, Step, cat, wide

ORDERS = Registry("order")
BOS = 2


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
        self.embed = nn.Embedding(vocabulary, config.embedding, padding_idx=0)
        self.attention = attention
        self.dropout = nn.Dropout(config.dropout)
        self.output_dropout = nn.Dropout(config.output_dropout)
        self.output = nn.Linear(config.attentional, vocabulary, bias=config.biases)
        if config.tied:
            self.output.weight = self.embed.weight

    @classmethod
    def equations(cls, config: ModelConfig) -> list[str]:
        """One step in LaTeX, in the order in which a model with this ModelConfig computes it."""
        raise NotImplementedError

    @classmethod
    def fed(cls, config: ModelConfig) -> list[str]:
        """What a step is told of the one before it, beside its state; nothing in most orders."""
        return []

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
        return self.output(self.output_dropout(attentional))


@ORDERS.add("step-then-look", r"h_t = f(x_t, h_{t-1}), \quad \tilde h_t = \tanh(W_c [c_t; h_t])")
class StepThenLook(Decoder):
    """Luong 2015, section 3: the LSTM steps, its top state h_t looks, and both make the attentional vector."""

    def __init__(self, config: ModelConfig, vocabulary: int, attention: Attention | MultiHead | None):
        super().__init__(config, vocabulary, attention)
        self.feeding = config.feeding
        self.attentional = config.attentional
        self.rnn = LSTM(
            config.embedding + (config.attentional if config.feeding else 0),
            config.hidden,
            config.layers,
            bias=config.biases,
            batch_first=True,
            dropout=config.dropout if config.layers > 1 else 0.0,
        )
        self.W_c = nn.Linear(config.context + config.hidden, config.attentional, bias=False)

    @classmethod
    def equations(cls, config: ModelConfig) -> list[str]:
        return [r"h_t = f(x_t, h_{t-1})", r"\tilde h_t = \tanh(W_c [c_t; h_t])"]

    @classmethod
    def fed(cls, config: ModelConfig) -> list[str]:
        return [r"x_t = [E\,y_{t-1};\ \tilde h_{t-1}]" if config.feeding else r"x_t = E\,y_{t-1}"]

    def start(self, encoded: Encoded) -> Carry:
        """Layer k starts from encoder layer k; the first fed vector is zero (papers.md B10, B12)."""
        return Carry(0, encoded.final, encoded.states.new_zeros(encoded.states.size(0), self.attentional))

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
                hidden, state = rnn(t, self.dropout(fed) if self.feeding else None, state)
                steps.append(self._look(hidden.unsqueeze(1), memory, carry.t + t))
                fed = steps[-1].attentional.squeeze(1)
        return cat(steps, dim=1), Carry(carry.t + len(steps), state, fed)

    def _look(self, hidden: Float[Tensor, "b tgt n"], memory: Memory, t: int) -> Step:
        looks, context = self.attention.looks(hidden, memory, t)
        return Step(looks, hidden, torch.tanh(self.W_c(torch.cat([context, hidden], -1))))


@ORDERS.add("look-then-step", r"c_i = q(s_{i-1}, h), \quad s_i = f(s_{i-1}, y_{i-1}, c_i)")
class LookThenStep(Decoder):
    """Bahdanau 2015, section 3.1 and A.2.2: s_{i-1} looks; s_i is then made from what was seen.

    `update` "groundhog" is the authors' code: attend with s_{i-1}, predict y_i, then s_i = GRU(s_{i-1}, y_i, c_i), so
    that the querying state knows y_{i-1}. "printed" is the recurrence as printed, s_i = GRU(s_{i-1}, y_{i-1}, c_i).
    `readout` names the state that the output layer reads: "s_prev" (A.2.2 and the code) or "s_cur" (eq. 4).
    """

    def __init__(self, config: ModelConfig, vocabulary: int, attention: Attention | MultiHead | None):
        super().__init__(config, vocabulary, attention)
        self.update, self.readout, self.first_word = config.update, config.readout, config.first_word
        m, n, mem = config.embedding, config.hidden, config.context
        last, self.context = config.encoder_hidden, config.context
        self.W_s = nn.Linear(last, n)  # with the bias of the authors' code, which the text does not print (B15)
        self.W = nn.Linear(m, 3 * n)  # W_z, W_r, W: the word's share of both gates and of the candidate
        self.C = nn.Linear(mem, 3 * n, bias=False)  # C_z, C_r, C: the context's share
        self.cell = GRUCell(n, config.reset)
        self.U_o = nn.Linear(n, 2 * config.attentional)
        self.V_o = nn.Linear(m, 2 * config.attentional, bias=False)
        self.C_o = nn.Linear(mem, 2 * config.attentional, bias=False)

    @classmethod
    def equations(cls, config: ModelConfig) -> list[str]:
        read = "s_i" if config.readout == "s_cur" else "s_{i-1}"
        lines = [rf"\tilde t_i = U_o {read} + V_o E\,y_{{i-1}} + C_o c_i", r"t_i = \operatorname{maxout}(\tilde t_i)"]
        if config.update == "groundhog":
            lines = [*lines, r"s_i = f(s_{i-1}, y_i, c_i)"]
        else:
            lines = [r"s_i = f(s_{i-1}, y_{i-1}, c_i)", *lines]
        return [*lines, r"E\,y_0 = 0"] if config.first_word == "zero" else lines

    def start(self, encoded: Encoded) -> Carry:
        """s_0 = tanh(W_s h), h the encoder's last state computed: the backward state at the first word."""
        last = encoded.final[0][:, -1]
        return Carry(0, (wide(torch.tanh(self.W_s(last))),), encoded.states.new_zeros(len(last), self.context))

    def forward(self, words: Int[Tensor, "b tgt"], carry: Carry, memory: Memory) -> tuple[Step, Carry]:
        embedded = self.dropout(self.embed(words))
        if self.first_word == "zero":
            embedded = embedded * (words != BOS).unsqueeze(-1)
        return self.read(embedded, carry, memory)

    def read(self, embedded: Float[Tensor, "b tgt m"], carry: Carry, memory: Memory) -> tuple[Step, Carry]:
        """The steps that read words, or anything else, as vectors."""
        (state,), context = carry.state, carry.fed
        looks, contexts, read = [], [], []
        shares = self.W(embedded).unbind(1)
        with gathered_gradients():
            for t, share in enumerate(shares, carry.t):
                if self.update == "groundhog" and t > 0:
                    state = self.cell(share + self.C(context), state)
                context, look = self.look(state, context, memory, t)
                queried = state
                if self.update == "printed":
                    state = self.cell(share + self.C(context), state)
                looks.append(look)
                contexts.append(context)
                read.append(state if self.readout == "s_cur" else queried)
        hidden = torch.stack(read, 1)
        step = Step(cat(looks, dim=1), hidden, self.maxout(hidden, embedded, torch.stack(contexts, 1)))
        return step, Carry(carry.t + embedded.size(1), (state,), context)

    def look(
        self, state: Float[Tensor, "b n"], context: Float[Tensor, "b mem"], memory: Memory, t: int
    ) -> tuple[Float[Tensor, "b mem"], tuple[Look, ...]]:
        """c_i, and how it came about."""
        looks, context = self.attention.looks(state.unsqueeze(1), memory, t)
        return context.squeeze(1), looks

    def maxout(
        self,
        hidden: Float[Tensor, "b tgt n"],
        embedded: Float[Tensor, "b tgt m"],
        contexts: Float[Tensor, "b tgt mem"],
    ) -> Float[Tensor, "b tgt l"]:
        """t_j = max(t~_{2j-1}, t~_{2j}), t~ = U_o s + V_o E y + C_o c (A.2.2)."""
        units = self.U_o(hidden) + self.V_o(embedded) + self.C_o(contexts)
        return units.unflatten(-1, (-1, 2)).amax(-1)


class FixedVector(LookThenStep):
    """RNNencdec (Cho 2014; Bahdanau 2015, A.2.2): every step reads the same context, the encoder's last state."""

    @classmethod
    def equations(cls, config: ModelConfig) -> list[str]:
        last = "0" if config.reverse else "T_x" if config.source_eos else "T_x - 1"
        return [rf"c_i = h_{{{last}}} \ \text{{at every step}}", *super().equations(config)]

    def start(self, encoded: Encoded) -> Carry:
        begun = super().start(encoded)
        return Carry(begun.t, begun.state, encoded.final[0][:, -1])

    def look(
        self, state: Float[Tensor, "b n"], context: Float[Tensor, "b mem"], memory: Memory, t: int
    ) -> tuple[Float[Tensor, "b mem"], tuple[Look, ...]]:
        return context, ()
