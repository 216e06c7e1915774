"""Greedy, beam and forced decoding of a pointer network, and the Trace of one output."""

from collections.abc import Sequence
from dataclasses import dataclass
from operator import itemgetter

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from attn_core.decoding.beam import check_beam, search_beam
from attn_core.decoding.search import Column, Decodable, Result, follow, most_probable
from attn_core.settings import check_choice
from attn_core.synthetic.pointer.net import CONSTRAINTS, STOP, PointerNet
from attn_core.synthetic.pointer.problems import PROBLEMS
from attn_core.trace import Memory, Record, Step, Trace, Word
from attn_core.trace.tensors import cat

END = "</s>"


@dataclass(frozen=True)
class Pointing:
    """The choices for a batch, with the steps that led to them."""

    chosen: Int[Tensor, "b tgt"]  # positions of the memory, padded with the end, 0
    log_probs: Float[Tensor, "b tgt src"]
    steps: Step  # `*b` is (b, tgt)
    memory: Memory

    def outputs(self) -> list[list[int]]:
        """The inputs chosen before the end, counted from 0."""
        rows = [row[: row.index(STOP)] if STOP in row else row for row in self.chosen.tolist()]
        return [[place - 1 for place in row] for row in rows]


@dataclass(frozen=True)
class _Carry(Record):
    """State carried from one step to the next."""

    t: int
    hidden: Float[Tensor, "rows n"]
    cell: Float[Tensor, "rows n"]
    used: Bool[Tensor, "rows src"]  # inputs chosen so far; False for the end


@dataclass(frozen=True)
class _Shared(Record):
    """Data that all steps share."""

    memory: Memory
    inputs: Float[Tensor, "rows n d"]


class Inputs(Decodable):
    """Interface of the searches to a pointer network and a batch of inputs, under a constraint.

    An output holds at most all inputs and the end. `constraint` is one of CONSTRAINTS; the paper uses "none". Raises
    ValueError for another constraint, for an empty batch, for inputs that are not finite, and for inputs that do not
    fit the problem or the model (see PointerNet.encode).
    """

    end, first = STOP, -1

    def __init__(self, model: PointerNet, inputs: Float[Tensor, "b n d"], constraint: str = "none"):
        check_choice("constraint", constraint, CONSTRAINTS)
        if inputs.dim() != 3 or not len(inputs):
            shape = " x ".join(map(str, inputs.shape))
            raise ValueError(f"inputs must have shape examples x points x numbers with at least 1 example, not {shape}")
        if not inputs.isfinite().all():
            raise ValueError("inputs must be finite numbers, found NaN or infinity")
        self.model, self.inputs, self.constraint = model, inputs, constraint
        self.memory, self.state = model.encode(inputs)
        self.limits = torch.full((len(inputs),), inputs.size(1) + 1, device=inputs.device)

    def start(self) -> tuple[_Carry, _Shared]:
        hidden, cell = (part[0] for part in self.state)  # the LSTM has one layer
        return _Carry(0, hidden, cell, torch.zeros_like(self.memory.src_mask)), _Shared(self.memory, self.inputs)

    def step(self, last: Int[Tensor, "rows"], carry: _Carry, shared: _Shared) -> tuple[Column, _Carry]:
        read, used = self.model.start.expand(len(last), 1, -1), carry.used
        if carry.t:
            read = self.model.chosen(shared.inputs, last.unsqueeze(1))
            used = used.scatter(1, last.unsqueeze(1), True)
            used[:, STOP] = False
        state = carry.hidden.unsqueeze(0), carry.cell.unsqueeze(0)
        step, (hidden, cell) = self.model.step(read, state, shared.memory, carry.t, self._allowed(used))
        column = Column(step.map(lambda x: x.squeeze(1)), self.model.log_probs(step).squeeze(1))
        return column, _Carry(carry.t + 1, hidden[0], cell[0], used)

    def _allowed(self, used: Bool[Tensor, "rows src"]) -> Bool[Tensor, "rows 1 src"] | None:
        """Positions that may be chosen after `used`; None allows all."""
        if self.constraint == "none":
            return None
        allowed = ~used
        allowed[:, STOP] = used[:, 1:].all(-1) if self.constraint == "permutation" else True
        return allowed.unsqueeze(1)


def _pointing(model: PointerNet, chosen: Int[Tensor, "b tgt"], columns: Sequence[Column], memory: Memory) -> Pointing:
    steps = cat([column.step.map(lambda x: x.unsqueeze(1)) for column in columns], dim=1)
    return Pointing(chosen, model.log_probs(steps), steps, memory)


@torch.inference_mode()
def greedy(model: PointerNet, inputs: Float[Tensor, "b n d"], constraint: str = "none") -> Pointing:
    """The most probable position at every step. Raises ValueError as `Inputs` does."""
    result = follow(Inputs(model, inputs, constraint), most_probable)
    return _pointing(model, _rows(result, inputs.device), result.columns, result.memory)


@torch.inference_mode()
def forced(
    model: PointerNet, inputs: Float[Tensor, "b n d"], chosen: Int[Tensor, "b tgt"], constraint: str = "none"
) -> Pointing:
    """Forced decoding: the steps of the model for given choices, which are positions of the memory.

    Raises ValueError as `Inputs` does, and when `chosen` has another batch size or holds other numbers than positions.
    """
    decodable = Inputs(model, inputs, constraint)
    if chosen.dim() != 2 or len(chosen) != len(inputs) or not chosen.size(1):
        shape = " x ".join(map(str, chosen.shape))
        raise ValueError(f"chosen must have shape {len(inputs)} x steps with at least 1 step, not {shape}")
    if not 0 <= chosen.min() <= chosen.max() <= inputs.size(1):
        raise ValueError(
            f"chosen must hold positions of the memory, 0 (the end) to {inputs.size(1)} (the last input), "
            f"not {chosen.min()} to {chosen.max()}"
        )
    carry, shared = decodable.start()
    columns, last = [], torch.full_like(decodable.limits, decodable.first)
    for given in chosen.unbind(1):
        column, carry = decodable.step(last, carry, shared)
        columns.append(column)
        last = given
    return _pointing(model, chosen, columns, decodable.memory)


@torch.inference_mode()
def beam_search(
    model: PointerNet, inputs: Float[Tensor, "b n d"], width: int = 5, constraint: str = "none"
) -> Pointing:
    """The most probable sequence found by a beam of `width`.

    A finished sequence stays in the beam with its probability.
    Raises ValueError as `Inputs` does, and for a width below 1.
    """
    check_beam(width)
    result = search_beam(Inputs(model, inputs, constraint), width, "none", 1.0, record=False, keep_ended=True)
    return forced(model, inputs, _rows(result, inputs.device), constraint)


def _rows(result: Result, device: torch.device) -> Int[Tensor, "b tgt"]:
    """The choices of each example in a row, padded with the end."""
    longest = max(len(found.words) for found in result.found)
    rows = [found.words + [STOP] * (longest - len(found.words)) for found in result.found]
    return torch.tensor(rows, device=device)


def point(
    model: PointerNet,
    inputs: Sequence[Sequence[float]],
    *,
    beam: int = 1,
    constraint: str = "none",
    top: int = 8,
) -> Trace:
    """The Trace of the model's answer for one list of inputs (points, or numbers in lists of one).

    The source of the trace is `</s>` (the end) followed by the inputs, named by their number (points) or value
    (numbers); the target holds the chosen ones. `settings["inputs"]` holds the inputs. Options as for `greedy` and
    `beam_search`. Raises ValueError for inputs that do not fit the problem or the model, for an unknown constraint,
    and for a beam or a `top` below 1.
    """
    if top < 1:
        raise ValueError(f"top must be at least 1 choice, not {top}")
    wanted = "inputs must be a list of points with equally many finite numbers each"
    try:
        batch = torch.tensor(inputs, dtype=torch.float32)
    except (ValueError, TypeError, OverflowError) as error:  # points of different lengths, or not numbers
        raise ValueError(f"{wanted} ({error})") from error
    if batch.dim() != 2 or not batch.isfinite().all():
        raise ValueError(wanted)
    batch = batch.unsqueeze(0)
    found = greedy(model, batch, constraint) if beam == 1 else beam_search(model, batch, beam, constraint)
    problem = PROBLEMS[model.config.problem]()
    names = (END, *(problem.label(one, i) for i, one in enumerate(inputs)))
    places = found.chosen[0].tolist()
    n = places.index(STOP) + 1 if STOP in places else len(places)
    words = []
    for t, place in enumerate(places[:n]):
        log_probs = found.log_probs[0, t]
        best = log_probs.topk(min(top, len(names)))
        ranked = tuple((names[i], p) for i, p in zip(best.indices.tolist(), best.values.tolist(), strict=True))
        ranked = tuple((name, p) for name, p in ranked if p > -torch.inf)
        step = found.steps.map(itemgetter((0, t)))
        words.append(Word(t, names[place], log_probs[place].item(), ranked, step))
    settings = {
        "score": "additive",
        "window": "global",
        "order": "update-then-attend",
        "encoder": "lstm",
        "problem": problem.name,
        "output": model.config.output,
        "constraint": constraint,
        "search": "greedy" if beam == 1 else "beam",
        "beam": beam,
        "inputs": [list(map(float, one)) for one in inputs],
        "pointed": places[:n],
    }
    return Trace(model.name, settings, names, (), found.memory.map(lambda part: part[0]), tuple(words))


def pointed(trace: Trace) -> list[int]:
    """The inputs chosen in a trace of `point`, counted from 0, without the end.

    Raises ValueError for a trace of another kind of model.
    """
    if "pointed" not in trace.settings:
        raise ValueError(f"{trace.model} is not a pointer network; expected a trace of `point`")
    return [place - 1 for place in trace.settings["pointed"] if place != STOP]
