"""Write the Explorer, lab pages and quiz as a site that any web server can serve: python -m app.site [--out site]."""

import argparse
import logging
import sys
from pathlib import Path
from typing import NoReturn

from app.site.page import first_view, write
from attn_core.messages import _, print_message, print_text, visible_lines


class _Parser(argparse.ArgumentParser):
    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        """Print the message, which contains the arguments, so that these cannot act on the terminal."""
        super().exit(status, message and visible_lines(message))


def main() -> int:
    parser = _Parser(prog="python -m app.site", description=(__doc__ or "").split(":")[0] + ".")
    parser.add_argument("--out", type=Path, default=Path("site"), help="folder to write (default: site)")
    parser.add_argument("--address", default="", help="where it will be served, for QR codes on the cards to print")
    given = parser.parse_args()
    out = given.out
    try:
        files = write(out.absolute(), given.address)
    except (ValueError, OSError) as error:
        print_message(str(error))
        return 2
    for path in files:
        print_text(f"{path.stat().st_size / 1000:9.1f} kB  {path.relative_to(out.absolute())}\n")
    total = sum(path.stat().st_size for path in files)
    print_text(
        _("{path}: {total:.1f} MB; {first:.0f} kB for the first view, without engine and models").format(
            path=out, total=total / 1e6, first=first_view(out) / 1000
        )
        + "\n"
    )
    return 0


if __name__ == "__main__":
    logging.disable(logging.WARNING)  # Streamlit's caches report that no dashboard runs
    sys.exit(main())
