"""A trace as a figure, a picture or a table. Charts take a second to import, so `downloads` loads this when asked."""

from typing import Any

from attn_core import figures
from attn_core.trace import Look
from attn_core.trace.reading import parse


def looks(trace: str) -> tuple[Look, ...]:
    """The looks of a step of a trace (JSON): of an RNN one, of a Transformer one for each layer and head."""
    return parse(trace).words[0].step.looks


def chart(trace: str, look: int | None, dark: bool) -> Any:
    """The heatmap of a trace (JSON) for the page; `look` None is the mean of a step's looks, or its only one."""
    return figures.heatmap(parse(trace), look, dark=dark)


def png(trace: str, look: int | None) -> bytes:
    """The heatmap as a picture."""
    return figures.png(figures.heatmap(parse(trace), look))


def svg(trace: str, look: int | None) -> str:
    """The heatmap as a drawing."""
    return figures.svg(figures.heatmap(parse(trace), look))


def csv(trace: str) -> str:
    """All weights, one to a line."""
    return figures.table(parse(trace))
