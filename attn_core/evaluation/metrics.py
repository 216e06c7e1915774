"""How good a model or an alignment is: pure functions, numbers in and numbers out.

An alignment is a set of links (source position, target position), both from 0; one line of an
alignment file holds a sentence's links as `i-j`, with `ipj` for those that a gold standard calls possible, not sure.
"""

import math
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float
from torch import Tensor

LINK = re.compile(r"([0-9]+)([-p?])([0-9]+)")

Link = tuple[int, int]


def perplexity(total_nll: float, tokens: int) -> float:
    """exp of the mean negative log likelihood: `total_nll` in nats over so many target `tokens`, `</s>` counted.

    Raises ValueError when there are no tokens. Infinite when it is beyond the largest float.
    """
    if tokens <= 0:
        raise ValueError(f"perplexity over {tokens} tokens: expected at least one")
    try:
        return math.exp(total_nll / tokens)
    except OverflowError:
        return math.inf


class Alignment(NamedTuple):
    """The gold links of one sentence pair; every sure link is possible too (Och and Ney 2003)."""

    sure: frozenset[Link]
    possible: frozenset[Link]


def parse_alignment(line: str, base: int = 0) -> Alignment:
    """The links of one line: `i-j` sure, `ipj` (or `i?j`) possible, positions counted from `base`, ours from 0.

    Raises ValueError that names the link when one is malformed or below `base`.
    """
    sure, possible = set(), set()
    for written in line.split():
        match = LINK.fullmatch(written)
        if not match:
            raise ValueError(f"link {written!r}: expected source-target such as 3-4, or 3p4 for a possible link")
        link = int(match[1]) - base, int(match[3]) - base
        if min(link) < 0:
            raise ValueError(f"link {written!r}: expected positions that count from {base}")
        possible.add(link)
        if match[2] == "-":
            sure.add(link)
    return Alignment(frozenset(sure), frozenset(possible))


def format_alignment(sure: Collection[Link], possible: Collection[Link] = (), base: int = 0) -> str:
    """The line that `parse_alignment` reads: links in order, `i-j` for sure ones and `ipj` for the rest."""
    links = sorted(set(sure) | set(possible))
    return " ".join(f"{i + base}{'-' if (i, j) in sure else 'p'}{j + base}" for i, j in links)


@dataclass(frozen=True)
class AlignmentScores:
    """Counts over a corpus of hypothesised links A and gold links S (sure) and P (possible, S included)."""

    links: int  # |A|
    sure: int  # |S|
    possible: int  # |P|
    sure_hits: int  # |A and S|
    possible_hits: int  # |A and P|

    @property
    def aer(self) -> float:
        """Alignment error rate, 1 - (|A and S| + |A and P|) / (|A| + |S|): 0 is best. 0 when nothing was to be done."""
        total = self.links + self.sure
        return 1 - (self.sure_hits + self.possible_hits) / total if total else 0.0

    @property
    def precision(self) -> float:
        """The share of hypothesised links that are possible; 1 when there are none, as none is wrong."""
        return self.possible_hits / self.links if self.links else 1.0

    @property
    def recall(self) -> float:
        """The share of sure links that were found; 1 when there are none to find."""
        return self.sure_hits / self.sure if self.sure else 1.0


def alignment_error_rate(golds: Sequence[Alignment], hypotheses: Sequence[Collection[Link]]) -> AlignmentScores:
    """Alignment error rate of a corpus (Och and Ney 2003): counts are summed over the sentences, then divided.

    `hypotheses` are sets of links, as from `align_from_weights` or `parse_alignment(line).sure`.
    Raises ValueError when the numbers of sentences differ.
    """
    same_length("alignment error rate", golds=golds, hypotheses=hypotheses)
    counts = [0] * 5
    for (sure, possible), links in zip(golds, hypotheses, strict=True):
        links, possible = set(links), possible | sure
        for i, found in enumerate((links, sure, possible, links & sure, links & possible)):
            counts[i] += len(found)
    return AlignmentScores(*counts)


def align_from_weights(weights: Float[Tensor, "tgt src"], shift: int = 0) -> set[Link]:
    """Links (source, target): each target word with the source word that it weighed most, the first of equals.

    With `shift` 0 word t is linked by row t; leave out the row of `</s>` if it should have no link. With `shift` 1 it
    is linked by row t + 1, the look of the next step, as Luong 2015 (section 5.4) measured alignments: row 0 links
    nothing, the last word needs the row of the `</s>` step after it, and without that row it gets no link.
    A row without any weight gives no link.
    Raises ValueError when `shift` is not 0 or 1 or a weight is not a number.
    """
    if shift not in (0, 1):
        raise ValueError(f"alignment shift {shift}: expected 0 (the word's own step) or 1 (the step after it)")
    rows = weights.tolist()  # a list's index() takes the first maximum on every device; argmax promises none
    if any(math.isnan(weight) for row in rows for weight in row):
        raise ValueError("attention weights: expected numbers, found nan")
    return {(row.index(max(row)), t) for t, row in enumerate(rows[shift:]) if any(row)}


def entropy(weights: Float[Tensor, "*b src"]) -> Float[Tensor, "*b"]:
    """-sum w ln w of each row, in nats: 0 for a row that is sure of one word, ln src for a uniform one.

    The row is taken as it is. Local-p weights sum below 1 (Luong 2015 eq. 10); `align` is their distribution.
    """
    # Not torch.special.entr, whose gradient at a weight of 0, which a window makes, is infinite.
    return -(weights * torch.where(weights > 0, weights, 1.0).log()).sum(-1)


def coverage(weights: Float[Tensor, "*b tgt src"]) -> Float[Tensor, "*b src"]:
    """How much attention each source word got over all target words; the sum is at most the number of those."""
    return weights.sum(-2)


def coverage_loss(weights: Float[Tensor, "*b tgt src"]) -> Float[Tensor, "*b"]:
    """How much attention went where it had been before: sum over t and s of min(w_ts, c_ts), c_t the sum of rows < t.

    See 2017, section 2.3. 0 when no source word is looked at twice, at most the number of rows less 1.
    """
    before = weights.cumsum(-2) - weights
    return torch.minimum(weights, before).sum((-1, -2))


def doubly_stochastic(
    weights: Float[Tensor, "*b tgt src"], real: Bool[Tensor, "*b src"] | None = None
) -> Float[Tensor, "*b"]:
    """sum over s of (1 - sum over t of w_ts)^2: 0 when every source word got one look in all (Xu 2015, section 4.2.1).

    Where source words are padding, `real` leaves them out.
    """
    missing = (1 - coverage(weights)).square()
    return (missing if real is None else missing * real).sum(-1)


def same_length(what: str, **lists: Sequence) -> None:
    (name, one), (other_name, other) = lists.items()
    if len(one) != len(other):
        raise ValueError(f"{what}: {len(one)} {name} but {len(other)} {other_name}; expected one for each sentence")
