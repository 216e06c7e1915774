"""The models that the papers' tables compare. A model that two tables need is trained once.

All are trained on Multi30k, English to German as in Luong's tables, on 2 to 4 captions joined, since captions of 12
words leave attention little to do. Sizes are those of the small presets; encoders are one-directional, as in Luong's
paper, but for RNNsearch. Each model takes about 1,810 updates in fp32, on one thread, without early stopping: 3 epochs
of 604 updates, or 2 of 907 for models that are trained on pairs of captions (the same captions in all).

The budget: on one core of an EPYC without AVX-512, a run takes 4 to 5 minutes without input feeding and 11 to 13 with
it, measurements included. 18 models with 8 seeds each are 144 runs; no run comes near two hours. Longer training would
leave time for fewer seeds, and the claims need the seeds.
"""

import hashlib
import json
from dataclasses import dataclass, field
from typing import Any

from attn_core.models.presets import configure
from tests.benchmarks.peers.install import PEERS

SEEDS = range(1, 9)
BEAM = 5
JOIN = 4  # 2 to 4 captions joined, in training and in the test set
LANGUAGES = ("en", "de")
PARTS = {"train": "train.lc.norm.tok", "valid": "val.lc.norm.tok", "test": "test_2016_flickr.lc.norm.tok"}
# A softmax over all words of the text would take most of the time, and without unknown words there is no row for their
# replacement.
COMMON: dict[str, Any] = {
    "join": JOIN,
    "max_length": 100,
    "vocabulary": 2500,
    "min_frequency": 1,
    "batch": 16,
    "epochs": 3,
    "patience": 0,
    "criterion": "perplexity",
    "precision": "fp32",
    "label_smoothing": 0.0,
}

# Settings added after the first runs, with the value at which a training is as it was before.
NEWER = {("subword_dropout", 0.0)}


@dataclass(frozen=True)
class Model:
    """A model to train: a preset with its own settings, which come on top of COMMON."""

    preset: str
    own: dict[str, Any] = field(default_factory=dict)

    @property
    def settings(self) -> dict[str, Any]:
        return COMMON | self.own

    def fingerprint(self) -> str:
        """Twelve hexadecimal digits that change with any setting of model, recipe or search, except the seed."""
        model, recipe = configure(self.preset, self.settings)
        values = {name: value for name, value in recipe.to_json().items() if (name, value) not in NEWER}
        said = json.dumps([model.to_json(), values, BEAM, LANGUAGES, PARTS], sort_keys=True)
        return hashlib.sha256(said.encode()).hexdigest()[:12]


_BASE = {"bidirectional": False, "encoder.hidden": 256, "dropout": 0.0, "output_dropout": 0.0}
_REVERSE = _BASE | {"reverse": True}
_DROPOUT = _REVERSE | {"dropout": 0.2}  # Luong 2015, section 4.1
_FEED = _DROPOUT | {"feeding": True}
_WINDOW = _FEED | {"half_width": 10}  # D of the paper, which these sentences of 35 words need
# All words, 4 D and 2 D for half an epoch each, so that the second half of the training has D. With D from the start,
# as in the paper, p_t was not learned in three epochs: greedy BLEU on val was 23.4 with seed 1 and 6.3 with seed 2;
# with 0.5 it is 31.2 with seed 1.
_PREDICTED = _WINDOW | {"wide": 0.5}
_POSITIONS = {"width": 100}  # as many as max_length
_GROUNDHOG = {"update": "groundhog", "init": "large-embeddings", "dropout": 0.2, "output_dropout": 0.0}
_SHORT = {"join": 2, "epochs": 2}

MODELS = {
    "base": Model("luong-base", _BASE),
    "reverse": Model("luong-base", _REVERSE),
    "dropout": Model("luong-base", _DROPOUT),
    "location-global-unfed": Model("luong-location-global", _DROPOUT | _POSITIONS),
    "location-global": Model("luong-location-global", _FEED | _POSITIONS),
    "dot-global": Model("luong-dot-global", _FEED),
    "general-global": Model("luong-general-global", _FEED),
    "concat-global": Model("luong-concat-global", _FEED),
    "dot-local-m": Model("luong-dot-local-m", _WINDOW),
    "general-local-m": Model("luong-general-local-m", _WINDOW),
    "concat-local-m": Model("luong-concat-local-m", _WINDOW),
    "dot-local-p": Model("luong-dot-local-p", _PREDICTED),
    "general-local-p": Model("luong-general-local-p", _PREDICTED),
    "concat-local-p": Model("luong-concat-local-p", _PREDICTED),
    "encdec-short": Model("fixed-vector", _GROUNDHOG | _SHORT),
    "encdec-long": Model("fixed-vector", _GROUNDHOG),
    "search-short": Model("bahdanau", _GROUNDHOG | _SHORT),
    "search-long": Model("bahdanau", _GROUNDHOG),
}
MEMBERS = "general-local-p"  # Luong's ensemble averages models with different settings; this one, eight seeds of one
ENSEMBLE = f"{MEMBERS}-ensemble"
ALIGNER = "eflomal"


def fingerprint(name: str) -> str:
    """The settings that a run depends on; runs with other settings are not compared."""
    if name == ALIGNER:
        return PEERS[ALIGNER].package
    return MODELS[MEMBERS if name == ENSEMBLE else name].fingerprint()
