"""`python -m attn_core`: see attn_core/cli."""

import sys

from attn_core.cli import main

if __name__ == "__main__":
    sys.exit(main())
