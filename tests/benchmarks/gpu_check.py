"""Does a GPU compute what the CPU computes? Checks on tiny models in float64; part of `make bench-gpu`.

For each kind of model: loss, gradients, translations by greedy and by beam search on both devices, and for recurrent
models the gradients from CUDA graphs (TrainConfig.graphs) against those without.
"""

import copy
import traceback
from collections.abc import Iterator

import torch
from torch import Tensor

from attn_core.data.corpus import Batch, make_batch
from attn_core.decoding.translate import translate
from attn_core.models.recipe import TrainConfig
from attn_core.models.translator import Translator
from attn_core.training.corpus_task import Loss
from tests.helpers.support import RECURRENT, SPREAD, sentences, tiny

CLOSE = 1e-9  # relative to the largest number; float64 leaves differences of about 1e-15
BATCHES = ((13, 13, 7, 2), (13, 13, 13, 13))  # source lengths; with several lengths the encoder packs
BEAMS = (1, 3)
LONGEST = 12


def gradients(model: Translator, batch: Batch, graphs: bool = False) -> list[Tensor]:
    """The loss of `batch` and the gradients of all weights, on the CPU."""
    model.zero_grad()
    total = Loss(model, TrainConfig(precision="fp32", graphs=graphs))(batch)
    total.backward()
    found = [total, *(weight.grad for weight in model.parameters() if weight.grad is not None)]
    return [one.detach().cpu().clone() for one in found]


def difference(found: list[Tensor], wanted: list[Tensor]) -> float:
    """The largest difference, relative to the largest number wanted; infinite if gradients are missing."""
    if len(found) != len(wanted):
        return float("inf")
    largest = max(one.abs().max().item() for one in wanted)
    apart = [(a - b).abs().max() for a, b in zip(found, wanted, strict=True)]
    return torch.stack(apart).max().item() / largest  # NaN if one of them is


def compared(name: str, device: torch.device) -> Iterator[tuple[str, float]]:
    """For the model `name`, what was compared and how much it differs; for words, 0 or infinity."""
    model = tiny(**SPREAD[name])
    twin = copy.deepcopy(model).to(device)
    for lengths in BATCHES:
        batch = make_batch(sentences(*lengths), sentences(2, 4, 4, 1, seed=2))
        moved = batch.map(lambda tensor: tensor.to(device))
        model.train(), twin.train()
        plain = gradients(twin, moved)
        yield "gradients", difference(plain, gradients(model, batch))
        if name in RECURRENT and device.type == "cuda":
            yield "graphs", difference(gradients(twin, moved, graphs=True), plain)
    model.eval(), twin.eval()
    for beam in BEAMS:
        said = [
            [one.target for one in translate(each, ["a b c d e", "g f", "c"], beam=beam, max_length=LONGEST)]
            for each in (twin, model)
        ]
        yield f"beam {beam}", 0.0 if said[0] == said[1] else float("inf")


def failures(device: torch.device) -> list[str]:
    """A line for each disagreement; the number of comparisons is printed."""
    wrong, count = [], 0
    for name in SPREAD:
        if device.type == "cuda":  # torch leaves another stream in use after a recording that failed
            torch.cuda.set_stream(torch.cuda.default_stream(device))
        try:
            for what, apart in compared(name, device):
                count += 1
                if not apart < CLOSE:
                    wrong.append(f"{name}, {what}: differs by {apart:.1e} of the largest number")
        except Exception:  # noqa: BLE001  the other models should still be compared
            wrong.append(f"{name}: {traceback.format_exc()}")
    print(f"{device} against the CPU in float64: {count} comparisons of {len(SPREAD)} models, {len(wrong)} failed")
    return wrong
