"""Compare the browser's engine with torch for every shipped translator, on its test set.

python -m tests.benchmarks check_engine DATA                              all translators
python -m tests.benchmarks check_engine DATA bahdanau --sentences 100     DATA: the folder of the corpora

The test sets are those of pretrained/models.toml. For each model: greedy search of all sentences and beam search of a
fifth of them give the same words; forced decoding of a tenth, also in other windows, gives the same log probabilities,
p_t and attention weights. Where the words differ, the table shows how far apart torch's log probabilities of the two
words are. Steps whose p_t lies within 1e-4 of a window's edge, where one rounding changes the window, are counted and
left out. Needs node.
"""

import argparse
import base64
import json
from itertools import islice
from pathlib import Path
from typing import Any

import torch

from attn_core.cli.plan import read_plan
from attn_core.data.text_files import text_of
from attn_core.decoding.beam import beam_search
from attn_core.decoding.search import by_length, forced, greedy
from attn_core.export.document import document
from attn_core.models.checkpoint import load
from attn_core.models.folders import find, pretrained, shipped
from attn_core.models.translator import Translator
from tests.helpers.engine import PROBE
from tests.helpers.javascript import Script, standalone

PLAN = pretrained() / "models.toml"
WINDOWS = (
    {},
    {"window": "local-m", "half_width": 2},
    {"window": "local-p", "half_width": 2, "sigma": 1.5},
    {"window": "global"},
)
EDGE = 1e-4
BATCH = 50


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="folder of the corpora of pretrained/models.toml")
    parser.add_argument("models", nargs="*", help="default: all shipped translators")
    parser.add_argument("--sentences", type=int, default=1000)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    planned, count = read_plan(PLAN), arguments.sentences
    for name in arguments.models or shipped():
        corpus = planned[name].corpus
        model = load(name)
        test = text_of(corpus.text_name("test", arguments.data), corpus.languages)
        ids, goal = (
            [words.ids(words.tokens(line, tokenized=corpus.tokenized)) for line in islice(test.lines(side), count)]
            for side, words in enumerate((model.source, model.target))
        )
        with standalone(PROBE) as probe:
            check(name, model, ids, goal, probe)


def check(name: str, model: Translator, ids: list[list[int]], goal: list[list[int]], probe: Script) -> None:
    weights = base64.b64encode((find(name) / "model.safetensors").read_bytes()).decode()
    given = {"json": document(model), "weights": weights, "simd": True}
    size = len(json.dumps(given["json"]))
    print(f"\n{name}: {len(given['json']['steps'])} ways to run, browser.json {size / 1000:.0f} kB", flush=True)
    show_words("greedy", model, ids, probe, given, {"search": "greedy"})
    show_words("beam 5", model, ids[: len(ids) // 5], probe, given, {"search": "beam", "options": {"width": 5}})
    n = max(1, len(ids) // 10)
    for how in WINDOWS:
        try:
            view = model.with_window(how.get("window"), how.get("half_width"), how.get("sigma"))
        except ValueError:  # the model cannot be run in this window
            continue
        show_numbers(view, ids[:n], goal[:n], probe, given, how)
    show_times(ids, probe, given)


def show_words(label: str, model: Translator, ids: list[list[int]], probe: Script, given: dict, call: dict) -> None:
    """How many outputs are the same, and the gap between the two words where they are not."""
    found: list[list[int]] = []
    for start in range(0, len(ids), BATCH):
        calls = [call | {"source": source} for source in ids[start : start + BATCH]]
        results = probe("searches", given | {"calls": calls})
        found += [(one[0] if isinstance(one, list) else one)["words"] for one in results]
    wanted: dict[int, list[int]] = {}
    for chosen in by_length(ids, BATCH):
        batch = [inputs(model, ids[i]) for i in chosen]
        result = greedy(model, batch) if label == "greedy" else beam_search(model, batch, 5, record=False)
        wanted |= {i: one.words for i, one in zip(chosen, result.found, strict=True)}
    other = [i for i in range(len(ids)) if found[i] != wanted[i]]
    gaps = [f"{gap(model, ids[i], found[i], wanted[i]):.1e}" for i in other]
    print(f"  {label:8} {len(ids) - len(other)} of {len(ids)} the same", *(["gaps", *gaps] if gaps else []), flush=True)


def inputs(model: Translator, source: list[int]) -> list[int]:
    return [*source, model.source.eos] if model.config.source_eos else source


def gap(model: Translator, source: list[int], found: list[int], wanted: list[int]) -> float:
    """How far apart torch's log probabilities of the two words are at which the outputs part."""
    t = next(t for t, (one, other) in enumerate(zip(found, wanted, strict=False)) if one != other)
    log_probs = forced(model, [inputs(model, source)], [wanted[: t + 1]]).columns[t].log_probs[0]
    return abs(float(log_probs[found[t]] - log_probs[wanted[t]]))


def show_numbers(
    view: Translator, ids: list[list[int]], goal: list[list[int]], probe: Script, given: dict, how: dict[str, Any]
) -> None:
    """The largest differences of log probabilities, p_t and weights in forced decoding."""
    worst, left_out, steps = {"log_prob": 0.0, "p_t": 0.0, "weights": 0.0}, 0, 0
    pairs = list(zip(ids, goal, strict=True))
    for start in range(0, len(pairs), BATCH):
        part = pairs[start : start + BATCH]
        calls = [{"source": source, "target": target, "how": how} for source, target in part]
        for (source, target), found in zip(part, probe("forcedSteps", given | {"calls": calls}), strict=True):
            result = forced(view, [inputs(view, source)], [target])
            for column, got, log_prob in zip(result.columns, found, result.found[0].log_probs, strict=True):
                looks, steps = column.step.looks, steps + 1
                center = looks[0].focus.center if looks else None
                if center is not None:
                    position = float(center[0])
                    worst["p_t"] = max(worst["p_t"], abs(position - got["center"][0]))
                    if view.settings["window"] == "local-p" and abs(position - round(position)) < EDGE:
                        left_out += 1
                        continue
                worst["log_prob"] = max(worst["log_prob"], abs(log_prob - got["logProb"]))
                for look, own in zip(looks, got["weights"], strict=True):
                    difference = (look.weights[0] - torch.tensor(own)).abs().max().item()
                    worst["weights"] = max(worst["weights"], difference)
    label = " ".join(f"{name} {value}" for name, value in how.items()) or "as trained"
    largest = ", ".join(f"{name} {value:.1e}" for name, value in worst.items())
    print(
        f"  forced, {label}: {len(ids)} sentences, {steps} steps, at most {largest}; left out: {left_out}", flush=True
    )


def show_times(ids: list[list[int]], probe: Script, given: dict) -> None:
    """Milliseconds of a greedy decode of a sentence of 12 words."""
    source = next((one for one in ids if len(one) == 12), ids[0])
    for simd in (True, False):
        found = probe("times", given | {"source": source, "runs": 200, "simd": simd})
        label = "with SIMD" if simd else "without"
        parts = []
        for kind in ("clock", "processor"):
            values = sorted(found[kind][20:])  # the first runs compile
            parts.append(f"{kind} median {values[len(values) // 2]:.1f}, p95 {values[int(len(values) * 0.95)]:.1f} ms")
        print(f"  greedy, {len(source)} words to {found['words']}, {label}: {'; '.join(parts)}", flush=True)
