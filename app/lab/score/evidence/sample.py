"""The sentence of the Score lab's cards, and what their evidence has in common."""

from typing import Any

from app.lab.kit import shipped
from app.lab.kit.evidence import Caption, Table, table
from app.shell.markdown import escaped
from attn_core.messages import N_, _

SENTENCE = "Ein Mädchen versucht, mit der Hand einen Fisch zu fangen."


def first_look(name: str) -> tuple[Any, Any, Any]:
    """The score function of a shipped model, a trace, and the attention at its first step."""
    trace = shipped.trace(name, SENTENCE)
    return shipped.model(name).decoder.attention.score, trace, trace.words[0].step.looks[0]


def by_word(trace: Any, columns: dict[str, list[float]]) -> Table:
    """A row for each source word."""
    return table(
        {N_("source"): word} | dict(zip(columns, values, strict=True))
        for word, *values in zip(trace.source, *columns.values(), strict=True)
    )


def of_trace(trace: Any, more: str = "", step: bool = True) -> Caption:
    """The caption of numbers from a trace: its model and, with `step`, its first step; then `more`."""
    where = _("The trained model {model} at its first step, “{word}”.") if step else _("The trained model {model}.")
    source = where.format(model=escaped(trace.model), word=escaped(trace.target[0]))
    return Caption(f"{source} {escaped(more)}".rstrip())
