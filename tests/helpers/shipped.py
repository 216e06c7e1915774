"""A folder of small untrained models with the vocabularies of the example captions; they decode quickly."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import torch

from attn_core.data.examples import PAIRS, examples
from attn_core.data.tokenizer import Tokenizer
from attn_core.export import facts
from attn_core.export.model_files import GRAPHS
from attn_core.models import folders
from attn_core.models.checkpoint import load, save
from attn_core.models.config import ModelConfig
from attn_core.models.recipe import TrainConfig
from attn_core.models.translator import Translator
from tests.helpers.engine import shared_document
from tests.helpers.support import both_sides, fitting
from tests.helpers.tokenizers import rules_of

LUONG = {"score": "general", "window": "global", "decoder.hidden": 14, "encoder.hidden": 7}
SELF_ATTENTION = {
    "order": "transformer",
    "encoder": "transformer",
    "score": "scaled_dot",
    "encoder.heads": 2,
    "attention.heads": 2,
    **both_sides(layers=2),
}
MODELS = {
    "bahdanau": {
        "score": "additive",
        "window": "global",
        "order": "attend-then-update",
        "encoder.cell": "gru",
        "update": "groundhog",
        "decoder.hidden": 14,
        "encoder.hidden": 5,
    },
    "fixed-vector": {
        "score": None,
        "order": "attend-then-update",
        "encoder.cell": "gru",
        "decoder.hidden": 14,
        "encoder.hidden": 5,
    },
    "luong-dot-global": LUONG | {"score": "dot"},
    "luong-general-global": LUONG,
    "luong-general-local-m": LUONG | {"window": "local-m", "half_width": 2},
    "luong-general-local-p": LUONG | {"window": "local-p", "half_width": 2},
    "luong-large": LUONG | {"decoder.hidden": 22, "encoder.hidden": 11},
    "transformer": SELF_ATTENTION | {"embedding": 14},
}

LIVE = ("bahdanau", "luong-general-global", "luong-general-local-p", "transformer")


GERMAN = ("de", "en")
OF_PAIRS = ("bahdanau", "luong-general-global")  # the models of each pair in `ship_pairs`


def facts_of_links(stops: int) -> dict[str, Any]:
    """What a page with all shipped translators knows when it reads a link (state/types.d.ts, Facts)."""
    shipped = folders.shipped("translator")
    return {
        "models": shipped,
        "texts": dict.fromkeys(shipped, "Ein Hund."),
        "model": shipped[0],
        "axes": [],
        "windows": facts.windows(),
        "types": list(facts.types()),
        "glosses": ["en"],
        "stops": stops,
    }


def ship(folder: Path, *names: str, langs: tuple[str, str] = GERMAN) -> Path:
    """Write the named models (all of them by default) into `folder`; those of other languages are named after them."""
    for name in names or MODELS:
        ship_one(folder, in_languages(name, langs), MODELS[name], langs)
    return folder


def ship_one(folder: Path, name: str, settings: dict[str, Any], langs: tuple[str, str] = GERMAN) -> Path:
    """Write a model with these settings into `folder`; returns its own folder."""
    source, target = _vocabularies(langs)
    sizes = {"embedding": 5, "attention.score.hidden": 11, "attentional": 5}
    bidirectional = {"bidirectional": False} if settings["score"] is None else {}
    config = ModelConfig.of(fitting(sizes | bidirectional | settings))
    torch.manual_seed(2)
    model = Translator(config, source, target, name)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.normal_(std=0.7)
    test = {"set": "synthetic", "bleu": 12.34, "perplexity": 5.678, "beam": 5}
    about = {} if langs == GERMAN else {"source_lang": langs[0], "target_lang": langs[1]}
    save(model, TrainConfig(), folder / name, about | {"test": test})
    return folder / name


def in_languages(name: str, langs: tuple[str, str]) -> str:
    """The name of a model for these languages."""
    return name if langs == GERMAN else f"{name}-{'-'.join(langs)}"


def ship_live(folder: Path) -> Path:
    """Write the models of LIVE into `folder`, exported for the browser, each in its own window only."""
    for name in LIVE:
        ship(folder, name)
        export(folder / name)
    return folder


def ship_pairs(folder: Path, live: bool = False) -> Path:
    """Write the models of OF_PAIRS for each pair of languages into `folder`; with `live`, the last one exported."""
    for langs in PAIRS:
        ship(folder, *OF_PAIRS, langs=langs)
        if live:
            export(folder / in_languages(OF_PAIRS[-1], langs))
    return folder


def export(folder: Path, as_built: bool = True) -> None:
    """Write a model's file for the browser, as the command `export` does; with `as_built`, in its own window only."""
    model = load(folder)
    record = shared_document(model, as_built) | {"rules": rules_of(model.source.lang, model.target.lang)}
    (folder / GRAPHS).write_text(json.dumps(record), "utf-8")


@cache
def _vocabularies(langs: tuple[str, str]) -> tuple[Tokenizer, Tokenizer]:
    pairs = examples(*langs)
    sides = [" ".join(one.words) for one in pairs], [" ".join(one.target_words) for one in pairs]
    source, target = (Tokenizer.train(lines, lang, min_frequency=1) for lines, lang in zip(sides, langs, strict=True))
    return source, target


def rewritten(folder: Path, change) -> None:
    """Apply `change` to the record in config.json of the model in `folder`."""
    path = folder / "config.json"
    record = json.loads(path.read_text("utf-8"))
    change(record)
    path.write_text(json.dumps(record), "utf-8")
