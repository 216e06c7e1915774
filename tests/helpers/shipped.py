"""A folder of small untrained models with the vocabularies of the example captions; they decode quickly."""

import json
from functools import cache
from pathlib import Path

import torch

from attn_core.data.captions import captions
from attn_core.data.moses_rules import rules
from attn_core.data.tokenizer import Tokenizer
from attn_core.models.checkpoint import load, save
from attn_core.models.config import ModelConfig
from attn_core.models.recipe import TrainConfig
from attn_core.models.translator import Translator
from attn_core.web.export import document
from attn_core.web.model_files import GRAPHS
from tests.helpers.engine import unchecked
from tests.helpers.support import fitting

LUONG = {"score": "general", "window": "global", "hidden": 14, "encoder_hidden": 7}
SELF_ATTENTION = {"order": "transformer", "score": "scaled_dot", "heads": 2, "layers": 2}
MODELS = {
    "bahdanau": {
        "score": "additive",
        "window": "global",
        "order": "attend-then-update",
        "update": "groundhog",
        "hidden": 14,
        "encoder_hidden": 5,
    },
    "fixed-vector": {"score": None, "order": "attend-then-update", "hidden": 14, "encoder_hidden": 5},
    "luong-dot-global": LUONG | {"score": "dot"},
    "luong-general-global": LUONG,
    "luong-general-local-m": LUONG | {"window": "local-m", "half_width": 2},
    "luong-general-local-p": LUONG | {"window": "local-p", "half_width": 2},
    "luong-large": LUONG | {"hidden": 22, "encoder_hidden": 11},
    "transformer": SELF_ATTENTION | {"embedding": 14},
}

LIVE = ("bahdanau", "luong-general-global", "luong-general-local-p", "transformer")


def ship(folder: Path, *names: str) -> Path:
    """Write the named models (all of them by default) into `folder`."""
    source, target = _vocabularies()
    for name in names or MODELS:
        sizes = {"embedding": 5, "align_hidden": 11, "attentional": 5}
        bidirectional = {"bidirectional": False} if MODELS[name]["score"] is None else {}
        config = ModelConfig.of(fitting(sizes | bidirectional | MODELS[name]))
        torch.manual_seed(2)
        model = Translator(config, source, target, name)
        with torch.no_grad():
            for parameter in model.parameters():
                parameter.normal_(std=0.7)
        test = {"set": "synthetic", "bleu": 12.34, "perplexity": 5.678, "beam": 5}
        save(model, TrainConfig(), folder / name, {"test": test})
    return folder


def ship_live(folder: Path) -> Path:
    """Write the models of LIVE into `folder`, exported for the browser, each in its own window only."""
    for name in LIVE:
        ship(folder, name)
        model = load(folder / name)
        with unchecked():
            record = document(model, as_built=True) | {"rules": rules("de", "en")}
        (folder / name / GRAPHS).write_text(json.dumps(record), "utf-8")
    return folder


@cache
def _vocabularies() -> tuple[Tokenizer, Tokenizer]:
    pairs = captions()
    return (
        Tokenizer.train([" ".join(pair.de_tokens) for pair in pairs], "de", min_frequency=1),
        Tokenizer.train([" ".join(pair.en_tokens) for pair in pairs], "en", min_frequency=1),
    )


def rewritten(folder: Path, change) -> None:
    """Apply `change` to the record in config.json of the model in `folder`."""
    path = folder / "config.json"
    record = json.loads(path.read_text("utf-8"))
    change(record)
    path.write_text(json.dumps(record), "utf-8")
