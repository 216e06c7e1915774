"""Compare the papers' models with their variants in toolkits and tutorials, with equal data, sizes and budget.

python -m tests.benchmarks variants DATA
    --seeds 1,2,3        one model is trained per seed
    --only a,b           some of the variants; the paper's model of each is added
    --epochs N           passes over the data (the default takes about two and a half hours on one CPU thread)
    --work FOLDER        folder for models and translations (default: tests/benchmarks/results/variants)
    --out FILE           file for the numbers (default for a complete run: attn_core/evaluation/variants/measured.json)
    --table              recompute the table without training
    --set NAME=VALUE     a setting for all models

DATA holds train, val and test_2016_flickr of Multi30k (.lc.norm.tok.de and .en, or .gz). The same command resumes an
interrupted run; finished runs are not repeated.

BLEU is sacrebleu's on the test set, with greedy search. A difference is to the paper's model, with a 95% bootstrap
interval (Koehn 2004; paired: both models get the same resampled sentences): for each seed, and for the mean over seeds,
where the seeds are resampled too. An interval that includes 0 is no evidence of a difference.
"""

import argparse
import json
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from attn_core.evaluation.bleu import bleu_of_counts, counts
from tests.benchmarks.circumstances import circumstances
from tests.benchmarks.records import RESULTS, ROOT

WORK = RESULTS / "variants"
OUT = ROOT / "attn_core" / "evaluation" / "variants" / "measured.json"
NAMES = (
    *("bahdanau2015", "groundhog", "annotated-encoder-decoder", "bentrevett", "tf-nmt-normed-bahdanau"),
    *("luong2015", "opennmt-general", "tf-nmt-scaled-luong"),
)
PARTS = {"train": "train.lc.norm.tok", "valid": "val.lc.norm.tok", "test": "test_2016_flickr.lc.norm.tok"}
# Other settings are those of the small presets. With half the units, Luong's models did not learn to align in six
# epochs; with all words of the data in the vocabulary, six epochs would take twice as long.
SETTINGS: dict[str, Any] = {
    "epochs": 6,
    "vocabulary": 2500,
    "patience": 0,
    "criterion": "perplexity",
    # Those of the small presets when the shipped tables were measured.
    "init": "glorot",
    "rate": 0.003,
    "warmup": 400,
}
RESAMPLES = 1000
LENGTHS = (1, 9, 12, 15, 19)  # the smallest source length of each group of sentences


@dataclass(frozen=True)
class Contender:
    """A model to train: a preset, its own settings, and the name of the model that it is compared with."""

    preset: str
    settings: dict[str, Any]
    against: str | None


Stats = np.ndarray  # of a model's translations: `counts`


def contenders(names: Sequence[str], settings: dict[str, Any]) -> dict[str, Contender]:
    """The named variants with the papers' models that they are compared with; `hidden` sets the encoder's size."""
    from attn_core.models.variants import VARIANTS

    found = {}
    sizes = {"decoder.hidden": int(settings["decoder.hidden"])} if "decoder.hidden" in settings else {}
    for name in names:
        variant = VARIANTS[name]
        own = {"encoder.hidden": variant.config(**sizes)["encoder.hidden"]}
        found[name] = Contender(name, own, variant.paper.name if variant.paper else None)
    return found


def run(name: str, one: Contender, seed: int, data: Path, work: Path, settings: dict[str, Any]) -> None:
    """Train a model, translate the test set, and write the translations to work/NAME-SEED.json, unless it exists.

    Of `settings`, which are for all models, those that the model's parts have are used.
    """
    from attn_core.data.corpus import read_lines, side
    from attn_core.evaluation.evaluate import evaluate
    from attn_core.files import replacing
    from attn_core.models.checkpoint import load
    from attn_core.models.presets import configure
    from attn_core.training.run import train

    done, folder = work / f"{name}-{seed}.json", work / f"{name}-{seed}"
    model, recipe = configure(one.preset, {})
    settings = {key: value for key, value in settings.items() if key in recipe.names() or model.has(key)}
    trained_with = {key: str(value) for key, value in (settings | one.settings).items()}
    if done.exists():
        if json.loads(done.read_text("utf-8"))["settings"] != trained_with:
            raise SystemExit(f"{done} is from a run with other settings: use another --work folder, or remove the file")
        return
    began = time.process_time()
    train(
        one.preset,
        str(data / PARTS["train"]),
        str(data / PARTS["valid"]),
        "de",
        "en",
        folder,
        tokenized=True,
        settings=settings | one.settings | {"seed": seed},
        resume=(folder / "state.safetensors").exists(),
    )
    model = load(folder)
    lines = [read_lines(side(str(data / PARTS["test"]), lang)) for lang in ("de", "en")]
    found = evaluate(model, *lines, tokenized=True)
    record = {
        "settings": trained_with,
        "bleu": found.bleu.score,
        "perplexity": found.perplexity,
        "signature": found.bleu.signature,
        "parameters": sum(parameter.numel() for parameter in model.parameters()),
        "cpu_seconds": round(time.process_time() - began, 1),
        "said": list(found.translations),
    }
    with replacing(done) as part:
        part.write_text(json.dumps(record), "utf-8")
    print(f"{name:28} seed {seed}  BLEU {record['bleu']:5.2f}  {record['cpu_seconds']:.0f} s of CPU", flush=True)


def difference(ours: dict[int, Stats], theirs: dict[int, Stats], seed: int = 0) -> dict[str, Any]:
    """BLEU of `ours` minus BLEU of `theirs`, by seed, with 95% intervals (see the module's docstring)."""
    dice = np.random.default_rng(seed)
    seeds = sorted(ours.keys() & theirs.keys())
    n = len(ours[seeds[0]])
    draws = np.stack([np.bincount(dice.integers(n, size=n), minlength=n) for _ in range(RESAMPLES)])

    def resampled(systems: dict[int, Stats]) -> np.ndarray:
        return np.array([bleu_of_counts(draws @ systems[s]) for s in seeds])  # seeds x resamples

    found, base = resampled(ours), resampled(theirs)
    points = np.array([bleu_of_counts(ours[s].sum(0)) - bleu_of_counts(theirs[s].sum(0)) for s in seeds])
    some = max(len(seeds) - 1, 1)  # as in tables/bootstrap.py: the mean of n draws from n seeds would vary too little
    mixed = [
        found[dice.integers(len(seeds), size=some), r].mean() - base[dice.integers(len(seeds), size=some), r].mean()
        for r in range(RESAMPLES)
    ]
    return {
        "mean": float(points.mean()),
        "low": float(np.quantile(mixed, 0.025)),
        "high": float(np.quantile(mixed, 0.975)),
        "each": {
            str(s): [float(points[k]), *(float(q) for q in np.quantile(found[k] - base[k], (0.025, 0.975)))]
            for k, s in enumerate(seeds)
        },
    }


def by_length(
    runs: dict[int, Stats], lengths: np.ndarray, others: dict[int, Stats] | None = None
) -> list[dict[str, Any]]:
    """Mean BLEU over seeds for the sentences in each group of source lengths (LENGTHS).

    With `others`, also the difference to them on these sentences.
    """
    found = []
    for low, high in zip(LENGTHS, (*(low - 1 for low in LENGTHS[1:]), lengths.max(initial=0)), strict=True):
        chosen = (low <= lengths) & (lengths <= high)
        if chosen.any():
            score = float(np.mean([bleu_of_counts(stats[chosen].sum(0)) for stats in runs.values()]))
            row = {"from": low, "to": int(high), "sentences": int(chosen.sum()), "bleu": score}
            if others:
                ours, theirs = ({seed: stats[chosen] for seed, stats in of.items()} for of in (runs, others))
                row["difference"] = difference(ours, theirs)
            found.append(row)
    return found


def table(
    work: Path, data: Path, entries: dict[str, Contender], seeds: Sequence[int], settings: dict[str, Any]
) -> dict:
    """All numbers of the finished runs."""
    from attn_core.data.corpus import read_lines, side

    sources, references = (read_lines(side(str(data / PARTS["test"]), lang)) for lang in ("de", "en"))
    lengths = np.array([len(line.split()) for line in sources])
    records: dict[str, dict[int, dict]] = {}
    for name in entries:
        paths = {seed: work / f"{name}-{seed}.json" for seed in seeds}
        found = {seed: json.loads(path.read_text("utf-8")) for seed, path in paths.items() if path.exists()}
        if found:
            records[name] = found
    stats = {n: {s: counts(r["said"], references) for s, r in runs.items()} for n, runs in records.items()}
    rows = {}
    for name, runs in records.items():
        scores = [record["bleu"] for record in runs.values()]
        against = entries[name].against
        others = stats.get(against, {}) if against else {}
        others = others if stats[name].keys() & others.keys() else {}
        rows[name] = {
            "bleu": {str(seed): record["bleu"] for seed, record in runs.items()},
            "perplexity": {str(seed): record["perplexity"] for seed, record in runs.items()},
            "mean": float(np.mean(scores)),
            "deviation": float(np.std(scores, ddof=1)) if len(scores) > 1 else None,
            "by_length": by_length(stats[name], lengths, others),
            "parameters": next(iter(runs.values()))["parameters"],
            "cpu_seconds": [record["cpu_seconds"] for record in runs.values()],
        }
        if others:
            rows[name] |= {"against": against, "difference": difference(stats[name], others)}
    first = next((record for runs in records.values() for record in runs.values()), {})
    return {
        "data": "Multi30k, task 1, German to English; test set of 2016",
        "sentences": len(references),
        "signature": first.get("signature", ""),
        "resamples": RESAMPLES,
        "settings": settings,
        "rows": rows,
    }


def printed(found: dict[str, Any]) -> str:
    """The table as text."""
    lines = [f"{'model':28} {'BLEU by seed':24} {'mean':>6}   difference, 95%"]
    for name, row in found["rows"].items():
        by_seed = " ".join(f"{score:.2f}" for score in row["bleu"].values())
        d = row.get("difference")
        against = f"{d['mean']:+.2f}  ({d['low']:+.2f} to {d['high']:+.2f})" if d else ""
        lines.append(f"{name:28} {by_seed:24} {row['mean']:6.2f}   {against}")
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> None:
    from attn_core.models.variants import VARIANTS

    options = options_of(__doc__, NAMES, WORK, arguments)
    names = [name for name in options.only.split(",") if name]
    if unknown := set(names) - VARIANTS.keys():
        raise SystemExit(f"unknown variant {', '.join(sorted(unknown))}; choose from: {', '.join(VARIANTS)}")
    papers = {VARIANTS[name].paper.name for name in names if VARIANTS[name].paper}
    names = [name for name in VARIANTS if name in {*names, *papers}]
    settings = SETTINGS | {"epochs": options.epochs} | dict(pair.split("=", 1) for pair in options.set)
    seeds = [int(seed) for seed in options.seeds.split(",")]
    compare(contenders(names, settings), seeds, settings, options, shipped=OUT)


def compare(
    entries: dict[str, Contender],
    seeds: Sequence[int],
    settings: dict[str, Any],
    options: argparse.Namespace,
    shipped: Path,
) -> None:
    """Train the missing models, then write and print the table; only a complete run is written to `shipped`."""
    import torch

    from attn_core.files import replacing
    from attn_core.training.speed.cpu_tuning import tune_cpu

    options.work.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(1)
    tune_cpu()
    if not options.table:
        for seed in seeds:
            for name, one in entries.items():
                run(name, one, seed, options.data, options.work, settings)
    found = table(options.work, options.data, entries, seeds, settings)
    if not found["rows"]:
        raise SystemExit(f"{options.work} has no finished run: omit --table to train")
    done = all(found["rows"].get(name, {}).get("bleu", {}).keys() == {str(seed) for seed in seeds} for name in entries)
    out = options.out or (shipped if done and not options.partial else options.work / "table.json")
    found = {"circumstances": circumstances(("torch", "sacrebleu", "numpy"))} | found
    with replacing(out) as part:
        part.write_text(json.dumps(found, indent=1) + "\n", "utf-8")
    total = sum(sum(row["cpu_seconds"]) for row in found["rows"].values())
    print(f"{printed(found)}\n\n{math.ceil(total / 60)} minutes of CPU; in {out}")


def options_of(about: str, names: Sequence[str], work: Path, arguments: Sequence[str] | None) -> argparse.Namespace:
    """The options of a comparison; `partial` is True when they differ from those of a complete run."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, metavar="DATA")
    whole = {"seeds": "1,2,3", "only": ",".join(names), "epochs": SETTINGS["epochs"], "set": []}
    parser.add_argument("--seeds", default=whole["seeds"])
    parser.add_argument("--only", default=whole["only"])
    parser.add_argument("--epochs", type=int, default=whole["epochs"])
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--work", type=Path, default=work)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--table", action="store_true")
    options = parser.parse_args(arguments)
    options.partial = any(getattr(options, name) != value for name, value in whole.items())
    return options
