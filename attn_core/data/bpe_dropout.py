"""BPE-dropout: words are split into different pieces in every epoch (Provilkov, Emelianenko and Voita 2020)."""

import random
from collections.abc import Iterator
from itertools import islice, pairwise

import numpy as np

from attn_core.data.corpus import LINES, Corpus, Pairs
from attn_core.data.subwords import SPECIALS, WORD_START
from attn_core.data.tokenizer import Tokenizer


class Splitter:
    """Splits the words of a byte-pair vocabulary again, leaving out each possible merge with probability `dropout`.

    With `dropout` 0 the pieces are those of the vocabulary, with 1 they are characters.
    """

    def __init__(self, vocabulary: Tokenizer, dropout: float):
        self.dropout = dropout
        self._tokens = [vocabulary.token(i) for i in range(len(vocabulary))]
        self._ids = dict(zip(self._tokens, range(len(self._tokens)), strict=True))
        self._ranks = vocabulary.merges()

    def again(self, ids: list[int], dice: random.Random) -> list[int]:
        """A sentence's ids after its words are split again; special tokens (such as unknown characters) are kept."""
        found: list[int] = []
        for word in self._words(ids):
            found += word if word[0] < len(SPECIALS) else self.split(word, dice)
        return found

    def _words(self, ids: list[int]) -> Iterator[list[int]]:
        """The ids of each word or part of a word between special tokens, and each special token alone."""
        word: list[int] = []
        for i in ids:
            if word and (min(i, word[-1]) < len(SPECIALS) or self._tokens[i].startswith(WORD_START)):
                yield word
                word = []
            word.append(i)
        if word:
            yield word

    def split(self, word: list[int], dice: random.Random) -> list[int]:
        """The ids of the pieces of one word, split again (algorithm 1 of the paper).

        Of the merges that are possible, each is left out with probability `dropout`; the first of the others in the
        vocabulary's order is made; and so on with the new pieces, until no merge is left.
        """
        symbols = list("".join(self._tokens[i] for i in word))
        while True:
            possible = [
                (self._ranks[pair], i)
                for i, pair in enumerate(pairwise(symbols))
                if pair in self._ranks and dice.random() >= self.dropout
            ]
            if not possible:
                return [self._ids[symbol] for symbol in symbols]
            _, i = min(possible)
            symbols[i : i + 2] = ["".join(symbols[i : i + 2])]


def split_again(corpus: Corpus, splitters: tuple[Splitter, Splitter], longest: int, dice: random.Random) -> Pairs:
    """A copy of `corpus` in memory, with the words of both sides split again.

    A sentence of more than `longest` new tokens keeps its old ones; the </s> of a source does not count.
    """
    sides: tuple[list[list[int]], list[list[int]]] = ([], [])
    for pair in _pairs(corpus):
        for side, splitter, ids in zip(sides, splitters, pair, strict=True):
            new = splitter.again(ids, dice)
            side.append(new if len(new) - (new[-1] == Tokenizer.eos) <= longest else ids)
    return Pairs(*sides)


def _pairs(corpus: Corpus) -> Iterator[tuple[list[int], list[int]]]:
    numbers = iter(range(len(corpus)))
    while chosen := list(islice(numbers, LINES)):
        batch = corpus.batch(np.array(chosen))
        rows = zip(batch.source.tolist(), batch.outputs.tolist(), strict=True)
        for i, (source, target) in zip(chosen, rows, strict=True):
            yield source[: corpus.lengths[0][i]], target[: corpus.lengths[1][i]]
