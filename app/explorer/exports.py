"""Export a trace as a figure, an image or a table. Charts take a second to import: `downloads` loads this on use."""

from typing import Any

from attn_core import figures
from attn_core.trace import Look
from attn_core.trace.reading import parse


def looks(trace: str) -> tuple[Look, ...]:
    """The records of a step's attention in a trace (JSON): one for an RNN, one per layer and head for a Transformer."""
    return parse(trace).words[0].step.looks


def chart(trace: str, look: int | None, dark: bool) -> Any:
    """The heatmap of a trace (JSON) for the page; `look` None is the mean of all heads."""
    return figures.heatmap(parse(trace), look, dark=dark)


def png(trace: str, look: int | None) -> bytes:
    """The heatmap as PNG."""
    return figures.png(figures.heatmap(parse(trace), look))


def svg(trace: str, look: int | None) -> str:
    """The heatmap as SVG."""
    return figures.svg(figures.heatmap(parse(trace), look))


def csv(trace: str) -> str:
    """All weights as CSV, one per line."""
    return figures.table(parse(trace))
