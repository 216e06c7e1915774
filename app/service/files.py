"""The files of the shipped models over HTTP, so that a page can translate by itself.

/model/NAME/STAMP/record.json          graphs, vocabularies and rules (web/model_files.py)
/model/NAME/STAMP/model.safetensors    the weights

An address changes with the model's files, so that browsers may keep what they have fetched.
"""

import json
import logging
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import Route

from app.service.catalogue import Shipped, catalogue
from app.service.view import View
from attn_core.web.model_files import GRAPHS, WEIGHTS, model_files

_LOG = logging.getLogger(__name__)
_RECORD = "record.json"
# Weights hardly get smaller, and Streamlit would compress them again for every reader: a fifth of a second each.
_AS_THEY_ARE = {"Content-Encoding": "identity"}
_HEADERS = {"Cache-Control": "public, max-age=31536000, immutable", "X-Content-Type-Options": "nosniff"}


def engine(model: Shipped, view: View) -> dict[str, Any] | None:
    """What the player needs to decode `view` in the page; None if the model is not exported for the browser.

    Sampled attention is decoded by the server, whose samples others see too.
    """
    attention = model.config.attention
    kind = view.attention_type or (attention.type if attention else "soft")
    version = _version(model)
    if kind == "hard-sample" or version is None:
        return None
    request = {"text": view.text, "beam": view.beam, "replace_unk": view.replace_unk, "type": kind}
    addresses = {"record": _RECORD, "weights": WEIGHTS}
    return {name: f"/model/{model.name}/{version}/{file}" for name, file in addresses.items()} | {"request": request}


def routes() -> list[Route]:
    """The routes of the addresses above."""
    return [Route("/model/{name}/{version}/{file}", _answer)]


def _version(model: Shipped) -> str | None:
    """A text that changes with the model's files; None if it is not exported for the browser."""
    path = model.folder / GRAPHS
    if not path.is_file():
        return None
    return sha256(f"{model.stamp}-{path.stat().st_mtime_ns}".encode()).hexdigest()[:16]


def _answer(request: Request) -> Response:
    name, version, file = (request.path_params[part] for part in ("name", "version", "file"))
    model = catalogue()[0].get(name)
    if model is None or file not in (_RECORD, WEIGHTS) or version != _version(model):
        return PlainTextResponse("There is no such file.\n", 404)
    if file == WEIGHTS:
        headers = _HEADERS | _AS_THEY_ARE
        return FileResponse(model.folder / WEIGHTS, media_type="application/octet-stream", headers=headers)
    try:
        return Response(_record(model.folder, version), media_type="application/json", headers=_HEADERS)
    except ValueError as error:  # CheckpointError
        _LOG.warning("%s", error)
        return PlainTextResponse(f"{error}\n", 500)


@lru_cache(maxsize=16)
def _record(folder: Path, _version: str) -> bytes:
    return json.dumps(model_files(folder).record, ensure_ascii=False, separators=(",", ":")).encode()
