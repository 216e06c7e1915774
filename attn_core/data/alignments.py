"""Word alignments, as links (source position, target position) counted from 0, and their evaluation.

A line of an alignment file holds the links of one sentence: `i-j` for sure links, `ipj` for the gold standard's
possible ones.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

LINK = re.compile(r"([0-9]{1,9})([-p?])([0-9]{1,9})")

KINDS = ("marked", "sure", "possible")  # interpretations of the links of a gold standard

Link = tuple[int, int]


class Alignment(NamedTuple):
    """The gold links of one sentence pair; every sure link is possible too (Och and Ney 2003)."""

    sure: frozenset[Link]
    possible: frozenset[Link]

    def taken_as(self, kind: str) -> Self:
        """The same links as marked in the file ("marked"), all as sure ("sure"), or all as possible only ("possible").

        Raises ValueError for another kind.
        """
        if kind not in KINDS:
            raise ValueError(f"gold links must be taken as one of {', '.join(KINDS)}, not {kind!r}")
        links = self.sure | self.possible
        return self if kind == "marked" else self._replace(sure=links if kind == "sure" else frozenset())

    def check(self, source: int, target: int, base: int = 0) -> None:
        """Raise ValueError for a link beyond a pair of `source` and `target` words; `base` is the base of the file."""
        for i, j in sorted(self.sure | self.possible):
            for side, place, words in (("source", i, source), ("target", j, target)):
                if place >= words:
                    raise ValueError(
                        f"link {i + base}-{j + base}: {side} position {place + base}, counted from {base}, is beyond "
                        f"the {words} words of the {side} sentence"
                    )


def parse_alignment(line: str, base: int = 0) -> Alignment:
    """The links of one line: `i-j` sure, `ipj` (or `i?j`) possible. The line counts positions from `base`.

    Raises ValueError, naming the link, if a link is malformed or has a position below `base`.
    """
    sure, possible = set(), set()
    for written in line.split():
        match = LINK.fullmatch(written)
        if not match:
            raise ValueError(f"link {written!r:.60}: expected source-target such as 3-4, or 3p4 for a possible link")
        link = int(match[1]) - base, int(match[3]) - base
        if min(link) < 0:
            raise ValueError(f"link {written!r}: expected positions of at least {base}")
        possible.add(link)
        if match[2] == "-":
            sure.add(link)
    return Alignment(frozenset(sure), frozenset(possible))


def format_alignment(sure: Collection[Link], possible: Collection[Link] = (), base: int = 0) -> str:
    """The links as a line for `parse_alignment`, sorted: `i-j` for sure links, `ipj` for the others."""
    links = sorted(set(sure) | set(possible))
    return " ".join(f"{i + base}{'-' if (i, j) in sure else 'p'}{j + base}" for i, j in links)


@dataclass(frozen=True)
class AlignmentScores:
    """Corpus counts of hypothesised links A and of gold links, S (sure) and P (possible, including S)."""

    links: int  # |A|
    sure: int  # |S|
    possible: int  # |P|
    sure_hits: int  # |A and S|
    possible_hits: int  # |A and P|

    @property
    def aer(self) -> float:
        """Alignment error rate, 1 - (|A and S| + |A and P|) / (|A| + |S|): 0 is best. 0 if A and S are empty."""
        total = self.links + self.sure
        return 1 - (self.sure_hits + self.possible_hits) / total if total else 0.0

    @property
    def precision(self) -> float:
        """The share of hypothesised links that are possible; 1 if there are none."""
        return self.possible_hits / self.links if self.links else 1.0

    @property
    def recall(self) -> float:
        """The share of sure links that were found; 1 if there are none."""
        return self.sure_hits / self.sure if self.sure else 1.0


def alignment_error_rate(golds: Sequence[Alignment], hypotheses: Sequence[Collection[Link]]) -> AlignmentScores:
    """Alignment error rate of a corpus (Och and Ney 2003), from counts summed over the sentences.

    `hypotheses` are sets of links, as from `decoding.alignment.align_from_weights` or `parse_alignment(line).sure`.
    Raises ValueError if the numbers of sentences differ.
    """
    if len(golds) != len(hypotheses):
        raise ValueError(
            f"alignment error rate: expected one hypothesis for each of {len(golds)} gold sentences, not "
            f"{len(hypotheses)}"
        )
    counts = [0] * 5
    for (sure, possible), links in zip(golds, hypotheses, strict=True):
        links, possible = set(links), possible | sure
        for i, found in enumerate((links, sure, possible, links & sure, links & possible)):
            counts[i] += len(found)
    return AlignmentScores(*counts)


def distances(positions: Sequence[float], links: Collection[Link]) -> list[float]:
    """For each linked target word, the distance in words from its position to the nearest source word linked to it.

    `positions` has one number for each target word, such as p_t of local attention (Luong 2015, eq. 9). The result is
    in the order of the target words.
    """
    linked: dict[int, list[int]] = {}
    for i, j in sorted(links, key=lambda link: link[1]):
        linked.setdefault(j, []).append(i)
    return [min(abs(positions[j] - i) for i in sources) for j, sources in linked.items()]
