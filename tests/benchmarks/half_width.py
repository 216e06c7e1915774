"""Which half-width D should local-p be trained with? BLEU, and how well p_t tracks the word that is translated.

python -m tests.benchmarks half_width DATA
    --work FOLDER    where the models are trained and kept (default: runs/half-width)
    --jobs 2         trainings at the same time
    --out FILE       what was measured (default: attn_core/evaluation/half_widths.json, which the Window lab and
                     notebook 04 show)
    --models         train nothing; measure the shipped local-p models again, and print the results
    --table          train and measure nothing; print the results

Trains luong-general-local-p with each D, on the corpus of the shipped model, and resumes an interrupted study. BLEU is
that of val, beam 5. p_t is measured in forced decoding of our own aligned captions (attn_core/evaluation/tracking.py):
its distance, in words, to the nearest source word that is a sure link of the target word, beside that of the largest
weight, of t and of a straight line through the sentence. "in window": target words with a linked word in the window.
The second table has the same measures of the shipped local-p models, on our own pairs in their languages; a model that
was trained on joined captions is measured on every three successive captions joined.
"""

import argparse
import json
import statistics
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from attn_core.cli import main as attn_core
from attn_core.cli.plan import read_plan
from attn_core.data.alignments import Link
from attn_core.data.captions import Caption, captions
from attn_core.data.corpus import read_parallel, side
from attn_core.data.examples import examples
from attn_core.decoding.translate import force
from attn_core.evaluation.evaluate import evaluate
from attn_core.evaluation.tracking import STUDY, tracking
from attn_core.files import replacing
from attn_core.models.checkpoint import load, read_config
from attn_core.models.folders import find, shipped
from attn_core.models.translator import Translator
from tests.benchmarks.joined_captions import as_one
from tests.benchmarks.records import ROOT, commit

PLAN = ROOT / "pretrained" / "models.toml"
MODEL = "luong-general-local-p"
JOINED = 3  # captions in a text
WIDTHS = (1, 2, 3, 4, 6, 10)
MEASURES = ("p_t", "straight line", "largest weight", "t", "in window")  # of `tracking`
FOLLOWED = "followed"  # of `tracking`; measured of the shipped models only

Aligned = tuple[tuple[str, ...], tuple[str, ...], frozenset[Link]]  # source tokens, target tokens, sure links


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


def successive(pairs: Sequence[Caption], count: int) -> list[Caption]:
    """Each pair joined with the next `count` - 1; after the last one comes the first."""
    return [as_one([pairs[(i + k) % len(pairs)] for k in range(count)]) for i in range(len(pairs))]


def own(model: Translator, joined: int) -> list[Aligned]:
    """Our own aligned pairs in the model's languages; of captions, each `joined` successive ones as one."""
    if joined > 1:
        return [(one.de_tokens, one.en_tokens, one.sure) for one in successive(captions(), joined)]
    sides = [(one, one.source_tokens, one.target_tokens) for one in examples(model.source.lang, model.target.lang)]
    return [(source, target, one.links(source, target)[0]) for one, source, target in sides]


def tracked(model: Translator, joined: int = 1) -> dict[str, Any]:
    """The numbers of `tracking` in forced decoding of our own pairs, and the mean number of source words."""
    sources, targets, links = zip(*own(model, joined), strict=True)
    traces = force(model, list(map(" ".join, sources)), list(map(" ".join, targets)), tokenized=True, top=1)
    return {"words": statistics.fmean(map(len, sources)), **tracking(traces, links)}


def measure(folder: Path, sources: Path, references: Path) -> dict[str, Any]:
    model = load(folder)
    found = evaluate(model, *read_parallel(sources, references), beam=5, tokenized=True)
    return {"bleu": found.bleu.score, "perplexity": found.perplexity, **tracked(model)}


def measured(name: str) -> dict[str, Any]:
    """The record of a shipped model."""
    model, joined = load(name), JOINED if read_config(find(name))["train"].join > 1 else 1
    return {"half_width": model.config["half_width"], "joined": joined, **tracked(model, joined)}


def local_p() -> list[str]:
    """The shipped models with a local-p window."""
    return [name for name in shipped() if read_config(find(name))["model"]["window"] == "local-p"]


def read(path: Path) -> dict[str, Any]:
    """The file of the study; empty if it does not exist."""
    return json.loads(path.read_text("utf-8")) if path.exists() else {"widths": [], "models": {}}


def write(path: Path, study: dict[str, Any]) -> None:
    """Write the file of the study, its numbers to four decimals."""
    study["widths"].sort(key=lambda record: record["half_width"])
    rounded = json.loads(json.dumps(study), parse_float=lambda number: round(float(number), 4))
    with replacing(path) as part:
        part.write_text(json.dumps(rounded, indent=1) + "\n", "utf-8")


def table(study: dict[str, Any]) -> str:
    """The records of all D, then those of the shipped models."""
    widths, models = study["widths"], study["models"]
    columns = ("bleu", "perplexity", *MEASURES)
    lines = [f"{'D':>3}" + "".join(f"{name:>16}" for name in columns)]
    lines += [f"{record['half_width']:3}" + _numbers(record, columns) for record in widths]
    lines += ["", f"{'shipped model':32}{'D':>3}" + "".join(f"{name:>16}" for name in ("words", *MEASURES, FOLLOWED))]
    lines += [
        f"{name:32}{one['half_width']:3}" + _numbers(one, ("words", *MEASURES, FOLLOWED))
        for name, one in models.items()
    ]
    return "\n".join(lines)


def _numbers(record: dict[str, Any], columns: Iterable[str]) -> str:
    return "".join(f"{record[name]:16.2f}" for name in columns)


def train(options: argparse.Namespace) -> None:
    """Train the models that are missing, and record what each is like."""
    options.work.mkdir(parents=True, exist_ok=True)
    here = options.work / "models.toml"
    here.write_text(plan(read_plan(PLAN)[MODEL].data or ""), "utf-8")
    under_way = options.work / "under-way"
    build = ["build", str(here), "--data", str(options.data), "--work", str(under_way), "--jobs", options.jobs]
    if status := attn_core(build):
        sys.exit(status)
    study = read(options.out)
    done = {record["half_width"] for record in study["widths"]}
    for d in WIDTHS:
        model = read_plan(here)[f"half-width-{d}"]
        if d in done or model.corpus is None:
            continue
        val = [side(str(options.data / model.corpus.valid), language) for language in model.corpus.languages]
        found = measure(options.work / model.name, *val)
        study["widths"].append({"half_width": d, **found, "commit": commit()})
        write(options.out, study)


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    reader.add_argument("data", type=Path, nargs="?", help="the folder of the corpora")
    reader.add_argument("--work", type=Path, default=ROOT / "runs" / "half-width")
    reader.add_argument("--jobs", default="2")
    reader.add_argument("--out", type=Path, default=STUDY)
    reader.add_argument("--models", action="store_true")
    reader.add_argument("--table", action="store_true")
    options = reader.parse_args()
    if not options.table:
        if not options.models:
            if options.data is None:
                reader.error("DATA is missing: the folder of the corpora")
            train(options)
        study = read(options.out)
        write(options.out, study | {"models": {name: measured(name) for name in local_p()}})
    print(table(read(options.out)))
