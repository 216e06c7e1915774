"""Export the heatmap of a trace as a file. Charts take a second to import: `downloads` loads this on use."""

from typing import Any

from attn_core import figures
from attn_core.trace.reading import parse

Head = tuple[int, int]  # a layer and a head, counted from 0


def png(trace: str, head: Head | None, by_words: bool) -> bytes:
    """The heatmap of a trace (JSON) as PNG: of one head, or of the mean of all; an unknown head is the mean.

    `by_words` joins word pieces. Raises ValueError if `trace` is not a trace or has no attention.
    """
    return figures.png(_heatmap(trace, head, by_words))


def pdf(trace: str, head: Head | None, by_words: bool) -> bytes:
    """As `png`, but as PDF."""
    return figures.pdf(_heatmap(trace, head, by_words))


def _heatmap(trace: str, head: Head | None, by_words: bool) -> Any:
    parsed = parse(trace)
    heads = [(look.layer, look.head) for look in parsed.words[0].step.looks] if parsed.words else []
    return figures.heatmap(parsed, heads.index(head) if head in heads else None, by_words=by_words)
