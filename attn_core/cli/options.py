"""Options shared by several commands, with the checks that need no model."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import torch
import typer

from attn_core.decoding.beam import WIDEST
from attn_core.settings import COUNT, POSITIONS, shown
from attn_core.training.speed.cpu_tuning import MOST_THREADS, tune_cpu


def at_least(low: int, most: int = COUNT) -> Callable[[int | None], int | None]:
    """A check of an integer from `low` to `most`. Unlike that of typer's `min`, its error message contains the value.

    Above 10^19 torch and NumPy raise errors of their own, so every number has an upper limit.
    """

    def check(value: int | None) -> int | None:
        if value is not None and value < low:
            raise typer.BadParameter(f"must be at least {low}, not {value}")
        if value is not None and value > most:
            raise typer.BadParameter(f"must be at most {most:,}, not {shown(value)}")
        return value

    return check


def _above_zero(value: float | None) -> float | None:
    if value is not None and not 0 < value < float("inf"):
        raise typer.BadParameter(f"must be a number above 0, not {shown(value)}")
    return value


def assignments(written: list[str] | None) -> dict[str, str]:
    """The settings that --set changes, by name."""
    given = {}
    for pair in written or []:
        name, equals, value = pair.partition("=")
        if not (name and equals):
            raise typer.BadParameter(f"--set {pair!r}: expected NAME=VALUE, such as dropout=0.2")
        given[name.strip()] = value.strip()
    return given


def utf8(text: str | None) -> str | None:
    """A check of text that files will contain: bytes that are not UTF-8 reach Python as surrogates."""
    try:
        (text or "").encode()
    except UnicodeEncodeError as error:
        raise typer.BadParameter(f"{text!r} is not UTF-8") from error
    return text


def named_file(name: str) -> Path:
    """The path of a file to write; an empty name would mean the current folder."""
    path = Path(name)
    if not name.strip() or path.is_dir():
        raise typer.BadParameter(f"{name!r} is not the name of a file")
    return path


def named_folder(name: str | Path) -> Path:
    """The path of a folder. An empty name, from an unset variable of the shell, would mean the current folder."""
    if not str(name).strip():
        raise typer.BadParameter("the folder's name is empty")
    return Path(name)


def named_path(name: str | Path) -> Path:
    """The path of a file or a folder to write; an empty name would mean the current folder."""
    if not str(name).strip():
        raise typer.BadParameter("the name is empty")
    return Path(name)


Force = Annotated[
    bool,
    typer.Option("--force", help="Also replace files that this command did not write; links are never replaced."),
]
Export = Annotated[
    bool,
    typer.Option(
        "--export/--no-export",
        envvar="ATTN_EXPORT",
        help="At the end, write the file with which a browser runs the model.",
    ),
]


def beam_width(width: int | None) -> int | None:
    """A check of a beam's width."""
    if width is not None and not 1 <= width <= WIDEST:
        raise typer.BadParameter(f"{width} is not between 1 and {WIDEST}")
    return width


def _step(shift: int) -> int:
    if shift not in (0, 1):
        raise typer.BadParameter(f"{shift} is neither 0 nor 1")
    return shift


def _rule(name: str) -> str:
    if name not in ("none", "length", "wu"):
        raise typer.BadParameter(f"must be none, length or wu, not {name!r}")
    return name


def _precision(name: str | None) -> str | None:
    if name not in (None, "auto", "bf16", "fp32"):
        raise typer.BadParameter(f"{name!r} is not one of auto, bf16, fp32")
    return name


Model = Annotated[
    str, typer.Argument(metavar="MODEL", help="Name of a shipped model (see `models`), or a model's folder.")
]
Tokenized = Annotated[
    bool,
    typer.Option(
        "--tokenized",
        help="The text is already tokenised: only split it at spaces, and lower-case it for a lower-case model.",
    ),
]
Beam = Annotated[int, typer.Option("--beam", callback=beam_width, metavar="K", help="Beam width; 1 is greedy search.")]
Window = Annotated[
    str | None, typer.Option("--window", metavar="W", help="Replace the window: global, local-m, local-p.")
]
HalfWidth = Annotated[
    int | None,
    typer.Option(
        "--half-width",
        callback=at_least(0, POSITIONS),
        metavar="D",
        help="Half-width D of a local window, in source tokens (words or word pieces).",
    ),
]
Sigma = Annotated[
    float | None,
    typer.Option(
        "--sigma", metavar="S", callback=_above_zero, help="Width of the Gaussian, in source tokens (default: D/2)."
    ),
]
AttentionType = Annotated[
    str | None,
    typer.Option("--attention-type", metavar="T", help="Replace the attention type: soft, hard-argmax, hard-sample."),
]
Normalise = Annotated[
    str,
    typer.Option(
        "--normalise",
        callback=_rule,
        metavar="RULE",
        help="Length normalisation of a beam: none (the papers), length, wu.",
    ),
]
Alpha = Annotated[float, typer.Option("--alpha", metavar="A", help="Exponent of length normalisation.")]
Shift = Annotated[
    int,
    typer.Option(
        "--shift",
        callback=_step,
        metavar="0|1",
        help="Link a word by the attention of its own step (0) or of the next step (1, Luong).",
    ),
]
Threads = Annotated[
    int | None,
    typer.Option(
        "--threads", callback=at_least(1, MOST_THREADS), metavar="N", help="CPU threads (default: one per core)."
    ),
]
Device = Annotated[
    str, typer.Option("--device", metavar="NAME", help="auto (a GPU if there is one), cpu, cuda or cuda:1.")
]
Precision = Annotated[
    str | None,
    typer.Option(
        "--precision",
        callback=_precision,
        metavar="P",
        help="Precision of matrix products: bf16, fp32 or auto (the faster one); default: the preset's, or fp32.",
    ),
]
Source = Annotated[Path, typer.Option("--source", metavar="FILE", help="Source sentences, one per line; may be .gz.")]


def use_threads(threads: int | None) -> None:
    """Tune this process for the CPU and set the number of torch threads; None stands for one per usable core."""
    tune_cpu()
    if threads:
        torch.set_num_threads(threads)
