"""The files of the shipped models over HTTP, so that a page can translate by itself.

/model/NAME/STAMP/record.json          graphs, vocabularies and rules (export/model_files.py)
/model/NAME/STAMP/model.safetensors    the weights
/model/NAME/STAMP/files.json           the size and digest of both: a page keeps only a file that has them

An address changes with the model's files, so that browsers may keep what they have fetched.
"""

import json
import logging
from collections.abc import Mapping
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from app.service.catalogue import catalogue
from attn_core.export.model_files import AS_THEY_ARE, GRAPHS, HEADERS, LIST, WEIGHTS, model_files, sized
from attn_core.files import read_bytes
from attn_core.models import folders

Addresses = Mapping[str, Mapping[str, str]]  # by model: of "record" and "weights"
_LOG = logging.getLogger(__name__)
_RECORD = "record.json"


def addresses() -> Addresses:
    """The addresses of the files of each shipped model that is exported for the browser."""
    return {name: _addresses(name, version) for name in _names() if (version := _version(folders.find(name)))}


def _names() -> list[str]:
    return [*catalogue()[0], *folders.shipped("pointer"), *folders.shipped("series")]


def _addresses(name: str, version: str) -> dict[str, str]:
    return {part: f"/model/{name}/{version}/{file}" for part, file in (("record", _RECORD), ("weights", WEIGHTS))}


def routes() -> list[Route]:
    """The routes of the addresses above."""
    return [Route("/model/{name}/{version}/{file}", _answer)]


def _version(folder: Path) -> str | None:
    """A text that changes with the model's files; None if it is not exported for the browser."""
    if not (folder / GRAPHS).is_file():
        return None
    stamps = [file.stat().st_mtime_ns for name in ("config.json", WEIGHTS, GRAPHS) if (file := folder / name).is_file()]
    return sha256(repr(stamps).encode()).hexdigest()[:16]


def _answer(request: Request) -> Response:
    name, version, file = (request.path_params[part] for part in ("name", "version", "file"))
    folder = folders.find(name) if name in _names() else None
    if folder is None or file not in (_RECORD, WEIGHTS, LIST) or version != _version(folder):
        return PlainTextResponse("There is no such file.\n", 404)
    if file == WEIGHTS:
        headers = HEADERS | AS_THEY_ARE
        return FileResponse(folder / WEIGHTS, media_type="application/octet-stream", headers=headers)
    try:
        if file == LIST:
            return JSONResponse(_listed(folder, version), headers={"Cache-Control": "no-cache"})
        return Response(_record(folder, version), media_type="application/json", headers=HEADERS)
    except ValueError as error:  # CheckpointError
        _LOG.warning("%s", error)
        return PlainTextResponse(f"{error}\n", 500)


@lru_cache(maxsize=64)
def _listed(folder: Path, version: str) -> dict[str, tuple[int, str]]:
    return {_RECORD: sized(_record(folder, version)), WEIGHTS: sized(read_bytes(folder / WEIGHTS))}


@lru_cache(maxsize=16)
def _record(folder: Path, _version: str) -> bytes:
    return json.dumps(model_files(folder).record, ensure_ascii=False, separators=(",", ":")).encode()
