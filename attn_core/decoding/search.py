"""Choosing target words: greedy, sampled and forced (beam.py: beam); each leaves a record to make Traces from.

All of them run a batch. What one decoding step computed for all rows is a `Column`; a translation is a path of rows
through the columns, one row for each of its words.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Self

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from attn_core.data.corpus import make_batch, pad
from attn_core.data.tokenizer import Tokenizer
from attn_core.models.translator import Translator
from attn_core.trace import Memory, Step

EOS = Tokenizer.eos
BATCH = 64  # sentences that are searched together


@dataclass(frozen=True)
class Column:
    """What one decoding step computed for all rows that were alive."""

    step: Step  # `*b` is the rows
    log_probs: Float[Tensor, "rows vocab"]

    @classmethod
    def of(cls, model: Translator, step: Step) -> Self:
        return cls(step, model.log_probs(step.attentional))


@dataclass(frozen=True)
class Found:
    """One translation: words (</s> included when the model said it), their log probabilities, and its path."""

    words: list[int]
    log_probs: list[float]
    rows: list[int]  # row of each word in its column
    score: float  # what the search ranked it by

    @property
    def text_words(self) -> list[int]:
        return self.words[:-1] if self.words and self.words[-1] == EOS else self.words


@dataclass(frozen=True)
class Result:
    """What a search of a batch found: the best translation of each sentence, and the record."""

    found: list[Found]
    columns: list[Column]  # none of a search that keeps no record
    memory: Memory


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
def greedy(model: Translator, sentences: list[list[int]], limit: int | None = None) -> Result:
    """The most probable word at every step."""
    return _draw(model, sentences, limit, lambda log_probs: log_probs.argmax(-1))


@torch.inference_mode()
def sample(
    model: Translator, sentences: list[list[int]], limit: int | None = None, temperature: float = 1.0, seed: int = 0
) -> Result:
    """Words drawn from p(y_t | y_<t, x) ** (1 / temperature), renormalised. Raises ValueError for temperature <= 0."""
    if not temperature > 0:
        raise ValueError(f"temperature must be above 0, not {temperature}")
    device = next(model.parameters()).device
    dice = torch.Generator(device).manual_seed(seed)

    def draw(log_probs: Float[Tensor, "b vocab"]) -> Int[Tensor, "b"]:
        below = log_probs - log_probs.amax(-1, keepdim=True)  # 0 for the best, which then no temperature makes infinite
        return torch.multinomial((below / temperature).softmax(-1), 1, generator=dice).squeeze(-1)

    return _draw(model, sentences, limit, draw)


def _draw(
    model: Translator,
    sentences: list[list[int]],
    limit: int | None,
    choose: Callable[[Float[Tensor, "b vocab"]], Int[Tensor, "b"]],
) -> Result:
    words, mask = to_model(model, sentences)
    memory, carry = model.encode(words, mask)
    limits = limits_of(mask, limit)
    last = torch.full_like(limits, Tokenizer.bos)
    ended = torch.zeros_like(limits, dtype=torch.bool)
    columns, chosen = [], []
    while not ended.all():
        step, carry = model.step(last.unsqueeze(1), carry, memory)
        columns.append(Column.of(model, step.map(lambda t: t.squeeze(1))))
        last = choose(columns[-1].log_probs)
        chosen.append(last)
        ended |= (last == EOS) | (len(columns) >= limits)
    return Result(_cut(columns, torch.stack(chosen, 1), limits), columns, memory)


@torch.inference_mode()
def forced(model: Translator, sentences: list[list[int]], targets: list[list[int]]) -> Result:
    """The given targets, word by word, with </s>: what the model thinks of a translation that it did not choose."""
    batch = make_batch(sentences, targets).map(lambda t: t.to(next(model.parameters()).device))
    memory, carry = model.encode(batch.source, batch.source_mask)
    steps, _ = model.step(batch.inputs, carry, memory)
    columns = [Column.of(model, _at(steps, t)) for t in range(batch.inputs.size(1))]
    return Result(_cut(columns, batch.outputs, batch.target_mask.sum(1)), columns, memory)


def _at(steps: Step, t: int) -> Step:
    """One step of all steps."""
    return steps.map(lambda x: x[:, t])


def _cut(columns: list[Column], words: Int[Tensor, "b tgt"], limits: Int[Tensor, "b"]) -> list[Found]:
    """Each row's words up to its first </s>, or its limit."""
    pairs = zip(columns, words.split(1, 1), strict=True)
    taken = torch.cat([column.log_probs.gather(1, chosen) for column, chosen in pairs], 1)
    found = []
    for row, (line, limit) in enumerate(zip(words.tolist(), limits.tolist(), strict=True)):
        n = min(limit, line.index(EOS) + 1 if EOS in line else len(line))
        log_probs = taken[row, :n].tolist()
        found.append(Found(line[:n], log_probs, [row] * n, sum(log_probs)))
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
