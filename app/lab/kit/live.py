"""Stages that translate in the page: the sentences and models that they offer, and the models' addresses."""

from dataclasses import dataclass
from typing import Any

from app.lab.kit.sentences import REORDERED
from app.service import catalogue
from app.service.files import Addresses
from attn_core.data.captions import captions
from attn_core.data.examples import PAIRS
from attn_core.messages import _
from attn_core.models.config import ModelConfig

LANGUAGES = ("de", "en")  # of the captions, which are the sentences that the stages offer


@dataclass(frozen=True)
class Choice:
    """A model that the reader chooses: its name in the address, its label, its possible orders, and the first model."""

    name: str
    label: str
    orders: tuple[str, ...]
    first: str


@dataclass(frozen=True)
class Live:
    """A sentence that the reader chooses or types, and models that translate it; `text` is its name in the address."""

    text: str
    choices: tuple[Choice, ...]
    reordered: bool = False  # whether sentences with a verb at the end are offered first
    every_language: bool = False  # whether the stage has sentences of its own for the models of other languages


def record(live: Live, addresses: Addresses) -> dict[str, Any]:
    """The data of kit/translating.js; `addresses` has those of the files of each model that a page can fetch."""
    needed = {pair.de: pair.needed for pair in REORDERED} if live.reordered else {}
    choices = [
        {
            "name": choice.name,
            "label": _(choice.label),
            "models": [name for name in models(choice.orders, live.every_language) if name in addresses],
            "first": choice.first,
        }
        for choice in live.choices
    ]
    offered = {name for choice in choices for name in choice["models"]}
    return {
        "text": live.text,
        "language": LANGUAGES[0],
        "sentences": [*needed, *(pair.de for pair in captions())],
        "needed": needed,
        "choices": choices,
        "addresses": {name: dict(files) for name, files in addresses.items() if name in offered},
    }


def models(orders: tuple[str, ...], every_language: bool) -> list[str]:
    """The names of the shipped models that have one of `orders` and can be shown by a stage.

    Unless models of `every_language` that has examples are wanted, they translate the captions.
    """
    pairs = PAIRS if every_language else (LANGUAGES,)
    shipped = catalogue.catalogue()[0].items()
    return [
        name
        for name, model in shipped
        if model.languages in pairs and model.config["order"] in orders and _can_show(model.config)
    ]


def _can_show(config: ModelConfig) -> bool:
    """Whether the model has soft attention whose weights the stages can compute; of an RNN, with one head."""
    needed: dict[str, Any] = {"normalizer": "softmax", "attention.type": "soft", "values": None}
    if config["order"] != "transformer":
        needed |= {"attention.heads": 1, "head_size": None}
    return config["score"] is not None and all(config[name] == value for name, value in needed.items())
