"""Models of synthetic data (pointer networks, forecasters): their kinds, evaluation and model cards.

The package of each kind has RECIPES, `learn`, `load` and `report`, and for the cards TASK, ABOUT, MEASURES and
`example`.
"""

import json
from pathlib import Path
from types import ModuleType
from typing import Any, cast

from attn_core.evaluation import hub_header
from attn_core.files import CheckpointError, check_file, replacing
from attn_core.models.folders import TRANSLATOR, find, kind_of, pretrained, read_record
from attn_core.models.own_files import is_card
from attn_core.models.presets import PRESETS
from attn_core.registry import load

# The package of each kind, imported when a model of that kind is trained or measured.
KINDS = {"pointer": "attn_core.synthetic.pointer", "series": "attn_core.synthetic.forecasting"}


def package(kind: str) -> ModuleType:
    """The package of a kind, a key of KINDS."""
    return cast(ModuleType, load(KINDS[kind]))


def every_preset() -> dict[str, tuple[Any, Any]]:
    """Config and recipe of every preset by name: those of translators, and the recipes of the packages of KINDS."""
    return dict(PRESETS) | {name: one for kind in KINDS for name, one in package(kind).RECIPES.items()}


def maker(preset: str) -> ModuleType | None:
    """The package with a recipe called `preset`, or None."""
    return next((found for found in map(package, KINDS) if preset in found.RECIPES), None)


def report(name_or_path: str | Path, **options: Any) -> dict[str, Any]:
    """A model's measures on held-out data: `headline`, one line, and `rows`, a list of named numbers.

    A number is None where the measure is undefined: an area with too many invalid outputs, an input too long for the
    model. Options are those of the `report` of the model's kind. Raises CheckpointError for other kinds of models.
    """
    folder = find(name_or_path)
    kind = kind_of(folder)
    if kind == TRANSLATOR:
        raise CheckpointError(f"{folder.name} is a translator; measure it with `evaluate`")
    if kind not in KINDS:
        raise CheckpointError(f"{folder.name} is a model of kind {kind}; expected one of: {', '.join(KINDS)}")
    module = package(kind)
    return module.report(module.load(folder), **options)


def write_card(name_or_path: str | Path, found: dict[str, Any], force: bool) -> Path:
    """Write the result of `report` into the model's config.json, write its card, and return the card's path.

    Raises Unreplaceable for a README.md that is no card, unless `force` is set.
    """
    folder = find(name_or_path)
    check_file(folder / "README.md", is_card, force)
    record = read_record(folder, kind_of(folder))
    record["about"]["test"] = found
    try:
        text = card(record, folder)
    except KeyError as error:
        raise CheckpointError(f"{folder / 'config.json'} lacks {error}, which the card needs") from error
    with replacing(folder / "config.json") as part:
        part.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", "utf-8")
    with replacing(folder / "README.md") as part:
        part.write_text(text, "utf-8")
    return folder / "README.md"


def card(record: dict[str, Any], folder: Path) -> str:
    """The text of a model's card from its config.json."""
    module, about = package(record["kind"]), record["about"]
    test = about["test"]
    name = folder.resolve().name
    where = name if folder.resolve().parent == pretrained().resolve() else f"path/to/{name}"
    sets = " ".join(f"--set {key}={value}" for key, value in about.get("settings", {}).items())
    trained = f"python -m attn_core train {about['preset']} --out runs/{name} {sets}".rstrip()
    size = (folder / "model.safetensors").stat().st_size
    note = f" {about['note']}" if "note" in about else ""
    task = {"type": module.TASK, "name": about["preset"]}
    lines = [
        hub_header.header(hub_header.synthetic(name, task, test, ["synthetic-data"])) + f"# {name}",
        "",
        f"{test['headline']}.",
        "",
        module.ABOUT,
        "",
        f"Trained on {about['examples']:,} synthetic examples, each seen once; {size / 1e3:.0f} kB of float16 weights."
        f"{note} To train it again:",
        "",
        "```sh",
        trained,
        f"python -m attn_core measure runs/{name} --card",
        "```",
        "",
        "## Measures",
        "",
        f"On {test['examples']:,} held-out examples. {module.MEASURES}",
        "",
        *_table(test["rows"]),
        "",
        "```python",
        module.example(record["model"]).replace("NAME", where),
        "```",
        "",
    ]
    return "\n".join(lines)


def _table(rows: list[dict[str, Any]]) -> list[str]:
    heads = list(rows[0])
    body = [" | ".join(cell(row[head]) for head in heads) for row in rows]
    return [f"| {' | '.join(heads)} |", f"|{'---|' * len(heads)}", *(f"| {line} |" for line in body)]


def cell(value: Any) -> str:
    """A number as printed in tables."""
    return "FAIL" if value is None else f"{value:.4f}" if isinstance(value, float) else str(value)
