"""What the Training page asks for while it follows a training, and the requests of its buttons.

GET  /training/list                       the trainings and their states, and whether this reader may start one
GET  /training/record?name=...&stamp=...  status, and what was recorded if it has another stamp
POST /training/{start, pause, resume, stop}   a JSON object with task and preset, or with name

Only a browser on this machine may send the last ones, since a training uses its processor and its disk, and only if the
dashboard was started for it: a proxy on this machine that adds no header of its own cannot be told from a browser.
"""

import ipaddress
import json
import logging
import os
from typing import Any
from urllib.parse import urlsplit

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from app.lab.training import control
from app.lab.training.runs import trainings
from attn_core.files import parse_json
from attn_core.messages import N_, _, visible
from attn_core.training import in_progress

SWITCH = "ATTN_TRAINING"  # the environment variable that `make app TRAINING=1` and `attn-core app --training` set to 1
# What browsers send, beside headers that start with "accept" and "sec-". Proxies add others, each product its own.
_BROWSER_HEADERS = {
    *("cache-control", "connection", "content-length", "content-type", "cookie", "dnt", "host", "if-modified-since"),
    *("if-none-match", "keep-alive", "origin", "pragma", "priority", "purpose", "referer", "save-data", "te"),
    *("transfer-encoding", "upgrade-insecure-requests", "user-agent"),
}
_LARGEST = 2000  # bytes of a request
_ELSEWHERE = N_("Training runs can only be started and stopped on the computer that runs the dashboard.")
_OFF = N_(
    "Training from this page is off. To turn it on, start the dashboard with “make app TRAINING=1” or "
    "“attn-core app --training”."
)
_NEVER_KEPT = {"Cache-Control": "no-store"}
_LOG = logging.getLogger(__name__)


def routes() -> list[Route]:
    """The routes above."""
    return [
        Route("/training/list", _list),
        Route("/training/record", _record),
        Route("/training/{act}", _act, methods=["POST"]),
    ]


def refusal(request: Request) -> str | None:
    """Why the sender of a request may not start and stop trainings; None if it may."""
    if os.environ.get(SWITCH) != "1":
        return _(_OFF)
    return None if from_this_machine(request) else _(_ELSEWHERE)


def from_this_machine(request: Request) -> bool:
    """Whether a browser on this machine has sent the request directly to this server, not through a proxy."""
    client = request.client.host if request.client else ""
    name = urlsplit(f"//{request.headers.get('host', '')}").hostname or ""
    return _is_loopback(client) and _is_loopback(name) and all(map(_is_of_browsers, request.headers))


def _is_of_browsers(header: str) -> bool:
    return header in _BROWSER_HEADERS or header.startswith(("accept", "sec-"))


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    return (mapped or address).is_loopback


def _from_own_page(request: Request) -> bool:
    """Whether the page that sent the request is one of this server: other sites can send requests too."""
    return urlsplit(request.headers.get("origin", "")).netloc == request.headers.get("host")


class _Answer(JSONResponse):
    """JSON in ASCII: a file may contain half a surrogate pair, which UTF-8 cannot encode."""

    def render(self, content: Any) -> bytes:
        return json.dumps(content, allow_nan=False, separators=(",", ":")).encode("ascii")


def _list(request: Request) -> Response:
    refused = refusal(request)
    may = refused is None and in_progress.CAN_LOCK
    answer = {
        "trainings": [
            {"name": training.name, "state": training.state, "own": training.own, "reason": training.reason}
            for training in trainings().values()
        ],
        "may": may,
        "refusal": refused,
        "starting": control.starting(),
        "failure": control.failure() if may else None,
    }
    return _Answer(answer, headers=_NEVER_KEPT)


def _record(request: Request) -> Response:
    training = trainings().get(request.query_params.get("name", ""))
    if training is None:
        return _refused(_("There is no such training run."), 404)
    stamp = training.stamp
    answer: dict[str, Any] = {"state": training.state, "stamp": stamp}
    if training.state == "training":
        answer["status"] = in_progress.status(training.folder)
    if stamp != request.query_params.get("stamp"):
        try:
            answer["record"] = training.record()
        except (OSError, ValueError) as error:
            _LOG.warning("%s", error)
            return _refused(visible(str(error)), 422)
    return _Answer(answer, headers=_NEVER_KEPT)


async def _act(request: Request) -> Response:
    if reason := refusal(request):
        return _refused(reason, 403)
    if not _from_own_page(request):
        return _refused(_("This request comes from a page of another site."), 403)
    try:
        text = b""
        async for part in request.stream():
            text += part
            if len(text) > _LARGEST:
                return _refused(_("The request is too long."), 413)
        answer = await run_in_threadpool(_do, request.path_params["act"], parse_json(text))
    except (control.Refused, ValueError) as error:
        return _refused(str(error), 409 if isinstance(error, control.Refused) else 400)
    except OSError as error:
        return _refused(visible(str(error)), 409)
    return _Answer(answer, headers=_NEVER_KEPT)


def _do(act: str, body: Any) -> dict[str, Any]:
    if act == "start":
        return {"name": control.start(_text(body, "task"), _text(body, "preset"))}
    acts = {"pause": control.pause, "resume": control.resume, "stop": control.stop}
    if act not in acts:
        raise ValueError(_("unknown action"))
    name = _text(body, "name")
    acts[act](name)
    return {"name": name}


def _text(body: Any, name: str) -> str:
    """The field `name` of a request. Raises ValueError unless it is text."""
    value = body.get(name) if isinstance(body, dict) else None
    if not isinstance(value, str):
        raise ValueError(_("the request must be a JSON object with the text “{name}”").format(name=name))
    return value


def _refused(reason: str, status: int) -> Response:
    return _Answer({"error": reason}, status, headers=_NEVER_KEPT)
