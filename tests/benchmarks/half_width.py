"""Which half-width D should local-p be trained with? BLEU, and how well p_t tracks the word that is translated.

python tests/benchmarks/half_width.py DATA        (make study-windows DATA=folder-of-corpora)
    --work FOLDER    where the models are trained and kept (default: runs/half-width)
    --jobs 2         trainings at the same time
    --out FILE       finished measurements, one JSON object per line (default: half_width.jsonl beside this file)
    --table          train nothing; print the results

Trains luong-general-local-p with each D, on the corpus of the shipped model, and resumes an interrupted study. BLEU is
that of val, beam 5. p_t is measured in forced decoding of our own aligned captions: its distance, in words, to the
nearest source word that is a sure link of the target word; beside it the distance of the largest weight, and of t,
which is where local-m centers its window. "in window": target words with at least one of their links in the window.
The last line of the output has the same measures of the shipped luong-general-local-p-long, on every three successive
captions joined.
"""

import argparse
import statistics
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT)]

from attn_core.cli import main as attn_core  # noqa: E402
from attn_core.cli.plan import read_plan  # noqa: E402
from attn_core.data.captions import Caption, captions  # noqa: E402
from attn_core.data.corpus import read_parallel, side  # noqa: E402
from attn_core.decoding.translate import force  # noqa: E402
from attn_core.evaluation.evaluate import evaluate  # noqa: E402
from attn_core.models.checkpoint import load  # noqa: E402
from attn_core.models.translator import Translator  # noqa: E402
from attn_core.trace import Trace  # noqa: E402
from tests.benchmarks.joined_captions import as_one  # noqa: E402
from tests.benchmarks.records import append, commit, finished  # noqa: E402

OUT = Path(__file__).with_name("half_width.jsonl")
PLAN = ROOT / "pretrained" / "models.toml"
MODEL = "luong-general-local-p"
LONG = "luong-general-local-p-long"
JOINED = 3  # captions in a text
WIDTHS = (1, 2, 3, 4, 6, 10)


def plan(corpus: str) -> str:
    """The plan of the study: a model for each D, on `corpus` of the shipped models' plan."""
    shipped = PLAN.read_text("utf-8")
    begin = shipped.index(f"[corpora.{corpus}]")
    section = shipped[begin : shipped.index("\n[", begin)]
    models = (
        f'half-width-{d} = {{corpus = "{corpus}", preset = "{MODEL}", settings = {{half_width = {d}}}}}\n'
        for d in WIDTHS
    )
    return f"{section}\n[models]\n{''.join(models)}"


def distances(pair: Caption, trace: Trace) -> Iterator[dict[str, float]]:
    """For each target word with sure links: distances to the nearest of them, and whether one is in the window."""
    for word in trace.words[: len(pair.en_tokens)]:
        linked = [i for i, j in pair.sure if j == word.t]
        if not linked:
            continue
        look = word.step.looks[0]
        if look.focus.center is None:
            raise ValueError(f"{trace.model} has no p_t: expected a model with a local-p window")
        places = {"p_t": float(look.focus.center), "largest weight": int(look.weights.argmax()), "t": word.t}
        near = {name: float(min(abs(place - i) for i in linked)) for name, place in places.items()}
        yield {**near, "in window": float(look.focus.inside[linked].any())}


def tracking(pairs: Sequence[Caption], traces: Sequence[Trace]) -> dict[str, float]:
    """Means of `distances` over all target words of all pairs."""
    rows = [row for pair, trace in zip(pairs, traces, strict=True) for row in distances(pair, trace)]
    return {name: statistics.fmean(row[name] for row in rows) for name in rows[0]}


def successive(pairs: Sequence[Caption], count: int) -> list[Caption]:
    """Each pair joined with the next `count` - 1; after the last one comes the first."""
    return [as_one([pairs[(i + k) % len(pairs)] for k in range(count)]) for i in range(len(pairs))]


def tracked(model: Translator, pairs: Sequence[Caption]) -> dict[str, float]:
    """The distances of `tracking`, in forced decoding of the pairs."""
    german, english = [" ".join(pair.de_tokens) for pair in pairs], [" ".join(pair.en_tokens) for pair in pairs]
    return tracking(pairs, force(model, german, english, tokenized=True))


def measure(folder: Path, sources: Path, references: Path) -> dict[str, Any]:
    model = load(folder)
    found = evaluate(model, *read_parallel(sources, references), beam=5, tokenized=True)
    return {"bleu": found.bleu.score, "perplexity": found.perplexity, **tracked(model, captions())}


def table(records: Sequence[dict[str, Any]]) -> str:
    columns = ("bleu", "perplexity", "p_t", "largest weight", "t", "in window")
    head = f"{'D':>3}" + "".join(f"{name:>16}" for name in columns)
    rows = (
        f"{record['half_width']:3}" + "".join(f"{record[name]:16.2f}" for name in columns)
        for record in sorted(records, key=lambda one: one["half_width"])
    )
    return "\n".join([head, *rows])


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    reader.add_argument("data", type=Path, nargs="?", help="the folder of the corpora")
    reader.add_argument("--work", type=Path, default=ROOT / "runs" / "half-width")
    reader.add_argument("--jobs", default="2")
    reader.add_argument("--out", type=Path, default=OUT)
    reader.add_argument("--table", action="store_true")
    options = reader.parse_args()
    if not options.table:
        if options.data is None:
            reader.error("DATA is missing: the folder of the corpora")
        options.work.mkdir(parents=True, exist_ok=True)
        here = options.work / "models.toml"
        here.write_text(plan(read_plan(PLAN)[MODEL].data or ""), "utf-8")
        under_way = options.work / "under-way"
        build = ["build", str(here), "--data", str(options.data), "--work", str(under_way), "--jobs", options.jobs]
        if status := attn_core(build):
            sys.exit(status)
        measured = {record["half_width"] for record in finished(options.out)}
        for d in WIDTHS:
            model = read_plan(here)[f"half-width-{d}"]
            if d in measured or model.corpus is None:
                continue
            val = [side(str(options.data / model.corpus.valid), language) for language in model.corpus.languages]
            found = measure(options.work / model.name, *val)
            append(options.out, {"half_width": d, **found, "commit": commit()})
    print(table(finished(options.out)))
    long = tracked(load(LONG), successive(captions(), JOINED))
    print(f"{LONG}, {JOINED} captions joined: " + ", ".join(f"{name} {value:.2f}" for name, value in long.items()))


if __name__ == "__main__":
    main()
