"""What comes of a sentence: the trace as JSON, or why there is none."""

from dataclasses import dataclass, field

MOST_WORDS = 60  # of a sentence; tokens as the model reads them
MOST_LETTERS = 1000


@dataclass(frozen=True)
class Answer:
    """What came of a sentence: the trace as JSON (empty: nothing was decoded), and what to say of it."""

    trace: str = ""
    text: str = ""  # the translation as people write it
    problem: str = ""  # why nothing was decoded, or why the translation may be nonsense
    unknown: tuple[str, ...] = ()
    note: str = field(default="", compare=False)  # what is odd about the sentence or its translation


def refused(text: str) -> str:
    """Why nobody need ask a model about this text; empty when one may be asked."""
    if not text.strip():
        return "There is no sentence yet. Type a German one above, or pick an example."
    if len(text) > MOST_LETTERS:
        return f"This text has {len(text):,} characters. One sentence of up to {MOST_WORDS} words fits here."
    return ""
