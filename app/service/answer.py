"""The result of a translation: the trace as JSON, or why there is none."""

from dataclasses import dataclass, field

from attn_core.messages import _

MOST_WORDS = 60  # of a sentence; tokens as the model reads them
MOST_LETTERS = 1000


@dataclass(frozen=True)
class Answer:
    """A translation: the trace as JSON (empty where nothing was decoded), and remarks on it."""

    trace: str = ""
    text: str = ""  # the translation as people write it
    problem: str = ""  # why nothing was decoded, or why the translation may be nonsense
    unknown: tuple[str, ...] = ()
    note: str = field(default="", compare=False)  # a remark on an unusual sentence or translation


def refused(text: str) -> str:
    """Why this text is not given to a model; empty when it is."""
    if not text.strip():
        return _("There is no sentence yet. Enter a German sentence above, or choose an example.")
    if len(text) > MOST_LETTERS:
        return _("This text has {letters:,} characters. Enter one sentence of at most {words} words.").format(
            letters=len(text), words=MOST_WORDS
        )
    return ""
