"""Ctrl-C and SIGTERM end a program quietly, after it has removed its temporary files."""

import signal
import sys
from collections.abc import Callable
from typing import NoReturn

INTERRUPTED = 128 + signal.SIGINT  # a shell's exit status for a program ended by Ctrl-C


def run_program(main: Callable[[], int | None]) -> NoReturn:
    """Run `main` and exit with its status, with 130 after Ctrl-C and with 143 after SIGTERM.

    Imports that take long belong into `main`, since an interruption before this call prints a traceback.
    """
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))  # blocks then clean up, as for Ctrl-C
    try:
        status = main()
    except KeyboardInterrupt:
        status = INTERRUPTED
    sys.exit(status)
