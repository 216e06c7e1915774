"""Beam search, and the translation of a corpus with it; the other searches, and the record, are in search.py."""

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Self

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from attn_core.decoding.search import BATCH, Decodable, Found, Result, Sentences, by_length, normalised, without_end
from attn_core.models.translator import Translator
from attn_core.trace import Record

GROUP = 64  # words of which the best is known before the words are compared


@torch.no_grad()  # not inference_mode, in which autocast would cast every weight anew at every step
def beam_search(
    model: Translator,
    sentences: list[list[int]],
    width: int = 5,
    limit: int | None = None,
    normalise: str = "length",
    alpha: float = 1.0,
    record: bool = True,
    early: bool = False,
    least: int = 0,
    prefer_finished: bool = False,
) -> Result:
    """The best of the translations that a beam of `width` finishes, of at most `limit` words: see `search_beam`."""
    check_beam(width, normalise, alpha)
    return search_beam(
        Sentences(model, sentences, limit),
        width,
        normalise,
        alpha,
        record,
        early,
        least=least,
        prefer_finished=prefer_finished,
    )


def check_beam(width: int, normalise: str = "none", alpha: float = 1.0) -> None:
    """Raises ValueError for a width below 1, and for a normalisation that there is not."""
    if width < 1:
        raise ValueError(f"the beam must hold 1 hypothesis or more, not {width}")
    normalised(0.0, 1, normalise, alpha)


def search_beam(
    decodable: Decodable,
    width: int = 5,
    normalise: str = "none",
    alpha: float = 1.0,
    record: bool = True,
    early: bool = False,
    keep_ended: bool = False,
    least: int = 0,
    prefer_finished: bool = False,
) -> Result:
    """The best of the hypotheses that a beam of `width` finishes; an example is done once `width` of them have.

    Each step keeps the `width` most probable unfinished hypotheses of an example. A hypothesis finishes by choosing the
    end, or it is cut off at the example's limit. A hypothesis that is cut off counts like a finished one: it competes
    by the same normalised log probability, without that of an end. With `prefer_finished` one that is cut off wins only
    if none of the example's hypotheses chose the end. `least` choices come before an end, unless the limit is reached.

    With `early` an example is done, as in OpenNMT-py, also once the most probable candidate of a step has ended. With
    `keep_ended` a hypothesis that has ended keeps its place in the beam, at its probability, and an example is done
    once all of its beam have ended. Done examples leave the batch when enough have gathered (see `_size`). What the
    steps computed is kept for Traces unless `record` is False.
    """
    carry, shared = decodable.start(width)
    limits, end = decodable.limits, decodable.end
    totals = torch.full((len(limits), width), -math.inf, device=limits.device)
    totals[:, 0] = 0.0  # an example's hypotheses begin alike, so one of them is enough
    last = torch.full((totals.numel(),), decodable.first, device=limits.device)
    alive = list(range(len(limits)))  # examples in the batch; number a of them owns rows a * width ...
    done: list[list[_Ended]] = [[] for _ in alive]
    columns, trail = [], []
    for t in itertools.count():
        column, carry = decodable.step(last, carry, shared)
        if record:
            columns.append(column)
        log_probs = without_end(column.log_probs, end, t < least)
        if keep_ended:
            best = _Candidates.of(_staying(log_probs, last == end, end), totals, width)
        else:  # each hypothesis can end in one way only: of twice the width at least half go on, if not at the limit
            best = _Candidates.of(log_probs, totals, 2 * width)
        ends = (best.words == end) | (t + 1 >= limits).unsqueeze(1)
        if keep_ended:
            ends = (ends | (best.totals == -math.inf)).all(1, keepdim=True).expand_as(ends)
        for a, link in best.where(ends, width):
            done[alive[a]].append(_Ended(normalised(link.total, t + 1, normalise, alpha), t, link))
        open_ = torch.tensor([len(done[example]) < width for example in alive], device=limits.device)
        if early:
            open_ &= ~ends[:, 0]
        best = best.without(ends | ~open_.unsqueeze(1), width)
        going = (best.totals != -math.inf).any(1)
        if not going.any():
            break
        size = _size(int(going.sum()))
        if shrinks := size < len(alive):
            places = going.int().argsort(descending=True, stable=True)[:size]
            best, limits = best.map(itemgetter(places)), limits[places]
            alive = [alive[place] for place in places.tolist()]
        totals, last, rows = best.totals, best.words.flatten(), best.rows.flatten()
        carry = carry.map(itemgetter(rows))
        if shrinks:
            shared = shared.map(itemgetter(rows))
        trail.append(best)
    ranked = [sorted(found, key=lambda one: _rank(one, end, prefer_finished), reverse=True) for found in done]
    hypotheses = _paths(ranked, trail, end)
    return Result([found[0] for found in hypotheses], columns, decodable.memory, hypotheses)


def _rank(one: "_Ended", end: int, prefer_finished: bool) -> tuple[bool, float]:
    return prefer_finished and one.link.word == end, one.score


def _staying(
    log_probs: Float[Tensor, "rows choices"], ended: Bool[Tensor, "rows"], end: int
) -> Float[Tensor, "rows choices"]:
    """`log_probs`, but that a row which has ended chooses the end again, with probability 1."""
    only = torch.full_like(log_probs, -math.inf)
    only[:, end] = 0.0
    return torch.where(ended.unsqueeze(1), only, log_probs)


def _size(going: int) -> int:
    """The sentences that the batch holds on to, at least those that go on: 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, ...

    A batch of the very size that goes on would be another one at nearly every step, and the library that multiplies
    makes a program for every shape: on a CPU that took longer than the rows that it saved.
    """
    power = 1 << (going - 1).bit_length()
    return power * 3 // 4 if power >= 4 and going <= power * 3 // 4 else power


@dataclass(frozen=True)
class _Candidates(Record):
    """Hypotheses with one word more, best first: `k` for each example that is searched."""

    totals: Float[Tensor, "b k"]  # log probability of the whole hypothesis; -inf: there is none
    rows: Int[Tensor, "b k"]  # the row of the column that it extends
    words: Int[Tensor, "b k"]
    log_probs: Float[Tensor, "b k"]  # of the word

    @classmethod
    def of(cls, log_probs: Float[Tensor, "rows choices"], totals: Float[Tensor, "b width"], k: int) -> Self:
        """The `k` best that extend the hypotheses of these totals, or as many as there are."""
        b, width = totals.shape
        log_probs, words = largest(log_probs, min(k, log_probs.size(1)))
        joint, places = (totals.view(-1, 1) + log_probs).view(b, -1).topk(min(k, width * words.size(1)))
        rows = places // words.size(1) + width * torch.arange(b, device=places.device).unsqueeze(1)
        return cls(joint, rows, *(x.view(b, -1).gather(1, places) for x in (words, log_probs)))

    def where(self, ended: Bool[Tensor, "b k"], first: int) -> list[tuple[int, "_Link"]]:
        """Those of the `first` in each sentence that have ended, with the place of the sentence."""
        chosen = (ended & (self.totals != -math.inf))[:, :first]
        parts = (x[:, :first][chosen].tolist() for x in (self.totals, self.rows, self.words, self.log_probs))
        return list(zip(chosen.nonzero()[:, 0].tolist(), map(_Link, *parts), strict=True))

    def without(self, ended: Bool[Tensor, "b k"], width: int) -> Self:
        """The first `width` of those that have not ended; where there are fewer, others of no probability."""
        onward = ended.int().argsort(dim=1, stable=True)[:, :width]
        totals = self.totals.masked_fill(ended, -math.inf)
        return type(self)(*(x.gather(1, onward) for x in (totals, self.rows, self.words, self.log_probs)))


@dataclass(frozen=True)
class _Link:
    """One candidate."""

    total: float
    row: int
    word: int
    log_prob: float


@dataclass(frozen=True)
class _Ended:
    """A finished hypothesis: its score, the step of its last word, and that word."""

    score: float
    t: int
    link: _Link


def largest(values: Float[Tensor, "rows n"], k: int) -> tuple[Float[Tensor, "rows k"], Int[Tensor, "rows k"]]:
    """The k largest numbers of each row, and their places: torch's `topk`, faster where the rows are long.

    The k largest lie in the k groups whose own largest number is largest, and in the rest that fills no group.
    """
    rows, n = values.shape
    whole = n // GROUP * GROUP
    if whole < 2 * k * GROUP:
        return values.topk(k)
    groups = values[:, :whole].unflatten(1, (-1, GROUP))
    first = groups.amax(-1).topk(k).indices.unsqueeze(-1) * GROUP
    places = (first + torch.arange(GROUP, device=values.device)).flatten(1)
    rest = torch.arange(whole, n, device=values.device).expand(rows, -1)
    places = torch.cat([places, rest], 1)
    found = values.gather(1, places).topk(k)
    return found.values, places.gather(1, found.indices)


def _paths(ranked: list[list[_Ended]], trail: list[_Candidates], end: int) -> list[list[Found]]:
    """Each example's hypotheses, followed from their last word to their first, and cut at their first `end`."""
    links = [[x.flatten().tolist() for x in (best.rows, best.words, best.log_probs)] for best in trail]

    def path(ended: _Ended) -> Found:
        steps = [(ended.link.row, ended.link.word, ended.link.log_prob)]
        for link in reversed(links[: ended.t]):
            steps.append(tuple(part[steps[-1][0]] for part in link))
        rows, words, log_probs = (list(part) for part in zip(*reversed(steps), strict=True))
        n = words.index(end) + 1 if end in words else len(words)
        return Found(words[:n], log_probs[:n], rows[:n], ended.score, end)

    return [[path(ended) for ended in hypotheses] for hypotheses in ranked]


def best_words(
    model: Translator,
    sentences: Sequence[list[int]],
    size: int = BATCH,
    beam: int = 1,
    normalise: str = "length",
    alpha: float = 1.0,
    limit: int | None = None,
    early: bool = False,
    on_progress: Callable[[int], None] = lambda done: None,
) -> list[list[int]]:
    """Translations of a corpus without their record and without </s>, in the corpus's order; greedy for a beam of 1.

    Options as for `beam_search`; `size` sentences are searched together. `on_progress` is called with the number of
    sentences that are done.
    """
    found: dict[int, list[int]] = {}
    for chosen in by_length(sentences, size):
        ids = [sentences[i] for i in chosen]
        result = beam_search(model, ids, beam, limit, normalise, alpha, record=False, early=early)
        found |= {i: one.text_words for i, one in zip(chosen, result.found, strict=True)}
        on_progress(len(found))
    return [found[i] for i in range(len(sentences))]
