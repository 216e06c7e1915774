"""Test whether bf16 costs accuracy: a small model trained in bf16 and in fp32, with several seeds, on the same data.

python tests/benchmarks/precision.py DATA_DIR --out FOLDER
    DATA_DIR holds Multi30k: train, val and test_2016_flickr.lc.norm.tok.de and .en, plain or .gz
    --preset NAME       luong-general-global
    --seeds 1 2 3       one run per precision and seed
    --epochs N          8, with a schedule of that length

The runs are kept in FOLDER. Finished runs are not repeated, and interrupted runs are resumed, so processes with
different --seeds (at least two each) can share the work; a last one with all seeds prints the table. BLEU is that of
greedy translations of test_2016, perplexity that of its references, both computed in fp32. Differences are bf16 minus
fp32, with the 95% interval of their mean by Student's t over the seeds.
"""

import argparse
import json
import statistics
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT)]

from attn_core.training.cpu_tuning import tune_cpu, tune_memory  # noqa: E402

tune_memory()

from attn_core.data.corpus import read_parallel, side  # noqa: E402
from attn_core.evaluation.evaluate import evaluate  # noqa: E402
from attn_core.files import replacing  # noqa: E402
from attn_core.models.checkpoint import load  # noqa: E402
from attn_core.training.run import train  # noqa: E402
from tests.benchmarks.circumstances import circumstances  # noqa: E402
from tests.benchmarks.peers.cases import SOURCE, TARGET  # noqa: E402
from tests.benchmarks.peers.text import FILES  # noqa: E402

PRECISIONS = ("fp32", "bf16")
STUDENT = {2: 12.706, 3: 4.303, 4: 3.182, 5: 2.776, 6: 2.571}  # 97.5% quantile, by the number of seeds

Scores = dict[str, float]


def scores(data: Path, folder: Path, preset: str, seed: int, precision: str, epochs: int) -> Scores:
    """BLEU and perplexity of one run, which is trained if necessary."""
    out = folder / f"{preset}-{epochs}-{precision}-{seed}"
    found = out / "test.json"
    if not found.exists():
        settings = {"precision": precision, "seed": seed, "epochs": epochs, "patience": 0}
        text, valid = (str(data / FILES[name]) for name in ("train", "valid"))
        resume = (out / "state.safetensors").exists()
        train(preset, text, valid, SOURCE, TARGET, out, tokenized=True, settings=settings, resume=resume)
        test = read_parallel(*(side(str(data / FILES["test"]), lang) for lang in (SOURCE, TARGET)))
        scored = evaluate(load(out), *test, tokenized=True)
        with replacing(found) as part:
            part.write_text(json.dumps({"bleu": scored.bleu.score, "perplexity": scored.perplexity}), "utf-8")
    return json.loads(found.read_text("utf-8"))


def compared(runs: dict[int, dict[str, Scores]], name: str) -> dict[str, Any]:
    """Means and spreads of one score, and the mean of the differences between the precisions with its interval."""
    values = {precision: [run[precision][name] for run in runs.values()] for precision in PRECISIONS}
    differences = [run["bf16"][name] - run["fp32"][name] for run in runs.values()]
    half = STUDENT[len(runs)] * statistics.stdev(differences) / len(runs) ** 0.5
    mean = statistics.mean(differences)
    return {
        "values": values,
        "mean": {precision: statistics.mean(given) for precision, given in values.items()},
        "spread": {precision: statistics.stdev(given) for precision, given in values.items()},
        "difference": mean,
        "interval": (mean - half, mean + half),
    }


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    reader.add_argument("data", type=Path, metavar="DATA_DIR", help="the folder with Multi30k")
    reader.add_argument("--out", type=Path, required=True, help="folder for the runs")
    reader.add_argument("--preset", default="luong-general-global", help="preset to train (luong-general-global)")
    reader.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3], help="two or more (1 2 3)")
    reader.add_argument("--epochs", type=int, default=8, help="of each run (8)")
    options = reader.parse_args()
    if not 2 <= len(set(options.seeds)) <= max(STUDENT):
        reader.error(f"an interval needs 2 to {max(STUDENT)} different seeds, not {options.seeds}")
    about = circumstances(("torch",))
    tune_cpu()
    runs: dict[int, dict[str, Scores]] = {}
    for seed in options.seeds:
        runs[seed] = {
            precision: scores(options.data, options.out, options.preset, seed, precision, options.epochs)
            for precision in PRECISIONS
        }
        print(
            f"seed {seed}: "
            + ", ".join(f"{p} BLEU {s['bleu']:.2f}, perplexity {s['perplexity']:.3f}" for p, s in runs[seed].items()),
            flush=True,
        )
    found = {name: compared(runs, name) for name in ("bleu", "perplexity")}
    print(
        f"\n{options.preset}, {options.epochs} epochs, {len(runs)} seeds\n"
        f"{'':12}{'fp32':>18}{'bf16':>18}{'difference':>28}"
    )
    for name, one in found.items():
        cells = "".join(f"{one['mean'][p]:>10.3f} ± {one['spread'][p]:.3f}" for p in PRECISIONS)
        low, high = one["interval"]
        print(f"{name:12}{cells}{one['difference']:>+12.3f} [{low:+.3f}, {high:+.3f}]")
    path = Path(__file__).with_name("results") / f"precision-{about['date'][:10]}.json"
    record = about | {"preset": options.preset, "epochs": options.epochs, "seeds": options.seeds, "scores": found}
    with replacing(path) as part:
        part.write_text(json.dumps(record, indent=1) + "\n", "utf-8")
    print(f"written to {path.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
