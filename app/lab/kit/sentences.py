"""Sentences whose translation needs a source word from much further on."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Reordered:
    """A sentence of this project whose target word `word` needs the source word `needed`, much further on."""

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
