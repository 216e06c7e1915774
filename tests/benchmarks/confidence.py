"""How sure are models of their translations of captions and of everyday sentences?

python -m tests.benchmarks confidence DATA

A translation's confidence is the geometric mean of its words' probabilities (greedy). Prints, for each model, the share
of texts below several thresholds: of captions of Multi30k's val, and of the everyday sentences that are held out for
everyday-de-en: no model was trained on them. A model of Chinese gets its own validation text. The page says that a
model is unsure below UNSURE (app/explorer/settings/better.js).
"""

import argparse
import math
from itertools import islice
from pathlib import Path
from typing import cast

from attn_core.cli.plan import Corpus, read_plan
from attn_core.data.text_files import text_of
from attn_core.decoding.translate import translate
from attn_core.models.checkpoint import load
from attn_core.models.folders import PRETRAINED
from tests.benchmarks.tokenizer_agreement import raw_name

EVERYDAY = "everyday-de-en"
MODELS = (
    "bahdanau",
    "luong-general-global",
    "transformer",
    "luong-base",
    EVERYDAY,
    "bahdanau-en-de",
    "luong-general-global-en-de",
    "bahdanau-en-fr",
    "transformer-en-fr",
    "bahdanau-zh-en",
)
THRESHOLDS = (0.25, 0.3, 0.35, 0.4, 0.45)
COUNT = 400  # texts of each kind


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    reader.add_argument("data", type=Path, help="the folder of the corpora of pretrained/models.toml")
    folder = reader.parse_args().data
    plan = read_plan(PRETRAINED / "models.toml")
    both = {"captions": ("bahdanau", "valid"), "everyday sentences": (EVERYDAY, "test")}
    print(f"{'':50}" + "".join(f"  < {threshold}" for threshold in THRESHOLDS))
    for name in MODELS:
        model = load(name)
        kinds = {"its own kind": (name, "valid")} if model.source.lang == "zh" else both
        for kind, (named, part) in kinds.items():
            lines = texts_of(cast(Corpus, plan[named].corpus), part, folder, model.source.lang)
            found = [confidence([word.log_prob for word in trace.words]) for trace in translate(model, lines)]
            shares = (sum(one < threshold for one in found) / len(found) for threshold in THRESHOLDS)
            print(f"{name:28}{kind:22}" + "".join(f"{share:8.1%}" for share in shares), flush=True)


def texts_of(corpus: Corpus, part: str, folder: Path, language: str) -> list[str]:
    """The first COUNT texts of a part in one of its languages, raw."""
    text = text_of(raw_name(corpus, part, folder), corpus.languages)
    return [line.strip() for line in islice(text.lines(corpus.languages.index(language)), COUNT)]


def confidence(log_probs: list[float]) -> float:
    """The geometric mean of probabilities, from their natural logarithms."""
    return math.exp(sum(log_probs) / len(log_probs))
