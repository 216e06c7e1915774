"""The command line, `attn-core COMMAND` or `python -m attn_core COMMAND`. Only the called command is imported."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import typer
from typer.main import get_command

from attn_core.cli.checked import CheckedCommand
from attn_core.cli.own_code import after_command, with_load
from attn_core.decoding.memory import is_out_of_memory
from attn_core.messages import print_error, print_text
from attn_core.program import INTERRUPTED
from attn_core.registry import load
from attn_core.training.speed.cpu_tuning import tune_before_torch

PROGRAM = "attn-core" if Path(sys.argv[0]).stem == "attn-core" else "python -m attn_core"  # the name it was called by


class Command(NamedTuple):
    """An entry in the list of commands; the command's module is imported when it is called."""

    name: str
    where: str
    about: str  # the first paragraph of its help


COMMANDS = (
    Command("models", "attn_core.cli.models:models", "List the shipped models with their test scores."),
    Command(
        "translate",
        "attn_core.cli.translate:translate",
        "Translate standard input to standard output, one sentence per line.",
    ),
    Command(
        "align",
        "attn_core.cli.align:align",
        "Align two texts word by word by the attention weights of forced decoding.",
    ),
    Command(
        "attribute",
        "attn_core.cli.attribute:attribute",
        "Attribute each word of a translation to the source words: by attention weights, gradients or removal.",
    ),
    Command(
        "faithfulness",
        "attn_core.cli.faithfulness:faithfulness",
        "Measure how faithful the methods of attribution are to a model, beside a random order and the nearest word.",
    ),
    Command(
        "evaluate",
        "attn_core.cli.evaluate:evaluate",
        "Evaluate a model on a test set: BLEU with signature and 95% interval, perplexity, sentences per second.",
    ),
    Command(
        "quantize",
        "attn_core.cli.quantize:quantize",
        "Store a translator with 8-bit weights, a scale for each row, if it loses at most 0.3 BLEU on a test set.",
    ),
    Command(
        "truecase",
        "attn_core.cli.truecase:truecase",
        "Store the usual capitals of words with a model of lower-cased text, which restores them in its translations.",
    ),
    Command(
        "train",
        "attn_core.cli.train:train",
        "Train a model on parallel text: one sentence per line, or a data set with a column for each language.",
    ),
    Command(
        "build",
        "attn_core.cli.build:build",
        "Train the models of a plan, measure them on their test sets, and store them beside the plan.",
    ),
    Command(
        "measure",
        "attn_core.cli.measure:measure",
        "Evaluate a pointer network or a forecaster on held-out synthetic examples.",
    ),
    Command(
        "settings",
        "attn_core.cli.settings:settings",
        "List the settings of a preset, for `train --set`: value, allowed values, meaning and source.",
    ),
    Command("card", "attn_core.cli.card:card", "Write a model's card (README.md) from its config.json."),
    Command(
        "export",
        "attn_core.cli.export:export",
        "Export a model's encoder and decoding step, for the engine in the browser or as ONNX files.",
    ),
    Command(
        "handout",
        "attn_core.cli.handout:handout",
        "Write a page that translates what a reader types, with the player. It works from the file, without a network.",
    ),
    Command("app", "attn_core.cli.app:app", "Start the dashboard, from a clone of the repository."),
)


def main(arguments: list[str] | None = None) -> int:
    """Run one command and return its exit status; an error in the input is printed as one line on standard error.

    The status is 0 for success, 1 for bad input, 2 for wrong usage, 130 if interrupted and 141 for a closed pipe.
    """
    words = after_command(sys.argv[1:] if arguments is None else arguments)
    try:
        status = get_command(_app(words[0] if words else "")).main(words, prog_name=PROGRAM, standalone_mode=False)
        return status if isinstance(status, int) else 0
    except typer.TyperException as error:
        if type(error).__name__ == "NoArgsIsHelpError":
            print_text(f"{error.format_message()}\n", to_error=True)
        else:
            context = getattr(error, "ctx", None)
            message = _as_setting(error) or _plain(error.format_message())
            if "unexpected extra argument" in message and words[:1] == ["translate"]:
                message += "; text is read from standard input, as in: translate MODEL < FILE"
            print_error(f"{message} (see {context.command_path if context else PROGRAM} --help)")
        return error.exit_code
    except KeyboardInterrupt:  # during the import of the command; typer returns the same status for a running one
        return INTERRUPTED
    except OSError as error:
        place = f"{error.filename}: " if error.filename and error.strerror else ""
        print_error(f"{place}{error.strerror or error}")
    except ValueError as error:
        print_error(str(error))
    except (MemoryError, RuntimeError) as error:
        if str(error).startswith("Symlink loop"):  # from Path.resolve, before Python 3.13
            print_error(str(error))
            return 1
        if not is_out_of_memory(error):
            raise
        advice = "; set a smaller batch and raise accumulate by the same factor" if words[:1] == ["train"] else ""
        print_error(f"there is not enough memory{advice}")
    return 1


def _plain(message: str) -> str:
    """A message of the command-line library in plain words."""
    for said, plain in (
        ("Input should be a valid integer, unable to parse string as an integer", "expected a whole number"),
        ("Input should be a valid number, unable to parse string as a number", "expected a number"),
        ("Value error, ", ""),
    ):
        message = message.replace(said, plain)
    return message


def _as_setting(error: typer.TyperException) -> str:
    """The message for an unknown option that is a setting of a preset, such as --half-width, if the command has --set.

    Empty for all other errors.
    """
    option, context = getattr(error, "option_name", ""), getattr(error, "ctx", None)
    if type(error).__name__ != "NoSuchOption" or context is None:
        return ""
    if not any("--set" in one.opts for one in context.command.params):
        return ""
    name = option.lstrip("-").replace("-", "_")
    presets = load("attn_core.synthetic.models:every_preset")()
    known = any(name in part.names() for both in presets.values() for part in both)
    return f"No such option: {option}; if {name} is a setting of the preset, use --set {name}=VALUE" if known else ""


def _app(called: str) -> typer.Typer:
    """The list of all commands; only the `called` one is imported and can run."""
    app = typer.Typer(
        help="Train, run and inspect attention in sequence-to-sequence models.",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
    )
    for command in COMMANDS:
        if command.name == called:
            tune_before_torch()  # before torch is imported
            function = load(command.where)
            app.command(command.name, cls=CheckedCommand, help=_paragraphs(function))(with_load(function))
        else:
            app.command(command.name, help=command.about)(_not_called)
    return app


def _paragraphs(function: Callable[..., None]) -> str:
    """A docstring with each paragraph on one line, since typer keeps line breaks, which terminals then wrap again."""
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in str(function.__doc__).split("\n\n"))


def _not_called() -> None: ...
