"""Models and settings of the comparison, equal for all toolkits. Standard library only, since all of them import it."""

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Case:
    """One model: its score function, its cell, and input feeding."""

    score: str  # "additive" or "general"
    cell: str  # "gru" or "lstm"
    feeding: bool

    @property
    def text(self) -> str:
        feeding = "input feeding" if self.feeding else "no input feeding"
        return f"{self.score} attention, {self.cell.upper()}, {feeding}"


CASES = {
    # Bahdanau's step takes the context as input, so the toolkits' additive models use input feeding: equal operations.
    "a": Case("additive", "gru", feeding=True),
    "b": Case("general", "lstm", feeding=True),
    "c": Case("general", "lstm", feeding=False),
}

THREADS = 2


@dataclass(frozen=True)
class Sizes:
    """Numbers of units; the output layer's input has the decoder's size in the other toolkits."""

    embedding: int
    encoder: int  # of each direction
    decoder: int


LARGE = Sizes(256, 256, 512)  # where speed is compared; the output layer's weights are not tied to the embeddings
SMALL = Sizes(144, 128, 256)  # those of the small presets, where time to quality is compared
SIZES = {"large": LARGE, "small": SMALL}
BATCH = 64  # sentences in training
ROWS = 320  # hypotheses in translation (64 sentences with a beam of 5, 320 in greedy search), except in JoeyNMT
MIN_FREQUENCY = 2
RATE, BETAS, CLIP = 1e-3, (0.9, 0.999), 1.0  # Adam at a constant rate; the loss is per word, without smoothing
LIMIT = 50  # words of a translation, </s> included
SEED = 1


@dataclass(frozen=True)
class Conditions:
    """What may differ between trainings of a case: the defaults are those of the comparison of speed."""

    sizes: str = "large"  # see SIZES
    seed: int = SEED
    options: dict[str, Any] = field(default_factory=dict)  # the toolkit's own, in place of those of the runner
    our_updates_per_epoch: int = 0  # where another toolkit trains with our recipe (our_recipe.py), else 0

    @property
    def units(self) -> Sizes:
        return SIZES[self.sizes]


SOURCE, TARGET = "de", "en"
SPECIALS = ("<pad>", "<unk>", "<s>", "</s>")
