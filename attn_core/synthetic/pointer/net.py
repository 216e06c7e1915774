"""The pointer network: an encoder of the inputs, a decoder of the choices, and the score between their states."""

from dataclasses import dataclass, replace
from typing import ClassVar

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from attn_core.attention.attention import Attention
from attn_core.attention.notation import Node, Quantity
from attn_core.attention.scores import SCORES
from attn_core.attention.windows import WINDOWS
from attn_core.messages import N_, _
from attn_core.models.cells import LSTM
from attn_core.models.checkpoint import Kind
from attn_core.models.recipe import DrawnConfig
from attn_core.settings import UNITS, Settings, setting
from attn_core.synthetic.pointer.problems import PROBLEMS
from attn_core.trace import Memory, Record, Step
from attn_core.trace.tensors import wide

STOP = 0  # the position of the end in the memory
OUTPUTS = ("pointer", "vocabulary")
# Positions that may be chosen. "none": all inputs and the end at every step, as in the paper. "distinct": no input
# twice. "permutation": no input twice, and the end only after all inputs.
CONSTRAINTS = ("none", "distinct", "permutation")


@dataclass(frozen=True)
class PointerConfig(Settings):
    """Problem and sizes of a pointer network with one LSTM layer on either side (Vinyals 2015, section 4.1)."""

    problem: str = setting("hull", "the problem, a key of PROBLEMS")
    # Unlike in section 2.2, the softmax of "vocabulary" leaves out words for missing positions: an output is always a
    # choice among the inputs and the end.
    output: str = setting(
        "pointer",
        "output of a step: a pointer to an input, or a word for its position (up to `longest`)",
        source="Vinyals 2015, sections 2.2 and 2.3",
        allowed=OUTPUTS,
    )
    hidden: int = setting(96, "units of each LSTM", source="Vinyals 2015: 256 or 512", least=1, most=UNITS, size=True)
    align_hidden: int = setting(
        48, "rows of W_1 and W_2", source="Vinyals 2015: as many as `hidden`", least=1, most=UNITS, size=True
    )
    shortest: int = setting(5, "fewest inputs in training", least=1, most=1000)
    longest: int = setting(10, "most inputs in training", least=1, most=1000)

    def __post_init__(self) -> None:
        super().__post_init__()
        PROBLEMS.check(self.problem)
        least = PROBLEMS[self.problem].least
        if not least <= self.shortest <= self.longest:
            raise ValueError(
                _("problem {problem} needs {least} <= shortest <= longest, not {shortest} and {longest}").format(
                    problem=self.problem, least=least, shortest=self.shortest, longest=self.longest
                )
            )


@dataclass(frozen=True)
class Examples(Record):
    """Inputs, equally many in each example, and the targets: positions of the memory, padded with -1."""

    inputs: Float[Tensor, "b n d"]
    pointed: Int[Tensor, "b tgt"]


class PointerNet(nn.Module):
    """p(C | P) = prod_i p(C_i | C_<i, P) (Vinyals 2015, eq. 1). The module holds parameters only."""

    kind: ClassVar[str] = "pointer"

    def __init__(self, config: PointerConfig, name: str = "untrained"):
        super().__init__()
        self.config, self.name = config, name
        self.problem = PROBLEMS[config.problem]
        n, inputs = config.hidden, self.problem.inputs
        self.encoder = nn.LSTM(inputs, n, batch_first=True)
        self.decoder = LSTM(inputs, n, batch_first=True)
        self.attention = Attention(
            SCORES.build("additive", n, n, hidden=config.align_hidden), WINDOWS.build("global", n)
        )
        self.stop = nn.Parameter(torch.zeros(n))  # e_0
        self.start = nn.Parameter(torch.zeros(inputs))  # input of the first decoder step
        if config.output == "vocabulary":
            self.output = nn.Linear(2 * n, config.longest + 1)
        for parameter in self.parameters():  # section 4.1
            nn.init.uniform_(parameter, -0.08, 0.08)

    @classmethod
    def quantities(cls, config: PointerConfig) -> tuple[Quantity, ...]:
        """The quantities of a step, in the symbols of Vinyals 2015, section 2.3, where i and j count from 1.

        The attention weights are the output; with a vocabulary, a context vector and an output layer follow them
        (section 2.2).
        """
        n = config.hidden
        step = (
            Quantity("memory", "encoder", "e_j", N_("encoder states"), (), (), ("S", n), given=True),
            Quantity(
                "choice", "order", "P_{C_{i-1}}", N_("previous choice"), (), (), (PROBLEMS[config.problem].inputs,),
                given=True, node=Node.WORD_BEFORE,
            ),
            Quantity(
                "before", "order", "d_{i-1}", N_("previous state"), (), (), (n,), given=True, node=Node.STATE_BEFORE
            ),
            Quantity(
                "state", "order", "d_i", N_("decoder state"), (r"d_i = \operatorname{LSTM}(d_{i-1}, P_{C_{i-1}})",),
                ("before", "choice"), (n,), node=Node.STATE,
            ),
            Quantity(
                "scores", "score", "u^i", N_("scores"), (r"u^i_j = v^\top \tanh(W_1 e_j + W_2 d_i)",),
                ("state", "memory"), ("S",),
            ),
            Quantity(
                "view", "window", "j", N_("positions in view"), (r"j = 0 \dots n",), (), ("S",), given=True
            ),
        )  # fmt: skip
        name, inputs, shape = N_("attention weights"), ("scores", "view"), ("S",)
        if config.output == "pointer":
            line = r"p(C_i \mid C_1, \dots, C_{i-1}, P) = \operatorname{softmax}(u^i)"
            return (*step, Quantity("weights", "window", "p(C_i)", name, (line,), inputs, shape, node=Node.WORD))
        return (
            *step,
            Quantity("weights", "window", "a^i", name, (r"a^i = \operatorname{softmax}(u^i)",), inputs, shape),
            Quantity(
                "context", "window", "d'_i", N_("context vector"), (r"d'_i = \sum_j a^i_j e_j",),
                ("weights", "memory"), (n,), node=Node.CONTEXT,
            ),
            Quantity(
                "readout", "output", "[d'_i; d_i]", N_("input of the output layer"), (), ("context", "state"), (2 * n,)
            ),
            Quantity(
                "output", "output", "p(C_i)", N_("distribution of the next choice"),
                (r"p(C_i) = \operatorname{softmax}(W [d'_i; d_i] + b)",), ("readout", "view"), shape, node=Node.WORD,
            ),
        )  # fmt: skip

    def encode(self, inputs: Float[Tensor, "b n d"]) -> tuple[Memory, tuple[Tensor, Tensor]]:
        """The memory, which holds the end and the inputs, and the decoder's first state.

        Raises ValueError when the number or size of the inputs does not fit the problem or the output vocabulary.
        """
        problem, n = self.problem, inputs.size(1)
        if inputs.size(2) != problem.inputs or n < problem.least:
            raise ValueError(
                _("problem {name} needs at least {least} inputs of {inputs} number(s) each, not {n} of {size}").format(
                    name=problem.name, least=problem.least, inputs=problem.inputs, n=n, size=inputs.size(2)
                )
            )
        if self.config.output == "vocabulary" and n > self.config.longest:
            raise ValueError(
                _(
                    "{name} has words for {longest} positions, not {n}; give fewer inputs or use a pointer network"
                ).format(name=self.name, longest=self.config.longest, n=n)
            )
        states, final = self.encoder(inputs)
        return self.remembered(states), final

    def remembered(self, states: Float[Tensor, "b n h"]) -> Memory:
        """The memory of the end and of inputs with these states."""
        states = torch.cat([self.stop.expand(len(states), 1, -1), states], 1)
        return self.attention.memory(states, states.new_ones(states.shape[:2], dtype=torch.bool))

    def step(
        self,
        read: Float[Tensor, "b tgt d"],
        state: tuple[Tensor, Tensor],
        memory: Memory,
        t: int,
        allowed: Bool[Tensor, "b #tgt src"] | None = None,
    ) -> tuple[Step, tuple[Tensor, Tensor]]:
        """The steps with inputs `read`, from step `t` on, and the state after them; `allowed` as in `attend`."""
        hidden, state = self.decoder(read, state)
        return self.attend(hidden, memory, t, allowed), state

    def attend(
        self,
        hidden: Float[Tensor, "b tgt h"],
        memory: Memory,
        t: int,
        allowed: Bool[Tensor, "b #tgt src"] | None = None,
    ) -> Step:
        """The steps with decoder states `hidden`, from step `t` on.

        Eq. 3: u_j = v . tanh(W_1 e_j + W_2 d_i). Positions that are not `allowed` are masked; None allows all.
        """
        assert self.attention.window is not None
        focus = self.attention.window(hidden, memory.src_mask, t)
        if allowed is not None:
            inside = focus.inside & allowed
            focus = replace(focus, inside=inside, gaussian=focus.gaussian * inside)
        look = self.attention.look(hidden, memory, focus)
        return Step((look,), hidden, torch.cat([look.context, hidden], -1))

    def log_probs(self, step: Step) -> Float[Tensor, "*b src"]:
        """log p(C_i | C_<i, P): log of the attention weights or, with a vocabulary, log softmax of the output layer.

        Index 0 is the end. The softmax omits words for positions beyond the inputs.
        """
        look = step.looks[0]
        if self.config.output == "vocabulary":
            logits = self.output(step.attentional)[..., : look.scores.size(-1)]
            return wide(logits).masked_fill(~look.focus.inside, -torch.inf).log_softmax(-1)
        return look.scores.masked_fill(~look.focus.inside, -torch.inf).log_softmax(-1)

    def chosen(self, inputs: Float[Tensor, "b n d"], pointed: Int[Tensor, "b tgt"]) -> Float[Tensor, "b tgt d"]:
        """The inputs at positions of the memory; for the end, input 0, which no later choice depends on."""
        places = (pointed - 1).clamp(min=0).unsqueeze(-1).expand(-1, -1, inputs.size(2))
        return inputs.gather(1, places)

    def steps(self, inputs: Float[Tensor, "b n d"], pointed: Int[Tensor, "b tgt"]) -> Step:
        """All steps with teacher forcing; `pointed` holds positions of the memory."""
        memory, state = self.encode(inputs)
        first = self.start.expand(len(inputs), 1, -1)
        return self.step(torch.cat([first, self.chosen(inputs, pointed[:, :-1])], 1), state, memory, 0)[0]

    def loss(self, batch: Examples) -> Float[Tensor, ""]:
        """Mean negative log likelihood per choice, in nats (eq. 2)."""
        pointed, real = batch.pointed, batch.pointed >= 0
        log_probs = self.log_probs(self.steps(batch.inputs, pointed.clamp(min=0)))
        return -log_probs.gather(-1, pointed.clamp(min=0).unsqueeze(-1)).squeeze(-1)[real].mean()


KIND = Kind(
    PointerNet.kind,
    PointerConfig.from_json,
    DrawnConfig.from_json,
    lambda config, name, folder: PointerNet(config, name),
)
