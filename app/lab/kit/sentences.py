"""Sentences whose translation needs a word that stands far behind."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Reordered:
    """A sentence of our own whose translation needs a word that stands far behind: `needed` for `word`."""

    de: str
    en: str
    needed: str
    word: str


REORDERED = (
    Reordered(
        "Ein Mann steht auf einer Leiter, um das Dach von einem alten Haus zu reparieren.",
        "A man stands on a ladder to fix the roof of an old house.",
        "reparieren",
        "fix",
    ),
    Reordered(
        "Ein Mann versucht, auf einer Straße mit vielen Autos ein Fahrrad zu reparieren.",
        "A man is trying to fix a bicycle on a street with many cars.",
        "reparieren",
        "fix",
    ),
    Reordered(
        "Ein Junge versucht, am Strand mit beiden Händen einen großen Ball zu fangen.",
        "A boy tries to catch a large ball on the beach with both hands.",
        "fangen",
        "catch",
    ),
    Reordered(
        "Eine Frau sieht zu, wie ein kleiner Junge in einem Park mit einem Hund spielt.",
        "A woman watches as a little boy plays with a dog in a park.",
        "spielt",
        "plays",
    ),
)


def first_step(text: str, trace: Any) -> int:
    """The step of `trace` that opens a page: the first that reads mostly the word that one of REORDERED is about.

    0 for other sentences, and where no step does.
    """
    needed = next((pair.needed for pair in REORDERED if pair.de == text), None)
    looked_at = (trace.source[row.argmax()] for row in trace.weights())
    return next((t for t, word in enumerate(looked_at) if word == needed), 0)
