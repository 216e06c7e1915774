"""How a program begins and ends: in UTF-8, and quietly when it is interrupted; and how to install what it lacks.

`python -m attn_core.program FILE ...` runs a file of this repository, so that an interruption while the file's imports
are read prints no traceback either.
"""

import os
import runpy
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

INTERRUPTED = 128 + signal.SIGINT  # a shell's exit status for a program ended by Ctrl-C


def run_program(main: Callable[[], int | None]) -> NoReturn:
    """Run `main` and exit with its status, with 130 after Ctrl-C and with 143 after SIGTERM.

    Temporary files are removed first. Imports that take long belong into `main`, since an interruption before this call
    prints a traceback.
    """
    _start_in_utf8()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        status = main()
    except KeyboardInterrupt:
        status = INTERRUPTED
    sys.exit(status)


def _start_in_utf8() -> None:
    """Start this program again in Python's UTF-8 mode if the locale, such as C, has another encoding.

    Sentences and the names of files are then read and written as they were typed.
    """
    if os.name == "posix" and sys.getfilesystemencoding() != "utf-8":
        words = [sys.executable, "-X", "utf8", *sys.orig_argv[1:]]
        os.execve(sys.executable, words, os.environ | {"PYTHONUTF8": "1"})


def _run_file() -> None:
    _program, file, *words = sys.argv
    sys.argv = [file, *words]
    sys.path.insert(0, str(Path(file).resolve().parent))
    runpy.run_path(file, run_name="__main__")


if __name__ == "__main__":
    run_program(_run_file)


def pip_install(package: str) -> str:
    """The command that installs a package, or an extra of pyproject.toml, into the Python that is running."""
    return f"{sys.executable} -m pip install {package}"
