"""Bahdanau's order: the previous state attends, and the next state is computed from the context."""

from collections.abc import Callable
from typing import Any

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from attn_core.attention.attention import Attention
from attn_core.attention.describe import attention_quantities
from attn_core.attention.mode import AS_BUILT, Mode
from attn_core.attention.multihead import MultiHead
from attn_core.attention.notation import Node, Quantity
from attn_core.data.tokenizer import BOS
from attn_core.messages import N_
from attn_core.models.cells import GRUCell
from attn_core.models.config import ModelConfig
from attn_core.models.decoders.decoder import Carry, Decoder, distribution
from attn_core.models.encoders.encoder import Encoded
from attn_core.models.encoders.notation import both_ends, ends
from attn_core.models.settings import AttendThenUpdateSettings
from attn_core.trace import Look, Memory, Step
from attn_core.trace.naming import named
from attn_core.trace.tensors import cat, wide


class AttendThenUpdate(Decoder):
    """Bahdanau 2015, section 3.1 and A.2.2: s_{i-1} attends, and then s_i is computed from the context.

    As in the paper, i counts from 1. `update` "printed" is the recurrence in the paper, s_i = GRU(s_{i-1}, y_{i-1},
    c_i). "groundhog" is the authors' program: attend with s_{i-1}, predict y_i, then s_i = GRU(s_{i-1}, y_i, c_i), so
    that the query s_{i-1} depends on y_{i-1}. `readout` is the state in the output layer's input: "s_prev" (A.2.2 and
    the program) or "s_cur" (eq. 4).

    `combine` is the output layer's input: "maxout" of U_o s + V_o E y + C_o c (A.2.2), that sum ("linear"), the three
    vectors concatenated ("concat"), or the "state" alone. `start` is s_0: tanh(W_s h) of the "backward" state at the
    first word (A.2.2), of "both-ends" [forward; backward], or of the "mean" encoder state, or a "copy" of the encoder's
    last state. With `query` "word-and-state" the query is [E y_{i-1}; s_{i-1}]. `input_layer` puts relu(W_x [E y; c_i])
    before the GRU. Without `recurrent`, the GRU starts each step from zero, so that s_i depends on s_{i-1} through
    attention alone. attn_core.models.variants lists the sources of these options.

    Without attention, the context of all steps is the encoder's last state: RNNencdec (Cho 2014; Bahdanau 2015, A.2.2).
    For an encoder without a last state, it is the mean of the states.
    """

    def __init__(self, config: ModelConfig, vocabulary: int, attention: Attention | MultiHead | None):
        super().__init__(config, vocabulary, attention)
        own = config.decoder
        assert isinstance(own, AttendThenUpdateSettings)
        self.update, self.readout, self.first_word = own.update, own.readout, own.first_word
        self.query, self.combine, self.recurrent, self.start_from = own.query, own.combine, own.recurrent, own.start
        self.context = config.context
        m, n, mem = config.embedding, own.hidden, config.context
        self.W_s: nn.Linear | None = None
        self.W_x: nn.Linear | None = None
        self.C: nn.Linear | None = None
        if own.start != "copy":
            # With a bias, as in GroundHog; the paper prints none.
            self.W_s = nn.Linear(_start_size(config), n)
        self.W = nn.Linear(n if own.input_layer else m, 3 * n)  # W_z, W_r, W, for the word
        if own.input_layer:
            self.W_x = nn.Linear(m + mem, n)
        else:
            self.C = nn.Linear(mem, 3 * n, bias=False)  # C_z, C_r, C, for the context
        self.cell = GRUCell(n, own.reset)
        if own.combine in ("maxout", "linear"):
            units = own.attentional * (2 if own.combine == "maxout" else 1)
            self.U_o = nn.Linear(n, units)
            self.V_o = nn.Linear(m, units, bias=False)
            self.C_o = nn.Linear(mem, units, bias=False)

    @classmethod
    def quantities(cls, config: Any) -> tuple[Quantity, ...]:
        own, n, m = config.decoder, config.hidden, config.embedding
        groundhog = own.update == "groundhog"
        query = ("word", "previous") if own.query == "word-and-state" else ("previous",)
        context = (_fixed_context(config),) if config.attention is None else attention_quantities(config, query)
        start = (r"E\,y_0 = 0",) if own.first_word == "zero" else ()
        before = (
            Quantity(
                "word", "order", r"E\,y_{i-1}", N_("embedding of the previous word"), (), (), (m,), given=True,
                node=Node.WORD_BEFORE, first=start,
            ),
            Quantity(
                "previous", "order", "s_{i-1}", N_("previous state"), (), (), (n,), given=True,
                node=Node.STATE_BEFORE, first=_first(config),
            ),
        )  # fmt: skip
        readout = (_readout(config), distribution(config, "y_i", "t_i", "W_o"))
        word = "y_i" if groundhog else "y_{i-1}"
        entering = rf"\operatorname{{relu}}(W_x [E\,{word}; c_i])" if own.input_layer else f"{word}, c_i"
        recurrent = ("previous",) if own.recurrent else ()
        updated = Quantity(
            "next", "order", "s_i", N_("new state"),
            (f"s_i = f({'s_{i-1}' if own.recurrent else '0'}, {entering})",),
            (*recurrent, "context", "output" if groundhog else "word"), (n,), node=Node.STATE,
        )  # fmt: skip
        return (*before, *context, *((*readout, updated) if groundhog else (updated, *readout)))

    def context_matrix(self) -> Float[Tensor, "out mem"]:
        """C_o, or the context's columns of W_o (`combine` "concat"), or those of the update ("state")."""
        if self.combine == "concat":
            before = self.cell.U.in_features  # after the state
            return self.output.weight[:, before : before + self.context]
        if self.combine != "state":
            return self.C_o.weight
        layer = self.C or self.W_x
        assert layer is not None  # the context enters one of the two
        return layer.weight[:, -self.context :]

    def start(self, encoded: Encoded, mask: Bool[Tensor, "b src"]) -> Carry:
        """s_0 = tanh(W_s h), where `start` selects h; in the paper, the backward state (A.2.2)."""
        ways = encoded.final[0][:, -1] if encoded.final else encoded.mean(mask).unsqueeze(1)
        last = ways[:, -1]  # the last state computed
        begin = last
        if self.start_from == "both-ends":
            begin = ways.flatten(1)
        elif self.start_from == "mean":
            begin = encoded.mean(mask)
        first = begin if self.W_s is None else torch.tanh(self.W_s(begin))
        context = last if self.attention is None else encoded.states.new_zeros(len(last), self.context)
        return Carry(0, (wide(first),), context)

    def forward(
        self, words: Int[Tensor, "b tgt"], carry: Carry, memory: Memory, mode: Mode = AS_BUILT
    ) -> tuple[Step, Carry]:
        embedded = self.dropout(self.embed(words))
        if self.first_word == "zero":
            embedded = embedded * (words != BOS).unsqueeze(-1)
        return self.steps(named("word", embedded), carry, memory, mode)

    def steps(
        self, embedded: Float[Tensor, "b tgt m"], carry: Carry, memory: Memory, mode: Mode = AS_BUILT
    ) -> tuple[Step, Carry]:
        (state,), context = carry.state, carry.fed
        looks, contexts, states = [], [], []
        cell_input = self.cell_input(embedded)
        for k, word in enumerate(embedded.unbind(1)):
            t = carry.t + k
            if self.update == "groundhog" and t > 0:
                state = self.next_state(cell_input(k, context), state)
            named("previous", state)
            query = torch.cat([word, state], -1) if self.query == "word-and-state" else state
            context, look = self.attend(query, context, memory, t, mode)
            queried = state
            if self.update == "printed":
                state = named("next", self.next_state(cell_input(k, context), state))
            looks.append(look)
            contexts.append(context)
            states.append(state if self.readout == "s_cur" else queried)
        hidden = torch.stack(states, 1)
        step = Step(cat(looks, dim=1), hidden, self.combined(hidden, embedded, torch.stack(contexts, 1)))
        return step, Carry(carry.t + embedded.size(1), (state,), context)

    def cell_input(self, embedded: Float[Tensor, "b tgt m"]) -> Callable[[int, Tensor], Tensor]:
        """A function (k, context) -> the input of the cell's gates and candidate at word k."""
        input_layer, C = self.W_x, self.C
        if input_layer is not None:
            return lambda k, context: self.W(torch.relu(input_layer(torch.cat([embedded[:, k], context], -1))))
        assert C is not None
        shares = self.W(embedded).unbind(1)
        return lambda k, context: shares[k] + C(context)

    def next_state(self, entering: Float[Tensor, "b gates"], state: Float[Tensor, "b n"]) -> Float[Tensor, "b n"]:
        return self.cell(entering, state if self.recurrent else torch.zeros_like(state))

    def attend(
        self, query: Float[Tensor, "b q"], context: Float[Tensor, "b mem"], memory: Memory, t: int, mode: Mode
    ) -> tuple[Float[Tensor, "b mem"], tuple[Look, ...]]:
        """c_i and its Looks; without attention, the given `context` and no Looks."""
        if self.attention is None:
            return context, ()
        looks, context = self.attention.looks(query.unsqueeze(1), memory, t, mode)
        return context.squeeze(1), looks

    def combined(
        self,
        hidden: Float[Tensor, "b tgt n"],
        embedded: Float[Tensor, "b tgt m"],
        contexts: Float[Tensor, "b tgt mem"],
    ) -> Float[Tensor, "b tgt l"]:
        """The output layer's input; in the paper t_j = max(t~_{2j-1}, t~_{2j}), t~ = U_o s + V_o E y + C_o c."""
        if self.combine == "state":
            return hidden
        if self.combine == "concat":
            return torch.cat([hidden, contexts, embedded], -1)
        units = self.U_o(hidden) + self.V_o(embedded) + self.C_o(contexts)
        return units.unflatten(-1, (-1, 2)).amax(-1) if self.combine == "maxout" else units


def _start_size(config: ModelConfig) -> int:
    """The size of the input h of s_0 = tanh(W_s h)."""
    encoder, own = config.encoder, config.decoder
    assert isinstance(own, AttendThenUpdateSettings)
    if own.start == "mean":
        return config.memory
    return encoder.end_size * (sum(encoder.reading) if own.start == "both-ends" else 1)


def _readout(config: Any) -> Quantity:
    """The output layer's input."""
    own = config.decoder
    current = own.readout == "s_cur"
    state = "s_i" if current else "s_{i-1}"
    units = rf"U_o {state} + V_o E\,y_{{i-1}} + C_o c_i"
    lines = {
        "maxout": (rf"\tilde t_i = {units}", r"t_i = \operatorname{maxout}(\tilde t_i)"),
        "linear": (rf"t_i = {units}",),
        "concat": (rf"t_i = [{state}; c_i; E\,y_{{i-1}}]",),
        "state": (rf"t_i = {state}",),
    }[own.combine]
    inputs: tuple[str, ...] = ("next" if current else "previous",)
    if own.combine != "state":
        inputs += ("word", "context")
    name, element = N_("input of the output layer"), ""
    if own.combine == "maxout":
        name, element = N_("maxout units"), N_("maxout unit")
    return Quantity("readout", "order", "t_i", name, lines, inputs, (config.readout_size,), element=element)


def _fixed_context(config: Any) -> Quantity:
    """The context of a model without attention, the same at every step."""
    last = ends(config)[-1] if config.encoder.final_states else r"\operatorname{mean}_j h_j"
    line = rf"c_i = {last} \ \text{{at every step}}"
    name = N_("context vector, the same at every step")
    return Quantity("context", "order", "c_i", name, (line,), (), (config.context,), given=True, node=Node.CONTEXT)


def _first(config: Any) -> tuple[str, ...]:
    """s_0 in LaTeX."""
    first = {"mean": r"\tanh(W_s \operatorname{mean}_j h_j)"}
    if config.encoder.final_states:
        last = ends(config)[-1]
        both = rf"\tanh(W_s {both_ends(config)})"
        first |= {"both-ends": both, "copy": last, "backward": rf"\tanh(W_s {last})"}
    return (f"s_0 = {first[config.decoder.start]}",)
