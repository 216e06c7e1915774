"""Do attributions name the words that a model needs? All methods for all shipped German-English models.

python -m tests.benchmarks faithfulness SENTENCES
    SENTENCES        German sentences, one per line, plain or .gz: test_2016_flickr.raw.de of Multi30k
    --out FILE       what was measured (default: attn_core.attribution.faithfulness.json, which Results shows)
    --sentences 200  of these, evenly spread
    --hours 6        CPU time after which no further model is begun
    --only NAME      only this model
    --table          measure nothing; print the results

Comprehensiveness and sufficiency are measured on the greedy translations of the sentences, the alignment error rate on
our own aligned captions, with the reference forced (see attn_core.attribution.faithfulness.py). Everything is computed
on one thread. Models that the file already has, measured on the same sentences, are not measured again.
"""

import argparse
import json
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch

from attn_core.attribution import Case, Method
from attn_core.attribution.faithfulness import MEASURES, Gold, count_links, methods_for, score, summary
from attn_core.data.alignments import Alignment
from attn_core.data.corpus import read_lines
from attn_core.data.examples import examples
from attn_core.files import replacing
from attn_core.models.checkpoint import load
from attn_core.models.folders import shipped
from attn_core.models.translator import Translator
from tests.benchmarks.circumstances import processor
from tests.benchmarks.records import ROOT, commit

OUT = ROOT / "attn_core" / "attribution" / "faithfulness.json"
PAIR = ("de", "en")


def models() -> list[str]:
    """The shipped translators from German to English."""
    found = []
    for name in shipped():
        model = load(name)
        if isinstance(model, Translator) and (model.source.lang, model.target.lang) == PAIR:
            found.append(name)
    return found


def measure(model: Translator, sentences: list[str]) -> dict[str, Any]:
    """The record of a model: the summary of its translations, with the alignment error rates on our own pairs."""
    began = time.process_time()
    methods, refused = methods_for(model)
    scores = [
        score(Case.read(model, text), methods, number)
        for number, text in enumerate(sentences)
        if len(model.source.tokens(text)) > 1
    ]
    links = [_links(model, methods, *pair) for pair in _own()]
    about = {"refused": refused, "pairs": len(links), "cpu_seconds": time.process_time() - began}
    return summary(scores, links) | about


def _own() -> list[tuple[list[str], list[str], Alignment]]:
    """Our own aligned pairs, as tokens."""
    pairs = [(one, one.source_tokens, one.target_tokens) for one in examples(*PAIR)]
    return [(x, y, Alignment(*one.links(x, y))) for one, x, y in pairs]


def _links(
    model: Translator, methods: Mapping[str, Method], source: list[str], target: list[str], gold: Alignment
) -> dict[str, list[int]]:
    """The counts of links of a pair, by method."""
    x, y = " ".join(source), " ".join(target)
    numbers = model.source.word_numbers(x, True), model.target.word_numbers(y, True)
    return count_links(Case.read(model, x, y, tokenized=True), methods, Gold(gold, *numbers))


def read(path: Path) -> dict[str, Any]:
    """The file of the study; empty if it does not exist."""
    return json.loads(path.read_text("utf-8")) if path.exists() else {"models": {}}


def write(path: Path, study: dict[str, Any]) -> None:
    """Write the file of the study, its numbers to four decimals."""
    rounded = json.loads(json.dumps(study), parse_float=lambda number: round(float(number), 4))
    with replacing(path) as part:
        part.write_text(json.dumps(rounded, separators=(",", ":")).replace('},"', '},\n"') + "\n", "utf-8")


def table(study: dict[str, Any]) -> str:
    """For each model a line for each method: its measures with their intervals."""
    columns = (*MEASURES, "aer")
    lines = ["".join((" " * 48, *(name.replace("_", " ").rjust(26) for name in columns)))]
    for model, record in study["models"].items():
        for method, each in record["measures"].items():
            cells = (f"{each[n]['mean']:.3f} ({each[n]['low']:.3f} to {each[n]['high']:.3f})" for n in columns)
            lines.append("".join((model.ljust(26), method.ljust(22), *(cell.rjust(26) for cell in cells))))
    hours = sum(record["cpu_seconds"] for record in study["models"].values()) / 3600
    return "\n".join([*lines, f"{len(study['models'])} models, {hours:.1f} hours of CPU time"])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("text", type=Path, nargs="?", metavar="SENTENCES")
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--sentences", type=int, default=200)
    parser.add_argument("--hours", type=float, default=6.0)
    parser.add_argument("--only")
    parser.add_argument("--table", action="store_true")
    options = parser.parse_args()
    study = read(options.out)
    if not options.table:
        if options.text is None:
            parser.error("expected a file of sentences, or --table")
        torch.set_num_threads(1)
        lines = read_lines(options.text)
        chosen = [lines[i * len(lines) // options.sentences] for i in range(min(options.sentences, len(lines)))]
        for name in models():
            known = study["models"].get(name)
            if options.only not in (None, name) or (known and known["asked"] == len(chosen)):
                continue
            if sum(one["cpu_seconds"] for one in study["models"].values()) > 3600 * options.hours:
                print(f"the CPU time is spent; {name} and later models are not measured")
                break
            record = measure(load(name), chosen)
            study["models"][name] = {"asked": len(chosen), "commit": commit(), "processor": processor()} | record
            write(options.out, study)
            print(f"{name}: {record['cpu_seconds']:.0f} s", flush=True)
    print(table(study))
    return 0


if __name__ == "__main__":
    sys.exit(main())
