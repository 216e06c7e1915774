"""A model on disk: a folder with config.json, model.safetensors, source.json, target.json and a card. Never pickle."""

import json
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file

from attn_core.data.tokenizer import Tokenizer, save_both
from attn_core.files import FORMAT, TRANSLATOR, CheckpointError, find, read_record, replacing
from attn_core.models.config import ModelConfig
from attn_core.models.ensemble import Ensemble
from attn_core.models.recipe import TrainConfig
from attn_core.models.translator import Translator


def read_config(folder: Path) -> dict[str, Any]:
    """config.json: format, name, model, train and scores. Raises CheckpointError when it cannot be read."""
    path, record = folder / "config.json", read_record(folder, TRANSLATOR)
    try:
        return {
            "name": str(record["name"]),
            "model": ModelConfig.from_json(record["model"]),
            "train": TrainConfig.from_json(record["train"]),
            "about": dict(record.get("about", {})),
        }
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError) as error:
        raise CheckpointError(f"{path} is damaged or of another project ({error})") from error


def save(model: Translator, recipe: TrainConfig, folder: Path, about: dict[str, Any] | None = None) -> None:
    """Write the model to `folder`, weights in float16. `about` goes into config.json: data, hardware, scores.

    The weights go first and config.json last, so that a folder with a config.json is complete.
    """
    weights = {name: tensor.detach().half().contiguous() for name, tensor in model.state_dict().items()}
    for name in _copies(model.config):
        del weights[name]
    with replacing(folder / "model.safetensors") as part:
        save_file(weights, part)
    save_both(model.source, model.target, folder)
    record = {
        "format": FORMAT,
        "name": model.name,
        "model": model.config.to_json(),
        "train": recipe.to_json(),
        "about": about or {},
    }
    with replacing(folder / "config.json") as part:
        part.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", "utf-8")


def _copies(config: ModelConfig) -> list[str]:
    """Names under which the target embeddings appear once more."""
    return ["decoder.output.weight"] * config.tied + ["encoder.embed.weight"] * config.shared


def load(name_or_path: str | Path) -> Translator:
    """A trained model, in float32 and in evaluation mode, by its name in `pretrained/` or the path of its folder.

    Names with "+" between them are models that translate together: see Ensemble. Raises CheckpointError for an unknown
    name, and for a folder that is damaged or of another project; ValueError for models that do not go together.
    """
    if "+" in str(name_or_path) and not Path(name_or_path).exists():
        return Ensemble([load(name) for name in str(name_or_path).split("+")])
    folder = find(name_or_path)
    config = read_config(folder)
    for name in ("source.json", "target.json", "model.safetensors"):
        if not (folder / name).is_file():
            raise CheckpointError(f"{folder} is incomplete: {name} is missing")
    try:
        source, target = (Tokenizer.load(folder / f"{side}.json") for side in ("source", "target"))
        with torch.device("meta"):
            model = Translator(ModelConfig.from_json(config["model"].to_json() | {"init": "none"}), source, target)
        weights = {name: tensor.float() for name, tensor in load_file(folder / "model.safetensors").items()}
        strange = [name for name, tensor in weights.items() if not tensor.isfinite().all()]
        if strange:
            raise ValueError(f"{strange[0]} has entries that are not finite")
        weights |= dict.fromkeys(_copies(config["model"]), weights["decoder.embed.weight"])
        model.load_state_dict(weights, assign=True)
    except (OSError, ValueError, KeyError, TypeError, RuntimeError, SafetensorError) as error:
        reason = " ".join(str(error).split())[:200]
        raise CheckpointError(f"{folder} is damaged: its files do not fit each other ({reason})") from error
    model.config = model.trained = config["model"]
    model.name = config["name"]
    return model.eval().requires_grad_(False)
