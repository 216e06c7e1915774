"""Longer sentences made from short ones: successive pairs of parallel text, joined."""

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from attn_core.data.corpus import CorpusError, Text, pairs_of, side_of
from attn_core.data.group_sizes import sizes

Pair = tuple[str, str]


def join_pairs(pairs: Iterable[Pair], most: int) -> Iterator[Pair]:
    """2 to `most` successive pairs as one, a made-up condition with real sentences; with `most` 1, the pairs unchanged.

    How many are joined is drawn uniformly, the same at every call. Pairs with an empty side are left out; so are the
    last ones, if they are too few for the number that was drawn. Of captions with 12 words, 2 to 4 joined have from 24
    to 48.
    """
    if most == 1:
        yield from pairs
        return
    numbers = random.Random(0)
    group: list[Pair] = []
    wanted = 0
    for pair in pairs:
        if not all(line.strip() for line in pair):
            continue
        wanted = wanted or 2 + int(numbers.random() * (most - 1))
        group.append(pair)
        if len(group) == wanted:
            sources, targets = ([line.strip() for line in side] for side in zip(*group, strict=True))
            yield " ".join(sources), " ".join(targets)
            group, wanted = [], 0


def join_lines(sources: list[str], targets: list[str], most: int) -> tuple[list[str], list[str]]:
    """`join_pairs` for lists. Raises CorpusError if there are too few pairs to join."""
    pairs = list(join_pairs(zip(sources, targets, strict=True), most))
    if most > 1 and not pairs:
        raise CorpusError(_too_few(most))
    return [source for source, _ in pairs], [target for _, target in pairs]


def joined_name(most: int) -> str:
    """The suffix of the name of a test set whose sentences are joined; empty with `most` 1."""
    return f" ({sizes(most)} sentences joined)" if most > 1 else ""


def _too_few(most: int) -> str:
    return f"too few sentence pairs for groups of {sizes(most)} (join={most})"


@dataclass(frozen=True)
class Joined:
    """Parallel `text` with 2 to `most` successive pairs as one; see `join_pairs`."""

    text: Text
    most: int

    def lines(self, side: int) -> Iterator[str]:
        """The joined sentences. Raises CorpusError if the sides differ in length, and if there is nothing to join."""
        return side_of(join_pairs(pairs_of(self.text), self.most), side, _too_few(self.most))

    def names(self) -> tuple[str, str]:
        return self.text.names()

    def identity(self) -> Any:
        return {"join": self.most, "text": self.text.identity()}
