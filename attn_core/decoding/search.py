"""Choosing what a model outputs: greedy, sampled and forced (beam.py: beam); each leaves a record to make Traces from.

Searches know a model by the interface `Decodable`, of which `Sentences` is that of translators. All of them run a
batch. What one decoding step computed for all rows is a `Column`; an output is a path of rows through the columns, one
row for each of its choices.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from attn_core.data.corpus import make_batch, pad
from attn_core.data.tokenizer import Tokenizer
from attn_core.models.translator import Translator
from attn_core.trace import Memory, Record, Step

EOS = Tokenizer.eos
BATCH = 64  # sentences that are searched together


@dataclass(frozen=True)
class Column:
    """What one decoding step computed for all rows that were alive."""

    step: Step  # `*b` is the rows
    log_probs: Float[Tensor, "rows choices"]


@dataclass(frozen=True)
class Found:
    """One output: words (the end included when the model chose it), their log probabilities, and its path."""

    words: list[int]
    log_probs: list[float]
    rows: list[int]  # row of each word in its column
    score: float  # what the search ranked it by
    end: int = EOS  # the word that ends an output

    @property
    def text_words(self) -> list[int]:
        return self.words[:-1] if self.words and self.words[-1] == self.end else self.words


@dataclass(frozen=True)
class Result:
    """What a search of a batch found: the best output of each example, and the record.

    `hypotheses` are all that a beam finished for each example, best first; other searches have one for each.
    """

    found: list[Found]
    columns: list[Column]  # none of a search that keeps no record
    memory: Memory
    hypotheses: list[list[Found]]


class Decodable:
    """A batch of inputs with the model that decodes them, as a search sees it.

    A choice is a number: a word of a vocabulary, or a position to point at. The rows of a search are the examples, or
    with a beam the hypotheses of each example side by side.
    """

    end: int  # the choice that ends an output
    first: int  # what stands for the choice before the first one
    limits: Int[Tensor, "b"]  # the most choices of each output, the end included
    memory: Memory  # of the examples

    def start(self, width: int) -> tuple[Any, Any]:
        """What the first step is handed, and what all steps share: two Records, with `width` rows for each example."""
        raise NotImplementedError

    def step(self, last: Int[Tensor, "rows"], carry: Any, shared: Any) -> tuple[Column, Any]:
        """The step after the choices `last`, and what it hands to the next. What is not allowed has -inf."""
        raise NotImplementedError


class Sentences(Decodable):
    """Sentences as ids, with the translator that translates them; `limit` as in `limits_of`."""

    end, first = Tokenizer.eos, Tokenizer.bos

    def __init__(self, model: Translator, sentences: list[list[int]], limit: int | None = None):
        words, mask = to_model(model, sentences)
        self.model, self.limits = model, limits_of(mask, limit)
        memory, carry = model.encode(words, mask)
        self.memory: Memory = memory
        self.carry: Record = carry  # an ensemble has its own

    def start(self, width: int) -> tuple[Record, Memory]:
        memory = replace(self.memory, looks=())
        return self.carry.map(lambda x: x.repeat_interleave(width, 0)), memory.map(
            lambda x: x.repeat_interleave(width, 0)
        )

    def step(self, last: Int[Tensor, "rows"], carry: Any, shared: Memory) -> tuple[Column, Any]:
        step, carry = self.model.step(last.unsqueeze(1), carry, shared)
        return _column(self.model, step.map(lambda x: x.squeeze(1))), carry


def _column(model: Translator, step: Step) -> Column:
    return Column(step, model.log_probs(step.attentional))


def normalised(log_prob: float, words: int, rule: str = "length", alpha: float = 1.0) -> float:
    """The score of a finished hypothesis of `words` words, </s> included.

    `rule` is "none", "length" (log p / words ** alpha) or "wu" (log p / ((5 + words) / 6) ** alpha; Wu 2016, eq. 14).
    Raises ValueError for another rule, and for an alpha that is no number from 0 on.
    """
    if not 0 <= alpha < math.inf:
        raise ValueError(f"alpha, the exponent of length normalisation, must be 0 or more, not {alpha}")
    if rule == "none":
        return log_prob
    if rule == "length":
        return log_prob / words**alpha
    if rule == "wu":
        return log_prob / ((5 + words) / 6) ** alpha
    raise ValueError(f"length normalisation must be none, length or wu, not {rule!r}")


@torch.inference_mode()
def greedy(model: Translator, sentences: list[list[int]], limit: int | None = None, least: int = 0) -> Result:
    """The most probable word at every step; of `least` words, </s> not counted, or more."""
    return follow(Sentences(model, sentences, limit), most_probable, least)


def most_probable(log_probs: Float[Tensor, "b choices"]) -> Int[Tensor, "b"]:
    """The choice of a greedy search."""
    return log_probs.argmax(-1)


@torch.inference_mode()
def sample(
    model: Translator,
    sentences: list[list[int]],
    limit: int | None = None,
    temperature: float = 1.0,
    seed: int = 0,
    least: int = 0,
) -> Result:
    """Words drawn from p(y_t | y_<t, x) ** (1 / temperature), renormalised. Raises ValueError for temperature <= 0."""
    if not temperature > 0:
        raise ValueError(f"temperature must be above 0, not {temperature}")
    device = next(model.parameters()).device
    dice = torch.Generator(device).manual_seed(seed)

    def draw(log_probs: Float[Tensor, "b choices"]) -> Int[Tensor, "b"]:
        below = log_probs - log_probs.amax(-1, keepdim=True)  # 0 for the best, which then no temperature makes infinite
        return torch.multinomial((below / temperature).softmax(-1), 1, generator=dice).squeeze(-1)

    return follow(Sentences(model, sentences, limit), draw, least)


def follow(
    decodable: Decodable, choose: Callable[[Float[Tensor, "b choices"]], Int[Tensor, "b"]], least: int = 0
) -> Result:
    """One output of each example, whose every choice `choose` makes from the log probabilities.

    The end cannot be chosen before there are `least` choices, unless the example's limit is reached.
    """
    carry, shared = decodable.start(1)
    last = torch.full_like(decodable.limits, decodable.first)
    ended = torch.zeros_like(decodable.limits, dtype=torch.bool)
    columns, chosen = [], []
    while not ended.all():
        column, carry = decodable.step(last, carry, shared)
        columns.append(column)
        last = choose(without_end(column.log_probs, decodable.end, len(columns) <= least))
        last = last.masked_fill(ended, decodable.end)
        chosen.append(last)
        ended |= (last == decodable.end) | (len(columns) >= decodable.limits)
    found = _cut(columns, torch.stack(chosen, 1), decodable.limits, decodable.end)
    return Result(found, columns, decodable.memory, [[one] for one in found])


def without_end(log_probs: Float[Tensor, "rows choices"], end: int, forbidden: bool) -> Float[Tensor, "rows choices"]:
    """`log_probs` with -inf at the end where it is forbidden; the others keep theirs, so a record stays the model's."""
    return log_probs.index_fill(-1, torch.tensor(end, device=log_probs.device), -math.inf) if forbidden else log_probs


@torch.inference_mode()
def forced(model: Translator, sentences: list[list[int]], targets: list[list[int]]) -> Result:
    """The given targets, word by word, with </s>: what the model thinks of a translation that it did not choose."""
    batch = make_batch(sentences, targets).map(lambda t: t.to(next(model.parameters()).device))
    memory, carry = model.encode(batch.source, batch.source_mask)
    steps, _ = model.step(batch.inputs, carry, memory)
    columns = [_column(model, _at(steps, t)) for t in range(batch.inputs.size(1))]
    found = _cut(columns, batch.outputs, batch.target_mask.sum(1), EOS)
    return Result(found, columns, memory, [[one] for one in found])


def _at(steps: Step, t: int) -> Step:
    """One step of all steps."""
    return steps.map(lambda x: x[:, t])


def _cut(columns: list[Column], words: Int[Tensor, "b tgt"], limits: Int[Tensor, "b"], end: int) -> list[Found]:
    """Each row's words up to its first `end`, or its limit."""
    pairs = zip(columns, words.split(1, 1), strict=True)
    taken = torch.cat([column.log_probs.gather(1, chosen) for column, chosen in pairs], 1)
    found = []
    for row, (line, limit) in enumerate(zip(words.tolist(), limits.tolist(), strict=True)):
        n = min(limit, line.index(end) + 1 if end in line else len(line))
        log_probs = taken[row, :n].tolist()
        found.append(Found(line[:n], log_probs, [row] * n, sum(log_probs), end))
    return found


def to_model(model: Translator, sentences: list[list[int]]) -> tuple[Int[Tensor, "b src"], Bool[Tensor, "b src"]]:
    device = next(model.parameters()).device
    words, mask = pad(sentences)
    return words.to(device), mask.to(device)


def limits_of(mask: Bool[Tensor, "b src"], limit: int | None) -> Int[Tensor, "b"]:
    """The most words, </s> included, that each translation may have: GroundHog's three times the source, and a few."""
    lengths = mask.sum(1)
    return 3 * lengths + 10 if limit is None else torch.full_like(lengths, limit)


def by_length(sentences: Sequence[Sequence[Any]], size: int) -> list[list[int]]:
    """Which sentences, by number, are searched together: those of about equal length, `size` at a time."""
    order = sorted(range(len(sentences)), key=lambda i: len(sentences[i]))
    return [order[i : i + size] for i in range(0, len(order), size)]
