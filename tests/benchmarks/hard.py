"""Compare hard attention trained by REINFORCE with soft attention on a synthetic task; measure its gradient variance.

python -m tests.benchmarks hard
python -m tests.benchmarks hard --epochs 1      a check that everything runs; its results are named -quick

Trains `bahdanau` and `xu-hard` with the same recipe, and prints exact match and alignment accuracy on held-out examples
for every attention type. Then, after the first and the last epoch, estimates the gradient of one batch many times from
new samples. The noise is the root of the summed variance of the parameters' gradients, divided by the norm of the mean
gradient (inf: the mean is lost in the noise). Writes the numbers and a figure to tests/benchmarks/results/.
"""

import argparse
import copy
import json
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor

from attn_core.attention.types import ATTENTION_TYPES
from attn_core.data.corpus import Batch, make_batch
from attn_core.data.toy_tasks import TASKS, Example, draw_texts
from attn_core.figures import gradient_noise, svg
from attn_core.files import replacing
from attn_core.models.recipe import CREDITS, TrainConfig
from attn_core.models.translator import Translator
from attn_core.training.objective import objective, word_losses
from attn_core.training.practice import practise, score, small
from tests.benchmarks.circumstances import circumstances
from tests.benchmarks.records import RESULTS, ROOT

EPOCHS, DRAWS = 8, 200
WITHIN = 0.05  # target: largest loss of exact outputs against the soft model


def batch_of(model: Translator, examples: list[Example]) -> Batch:
    sources, targets = ([getattr(one, side) for one in examples] for side in ("source", "target"))
    return make_batch([model.source_ids(words) for words in sources], [model.target.ids(words) for words in targets])


def gradient(model: Translator, batch: Batch, recipe: TrainConfig, baseline: float) -> Float[Tensor, "n"]:
    """One estimate of the gradient of the attention parameters, whose only gradient is that of REINFORCE."""
    loss = objective(model, batch, recipe, torch.tensor(baseline)) / batch.target_mask.sum()
    found = torch.autograd.grad(loss, list(model.decoder.attention.parameters()))
    return torch.cat([part.flatten() for part in found])


def noise(model: Translator, batch: Batch, recipe: TrainConfig, draws: int) -> dict[str, dict[str, float | None]]:
    """For each credit, with and without a baseline: norm of the mean, standard deviation, and their ratio.

    The ratio is None if the mean is lost in the noise.
    """
    with torch.no_grad():
        usual = (word_losses(model, model.steps(batch), batch).sum() / batch.target_mask.sum()).item()
    rows = {}
    for credit in CREDITS:
        for name, baseline in (("", usual), (", no baseline", 0.0)):
            how = replace(recipe, reward=1.0, soft_share=0.0, attention_entropy=0.0, credit=credit)
            torch.manual_seed(0)
            found = torch.stack([gradient(model, batch, how, baseline) for _ in range(draws)])
            spread, mean = found.var(0).sum().sqrt().item(), found.mean(0)
            # The mean of n estimates has an error of spread / sqrt(n), which adds to its squared norm.
            length = max(mean.square().sum().item() - spread**2 / draws, 0.0) ** 0.5
            ratio = spread / length if length else None
            rows[credit + name] = {"mean": length, "deviation": spread, "noise": ratio}
    return rows


def learned(task: str, preset: str, epochs: int, folder: Path) -> tuple[Translator, Translator]:
    """The model after its first epoch and at the end of training."""
    after: list[Translator] = []

    def on_event(event: Any, model: Translator) -> None:
        if event.scores:
            print(f"  {preset}, epoch {event.progress.epoch}: perplexity {event.scores['perplexity']:.3f}", flush=True)
            after.extend([] if after else [copy.deepcopy(model)])

    model = practise(task, preset, folder, settings={"epochs": epochs}, on_event=on_event)
    return after[0], model


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    reader.add_argument("--task", default="reverse", choices=list(TASKS))
    reader.add_argument("--epochs", type=int, default=EPOCHS)
    reader.add_argument("--draws", type=int, default=DRAWS, help="estimates of the gradient")
    how = reader.parse_args()
    about = circumstances(("torch",))
    held_out = draw_texts(how.task, held_out=500, seed=77)[1].examples
    accuracy: dict[str, dict[str, Any]] = {}
    variance: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        for preset in ("bahdanau", "xu-hard"):
            early, model = learned(how.task, preset, how.epochs, Path(folder) / preset)
            accuracy[preset] = {name: score(model.with_attention_type(name), held_out) for name in ATTENTION_TYPES}
            if preset == "xu-hard":
                _, recipe = small(preset, {"epochs": how.epochs})
                for name, at in (("first epoch", early), ("last epoch", model)):
                    at.train().requires_grad_(True)
                    variance[name] = noise(at, batch_of(at, held_out[:32]), recipe, how.draws)
    print(f"\n{how.task}: exact match / alignment accuracy on {len(held_out)} held-out examples")
    for preset, types in accuracy.items():
        cells = "  ".join(f"{name} {found['exact']:.3f} / {found['alignment']:.3f}" for name, found in types.items())
        print(f"  trained as {preset:9} {cells}")
    gap = accuracy["bahdanau"]["soft"]["exact"] - accuracy["xu-hard"]["hard-argmax"]["exact"]
    verdict = "" if gap <= WITHIN else ", MISSED"
    print(f"  soft model minus hard model (argmax), exact match: {gap:+.3f} (target: {WITHIN} or less{verdict})")
    for name, rows in variance.items():
        print(
            f"gradient of a batch of 32 after the {name}, {how.draws} estimates: |mean|, deviation, noise (their ratio)"
        )
        for credit, found in rows.items():
            ratio = float("inf") if found["noise"] is None else found["noise"]
            print(f"  {credit:22} {found['mean']:9.4f} {found['deviation']:9.4f} {ratio:7.2f}")
    quick = "" if (how.epochs, how.draws) == (EPOCHS, DRAWS) else "-quick"  # other settings are not results
    path = RESULTS / f"hard-{how.task}-{about['date'][:10]}{quick}.json"
    with replacing(path) as part:
        part.write_text(json.dumps(about | {"accuracy": accuracy, "gradient": variance}, indent=1) + "\n", "utf-8")
    with replacing(path.with_suffix(".svg")) as part:
        part.write_text(svg(gradient_noise(variance)), "utf-8")
    print(f"\nwritten to {path.relative_to(ROOT)}, with a figure beside it")
