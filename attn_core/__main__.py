"""`python -m attn_core` and the command `attn-core`: see attn_core/cli."""

import signal
import sys

from attn_core.cli import main


def run() -> None:
    """Run the command line and exit with its status."""
    # An exception, so that half-written files are removed on the way out.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    sys.exit(main())


if __name__ == "__main__":
    run()
