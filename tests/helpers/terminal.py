"""Run the command line in this process as a shell would: bytes in, bytes out, and an exit status."""

import io
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

import torch

from attn_core.cli import main
from attn_core.models.checkpoint import save
from attn_core.models.folders import ROOT
from attn_core.models.recipe import TrainConfig
from tests.helpers.support import LUONG, tiny

SMALL = {"embedding": 8, "attentional": 8, "encoder.hidden": 4, "decoder.hidden": 8}  # of a model trained in a moment


@dataclass(frozen=True)
class Run:
    status: int
    out: str
    err: str


def run(*words: object, text: str | bytes = "") -> Run:
    given = text.encode() if isinstance(text, str) else text
    streams = [io.TextIOWrapper(io.BytesIO(data), encoding="ascii", errors="strict") for data in (given, b"", b"")]
    streams[2].reconfigure(encoding="utf-8")
    with patch.multiple(sys, stdin=streams[0], stdout=streams[1], stderr=streams[2]):
        status = main([str(word) for word in words])
    for stream in streams[1:]:
        stream.flush()
    return Run(status, *(stream.buffer.getvalue().decode() for stream in streams[1:]))


def saved(folder: Path, **settings: object) -> Path:
    """An untrained model on disk from letters a .. g to n .. v, whose output depends on the source and the settings."""
    folder.mkdir(parents=True)
    base = {} if settings.get("order") == "transformer" else LUONG | {"attentional": 5}
    model = tiny(2, 1.5, name=folder.name, dtype=torch.float32, **(base | settings))
    save(model, TrainConfig(), folder)
    return folder


def make(*words: str) -> str:
    """The commands of a target of make, which are not run."""
    return subprocess.run(["make", "-n", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout


def set_options(settings: dict[str, object]) -> list[str]:
    """`--set NAME=VALUE` for each setting."""
    return [word for name, value in settings.items() for word in ("--set", f"{name}={value}")]


def lines(path: Path, *texts: str) -> Path:
    path.write_text("".join(f"{text}\n" for text in texts), "utf-8")
    return path


def files_under(folder: Path) -> dict[str, bytes | None]:
    """All files and folders under `folder`, hidden ones included, with the files' bytes."""
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in sorted(folder.rglob("*"))
    }
