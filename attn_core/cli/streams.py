"""Standard input and output of the commands, UTF-8 in any locale, and atomic writing of output files.

Messages to standard error are printed by attn_core.messages.
"""

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import typer

from attn_core.data.lines import line_of
from attn_core.files import check_file, replacing
from attn_core.messages import visible, visible_lines
from attn_core.models.own_files import are_traces

CHUNK = 64  # lines processed together
LOSSY = 3  # the exit status of `quantize` for a model that loses too much
CLOSED_PIPE = 141  # a shell's exit status for a program ended by SIGPIPE


def chunks() -> Iterator[list[str]]:
    """The lines of standard input, at most 64 at a time, without waiting for more when some are available.

    `attn_core.data.lines` says what a line is. Raises ValueError for one that is not text, after yielding those before.
    """
    if sys.stdin is None:
        raise ValueError("standard input is closed; expected sentences")
    number, rest, ended = 0, b"", False
    while not ended:
        block = sys.stdin.buffer.read1(1 << 16)  # type: ignore[union-attr]
        ended = not block
        *lines, rest = (rest + block).split(b"\n")
        if ended and rest:
            lines.append(rest)
        for start in range(0, len(lines), CHUNK):
            good: list[str] = []
            for line in lines[start : start + CHUNK]:
                number += 1
                try:
                    good.append(line_of(line, number))
                except ValueError as error:
                    if good:
                        yield good
                    raise ValueError(f"standard input, line {number}: {error}") from error
            yield good


def bytes_left() -> int | None:
    """The bytes that standard input still has if it is a file; None for a pipe or a terminal."""
    try:
        handle = sys.stdin.fileno()
        found = os.fstat(handle)
        return found.st_size - os.lseek(handle, 0, os.SEEK_CUR) if stat.S_ISREG(found.st_mode) else None
    except (OSError, ValueError, AttributeError):  # closed, or no file, as in a test
        return None


def write(text: str) -> None:
    """Write data to standard output and flush it: exactly, but visibly to a terminal, on which they could act.

    A closed pipe ends the program without a message.
    """
    if sys.stdout is None:
        raise ValueError("standard output is closed; redirect it to a file or a pipe")
    if sys.stdout.isatty():
        text = visible_lines(text)
    try:
        sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace"))  # the name of a file may not be UTF-8
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        abandon_output()
        raise typer.Exit(CLOSED_PIPE) from None
    except OSError as error:
        abandon_output()
        raise ValueError(f"standard output cannot be written: {error.strerror}") from error


def print_status(line: str) -> None:
    """Print a line of progress to standard output; if that is closed, do nothing, so that the work continues."""
    if sys.stdout is not None:
        write(f"{visible(line)}\n")


def print_report(text: str) -> None:
    """Print text for readers, of several lines, to standard output. Raises as `write` does."""
    write(visible_lines(text))


def abandon_output() -> None:
    """Discard the buffer of standard output, so that flushing it at exit cannot fail."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
    except (OSError, ValueError, AttributeError):  # standard output is not a file, as in a test
        return


@contextmanager
def writing_traces(path: Path, force: bool) -> Iterator[IO[str]]:
    """A text file, renamed to `path` if the block succeeds; devices and pipes are written directly.

    Raises ValueError at once if the file cannot be written, or would replace one that holds no traces.
    """
    if path.is_dir():
        raise ValueError(f"{path} is a folder; expected the name of a file")
    if not path.parent.is_dir():
        raise ValueError(f"{path} cannot be written: folder {path.parent} does not exist")
    if _is_stream(path):
        with path.open("w", encoding="utf-8") as file:
            yield file
        return
    if not os.access(path.parent, os.W_OK | os.X_OK):
        raise ValueError(f"{path} cannot be written: no permission to write in {path.parent}")
    check_file(path, are_traces, force)
    with replacing(path) as part, part.open("w", encoding="utf-8") as file:
        yield file


def _is_stream(path: Path) -> bool:
    """Whether a path is, or leads to, a device, a pipe, a socket, or a file that standard output or errors go to."""
    try:
        found = path.stat()
    except OSError:
        return False
    return not stat.S_ISREG(found.st_mode) or any(_leads_to(stream, found) for stream in (1, 2))


def _leads_to(stream: int, found: os.stat_result) -> bool:
    try:
        return os.path.samestat(os.fstat(stream), found)
    except OSError:  # closed
        return False
