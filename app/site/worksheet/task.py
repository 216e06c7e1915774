"""What a worksheet is made of: tasks with their parts, links into the site, and the phases of a lesson.

Texts are Markdown with formulas between dollar signs (app/shell/markup.py).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from app.shell.markdown import escaped
from app.site.worksheet import measured as m
from attn_core.messages import N_

LEVELS = {1: N_("Read"), 2: N_("Calculate"), 3: N_("Explain")}
GOALS = (
    N_("I can read from a heatmap which source word a step attends to."),
    N_("I can turn scores into weights with a softmax, and say what happens if all scores grow by the same number."),
    N_("I can say what a context vector is made of."),
    N_("I can draw what input feeding adds to a model."),
    N_("I can say what $p_t$, D and σ do, and why the attention weights of local-p sum to less than 1."),
    N_("I can say what a head is, and find the one that aligns the words."),
)


@dataclass(frozen=True)
class View:
    """A link into the site: its text, the page ("": the Explorer) and what its address says."""

    label: str
    query: dict[str, str]
    page: str = ""

    def address(self, base: str, ending: str) -> str:
        """The address below `base`; `ending` ends the names of pages."""
        page = f"{self.page}{ending}" if self.page else ""
        return f"{base.rstrip('/')}/{page}{'?' if self.query else ''}{urlencode(self.query)}"


@dataclass(frozen=True)
class Table:
    """A table whose columns from `given` on are empty for students."""

    heading: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    given: int = 1


@dataclass(frozen=True)
class Part:
    """A question with its answer: `lines` to write on, or a table to fill, or a figure to draw into."""

    question: str
    answer: str
    lines: int = 2
    table: Table | None = None
    figure: tuple[str, str] | None = None  # SVG, for students and with the answer


@dataclass(frozen=True)
class Phase:
    """A row of the plan of a lesson: the minutes, what the teacher shows and students do, what to expect and to ask.

    Texts are Markdown. `task` is the number of the task on the worksheet, from 1.
    """

    minutes: int
    shows: str
    views: tuple[View, ...]
    do: str
    expect: str
    question: str
    task: int | None = None


@dataclass(frozen=True)
class Task:
    """A task: its level of LEVELS, its title, the views that it needs, its parts, and its place in a lesson.

    `introduction` is a phase of the lesson before that of the task.
    """

    level: int
    title: str
    views: tuple[View, ...]
    parts: tuple[Part, ...]
    phase: Phase
    introduction: Phase | None = None


def explorer(label: str, model: str, text: str = m.CATCH, step: int | None = None, **more: str) -> View:
    """A view of the Explorer."""
    steps = {} if step is None else {"step": str(step)}
    return View(label, {"model": model, "text": text, **steps, **more})


def at_verb(label: str, model: str, **more: str) -> View:
    """A view of the step that attends to the verb."""
    return explorer(label, model, step=m.step_of(m.translated(model, m.CATCH), m.VERB), **more)


def two(value: float) -> str:
    """A number with two digits after the point."""
    return f"{value:.2f}".replace("-", "−")


def quoted(words: Sequence[str]) -> str:
    """Words in quotation marks, for Markdown."""
    return ", ".join(f"“{escaped(word)}”" for word in words)
