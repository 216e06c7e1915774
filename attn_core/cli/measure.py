"""`measure`, and `train` for models of synthetic data."""

import json
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any

import typer

from attn_core.cli.options import Beam, Force, Model, Threads, at_least, use_threads
from attn_core.cli.streams import print_report, print_status, write
from attn_core.files import check_file
from attn_core.messages import print_message
from attn_core.models.folders import find, kind_of
from attn_core.models.own_files import is_card
from attn_core.synthetic.models import cell, report, write_card
from attn_core.training.distributed import alone
from attn_core.training.loop import Interrupted
from attn_core.training.run_state import round_as_begun
from attn_core.training.task import Event

MOST_EXAMPLES = 100_000  # a forecaster predicts all of them at once
MOST_INPUTS = 1000  # of a pointer network, as in training


def measure(
    model: Model,
    examples: Annotated[
        int,
        typer.Option("--examples", callback=at_least(1, MOST_EXAMPLES), metavar="N", help="Number of test examples."),
    ] = 1000,
    lengths: Annotated[
        str | None, typer.Option("--lengths", metavar="N,...", help="Pointer networks: numbers of inputs (5,10,15,20).")
    ] = None,
    beam: Beam = 1,
    constraint: Annotated[
        str,
        typer.Option("--constraint", metavar="RULE", help="Pointer networks: none (the paper), distinct, permutation."),
    ] = "none",
    card: Annotated[bool, typer.Option("--card", help="Write the scores and a card to the model's folder.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    threads: Threads = None,
    force: Force = False,
) -> None:
    """Evaluate a pointer network or a forecaster on held-out synthetic examples."""
    use_threads(threads)
    options: dict[str, Any] = {}
    if kind_of(find(model)) == "pointer":
        options = {"beam": beam, "constraint": constraint} | ({"lengths": _numbers(lengths)} if lengths else {})
    if card:
        check_file(find(model) / "README.md", is_card, force)
    found = report(model, examples=examples, **options)
    if as_json:
        write(json.dumps(found) + "\n")
    else:
        print_report(_text(found))
    if card:
        print_status(f"wrote {write_card(model, found, force)}")


def _numbers(written: str) -> tuple[int, ...]:
    numbers = [word.strip() for word in written.split(",")]
    if not all(word.isdecimal() and len(word) <= 9 for word in numbers):
        raise typer.BadParameter(f"--lengths {written!r:.80}: expected numbers such as 5,10")
    found = tuple(map(int, numbers))
    if max(found) > MOST_INPUTS:
        raise typer.BadParameter(f"--lengths {max(found)}: the number of inputs must be at most {MOST_INPUTS:,}")
    return found


def _text(found: dict[str, Any]) -> str:

    heads = list(found["rows"][0])
    lines = [heads, *([cell(row[head]) for head in heads] for row in found["rows"])]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    table = ["  ".join(word.rjust(width) for word, width in zip(line, widths, strict=True)) for line in lines]
    return "\n".join([found["headline"], *table]) + "\n"


def train_synthetic(
    module: ModuleType,
    preset: str,
    settings: dict[str, str],
    out: Path,
    resume: bool,
    device: str,
    threads: int | None,
    allow_rounding: bool,
) -> None:
    """Train a recipe of `module`; prints a line for each epoch."""
    round_as_begun(out if resume else None, threads, alone(device), allow_rounding)

    def on_event(event: Event) -> None:
        if event.scores:
            print_status("  ".join(f"{name} {cell(value)}" for name, value in event.scores.items()))

    try:
        module.learn(preset, out, settings=settings, resume=resume, device=device, on_event=on_event)
    except Interrupted as error:
        print_message(str(error))
        raise typer.Exit(error.status) from None
    print_status(f"saved in {out}; to evaluate it: python -m attn_core measure {out}")
