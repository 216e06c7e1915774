"""The plan of a lesson of 90 minutes with the site and the worksheet."""

from collections.abc import Iterator
from dataclasses import replace

from app.shell.markdown import escaped
from app.shell.pages import lab
from app.site.worksheet import measured as m
from app.site.worksheet.task import Phase, Task, View, explorer
from attn_core.messages import _


def plan(tasks: tuple[Task, ...]) -> Iterator[Phase]:
    """The phases of the lesson: those of the tasks, between an opening and the quiz."""
    yield _opening()
    for number, task in enumerate(tasks, 1):
        if task.introduction:
            yield task.introduction
        yield replace(task.phase, task=number)
    yield _closing()


def _opening() -> Phase:
    words = len(m.translated(m.FIXED, m.LONG).source)
    return Phase(
        10,
        _("Three sentences, translated by a model without attention; then by one with attention."),
        (explorer(_("without attention"), m.FIXED, m.LONG), explorer(_("with attention"), m.ATTENDING, m.LONG)),
        _("Vote before you press play: how much of the text comes back?"),
        _("Without attention: “{fixed}” One vector has to hold {n} tokens. With attention: “{attending}”").format(
            fixed=escaped(m.english(m.FIXED, m.LONG)), n=words, attending=escaped(m.english(m.ATTENDING, m.LONG))
        ),
        _("What would you give the decoder besides one vector?"),
    )


def _closing() -> Phase:
    return Phase(
        4,
        _("The quiz: each card is a common claim."),
        (View(_(lab("quiz").title), {}, "quiz"),),
        _("Vote by hands; then tick the learning goals on the worksheet."),
        _("Goals that many leave open are where the next lesson begins."),
        _("Which claim would you have believed 90 minutes ago?"),
    )
