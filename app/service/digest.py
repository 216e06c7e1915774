"""A digest of a model's files: data that were computed in advance are shown only for the model they were made from."""

import hashlib
import json
from functools import lru_cache
from pathlib import Path

from attn_core.files import parse_json, read_bytes

_WEIGHTS = "model.safetensors"
_CONFIG = "config.json"


def digest(folder: Path) -> str:
    """A digest of everything that a model's outputs depend on; the card in config.json is left out.

    It is empty where the weights or the settings are missing or cannot be read.
    """
    try:
        return _digest(folder, *((folder / name).stat().st_mtime_ns for name in (_CONFIG, _WEIGHTS)))
    except (OSError, ValueError, KeyError, TypeError):
        return ""


@lru_cache(maxsize=64)
def _digest(folder: Path, _settings_written: int, _weights_written: int) -> str:
    names = [name for name in (_WEIGHTS, "source.json", "target.json") if (folder / name).is_file()]
    parts = [read_bytes(folder / name) for name in names]
    config = parse_json(read_bytes(folder / _CONFIG), finite=False)["model"]
    parts.append(json.dumps(config, sort_keys=True).encode())
    return hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in parts)).hexdigest()
