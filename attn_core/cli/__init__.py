"""The command line, `python -m attn_core COMMAND`: one file a command, each importing torch only when it runs."""

import sys

import typer
from typer.main import get_command

from attn_core.cli.align import align
from attn_core.cli.card import card
from attn_core.cli.evaluate import evaluate
from attn_core.cli.made_up import measure
from attn_core.cli.models import models
from attn_core.cli.train import train
from attn_core.cli.translate import translate

PROGRAM = "python -m attn_core"

app = typer.Typer(
    help="Attention in sequence-to-sequence models: train them, run them, take every step apart.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
for command in (models, translate, align, evaluate, train, measure, card):
    app.command()(command)


def main(arguments: list[str] | None = None) -> int:
    """Run one command and return its exit status; what is wrong with the input is one line on standard error.

    Status 0 is success, 1 bad input, 2 a wrong call, 130 an interruption, 141 a reader that went away.
    """
    try:
        status = get_command(app).main(arguments, prog_name=PROGRAM, standalone_mode=False)
        return status if isinstance(status, int) else 0
    except typer.TyperException as error:
        if type(error).__name__ == "NoArgsIsHelpError":
            sys.stderr.write(f"{error.format_message()}\n")
        else:
            context = getattr(error, "ctx", None)
            _complain(f"{error.format_message()} (see {context.command_path if context else PROGRAM} --help)")
        return error.exit_code
    except OSError as error:
        _complain(f"{error.filename}: {error.strerror}" if error.filename and error.strerror else str(error))
    except ValueError as error:
        _complain(str(error))
    except MemoryError:
        _complain("there is not enough memory")
    return 1


def _complain(message: str) -> None:
    sys.stderr.write(f"error: {' '.join(message.split())}\n")
