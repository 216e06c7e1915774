"""A model as ONNX files: those of its encoder and of one decoding step, with a description in model.json.

model.json is the document of `document.py`, with the names of files instead of graphs. Inputs and outputs have the same
names. The weights are inside the files. Needs the packages of the extra [onnx].
"""

import json
import logging
from pathlib import Path
from typing import Any

import torch

from attn_core.extras import pip_install
from attn_core.files import making, replacing, unfinished
from attn_core.models.folders import find
from attn_core.web.export.document import document, load_any
from attn_core.web.export.graphs import Traced, quietly, user_inputs

FOLDER = "onnx"
DESCRIPTION = "model.json"


def write(name_or_path: str | Path, out: Path | None = None) -> Path:
    """Export a trained model to the folder `onnx` in its folder, or to the folder `out`; returns the folder.

    A translator's own window and attention type are exported, with D and sigma as inputs. An earlier export stays as it
    is until all files are written. Raises ValueError when onnxscript is not installed.
    """
    folder = out or find(name_or_path) / FOLDER
    # The ONNX files are written to the hidden folder of `spare`, beside it.
    with making(folder), unfinished(folder / DESCRIPTION) as spare:

        def encode(name: str, traced: Traced) -> dict[str, Any]:
            _onnx(traced).save(spare.with_name(f"{name}.onnx"))
            return {"file": f"{name}.onnx", "when": traced.case}

        text = json.dumps(document(load_any(name_or_path), as_built=True, encode=encode), indent=1, ensure_ascii=False)
        (folder / DESCRIPTION).unlink(missing_ok=True)  # a folder with a description is complete and of one model
        for file in list(spare.parent.glob("*.onnx*")):
            file.replace(folder / file.name)
    with replacing(folder / DESCRIPTION) as part:
        part.write_text(text + "\n", "utf-8")
    return folder


def _onnx(traced: Traced) -> Any:
    # A number that is fixed in a special case, such as t = 0, is no input of the file.
    given = zip(traced.sample, user_inputs(traced.program), strict=True)
    inputs = [name for name, node in given if not isinstance(node.meta["val"], int)]
    registration = logging.getLogger("torch.onnx._internal.exporter._registration")  # warns that torchvision is absent
    level = registration.level
    registration.setLevel(logging.ERROR)
    try:
        with quietly():
            return torch.onnx.export(
                traced.program, input_names=inputs, output_names=list(traced.outputs), dynamo=True, verbose=False
            )
    except ModuleNotFoundError as error:
        raise ValueError("ONNX files need more packages: " + pip_install('-e ".[onnx]"')) from error
    finally:
        registration.setLevel(level)
