"""`python -m attn_core` and the command `attn-core`: see attn_core/cli."""

import signal
import sys

from attn_core.cli import main


def run() -> None:
    """Run the command line and exit with its status."""
    # Raise SystemExit on SIGTERM, so that partial files are removed.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    sys.exit(main())


if __name__ == "__main__":
    run()
