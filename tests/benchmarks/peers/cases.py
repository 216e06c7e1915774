"""What is measured, the same for every contestant. Standard library only: the peers' environments import it too."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Case:
    """One model: how it scores, its cell, and whether what it saw is fed to its next step."""

    score: str  # "additive" or "general"
    cell: str  # "gru" or "lstm"
    feeding: bool

    @property
    def text(self) -> str:
        feeding = "fed to the next step" if self.feeding else "not fed"
        return f"{self.score} attention, {self.cell.upper()}, {feeding}"


CASES = {
    # Bahdanau's step reads the context, so the peers' additive models have input feeding: as many operations.
    "a": Case("additive", "gru", feeding=True),
    "b": Case("general", "lstm", feeding=True),
    "c": Case("general", "lstm", feeding=False),
}

THREADS = 2
EMBEDDING = 256
ENCODER = 256  # of each direction
DECODER = 512  # also what the output layer reads; its weights are not those of the embeddings
BATCH = 64  # sentences, in training and in translating
MIN_FREQUENCY = 2
RATE, BETAS, CLIP = 1e-3, (0.9, 0.999), 1.0  # Adam at a constant rate; the loss is per word, without smoothing
LIMIT = 50  # words of a translation, </s> included
SEED = 1

SOURCE, TARGET = "de", "en"
SPECIALS = ("<pad>", "<unk>", "<s>", "</s>")
