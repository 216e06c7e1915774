"""Standard input and output of the commands, UTF-8 in any locale, and atomic writing of output files."""

import os
import sys
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import typer

from attn_core.data.lines import line_of
from attn_core.files import replacing

CHUNK = 64  # lines processed together
INTERRUPTED = 130  # a shell's exit status for a program ended by Ctrl-C (SIGINT)
LOSSY = 3  # the exit status of `quantize` for a model that loses too much
ERROR = "error: "  # the start of an error message
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


def write(text: str) -> None:
    """Write `text` to standard output and flush it. A closed pipe ends the program without a message."""
    if sys.stdout is None:
        raise ValueError("standard output is closed; redirect it to a file or a pipe")
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
        write(f"{line}\n")


def visible(text: str) -> str:
    """`text` with control characters (\\x1b) escaped, so that those in a model's files do not reach the terminal.

    Surrogates, which stand for the bytes of a file name that is not UTF-8, are escaped too.
    """
    escaped = "Cc", "Cf", "Cs", "Zl", "Zp"
    return "".join(repr(one)[1:-1] if unicodedata.category(one) in escaped else one for one in text)


def print_error(message: str) -> None:
    """Print an error message to standard error, as one line."""
    typer.echo(visible(f"{ERROR}{' '.join(message.split())}"), err=True)


def abandon_output() -> None:
    """Discard the buffer of standard output, so that flushing it at exit cannot fail."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
    except (OSError, ValueError, AttributeError):  # standard output is not a file, as in a test
        return


@contextmanager
def writing(path: Path) -> Iterator[IO[str]]:
    """A text file, renamed to `path` if the block succeeds; devices and pipes are written directly.

    Raises ValueError at once if the file cannot be written.
    """
    if path.is_dir():
        raise ValueError(f"{path} is a folder; expected the name of a file")
    if not path.parent.is_dir():
        raise ValueError(f"{path} cannot be written: folder {path.parent} does not exist")
    if path.parts[:2] in (("/", "dev"), ("/", "proc")) or (path.exists() and not path.is_file()):
        with path.open("w", encoding="utf-8") as file:
            yield file
        return
    if not os.access(path.parent, os.W_OK | os.X_OK):
        raise ValueError(f"{path} cannot be written: no permission to write in {path.parent}")
    with replacing(path.resolve()) as part, part.open("w", encoding="utf-8") as file:
        yield file
