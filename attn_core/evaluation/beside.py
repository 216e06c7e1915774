"""How a model's test scores compare with those of the models in the same folder, for its card."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from attn_core.files import CheckpointError
from attn_core.models.about import languages, place, tests_of
from attn_core.models.folders import TRANSLATOR, read_record


def compared(record: dict[str, Any], folder: Path) -> list[str]:
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
    return {place(test): test["bleu"] for test in tests_of(record.get("about", {})) if "bleu" in test}


def _with_global(record: dict[str, Any], others: dict[str, dict[str, Any]]) -> Iterator[str]:
    for window in ("local-m", "local-p"):
        if window not in record["name"].split("-", 1)[-1]:
            continue
        names = (record["name"].replace(window, "global"), record["name"].replace(f"-{window}", ""))
        for name in names:
            if name in others:
                ours, theirs = _bleu(record), _bleu(others[name])
                both = [f"{ours[on] - theirs[on]:+.2f} on {on}" for on in ours if on in theirs]
                sets = "this test set" if len(both) == 1 else "these test sets"
                if both:
                    yield (
                        f"Compared with `{name}`, which has a global window: BLEU {', '.join(both)}. They were "
                        f"compared on {sets} only, with one run each."
                    )
                return


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
