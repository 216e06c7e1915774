"""`python -m attn_core` and the command `attn-core`: see attn_core/cli."""

from attn_core.program import run_program
from attn_core.registry import load


def run() -> None:
    """Run the command line and exit with its status."""

    def main() -> int:
        return load("attn_core.cli:main")()  # imported here, so that Ctrl-C meanwhile ends the program quietly

    run_program(main)


if __name__ == "__main__":
    run()
