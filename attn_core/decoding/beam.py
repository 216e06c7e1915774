"""Beam search, and translation of a corpus; search.py holds the other searches and the record of a search."""

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from numbers import Integral
from operator import itemgetter
from typing import Self

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from attn_core.decoding.edits import Edits
from attn_core.decoding.search import Decodable, Found, Result, Sentences, by_length, normalised
from attn_core.messages import _
from attn_core.models.translator import Translator
from attn_core.trace import Record

WIDEST = 200  # a batch of 64 such beams takes several GB, and wider beams do not improve translations
ROWS = 320  # hypotheses decoded together; fewer make smaller matrix products, which are slower
GROUP = 64  # `largest` first takes the maximum of each group of this many words


@torch.no_grad()  # not inference_mode, in which autocast would cast every weight again at every step
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
    most: int | None = None,
    prefer_finished: bool = False,
    edits: Edits | None = None,
) -> Result:
    """The best translation of each sentence by a beam of `width`.

    `limit`, `least`, `most` and `edits` as for `Sentences`, the other options as for `search_beam`.
    """
    check_beam(width, normalise, alpha)
    decodable = Sentences(model, sentences, limit, least, most, edits)
    return search_beam(decodable, width, normalise, alpha, record, early, prefer_finished=prefer_finished)


def check_beam(width: int, normalise: str = "none", alpha: float = 1.0) -> None:
    """Raise ValueError for a width not from 1 to WIDEST, an unknown length normalisation, or an alpha out of range."""
    if not isinstance(width, Integral) or not 1 <= width <= WIDEST:
        message = _("beam must be a whole number from 1 to {most}, not {width!r}")
        raise ValueError(message.format(most=WIDEST, width=width))
    normalised(0.0, 1, normalise, alpha)


def search_beam(
    decodable: Decodable,
    width: int,
    normalise: str,
    alpha: float,
    record: bool = True,
    early: bool = False,
    keep_ended: bool = False,
    prefer_finished: bool = False,
) -> Result:
    """The best finished hypothesis of each example; an example is done once `width` of its hypotheses have finished.

    Each step keeps the `width` most probable unfinished hypotheses of an example. A hypothesis finishes by choosing the
    end, or is cut off at the example's limit. A cut-off hypothesis counts as finished: it is ranked by the same
    normalised log probability, without that of an end. With `prefer_finished` a cut-off hypothesis wins only if no
    other hypothesis of the example chose the end.

    With `early`, an example is also done once the most probable candidate of a step ends, as in OpenNMT-py. With
    `keep_ended`, a finished hypothesis keeps its place in the beam with its probability, and an example is done once
    its whole beam has finished. Done examples leave the batch in groups (see `_size`). The computed steps are kept for
    Traces unless `record` is False.
    """
    carry, shared = decodable.start()
    limits, end = decodable.limits, decodable.end
    totals = torch.zeros(len(limits), 1, device=limits.device)  # one hypothesis of each example, still empty
    last = torch.full_like(limits, decodable.first)
    alive = list(range(len(limits)))  # examples in the batch; their hypotheses are consecutive rows, equally many each
    done: list[list[_Ended]] = [[] for _ in alive]
    columns, trail = [], []
    for t in itertools.count():
        column, carry = decodable.step(last, carry, shared)
        if record:
            columns.append(column)
        log_probs = decodable.allowed(column.log_probs, t)
        if keep_ended:
            best = _Candidates.of(_staying(log_probs, last == end, end), totals, width)
        else:  # a hypothesis has one candidate that ends it, so of 2 * width candidates at least `width` continue
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
        if size < len(alive):
            places = going.int().argsort(descending=True, stable=True)[:size]
            best, limits = best.map(itemgetter(places)), limits[places]
            alive = [alive[place] for place in places.tolist()]
        rows = best.rows.flatten()
        carry = carry.map(itemgetter(rows))
        if best.totals.shape != totals.shape:  # fewer examples, or more hypotheses of each
            shared = shared.map(itemgetter(rows))
        totals, last = best.totals, best.words.flatten()
        trail.append(best)
    ranked = [sorted(found, key=lambda one: _rank(one, end, prefer_finished), reverse=True) for found in done]
    hypotheses = _paths(ranked, trail, end)
    return Result([found[0] for found in hypotheses], columns, decodable.memory, hypotheses)


def _rank(one: "_Ended", end: int, prefer_finished: bool) -> tuple[bool, float]:
    return prefer_finished and one.link.word == end, one.score


def _staying(
    log_probs: Float[Tensor, "rows choices"], ended: Bool[Tensor, "rows"], end: int
) -> Float[Tensor, "rows choices"]:
    """`log_probs`, where a row that has ended repeats the end with probability 1."""
    only = torch.full_like(log_probs, -math.inf)
    only[:, end] = 0.0
    return torch.where(ended.unsqueeze(1), only, log_probs)


def _size(going: int) -> int:
    """The batch size for `going` unfinished sentences, rounded up to 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, ...

    An exact size would change at nearly every step, and the CPU's matrix library compiles a kernel for each new
    shape, which takes longer than computing the extra rows.
    """
    power = 1 << (going - 1).bit_length()
    return power * 3 // 4 if power >= 4 and going <= power * 3 // 4 else power


@dataclass(frozen=True)
class _Candidates(Record):
    """Hypotheses extended by one word, best first: `k` for each example."""

    totals: Float[Tensor, "b k"]  # log probability of the whole hypothesis; -inf marks an empty place
    rows: Int[Tensor, "b k"]  # row of the hypothesis that was extended
    words: Int[Tensor, "b k"]
    log_probs: Float[Tensor, "b k"]  # of the last word

    @classmethod
    def of(cls, log_probs: Float[Tensor, "rows choices"], totals: Float[Tensor, "b width"], k: int) -> Self:
        """The `k` best extensions of the hypotheses with these `totals`, or all if there are fewer."""
        b, width = totals.shape
        log_probs, words = largest(log_probs, min(k, log_probs.size(1)))
        joint, places = (totals.view(-1, 1) + log_probs).view(b, -1).topk(min(k, width * words.size(1)))
        rows = places // words.size(1) + width * torch.arange(b, device=places.device).unsqueeze(1)
        return cls(joint, rows, *(x.view(b, -1).gather(1, places) for x in (words, log_probs)))

    def where(self, ended: Bool[Tensor, "b k"], first: int) -> list[tuple[int, "_Link"]]:
        """Those of the `first` candidates of each example that ended, each with its example's index in the batch."""
        chosen = (ended & (self.totals != -math.inf))[:, :first]
        parts = (x[:, :first][chosen].tolist() for x in (self.totals, self.rows, self.words, self.log_probs))
        return list(zip(chosen.nonzero()[:, 0].tolist(), map(_Link, *parts), strict=True))

    def without(self, ended: Bool[Tensor, "b k"], width: int) -> Self:
        """The first `width` candidates that have not ended, filled up with candidates of probability 0."""
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
    """The k largest numbers of each row and their indices: `torch.topk`, faster for long rows.

    They lie in the k groups with the largest maxima, or in the remainder after the last whole group.
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
    """The hypotheses of each example, traced back from their last words and cut after their first `end`."""
    links = [[x.flatten().tolist() for x in (best.rows, best.words, best.log_probs)] for best in trail]

    def path(ended: _Ended) -> Found:
        steps = [(ended.link.row, ended.link.word, ended.link.log_prob)]
        for link in reversed(links[: ended.t]):
            steps.append(tuple(part[steps[-1][0]] for part in link))
        rows, words, log_probs = (list(part) for part in zip(*reversed(steps), strict=True))
        n = words.index(end) + 1 if end in words else len(words)
        return Found(words[:n], log_probs[:n], rows[:n], ended.score, end)

    return [[path(ended) for ended in hypotheses] for hypotheses in ranked]


def best_outputs(
    model: Translator,
    sentences: Sequence[list[int]],
    rows: int = ROWS,
    beam: int = 1,
    normalise: str = "length",
    alpha: float = 1.0,
    limit: int | None = None,
    early: bool = False,
    on_progress: Callable[[int], None] = lambda done: None,
) -> list[Found]:
    """Translations of a corpus in its order, without a record; a beam of 1 is greedy search.

    Options are those of `beam_search`. A batch holds sentences of about equal length and `rows` hypotheses; by default
    that is 64 sentences with a beam of 5, and 320 in greedy search. `on_progress(done)` receives the number of
    translated sentences.
    """
    found: dict[int, Found] = {}
    for chosen in by_length(sentences, max(1, rows // beam)):
        ids = [sentences[i] for i in chosen]
        result = beam_search(model, ids, beam, limit, normalise, alpha, record=False, early=early)
        found |= dict(zip(chosen, result.found, strict=True))
        on_progress(len(found))
    return [found[i] for i in range(len(sentences))]
