"""A model as ONNX files: those of its encoder and of one decoding step, with a description in model.json.

model.json is the document of `document.py`, with the names of files instead of graphs. Inputs and outputs have the same
names. The weights are inside the files. Needs the packages of the extra [onnx].
"""

import json
import logging
from pathlib import Path
from typing import Any

import torch

from attn_core.export.document import document, load_any
from attn_core.export.graphs import Traced, quietly, user_inputs
from attn_core.files import replacing_folder
from attn_core.models.folders import find
from attn_core.models.own_files import DESCRIPTION, ONNX, foreign_in_onnx
from attn_core.program import pip_install


def write(name_or_path: str | Path, out: Path | None = None, force: bool = False) -> Path:
    """Export a trained model to the folder `onnx` in its folder, or to the folder `out`; returns the folder.

    A translator's own window and attention type are exported, with D and sigma as inputs. An earlier export stays as it
    is until all files are written. Raises ValueError when onnxscript is not installed, and Unreplaceable for a folder
    with other files, unless `force` is set: these then stay, unless they have the name of a file of the export.
    """
    folder = out or find(name_or_path) / ONNX
    with replacing_folder(folder, foreign_in_onnx, force) as part:

        def encode(name: str, traced: Traced) -> dict[str, Any]:
            _onnx(traced).save(part / f"{name}.onnx")
            return {"file": f"{name}.onnx", "when": traced.case}

        record = document(load_any(name_or_path), as_built=True, encode=encode)
        (part / DESCRIPTION).write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", "utf-8")
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
