"""Run the browser's engine in node on exported models, and the same steps in torch."""

import base64
import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import jaxtyping
import pytest
import torch
from safetensors.torch import save
from torch import Tensor

from attn_core.data.tokenizer import save_both
from attn_core.export.document import document
from attn_core.export.pieces import prepared, tensors_of
from attn_core.models.checkpoint import kind_named
from attn_core.models.translator import Translator
from attn_core.trace.naming import naming
from tests.helpers.shared import once
from tests.helpers.support import close
from tests.helpers.tokenizers import rules_of

PROBE = Path(__file__).with_name("engine_probe.js")
UNIFORM = [(k * 0.6180339887 + 0.31) % 1 for k in range(1, 500)]


@contextmanager
def unchecked() -> Iterator[None]:
    """Without jaxtyping's checks: while a model is traced, sizes and step numbers are symbols, not ints.

    And without torch's debug messages, which pytest would collect and which take longer than the tracing.
    """
    before = jaxtyping.config.jaxtyping_disable
    jaxtyping.config.update("jaxtyping_disable", True)
    logging.disable(logging.DEBUG)
    try:
        yield
    finally:
        jaxtyping.config.update("jaxtyping_disable", before)
        logging.disable(logging.NOTSET)


def exported(model: Translator, as_built: bool = True) -> dict[str, Any]:
    """The document and the weights of a model, as the functions of engine_probe.js take them."""
    left_out = kind_named(model.kind).copies(model.config)
    weights = save({name: one.contiguous() for name, one in model.state_dict().items() if name not in left_out})
    return {
        "json": shared_document(model, as_built),
        "weights": base64.b64encode(weights).decode(),
        "uniform": UNIFORM,
    }


def shared_document(model: Translator, as_built: bool = True) -> dict[str, Any]:
    """The document of a model, made once per test run for all models that differ only in the values of their weights.

    Tracing takes seconds, and a document has the names and sizes of weights, but none of their values.
    """
    sizes = {name: (weight.shape, weight.dtype) for name, weight in model.state_dict().items()}
    view = model.settings if isinstance(model, Translator) else None  # its window and attention type may be changed
    about = (model.name, model.kind, model.config.to_json(), view, sizes, as_built)
    return json.loads(once(sha256(repr(about).encode()).hexdigest(), lambda: traced(model, as_built)))


def traced(model: Translator, as_built: bool) -> str:
    """The document of a model as JSON."""
    with unchecked():
        return json.dumps(document(model, as_built))


def files_of(model: Translator, as_built: bool = True) -> dict[str, Any]:
    """A model's files as trace.js takes them, with the weights in base64."""
    given = exported(model, as_built)
    return {"graphs": given["json"], "weights": given["weights"]} | words_of(model)


def words_of(model: Translator) -> dict[str, Any]:
    """A model's vocabularies and the tokenizer's rules for its languages, as trace.js takes them."""
    with TemporaryDirectory() as folder:
        save_both(model.source, model.target, Path(folder))
        source, target = (json.loads((Path(folder) / f"{side}.json").read_bytes()) for side in ("source", "target"))
    rules = rules_of(*dict.fromkeys((model.source.lang, model.target.lang)))
    return {"source": source, "target": target, "rules": rules}


@contextmanager
def same_luck() -> Iterator[None]:
    """Within the block, torch draws the uniform numbers that the engine gets."""
    at = count()

    def exponential(self: Tensor, rate: float = 1.0) -> Tensor:
        drawn = [UNIFORM[next(at) % len(UNIFORM)] for _ in range(self.numel())]
        return -torch.tensor(drawn, dtype=self.dtype).log().reshape(self.shape) / rate

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(torch.Tensor, "exponential_", exponential)
        yield


@torch.inference_mode()
def in_torch(model: Translator, source: list[int], words: list[int]) -> tuple[dict[str, Tensor], list[dict]]:
    """As `steps` of engine_probe.js."""
    ids = torch.tensor([[*source, *([model.source.eos] if model.config.source_eos else [])]])
    with naming() as marked:
        memory, carry = model.encode(ids, torch.ones_like(ids, dtype=torch.bool))
    start, found = prepared(memory, carry, marked), []
    with same_luck():
        for word in words:
            with naming() as named:
                step, carry = model.step(torch.tensor([[word]]), carry, memory)
            outputs = tensors_of(step) | {"log_probs": model.log_probs(step.attentional)} | tensors_of(carry, "next.")
            found.append(outputs | {f"named.{name}": value for name, value in named.items()})
    return start, found


def equal(found: dict[str, Any], wanted: dict[str, Tensor], where: str, tolerance: float = 1e-5) -> None:
    """Assert that the engine's tensors are torch's: the same names, shapes and, within the tolerance, numbers."""
    assert found.keys() == wanted.keys(), where
    for name, tensor in wanted.items():
        got = torch.tensor([float(x) for x in found[name]["data"]]).reshape(found[name]["shape"])
        try:
            close(got, tensor.float(), atol=tolerance, rtol=tolerance)
        except AssertionError as error:
            raise AssertionError(f"{where}: {name}: {error}") from None
