"""Checkpoints: a folder with config.json, model.safetensors and a model card, for each kind of model. Never pickle.

A `Kind` defines how models of one kind are saved and loaded. Translators also have two vocabulary files.
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
from attn_core.files import CheckpointError, replacing
from attn_core.messages import _
from attn_core.models.config import ModelConfig
from attn_core.models.ensemble import Ensemble
from attn_core.models.folders import FORMAT, TRANSLATOR, find, not_registered, read_record
from attn_core.models.quantization import unpacked
from attn_core.models.recipe import Recipe, TrainConfig
from attn_core.models.translator import Translator
from attn_core.registry import Unregistered
from attn_core.registry import load as load_part


class Config(Protocol):
    """The interface of a kind's config."""

    def to_json(self) -> dict[str, Any]: ...


@dataclass(frozen=True)
class Kind:
    """How to save and load one kind of model. Each model has a `config`, a `name`, and its `kind`, a key of KINDS."""

    name: str
    config: Callable[[dict[str, Any]], Any]  # from config.json's "model"
    recipe: Callable[[dict[str, Any]], Recipe]  # from config.json's "train"
    build: Callable[[Any, str, Path], nn.Module]  # from a config, a name and the folder; its weights are then loaded
    files: tuple[str, ...] = ()  # other than config.json and model.safetensors
    write: Callable[[Any, Path], None] = lambda model, folder: None  # writes these files
    # Names of shared weights, each with the name under which the weight is saved.
    copies: Callable[[Any], dict[str, str]] = lambda config: {}


# The kinds by their name in config.json, imported when a model of the kind is first saved or loaded.
KINDS = {
    TRANSLATOR: "attn_core.models.checkpoint:OF_TRANSLATORS",
    "pointer": "attn_core.synthetic.pointer.net:KIND",
    "series": "attn_core.synthetic.forecasting.net:KIND",
}


def kind_named(name: str) -> Kind:
    """The Kind of this name. Raises CheckpointError for an unknown one."""
    if name not in KINDS:
        message = _("unknown kind of model {name!r}; this version supports: {kinds}")
        raise CheckpointError(message.format(name=name, kinds=", ".join(KINDS)))
    return cast(Kind, load_part(KINDS[name]))


def read_config(folder: Path, kind: str = TRANSLATOR) -> dict[str, Any]:
    """The contents of config.json: name, model (its config), train (its recipe) and about (scores and more).

    Raises CheckpointError if it cannot be read, or is of another kind.
    """
    path, record, known = folder / "config.json", read_record(folder, kind), kind_named(kind)
    try:
        return {
            "name": record["name"],
            "model": known.config(record["model"]),
            "train": known.recipe(record["train"]),
            "about": record["about"],
        }
    except Unregistered as error:
        raise not_registered(path, record["about"], error) from error
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError) as error:
        message = _("{path} is damaged or belongs to another project ({reason})")
        raise CheckpointError(message.format(path=path, reason=error)) from error


def save(model: nn.Module, recipe: Recipe, folder: Path, about: dict[str, Any] | None = None) -> None:
    """Save a model to `folder`, with weights in float16. `about` (data, hardware, scores) is stored in config.json.

    config.json is written last, so that a folder with a config.json is complete.
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
    """Load a trained model of one kind, in float32 and evaluation mode, by its name in `pretrained/` or its path.

    Raises CheckpointError for an unknown name, a model of another kind, and a damaged folder.
    """
    folder = find(name_or_path)
    config, known = read_config(folder, kind), kind_named(kind)
    for name in (*known.files, "model.safetensors"):
        if not (folder / name).is_file():
            raise CheckpointError(_("{folder} is incomplete: {name} is missing").format(folder=folder, name=name))
    try:
        with torch.device("meta"):
            model = known.build(config["model"], config["name"], folder)
        model.load_state_dict(_weights(folder, known.copies(config["model"])), assign=True)
    except CheckpointError:  # a shared vocabulary is missing
        raise
    except (OSError, ValueError, KeyError, TypeError, RuntimeError, SafetensorError) as error:
        reason = " ".join(str(error).split())[:200]
        message = _("{folder} is damaged: its files are inconsistent ({reason})")
        raise CheckpointError(message.format(folder=folder, reason=reason)) from error
    return model.eval().requires_grad_(False)


def _weights(folder: Path, copies: dict[str, str]) -> dict[str, Float[Tensor, "..."]]:
    """The weights in a folder, in float32. Raises ValueError for a weight that is not finite or lacks its scales."""
    weights = unpacked(load_file(folder / "model.safetensors"))
    invalid = [name for name, tensor in weights.items() if not tensor.isfinite().all()]
    if invalid:
        raise ValueError(_("{name} has entries that are not finite").format(name=invalid[0]))
    return weights | {name: weights[other] for name, other in copies.items()}


def load(name_or_path: str | Path) -> Translator:
    """Load a trained translator, in float32 and evaluation mode, by its name in `pretrained/` or its path.

    Names joined by "+" give an Ensemble. Raises CheckpointError for an unknown name and for a folder that is damaged or
    belongs to another project, and ValueError for models that cannot form an ensemble.
    """
    if "+" in str(name_or_path) and not Path(name_or_path).exists():
        return Ensemble([load(name) for name in str(name_or_path).split("+")])
    model = cast(Translator, read(name_or_path, TRANSLATOR))
    model.folder = find(name_or_path)
    return model


def _translator(config: ModelConfig, name: str, folder: Path) -> Translator:
    source, target = (Tokenizer.load(folder / f"{side}.json") for side in ("source", "target"))
    model = Translator(config.set({"init": "none"}), source, target, name)
    model.config = model.trained = config
    return model


def _copies(config: ModelConfig) -> dict[str, str]:
    """Weights shared with the target embeddings: the tied output layer, and shared source embeddings."""
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
