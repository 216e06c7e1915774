"""`export`: write a model's graphs for the browser, or as ONNX files."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from attn_core.cli.options import Force, Model, named_path
from attn_core.cli.streams import print_status
from attn_core.messages import print_message
from attn_core.registry import load


class Target(StrEnum):
    """What runs the exported model."""

    BROWSER = "browser"
    ONNX = "onnx"


_WRITERS = {Target.BROWSER: "attn_core.export.document:write", Target.ONNX: "attn_core.export.onnx:write"}


def export_trained(folder: Path) -> None:
    """Write browser.json at the end of training. If that fails, one line says why: the model is complete without it."""
    try:
        load(_WRITERS[Target.BROWSER])(folder)
    except Exception as error:  # noqa: BLE001  an export must not fail a training that has succeeded
        reason = " ".join(f"{type(error).__name__}: {error}".split())[:200]
        again = f"python -m attn_core export {folder} --to browser"
        print_message(f"browser.json was not written ({reason}); the model is complete. To try again: {again}")


def export(
    model: Model,
    to: Annotated[Target, typer.Option("--to", help="browser: one JSON file beside the weights; onnx: a folder.")],
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", parser=named_path, metavar="PATH", help="Write there (default: into the model's folder)."
        ),
    ] = None,
    force: Force = False,
) -> None:
    """Export a model's encoder and decoding step, for the engine in the browser or as ONNX files."""
    path = load(_WRITERS[to])(model, out, force)
    print_status(f"wrote {path}")
