"""What the routes have in common that compute something for a page: POST with a JSON object.

Each answers with a file or JSON, or else with a status and one line of plain text for the reader:

400  the request is not what the route expects, or asks for settings that the model cannot have
404  there is no such model or kind of file
409  the model's files cannot be used
413  the request is too long
500  the computation failed; the error is in the dashboard's log
503  too many requests wait already
"""

import asyncio
import logging
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from app.service.catalogue import Shipped, catalogue
from attn_core.files import CheckpointError, parse_json
from attn_core.messages import _, visible

HEADERS = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}
_GONE = 499  # the status in the log of a client that has closed the connection
_LOG = logging.getLogger(__name__)


class Refused(Exception):
    """A request that is not answered: the line for the reader, and the status."""

    def __init__(self, reason: str, status: int):
        super().__init__(reason)
        self.status = status


class WorkQueue:
    """Computes at most `threads` answers at a time, in threads; at most `most_waiting` others wait for their turn."""

    def __init__(self, threads: int, most_waiting: int):
        self._pool = ThreadPoolExecutor(threads)
        self._turns = asyncio.Semaphore(threads)
        self._most_waiting = most_waiting
        self._waiting = 0

    async def run(self, request: Request, compute: Callable[[], Response]) -> Response:
        """The result of `compute`. Raises Refused when too many wait, or when the client has gone meanwhile."""
        if self._waiting >= self._most_waiting:
            busy = _("The server is busy: {n} requests are waiting already. Try again in a moment.")
            raise Refused(busy.format(n=self._waiting), 503)
        self._waiting += 1
        try:
            await self._turns.acquire()
        finally:
            self._waiting -= 1
        try:
            if await request.is_disconnected():
                raise Refused("", _GONE)
            return await asyncio.get_running_loop().run_in_executor(self._pool, compute)
        finally:
            self._turns.release()


def post_route(
    path: str, queue: WorkQueue, most_bytes: int, answer: Callable[[Mapping[str, str], dict[str, Any]], Response]
) -> Route:
    """A route for POST. `answer` gets the parameters of the path and the request's JSON object, and runs in a thread.

    It raises Refused, CheckpointError (status 409), or ValueError (400).
    """

    async def endpoint(request: Request) -> Response:
        try:
            body = await _json_object(request, most_bytes)
            return await queue.run(request, partial(answer, request.path_params, body))
        except (Refused, ClientDisconnect) as error:
            return _line(str(error), getattr(error, "status", _GONE))
        except (CheckpointError, OSError) as error:
            _LOG.warning("%s", error)
            return _line(str(error), 409)
        except ValueError as error:
            _LOG.warning("%s", error)
            return _line(str(error), 400)
        except Exception:  # noqa: BLE001  a visitor must not meet a traceback
            _LOG.exception("POST %s failed", request.url.path)
            failed = _("Something went wrong on the server. The error is in the terminal where it was started.")
            return _line(failed, 500)

    return Route(path, endpoint, methods=["POST"])


def named_model(name: Any) -> Shipped:
    """The model of that name in the catalogue. Raises Refused if there is none."""
    models = catalogue()[0]
    if not isinstance(name, str) or name not in models:
        raise Refused(_("There is no model “{name}” here.").format(name=visible(f"{name!s:.60}")), 404)
    return models[name]


async def _json_object(request: Request, most_bytes: int) -> dict[str, Any]:
    """The body of a request. Raises Refused where it is too long, and ValueError where it is not a JSON object."""
    text = bytearray()
    async for part in request.stream():
        text += part
        if len(text) > most_bytes:
            raise Refused(_("The request is too long."), 413)
    body = parse_json(bytes(text))
    if not isinstance(body, dict):
        raise ValueError(_("The request must be a JSON object."))
    return body


def _line(text: str, status: int) -> Response:
    return PlainTextResponse(f"{visible(text)}\n", status, HEADERS)
