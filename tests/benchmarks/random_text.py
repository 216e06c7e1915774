"""Random sentence pairs with the lengths and vocabularies of Multi30k, for measurements of speed."""

import random

Sentences = list[list[int]]
VOCABULARIES = 7800, 5900  # source and target
FEW_WORDS = 60, 50  # for a check that everything runs
SPECIALS = 4  # the first words of a vocabulary


def text(
    pairs: int, vocabularies: tuple[int, int] = VOCABULARIES, *, words: int = 13, seed: int = 0
) -> tuple[Sentences, Sentences]:
    """Sentence pairs sorted by length: `words` words with a deviation of 4, word frequencies by Zipf's law."""
    dice = random.Random(seed)
    source, target = [], []
    for _ in range(pairs):
        length = max(3, round(dice.gauss(words, 4)))
        lengths = max(3, round(0.95 * length + dice.gauss(0, 2))), length
        for side, n, size in zip((source, target), lengths, vocabularies, strict=True):
            side.append([3 + int((size - SPECIALS) ** dice.random()) for _ in range(n)])
    order = sorted(range(pairs), key=lambda i: (len(source[i]), len(target[i])))
    return [source[i] for i in order], [target[i] for i in order]


def vocabulary(size: int) -> str:
    """A line of text whose words, with the special ones, are a vocabulary of this size."""
    return " ".join(f"w{i}" for i in range(size - SPECIALS))
