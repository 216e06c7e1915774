"""Models and settings of the comparison, equal for all toolkits. Standard library only, since all of them import it."""

from dataclasses import dataclass


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
EMBEDDING = 256
ENCODER = 256  # of each direction
DECODER = 512  # also the input size of the output layer, whose weights are not tied to the embeddings
BATCH = 64  # sentences, in training and translation
MIN_FREQUENCY = 2
RATE, BETAS, CLIP = 1e-3, (0.9, 0.999), 1.0  # Adam at a constant rate; the loss is per word, without smoothing
LIMIT = 50  # words of a translation, </s> included
SEED = 1

SOURCE, TARGET = "de", "en"
SPECIALS = ("<pad>", "<unk>", "<s>", "</s>")
