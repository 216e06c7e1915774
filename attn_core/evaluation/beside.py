"""How a model's test scores compare with those of the models in the same folder, for its card."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from attn_core.files import CheckpointError
from attn_core.models.about import conditions_of, languages, tests_of
from attn_core.models.config import ModelConfig
from attn_core.models.folders import TRANSLATOR, read_record

_WINDOW = "model.attention.window."
_UNIMPORTANT = {"train.snapshots", "train.save_every"}  # they do not change the weights
# Differences that the sentence names.
_NAMED = {"train.precision": "the precision of training", "weights": "the format of their weights"}


def comparisons(record: dict[str, Any], folder: Path) -> list[str]:
    """Sentences that name the test sets of each comparison: with the model with a global window, and if it is the best.

    `record` is the config.json of the model in `folder`. Empty where the folder beside it has no such models.
    """
    others = {other["name"]: other for other in _others(folder) if other["name"] != record["name"]}
    return [*_with_global(record, others), *_as_best(record, others)]


def _others(folder: Path) -> Iterator[dict[str, Any]]:
    for path in sorted(folder.parent.glob("*/config.json")):
        try:
            yield read_record(path.parent, TRANSLATOR)
        except CheckpointError:  # another kind of model, or a damaged one
            continue


def _bleu(record: dict[str, Any]) -> dict[str, float]:
    """BLEU by test set, form and beam."""
    return {conditions_of(test): test["bleu"] for test in tests_of(record.get("about", {})) if "bleu" in test}


def _with_global(record: dict[str, Any], others: dict[str, dict[str, Any]]) -> Iterator[str]:
    if not _is_local(record):
        return
    ours, settings = _bleu(record), _settings(record)
    for name, other in others.items():
        theirs, apart = _bleu(other), settings.items() ^ _settings(other).items()
        unlike = {name for name, _ in apart if not name.startswith(_WINDOW)} - _UNIMPORTANT
        both = [f"{ours[on] - theirs[on]:+.2f} on {on}" for on in ours if on in theirs]
        if _is_local(other) or unlike - _NAMED.keys() or not both:
            continue
        sets = "this test set" if len(both) == 1 else "these test sets"
        found = f"Compared with `{name}`, which has a global window: BLEU {', '.join(both)}. They were compared on "
        found += f"{sets} only, with one run each."
        for one in sorted(unlike):
            found += f" They also differ in {_NAMED[one]}: {settings[one]} and {_settings(other)[one]}."
        yield found


def _is_local(record: dict[str, Any]) -> bool:
    attention = ModelConfig.from_json(record["model"]).attention
    return attention is not None and attention.window.is_local


def _settings(record: dict[str, Any]) -> dict[str, str]:
    """The settings of a model and its training, what it was trained on, and the form of its weights, by name."""
    about = record.get("about", {})
    weights = about.get("weights", "float16").partition(" (")[0]
    found = {"model": record["model"], "train": record["train"], "data": about.get("data", {}), "weights": weights}
    return dict(_flat(found))


def _flat(settings: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    for name, value in settings.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{name}.")
        else:
            yield prefix + name, str(value)


def _as_best(record: dict[str, Any], others: dict[str, dict[str, Any]]) -> Iterator[str]:
    """Where a model with "best" in its name is the best of the shipped models, and where it is not."""
    if "best" not in record["name"].split("-"):
        return
    pair = languages(record.get("about", {}))
    alike = {name: _bleu(other) for name, other in others.items() if languages(other.get("about", {})) == pair}
    for on, ours in _bleu(record).items():
        rivals = {name: scores[on] for name, scores in alike.items() if on in scores}
        if rivals:
            name = max(rivals, key=lambda name: rivals[name])
            more = ours - rivals[name]
            than = f"{abs(more):.2f} {'higher' if more >= 0 else 'lower'} than that of `{name}`"
            yield f"On {on}, its BLEU is {than}, the best of the others."
