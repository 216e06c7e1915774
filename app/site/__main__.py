"""Write the Explorer, lab pages and quiz as a site that any web server can serve: python -m app.site [--out site]."""

import argparse
import logging
from pathlib import Path
from typing import NoReturn

from attn_core.export.model_files import OWN_MODEL, offer
from attn_core.messages import _, print_message, print_text, visible_lines
from attn_core.models.scripts import OPTION, load_script
from attn_core.program import run_program
from attn_core.registry import load


class _Parser(argparse.ArgumentParser):
    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        """Print the message, which contains the arguments, so that these cannot act on the terminal."""
        super().exit(status, message and visible_lines(message))


def main() -> int:
    parser = _Parser(prog="python -m app.site", description=(__doc__ or "").split(":")[0] + ".")
    parser.add_argument("--out", type=Path, default=Path("site"), help="folder to write (default: site)")
    parser.add_argument("--address", default="", help="where it will be served, for QR codes on the cards to print")
    parser.add_argument(
        OPTION, action="append", default=[], metavar="FILE", help="import this script of your own first; repeatable"
    )
    parser.add_argument(
        OWN_MODEL, action="append", default=[], metavar="DIR", help="also offer the translator in DIR; repeatable"
    )
    parser.add_argument("--force", action="store_true", help="write into a folder with other files, which stay")
    arguments = parser.parse_args()
    out = arguments.out
    page = load("app.site.page")  # imported here, so that Ctrl-C meanwhile ends the program quietly
    try:
        for script in arguments.load:
            load_script(script)
        for folder in arguments.model:
            offer(folder)
        files = page.write(out.absolute(), arguments.address, arguments.force)
    except (ValueError, OSError) as error:
        place = f"{error.filename}: " if isinstance(error, OSError) and error.filename and error.strerror else ""
        reason = error.strerror if place and isinstance(error, OSError) else error
        print_message(f"{place}{reason}")
        return 2
    for path in files:
        print_text(f"{path.stat().st_size / 1000:9.1f} kB  {path.relative_to(out.absolute())}\n")
    total = sum(path.stat().st_size for path in files)
    print_text(
        _("{path}: {total:.1f} MB; {first:.0f} kB with gzip for the first view, without engine and models").format(
            path=out, total=total / 1e6, first=page.first_view(out) / 1000
        )
        + "\n"
    )
    return 0


if __name__ == "__main__":
    logging.disable(logging.WARNING)  # Streamlit's caches report that no dashboard runs
    run_program(main)
