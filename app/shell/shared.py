"""Serve the site, share links and QR codes to other machines: `make app HOST=0.0.0.0`.

/site/...           the static site, so that a hundred readers need file downloads, not dashboard sessions
/share.json         the address under which others reach this server, and the site's pages
/share.svg?to=...   an address as a QR code
"""

import ipaddress
import os
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import streamlit as st
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from app.shell.hosts import HOSTS
from app.shell.pages import EXPLORER, labs
from app.shell.qr import svg
from attn_core.export.model_files import AS_THEY_ARE, HEADERS
from attn_core.messages import _, print_text

SITE = Path(__file__).parents[2] / "site"  # where `make site` and `make app HOST=...` write it
LONGEST_ADDRESS = 1000  # characters of an address as a QR code; longer ones make it too dense for a camera
_ELSEWHERE = "192.0.2.1"  # an address reserved for documentation (RFC 5737): nothing is sent to it


def routes() -> list[BaseRoute]:
    """The routes above; none if only this machine can reach the server."""
    if not open_to_others():
        return []
    site = [Mount("/site", _Site(directory=SITE, html=True))] if SITE.is_dir() else []
    places = (EXPLORER, *labs()) if site else ()
    pages = [place.path for place in places if (SITE / f"{place.path or 'index'}.html").is_file()]
    return [*site, Route("/share.json", lambda _request: _share(pages)), Route("/share.svg", _qr_code)]


class _Site(StaticFiles):
    """The site; its models' addresses change with their contents, and weights hardly compress."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        if path.startswith("models") and response.status_code == 200:
            response.headers.update(HEADERS | (AS_THEY_ARE if path.endswith(".safetensors") else {}))
        return response


@asynccontextmanager
async def announced(_app: Any) -> AsyncIterator[None]:
    """Print the address for others when the server starts."""
    if open_to_others():
        address = f"{origin()}{'/site/' if SITE.is_dir() else ''}"
        print_text(_("Others can open {address}").format(address=address) + "\n")
    yield


def open_to_others() -> bool:
    """Whether the server listens at an address that other machines can reach."""
    listens = st.get_option("server.address") or "0.0.0.0"  # without one, Streamlit listens everywhere
    try:
        return not ipaddress.ip_address(listens).is_loopback
    except ValueError:
        return bool(listens != "localhost")


def quiz() -> str:
    """The address of the quiz for others, on the site if it is there; empty if only this machine can open it."""
    if not open_to_others():
        return ""
    return f"{origin()}/site/quiz.html" if (SITE / "quiz.html").is_file() else f"{origin()}/quiz"


def origin() -> str:
    """Scheme, name and port under which others reach this server: the first of HOSTS, or its network address."""
    name = os.environ.get(HOSTS, "").split(",")[0].strip() or _address()
    return f"http://{f'[{name}]' if ':' in name else name}:{st.get_option('server.port')}"


def _address() -> str:
    listens = st.get_option("server.address") or "0.0.0.0"
    if listens not in ("0.0.0.0", "::"):
        return _numeric(str(listens))
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((_ELSEWHERE, 9))
        except OSError:  # no network
            return "127.0.0.1"
        return str(probe.getsockname()[0])


def _numeric(name: str) -> str:
    """The IP address of a name: requests for another name of the machine are refused (hosts.py)."""
    try:
        return socket.gethostbyname(name) if ":" not in name else name
    except OSError:
        return name


def _share(pages: list[str]) -> Response:
    return JSONResponse({"origin": origin(), "pages": pages}, headers={"Cache-Control": "no-store"})


def _qr_code(request: Request) -> Response:
    to = request.query_params.get("to", "")
    if not to.startswith(("http://", "https://")) or not to.isascii() or len(to) > LONGEST_ADDRESS:
        return PlainTextResponse(
            f"`to` must be an http(s) address of at most {LONGEST_ADDRESS} ASCII characters.\n", 400
        )
    headers = {"X-Content-Type-Options": "nosniff"}
    return Response(svg(to), media_type="image/svg+xml", headers=headers)
