"""Choosing what to point at: greedily, with a beam, or as told; and one such choice as a Trace."""

from collections.abc import Sequence
from dataclasses import dataclass
from operator import itemgetter

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from attn_core.settings import check_choice
from attn_core.synthetic.pointer.net import CONSTRAINTS, STOP, PointerNet
from attn_core.synthetic.pointer.problems import PROBLEMS
from attn_core.tensors import cat
from attn_core.trace import Memory, Step, Trace, Word

END = "</s>"


@dataclass(frozen=True)
class Pointing:
    """What was chosen for a batch, and how it came about."""

    chosen: Int[Tensor, "b tgt"]  # positions of the memory; the end, 0, follows itself
    log_probs: Float[Tensor, "b tgt src"]
    steps: Step  # `*b` is (b, tgt)
    memory: Memory

    def outputs(self) -> list[list[int]]:
        """The inputs that were pointed at before the end, counted from 0."""
        rows = [row[: row.index(STOP)] if STOP in row else row for row in self.chosen.tolist()]
        return [[place - 1 for place in row] for row in rows]


def _allowed(used: Bool[Tensor, "b src"], constraint: str) -> Bool[Tensor, "b 1 src"] | None:
    """What may be pointed at after `used`; None: everything."""
    if constraint == "none":
        return None
    allowed = ~used
    allowed[:, STOP] = used[:, 1:].all(-1) if constraint == "permutation" else True
    return allowed.unsqueeze(1)


def _mark(used: Bool[Tensor, "b src"], last: Int[Tensor, "b"]) -> Bool[Tensor, "b src"]:
    used = used.scatter(1, last.unsqueeze(1), True)
    used[:, STOP] = False
    return used


def _check(inputs: Float[Tensor, "b n d"], constraint: str) -> None:
    check_choice("constraint", constraint, CONSTRAINTS)
    if inputs.dim() != 3 or not len(inputs):
        shape = " x ".join(map(str, inputs.shape))
        raise ValueError(f"inputs must be one list of points or more, examples x points x numbers, not {shape}")
    if not inputs.isfinite().all():
        raise ValueError("inputs must be finite numbers, and one of them is NaN or infinite")


@torch.inference_mode()
def greedy(model: PointerNet, inputs: Float[Tensor, "b n d"], constraint: str = "none") -> Pointing:
    """The most probable position at every step; at most each input once and the end.

    `constraint` is one of CONSTRAINTS; the paper has none. Raises ValueError for another, for inputs that are none or
    not finite, and for those that the problem or the model cannot have (see PointerNet.encode).
    """
    _check(inputs, constraint)
    memory, state = model.encode(inputs)
    read = model.start.expand(len(inputs), 1, -1)
    used = torch.zeros_like(memory.src_mask)
    ended = torch.zeros(len(inputs), dtype=torch.bool, device=inputs.device)
    chosen: list[Tensor] = []
    steps: list[Step] = []
    while not ended.all() and len(steps) <= inputs.size(1):
        step, state = model.step(read, state, memory, len(steps), _allowed(used, constraint))
        last = model.log_probs(step).squeeze(1).argmax(-1).masked_fill(ended, STOP)
        ended, used = ended | (last == STOP), _mark(used, last)
        read = model.chosen(inputs, last.unsqueeze(1))
        chosen.append(last)
        steps.append(step)
    record = cat(steps, dim=1)
    return Pointing(torch.stack(chosen, 1), model.log_probs(record), record, memory)


@torch.inference_mode()
def forced(
    model: PointerNet, inputs: Float[Tensor, "b n d"], chosen: Int[Tensor, "b tgt"], constraint: str = "none"
) -> Pointing:
    """The steps of the model while it is made to choose given positions of the memory.

    Raises ValueError as `greedy` does, and for `chosen` that are not positions, in a row for each example.
    """
    _check(inputs, constraint)
    if chosen.dim() != 2 or len(chosen) != len(inputs) or not chosen.size(1):
        shape = " x ".join(map(str, chosen.shape))
        raise ValueError(f"chosen must have one position or more for each of {len(inputs)} examples, not {shape}")
    if not 0 <= chosen.min() <= chosen.max() <= inputs.size(1):
        raise ValueError(
            f"chosen must be positions of the memory: 0, the end, to {inputs.size(1)}, the last input, "
            f"not {chosen.min()} to {chosen.max()}"
        )
    memory, state = model.encode(inputs)
    used = torch.zeros_like(memory.src_mask)
    read = model.start.expand(len(inputs), 1, -1)
    steps = []
    for t, last in enumerate(chosen.unbind(1)):
        step, state = model.step(read, state, memory, t, _allowed(used, constraint))
        used, read = _mark(used, last), model.chosen(inputs, last.unsqueeze(1))
        steps.append(step)
    record = cat(steps, dim=1)
    return Pointing(chosen, model.log_probs(record), record, memory)


@torch.inference_mode()
def beam_search(
    model: PointerNet, inputs: Float[Tensor, "b n d"], width: int = 5, constraint: str = "none"
) -> Pointing:
    """The most probable of the sequences that a beam of `width` finishes, none longer than all inputs and the end.

    A sequence that has ended stays in the beam at its probability, and is not lengthened.
    Raises ValueError as `greedy` does, and for a width below 1.
    """
    _check(inputs, constraint)
    if width < 1:
        raise ValueError(f"the beam must hold 1 sequence or more, not {width}")
    b, device = len(inputs), inputs.device
    memory, state = model.encode(inputs)
    wide_memory = memory.map(lambda part: part.repeat_interleave(width, 0))
    wide_inputs = inputs.repeat_interleave(width, 0)
    state = state[0].repeat_interleave(width, 1), state[1].repeat_interleave(width, 1)
    read = model.start.expand(b * width, 1, -1)
    used = torch.zeros_like(wide_memory.src_mask)
    total = torch.full((b, width), -torch.inf, device=device)
    total[:, 0] = 0.0  # all rows begin alike: one of them counts
    ended = torch.zeros(b * width, dtype=torch.bool, device=device)
    paths = torch.zeros(b * width, 0, dtype=torch.long, device=device)
    first = torch.arange(b, device=device).unsqueeze(1) * width
    for t in range(inputs.size(1) + 1):
        step, state = model.step(read, state, wide_memory, t, _allowed(used, constraint))
        log_probs = model.log_probs(step).squeeze(1)
        only_end = torch.full_like(log_probs, -torch.inf)
        only_end[:, STOP] = 0.0
        log_probs = torch.where(ended.unsqueeze(1), only_end, log_probs)
        src = log_probs.size(1)
        total, best = (total.unsqueeze(-1) + log_probs.view(b, width, src)).flatten(1).topk(width)
        rows, last = (first + best // src).flatten(), (best % src).flatten()
        paths = torch.cat([paths[rows], last.unsqueeze(1)], 1)
        ended, used = ended[rows] | (last == STOP), _mark(used[rows], last)
        state = state[0][:, rows], state[1][:, rows]
        read = model.chosen(wide_inputs, last.unsqueeze(1))
        if ended.all():
            break
    winners = paths.view(b, width, -1)[:, 0]  # topk sorts
    return forced(model, inputs, winners, constraint)


def point(
    model: PointerNet,
    inputs: Sequence[Sequence[float]],
    *,
    beam: int = 1,
    constraint: str = "none",
    top: int = 8,
) -> Trace:
    """The model's answer for one list of inputs (points, or numbers in lists of one), with all that led to it.

    The trace's source is `</s>`, the end, and then the inputs by number (points) or value (numbers); its target what
    was pointed at. `settings["inputs"]` holds the inputs. Options as for `greedy` and `beam_search`.
    Raises ValueError for inputs that the problem or the model cannot have, for an unknown constraint, and for a beam
    or a `top` below 1.
    """
    if top < 1:
        raise ValueError(f"each step must keep 1 choice or more, not {top}")
    wanted = "inputs must be a list of points, each of as many finite numbers"
    try:
        batch = torch.tensor(inputs, dtype=torch.float32)
    except (ValueError, TypeError, OverflowError) as error:  # of different lengths, or no numbers
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
    """The inputs that a trace of `point` pointed at, counted from 0, without the end.

    Raises ValueError for a trace of another model.
    """
    if "pointed" not in trace.settings:
        raise ValueError(f"{trace.model} is no pointer network: its trace says nothing of inputs that it pointed at")
    return [place - 1 for place in trace.settings["pointed"] if place != STOP]
