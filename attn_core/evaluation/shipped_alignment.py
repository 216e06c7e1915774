"""Alignment error rates of the shipped models on our own sentence pairs, from their cards. Does not import torch."""

from dataclasses import dataclass

from attn_core.data.examples import PAIRS, examples
from attn_core.files import CheckpointError
from attn_core.models.about import languages
from attn_core.models.folders import TRANSLATOR, pretrained, read_record

MODELS = ("bahdanau", "luong-general-global", "luong-general-local-p", "transformer")  # trained in all directions

UNMARKED = ("de", "en")  # the names of its models do not end in the languages


@dataclass(frozen=True)
class Direction:
    """The rates of `MODELS` from one language to another; None where a model is missing or was not measured."""

    languages: tuple[str, str]
    pairs: int
    rates: dict[str, float | None]


def shipped_alignment() -> list[Direction]:
    """The rates in the cards of the models in `pretrained()`, as measured by `own_alignment`."""
    found = []
    for pair in PAIRS:
        number = len(examples(*pair))
        found.append(Direction(pair, number, {model: _rate(_name(model, pair), pair, number) for model in MODELS}))
    return found


def _name(model: str, pair: tuple[str, str]) -> str:
    return model if pair == UNMARKED else f"{model}-{'-'.join(pair)}"


def _rate(name: str, pair: tuple[str, str], number: int) -> float | None:
    """The rate in a card; None if there is no card, or if it was measured on other languages or on older pairs."""
    try:
        about = read_record(pretrained() / name, TRANSLATOR)["about"]
    except CheckpointError:
        return None
    measured = about.get("alignment", {})
    return measured.get("aer") if (languages(about), measured.get("pairs")) == (pair, number) else None
