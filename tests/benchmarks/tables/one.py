"""Train one model with one seed and measure it: a process of its own, with one thread, for the queue in queue.py.

python -m tests.benchmarks.tables.one MODEL SEED DATA WORK

Writes WORK/MODEL-SEED.json when all is done. An interrupted run continues from its last saved state.
"""

import argparse
import json
import os
import sys
import time
from pathlib import Path
from typing import Any

import torch

from attn_core.files import replacing
from attn_core.models.checkpoint import load
from attn_core.models.ensemble import Ensemble
from attn_core.models.translator import Translator
from attn_core.training.loop import Interrupted
from attn_core.training.run import train
from attn_core.training.speed.cpu_tuning import tune_cpu
from tests.benchmarks.circumstances import circumstances
from tests.benchmarks.records import commit
from tests.benchmarks.tables import aligner
from tests.benchmarks.tables.measure import hits, measured
from tests.benchmarks.tables.models import (
    ALIGNER,
    ENSEMBLE,
    LANGUAGES,
    MEMBERS,
    MODELS,
    PARTS,
    SEEDS,
    fingerprint,
)
from tests.benchmarks.tables.store import alone
from tests.benchmarks.tables.text import gold_pairs


def trained(name: str, seed: int, data: Path, work: Path) -> tuple[Translator, dict[str, Any]]:
    """The model, trained if need be, and what its training says."""
    model, folder = MODELS[name], work / f"{name}-{seed}"
    text, valid = (str(data / PARTS[part]) for part in ("train", "valid"))
    progress = train(
        model.preset,
        text,
        valid,
        *LANGUAGES,
        folder,
        tokenized=True,
        settings=model.settings | {"seed": seed},
        resume=(folder / "state.safetensors").exists(),
        device="cpu",
    )
    curve = [[round(line["perplexity"], 3), round(line["bleu"], 2)] for line in progress.history]
    seconds = sum(line["seconds"] for line in progress.history)
    return load(folder), {"updates": progress.updates, "curve": curve, "train_minutes": round(seconds / 60, 1)}


def cpu_seconds() -> float:
    """CPU time of this process and of those that it has waited for, such as the aligner's."""
    return sum(os.times()[:4])


def shift_of(model: Translator) -> int:
    """Luong 2015, footnote 14: content-based scores align a word by the step after its own, location by its own."""
    attention = model.config.attention
    return int(attention is not None and attention.score.name != "location")


def record(name: str, seed: int, data: Path, work: Path) -> dict[str, Any]:
    """What the tables need of a run; `seed` is that of the model, and a number for a run of the aligner."""
    began, cpu = time.monotonic(), cpu_seconds()
    if name == ALIGNER:
        found: dict[str, Any] = {"sentences": {"aer": hits(gold_pairs(), aligner.aligned(data, work, seed))}}
    else:
        if name == ENSEMBLE:
            model: Translator = Ensemble([load(work / f"{MEMBERS}-{member}") for member in SEEDS])
            found, shift = {"members": len(SEEDS)}, shift_of(load(work / f"{MEMBERS}-{SEEDS[0]}"))
        else:
            model, found = trained(name, seed, data, work)
            shift = shift_of(model)
        dictionary = aligner.dictionary(work)
        found |= {
            "parameters": sum(one.numel() for one in model.parameters()),
            "sentences": measured(model.eval(), shift, dictionary, data),
        }
    about = circumstances(("torch",))
    return {
        "model": name,
        "seed": seed,
        "settings": fingerprint(name),
        "commit": commit(),
        "date": about["date"],
        "device": "cpu",
        "processor": about["processor"],
        "torch": about["packages"]["torch"],
        "minutes": round((time.monotonic() - began) / 60, 1),
        "cpu_minutes": round((cpu_seconds() - cpu) / 60, 1),
        **found,
    }


def main() -> int:
    reader = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    reader.add_argument("model")
    reader.add_argument("seed", type=int)
    reader.add_argument("data", type=Path)
    reader.add_argument("work", type=Path)
    options = reader.parse_args()
    torch.set_num_threads(1)
    tune_cpu()
    out = options.work / f"{options.model}-{options.seed}.json"
    with alone(out.with_suffix(".lock")):
        try:
            found = record(options.model, options.seed, options.data, options.work)
        except Interrupted as reason:
            sys.stderr.write(f"{out.stem}: {reason}\n")
            return 130
        with replacing(out) as part:
            part.write_text(json.dumps(found, separators=(",", ":")), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
