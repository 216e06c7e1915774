"""The worksheet, its answers and the plan as pages that need no other file."""

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from pathlib import Path

from app.shell import markup
from app.shell.qr import svg
from app.site.worksheet.lesson import plan
from app.site.worksheet.measured import ADDITIVE, CATCH, english
from app.site.worksheet.task import GOALS, LEVELS, Part, Phase, Table, Task, View
from app.site.worksheet.tasks import tasks
from attn_core.browser import bundle, is_page
from attn_core.browser.standalone import standalone_page
from attn_core.files import Unreplaceable, entries_except, replacing_folder, what_is
from attn_core.messages import _

DASHBOARD = "http://127.0.0.1:8501"  # of `make app`; its addresses of pages have no ending
FILES = ("worksheet.html", "answers.html", "plan.html")
_STYLE = Path(__file__).with_name("worksheet.css")


@dataclass(frozen=True)
class _Base:
    """Where links lead: below the address of a site, or to the dashboard on this machine."""

    address: str

    def href(self, view: View) -> str:
        return view.address(self.address or DASHBOARD, ".html" if self.address else "")

    def link(self, view: View) -> str:
        return f'<a href="{escape(self.href(view))}">{escape(view.label)}</a>'

    def code(self, view: View) -> str:
        """The QR code of a view; none of this machine, which no phone reaches."""
        return svg(self.href(view)) if self.address else ""


def write(out: Path, address: str = "", force: bool = False) -> list[Path]:
    """Write the three pages to the folder `out`; returns their paths.

    Links lead below `address`, that of a site; without it, to the dashboard on this machine. Raises ValueError for
    something else than an address, for a folder with other files (with `force`, they stay), and if a shipped model does
    not attend to the words that a task needs.
    """
    if address and not address.startswith(("http://", "https://")):
        raise ValueError(_("ADDRESS must start with http:// or https://, not {address}").format(address=address))
    if what_is(out) not in ("", "a folder"):
        raise Unreplaceable(_("{path} is not a folder; choose another folder").format(path=out))
    with replacing_folder(out, _foreign, force) as part:
        for name, text in zip(FILES, pages(address), strict=True):
            (part / name).write_text(text, "utf-8")
    return [out / name for name in FILES]


def _foreign(folder: Path) -> list[str]:
    """The entries of a folder that are not of a worksheet in it."""
    return entries_except(folder, lambda name: name in FILES and is_page(folder / name))


def pages(address: str = "") -> tuple[str, str, str]:
    """The HTML of FILES."""
    base, all_tasks = _Base(address), tasks()
    title = _("How does attention choose a word?")
    return (
        _page(title, _sheet(all_tasks, base, is_solved=False)),
        _page(_("Answers: {title}").format(title=title), _sheet(all_tasks, base, is_solved=True)),
        _page(_("90 minutes on attention: a plan"), _plan(plan(all_tasks), base)),
    )


def _page(title: str, body: str) -> str:
    style = bundle.font_style() + bundle.sheet(_STYLE)
    return standalone_page(title, style, f"<h1>{escape(title)}</h1>\n{body}")


def _sheet(all_tasks: tuple[Task, ...], base: _Base, *, is_solved: bool) -> str:
    goals = "".join(f"<li>{markup.inline(_(goal))}</li>" for goal in GOALS)
    name = (
        "" if is_solved else f'<p class="name">{escape(_("Name:"))}<span></span>{escape(_("Date:"))}<span></span></p>'
    )
    sentence = _("Most tasks use this sentence: “{german}” (“{english}”)").format(
        german=CATCH, english=english(ADDITIVE, CATCH)
    )
    aims = f'<section class="goals"><h2>{escape(_("Learning goals"))}</h2><ul>{goals}</ul></section>'
    head = f"{name}<p>{escape(sentence)}</p>{aims}"
    return head + "\n".join(_task(n, task, base, is_solved) for n, task in enumerate(all_tasks, 1))


def _task(n: int, task: Task, base: _Base, is_solved: bool) -> str:
    level = _("Level {n}: {name}").format(n=task.level, name=_(LEVELS[task.level]))
    parts = "".join(_part(part, is_solved) for part in task.parts)
    views = f"{escape(_('Open:'))} {' · '.join(map(base.link, task.views))}"
    code = "" if is_solved else base.code(task.views[0])
    return (
        f'<section class="task"><div class="head"><div><h2>{n}. {escape(task.title)}</h2>'
        f'<p class="views">{views}</p></div>{code}<span class="level">{escape(level)}</span></div>{parts}</section>'
    )


def _part(part: Part, is_solved: bool) -> str:
    pieces = [markup.blocks(part.question)]
    if part.figure:
        pieces.append(part.figure[is_solved])
    if part.table:
        pieces.append(_table(part.table, is_solved))
    if is_solved and part.answer:
        pieces.append(f'<div class="answer">{markup.blocks(part.answer)}</div>')
    elif not is_solved:
        pieces.append('<div class="line"></div>' * part.lines)
    return f'<div class="part">{"".join(pieces)}</div>'


def _table(table: Table, is_solved: bool) -> str:
    head = "".join(f"<th>{markup.inline(name)}</th>" for name in table.heading)
    rows = "".join(f"<tr>{_cells(row, table.given, is_solved)}</tr>" for row in table.rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _cells(row: tuple[str, ...], given: int, is_solved: bool) -> str:
    found = '<td class="found">' if is_solved else "<td>"
    return "".join(
        f"<td>{markup.inline(cell)}</td>" if i < given else f"{found}{markup.inline(cell) if is_solved else ''}</td>"
        for i, cell in enumerate(row)
    )


def _plan(phases: Iterable[Phase], base: _Base) -> str:
    heading = (_("Minutes"), _("The teacher shows"), _("Students do"), _("What to expect, and what to ask"))
    head = "".join(f"<th>{escape(name)}</th>" for name in heading)
    needed = _(
        "Each pair of students needs a screen with the Explorer, the worksheet on paper and a pocket calculator. F "
        "opens the lecture layout; Page Down goes to the next step."
    )
    begin, rows = 0, []
    for phase in phases:
        rows.append(_phase(begin, phase, base))
        begin += phase.minutes
    table = f'<table class="plan"><thead><tr>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table>'
    return f"<p>{escape(needed)}</p>{table}"


def _phase(begin: int, phase: Phase, base: _Base) -> str:
    task = f"<p>{escape(_('Task {n}').format(n=phase.task))}</p>" if phase.task else ""
    return (
        f"<tr><td>{begin}–{begin + phase.minutes}{task}</td>"
        f"<td>{markup.blocks(phase.shows)}<p>{' · '.join(map(base.link, phase.views))}</p></td>"
        f"<td>{markup.blocks(phase.do)}</td>"
        f'<td>{markup.blocks(phase.expect)}<div class="ask">{markup.blocks(phase.question)}</div></td></tr>'
    )
