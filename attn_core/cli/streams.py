"""Standard input and output as the commands use them: UTF-8 whatever the locale, line by line, and files made whole."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import typer

from attn_core.files import replacing

CHUNK = 64  # lines that are worked on together
INTERRUPTED = 130  # what a shell reports for a program that Ctrl-C (SIGINT) ended
CLOSED_PIPE = 141  # what a shell reports for a program that SIGPIPE ended


def chunks() -> Iterator[list[str]]:
    """The lines of standard input, at most 64 at a time, and never waiting for more lines when some are there.

    Raises ValueError at a line that is not UTF-8, after the lines before it.
    """
    if sys.stdin is None:
        raise ValueError("standard input is closed; sentences were expected there")
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
                    text = line.decode("utf-8").removesuffix("\r")
                except UnicodeDecodeError as error:
                    if good:
                        yield good
                    raise ValueError(f"standard input, line {number}: not UTF-8; convert it, as with iconv") from error
                good.append(text.removeprefix("\ufeff") if number == 1 else text)
            yield good


def write(text: str) -> None:
    """`text` to standard output, at once. A reader that has gone away ends the program quietly."""
    if sys.stdout is None:
        raise ValueError("standard output is closed; there is nowhere to write to")
    try:
        sys.stdout.buffer.write(text.encode("utf-8"))
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        abandon_output()
        raise typer.Exit(CLOSED_PIPE) from None
    except OSError as error:
        abandon_output()
        raise ValueError(f"standard output cannot be written: {error.strerror}") from error


def abandon_output() -> None:
    """Throw away what standard output still holds, so that nothing complains when the program ends."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
    except (OSError, ValueError, AttributeError):  # standard output is no file, as in a test
        return


@contextmanager
def writing(path: Path) -> Iterator[IO[str]]:
    """A text file that appears under its name when the block ends well; a device or a pipe is written as it is.

    Raises ValueError at once when it could not be written.
    """
    if path.is_dir():
        raise ValueError(f"{path} is a folder; the name of a file was expected")
    if not path.parent.is_dir():
        raise ValueError(f"{path} cannot be written: there is no folder {path.parent}")
    if path.parts[:2] in (("/", "dev"), ("/", "proc")) or (path.exists() and not path.is_file()):
        with path.open("w", encoding="utf-8") as file:
            yield file
        return
    if not os.access(path.parent, os.W_OK | os.X_OK):
        raise ValueError(f"{path} cannot be written: no permission to write in {path.parent}")
    with replacing(path.resolve()) as part, part.open("w", encoding="utf-8") as file:
        yield file
