"""Write a worksheet, its answers and a plan for a lesson: python -m app.site.worksheet [--out worksheet]."""

import argparse
import logging
from pathlib import Path

from attn_core.messages import print_message, print_text
from attn_core.program import run_program
from attn_core.registry import load


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m app.site.worksheet", description=(__doc__ or "").split(":")[0] + "."
    )
    parser.add_argument("--out", type=Path, default=Path("worksheet"), help="folder to write (default: worksheet)")
    parser.add_argument(
        "--address", default="", help="where the site is served, for the links (default: the dashboard)"
    )
    parser.add_argument("--force", action="store_true", help="write into a folder with other files, which stay")
    arguments = parser.parse_args()
    pages = load("app.site.worksheet.pages")  # imported here, so that Ctrl-C meanwhile ends the program quietly
    try:
        files = pages.write(arguments.out.absolute(), arguments.address, arguments.force)
    except (ValueError, OSError) as error:
        print_message(str(error))
        return 2
    for path in files:
        print_text(f"{path}\n")
    return 0


if __name__ == "__main__":
    logging.disable(logging.WARNING)  # Streamlit's caches report that no dashboard runs
    run_program(main)
