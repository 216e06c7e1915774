"""A model on disk: a folder with config.json, model.safetensors and a card, for every kind of model. Never pickle.

A `Kind` says how the models of one kind are made. Translators have two more files, their vocabularies.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, cast

import torch
from jaxtyping import Float
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from attn_core.data.tokenizer import Tokenizer, save_both
from attn_core.files import FORMAT, TRANSLATOR, CheckpointError, find, read_record, replacing
from attn_core.models.config import ModelConfig
from attn_core.models.ensemble import Ensemble
from attn_core.models.recipe import Recipe, TrainConfig
from attn_core.models.translator import Translator
from attn_core.registry import load as load_part


class Config(Protocol):
    """What a kind's config must be able to do."""

    def to_json(self) -> dict[str, Any]: ...


@dataclass(frozen=True)
class Kind:
    """Models of one kind. A model has a `config`, a `name`, and the `kind` under which KINDS has this object."""

    name: str
    config: Callable[[dict[str, Any]], Any]  # from config.json's "model"
    recipe: Callable[[dict[str, Any]], Recipe]  # from config.json's "train"
    build: Callable[[Any, str, Path], nn.Module]  # from a config, a name and the folder; its weights are replaced
    files: tuple[str, ...] = ()  # beside config.json and model.safetensors
    write: Callable[[Any, Path], None] = lambda model, folder: None  # writes these files of a model
    # Names of weights that are another weight once more, which has the other name; they are not in the file.
    copies: Callable[[Any], dict[str, str]] = lambda config: {}


# Where the kinds are, by the name in config.json; loaded when the first model of a kind is saved or loaded.
KINDS = {
    TRANSLATOR: "attn_core.models.checkpoint:OF_TRANSLATORS",
    "pointer": "attn_core.synthetic.pointer.net:KIND",
    "series": "attn_core.synthetic.forecasting.net:KIND",
}


def kind_named(name: str) -> Kind:
    """The Kind of this name. Raises CheckpointError for an unknown one."""
    if name not in KINDS:
        raise CheckpointError(f"there are no models of kind {name!r}; this version knows: {', '.join(KINDS)}")
    return cast(Kind, load_part(KINDS[name]))


def read_config(folder: Path, kind: str = TRANSLATOR) -> dict[str, Any]:
    """config.json: name, model (its config), train (its recipe) and about (scores and more).

    Raises CheckpointError when it cannot be read, or is of another kind.
    """
    path, record, known = folder / "config.json", read_record(folder, kind), kind_named(kind)
    try:
        return {
            "name": str(record["name"]),
            "model": known.config(record["model"]),
            "train": known.recipe(record["train"]),
            "about": dict(record.get("about", {})),
        }
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError) as error:
        raise CheckpointError(f"{path} is damaged or belongs to another project ({error})") from error


def save(model: nn.Module, recipe: Recipe, folder: Path, about: dict[str, Any] | None = None) -> None:
    """Write the model to `folder`, weights in float16. `about` goes into config.json: data, hardware, scores.

    The weights go first and config.json last, so that a folder with a config.json is complete.
    """
    kind, config = kind_named(cast(str, model.kind)), cast(Config, model.config)
    left_out = kind.copies(config)
    weights = {
        name: tensor.detach().half().contiguous() for name, tensor in model.state_dict().items() if name not in left_out
    }
    with replacing(folder / "model.safetensors") as part:
        save_file(weights, part)
    kind.write(model, folder)
    record: dict[str, Any] = {"format": FORMAT}
    if kind.name != TRANSLATOR:
        record["kind"] = kind.name
    record |= {"name": model.name, "model": config.to_json(), "train": recipe.to_json(), "about": about or {}}
    with replacing(folder / "config.json") as part:
        part.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", "utf-8")


def read(name_or_path: str | Path, kind: str) -> nn.Module:
    """A trained model of one kind, float32 and in evaluation mode, by its name in `pretrained/` or its folder's path.

    Raises CheckpointError for an unknown name, a model of another kind, and a folder that is damaged.
    """
    folder = find(name_or_path)
    config, known = read_config(folder, kind), kind_named(kind)
    for name in (*known.files, "model.safetensors"):
        if not (folder / name).is_file():
            raise CheckpointError(f"{folder} is incomplete: {name} is missing")
    try:
        with torch.device("meta"):
            model = known.build(config["model"], config["name"], folder)
        model.load_state_dict(_weights(folder, known.copies(config["model"])), assign=True)
    except (OSError, ValueError, KeyError, TypeError, RuntimeError, SafetensorError) as error:
        reason = " ".join(str(error).split())[:200]
        raise CheckpointError(f"{folder} is damaged: its files do not fit each other ({reason})") from error
    return model.eval().requires_grad_(False)


def _weights(folder: Path, copies: dict[str, str]) -> dict[str, Float[Tensor, "..."]]:
    """The weights in a folder, in float32. Raises ValueError for one with entries that are not finite."""
    weights = {name: tensor.float() for name, tensor in load_file(folder / "model.safetensors").items()}
    strange = [name for name, tensor in weights.items() if not tensor.isfinite().all()]
    if strange:
        raise ValueError(f"{strange[0]} has entries that are not finite")
    return weights | {name: weights[other] for name, other in copies.items()}


def load(name_or_path: str | Path) -> Translator:
    """A trained translator, float32 and in evaluation mode, by its name in `pretrained/` or the path of its folder.

    Names with "+" between them are models that translate together: see Ensemble. Raises CheckpointError for an unknown
    name, and for a folder that is damaged or belongs to another project; ValueError for models that do not go together.
    """
    if "+" in str(name_or_path) and not Path(name_or_path).exists():
        return Ensemble([load(name) for name in str(name_or_path).split("+")])
    return cast(Translator, read(name_or_path, TRANSLATOR))


def _translator(config: ModelConfig, name: str, folder: Path) -> Translator:
    source, target = (Tokenizer.load(folder / f"{side}.json") for side in ("source", "target"))
    model = Translator(config.set({"init": "none"}), source, target, name)
    model.config = model.trained = config
    return model


def _copies(config: ModelConfig) -> dict[str, str]:
    """The target embeddings appear once more in the output layer, and where both languages share theirs."""
    names = ["decoder.output.weight"] * config.tied + ["encoder.embed.weight"] * config.shared
    return dict.fromkeys(names, "decoder.embed.weight")


OF_TRANSLATORS = Kind(
    TRANSLATOR,
    ModelConfig.from_json,
    TrainConfig.from_json,
    _translator,
    files=("source.json", "target.json"),
    write=lambda model, folder: save_both(model.source, model.target, folder),
    copies=_copies,
)
