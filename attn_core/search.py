"""Choosing target words: greedy, sampled, beam and forced; every one of them leaves a record to make Traces from.

All of them run a batch. What one decoding step computed for all rows is a `Column`; a translation is a path of rows
through the columns, one row for each of its words.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from attn_core.corpora import make_batch, pad
from attn_core.model import Translator
from attn_core.text import Tokenizer
from attn_core.trace import Memory, Step

EOS = Tokenizer.eos
BATCH = 64  # sentences that are searched together


@dataclass(frozen=True)
class Column:
    """What one decoding step computed for all rows that were alive."""

    step: Step  # `*b` is the rows
    log_probs: Float[Tensor, "rows vocab"]


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
    columns: list[Column]
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
    words, mask = _to_model(model, sentences)
    memory, carry = model.encode(words, mask)
    limits = _limits(mask, limit)
    last = torch.full_like(limits, Tokenizer.bos)
    ended = torch.zeros_like(limits, dtype=torch.bool)
    columns, chosen = [], []
    while not ended.all():
        step, carry = model.decoder(last.unsqueeze(1), carry, memory)
        step = step.map(lambda t: t.squeeze(1))
        log_probs = model.decoder.log_probs(step.attentional)
        last = choose(log_probs)
        columns.append(Column(step, log_probs))
        chosen.append(last)
        ended |= (last == EOS) | (len(columns) >= limits)
    return Result(_cut(columns, torch.stack(chosen, 1), limits), columns, memory)


@torch.inference_mode()
def forced(model: Translator, sentences: list[list[int]], targets: list[list[int]]) -> Result:
    """The given targets, word by word, with </s>: what the model thinks of a translation that it did not choose."""
    batch = make_batch(sentences, targets).map(lambda t: t.to(next(model.parameters()).device))
    memory, carry = model.encode(batch.source, batch.source_mask)
    steps, _ = model.decoder(batch.inputs, carry, memory)
    log_probs = model.decoder.log_probs(steps.attentional)
    columns = [Column(steps.map(lambda x, t=t: x[:, t]), log_probs[:, t]) for t in range(batch.inputs.size(1))]
    return Result(_cut(columns, batch.outputs, batch.target_mask.sum(1)), columns, memory)


def _cut(columns: list[Column], words: Int[Tensor, "b tgt"], limits: Int[Tensor, "b"]) -> list[Found]:
    """Each row's words up to its first </s>, or its limit."""
    taken = torch.stack([column.log_probs for column in columns], 1).gather(-1, words.unsqueeze(-1)).squeeze(-1)
    found = []
    for row, (line, limit) in enumerate(zip(words.tolist(), limits.tolist(), strict=True)):
        n = min(limit, line.index(EOS) + 1 if EOS in line else len(line))
        log_probs = taken[row, :n].tolist()
        found.append(Found(line[:n], log_probs, [row] * n, sum(log_probs)))
    return found


@torch.inference_mode()
def beam_search(
    model: Translator,
    sentences: list[list[int]],
    width: int = 5,
    limit: int | None = None,
    normalise: str = "length",
    alpha: float = 1.0,
) -> Result:
    """The best of the hypotheses that a beam of `width` finishes; it stops once `width` of them have.

    Each step keeps the `width` most probable unfinished hypotheses of a sentence. A sentence that is done leaves the
    batch. Raises ValueError for a width below 1.
    """
    if width < 1:
        raise ValueError(f"the beam must hold 1 hypothesis or more, not {width}")
    normalised(0.0, 1, normalise, alpha)
    words, mask = _to_model(model, sentences)
    whole, carry = model.encode(words, mask)
    device = words.device
    limits = _limits(mask, limit).tolist()
    alive = list(range(len(sentences)))  # sentences still searched; sentence number a owns rows a * width ...
    memory = whole.map(lambda x: x.repeat_interleave(width, 0))
    carry = carry.map(lambda x: x.repeat_interleave(width, 0))
    totals = torch.full((len(sentences), width), -math.inf, device=device)
    totals[:, 0] = 0.0
    columns: list[Column] = []
    trail = [_Link(list(range(len(sentences) * width)), [Tokenizer.bos] * len(sentences) * width)]
    done: list[list[_Ended]] = [[] for _ in sentences]
    while alive:
        last = torch.tensor(trail[-1].words, device=device)
        step, carry = model.decoder(last.unsqueeze(1), carry, memory)
        log_probs = model.decoder.log_probs(step.attentional.squeeze(1))
        columns.append(Column(step.map(lambda x: x.squeeze(1)), log_probs))
        joint = (totals.unsqueeze(-1) + log_probs.view(len(alive), width, -1)).flatten(1)
        best = joint.topk(min(2 * width, joint.size(1)), dim=1)
        kept: dict[int, list[tuple[float, int, int]]] = {}  # place in `alive` -> total, row and word of each hypothesis
        for a, (values, places) in enumerate(zip(best.values.tolist(), best.indices.tolist(), strict=True)):
            sentence, live = alive[a], []
            for rank, (total, place) in enumerate(zip(values, places, strict=True)):
                row, word = a * width + place // log_probs.size(1), place % log_probs.size(1)
                if total == -math.inf or len(live) == width:
                    break
                if word != EOS and len(columns) < limits[sentence]:
                    live.append((total, row, word))
                elif rank < width:  # finished, by </s> or cut at the limit
                    score = normalised(total, len(columns), normalise, alpha)
                    done[sentence].append(_Ended(score, len(columns) - 1, row, word))
            if live and len(done[sentence]) < width:
                kept[a] = live + [(-math.inf, a * width, EOS)] * (width - len(live))
        trail.append(
            _Link(
                [row for live in kept.values() for _, row, _ in live], [w for live in kept.values() for *_, w in live]
            )
        )
        totals = torch.tensor([[total for total, _, _ in live] for live in kept.values()], device=device)
        chosen = torch.tensor(trail[-1].rows, dtype=torch.long, device=device)
        carry = carry.map(lambda x, chosen=chosen: x[chosen])
        if len(kept) < len(alive):
            memory = memory.map(lambda x, chosen=chosen: x[chosen])
            alive = [alive[a] for a in kept]
    best_ended = [max(ended, key=lambda e: e.score) for ended in done]
    return Result([_back(columns, trail, ended) for ended in best_ended], columns, whole)


@dataclass(frozen=True)
class _Link:
    """For each row of a column: the row that it extends in the column before, and the word in between."""

    rows: list[int]
    words: list[int]


@dataclass(frozen=True)
class _Ended:
    """A finished hypothesis: its last word, and where that was chosen."""

    score: float
    t: int
    row: int
    word: int


def _back(columns: list[Column], trail: list[_Link], ended: _Ended) -> Found:
    """Follow a hypothesis from its last word to its first."""
    rows, words = [ended.row], [ended.word]
    for link in reversed(trail[1 : ended.t + 1]):
        words.append(link.words[rows[-1]])
        rows.append(link.rows[rows[-1]])
    rows.reverse()
    words.reverse()
    log_probs = [column.log_probs[row, word].item() for column, row, word in zip(columns, rows, words, strict=False)]
    return Found(words, log_probs, rows, ended.score)


def _to_model(model: Translator, sentences: list[list[int]]) -> tuple[Int[Tensor, "b src"], Bool[Tensor, "b src"]]:
    device = next(model.parameters()).device
    words, mask = pad(sentences)
    return words.to(device), mask.to(device)


def _limits(mask: Bool[Tensor, "b src"], limit: int | None) -> Int[Tensor, "b"]:
    """The most words, </s> included, that each translation may have: GroundHog's three times the source, and a few."""
    lengths = mask.sum(1)
    return 3 * lengths + 10 if limit is None else torch.full_like(lengths, limit)


def by_length(sentences: Sequence[Sequence[Any]], size: int) -> list[list[int]]:
    """Which sentences, by number, are searched together: those of about equal length, `size` at a time."""
    order = sorted(range(len(sentences)), key=lambda i: len(sentences[i]))
    return [order[i : i + size] for i in range(0, len(order), size)]


def best_words(
    model: Translator,
    sentences: Sequence[list[int]],
    size: int = BATCH,
    beam: int = 1,
    normalise: str = "length",
    alpha: float = 1.0,
    limit: int | None = None,
    watch: Callable[[int], None] = lambda done: None,
) -> list[list[int]]:
    """Translations of a corpus without their record and without </s>, in the corpus's order; greedy for a beam of 1.

    `watch` is told how many sentences are done.
    """
    found: dict[int, list[int]] = {}
    for chosen in by_length(sentences, size):
        ids = [sentences[i] for i in chosen]
        result = beam_search(model, ids, beam, limit, normalise, alpha) if beam > 1 else greedy(model, ids, limit)
        found |= {i: one.text_words for i, one in zip(chosen, result.found, strict=True)}
        watch(len(found))
    return [found[i] for i in range(len(sentences))]
