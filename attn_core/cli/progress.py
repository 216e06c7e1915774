"""The progress bars of the commands."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn


@contextmanager
def bar(what: str, total: int | None) -> Iterator[Callable[[int], None]]:
    """A progress bar on standard error if that is a terminal; yields the function that updates it.

    A bar without a total shows only that the work goes on.
    """
    if not sys.stderr.isatty():
        yield lambda done: None
        return
    with progress_bar(Console(stderr=True)) as progress:
        task = progress.add_task(what, total=total)
        yield lambda done: progress.update(task, completed=done)


def progress_bar(console: Console, shown: bool = True) -> Progress:
    """A progress bar on `console`, whose description is plain text: rich would read [red] in it as markup."""
    columns = TextColumn("{task.description}", markup=False), BarColumn(), TaskProgressColumn(), TimeRemainingColumn()
    return Progress(*columns, console=console, transient=True, disable=not shown, redirect_stdout=False)
