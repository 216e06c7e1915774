"""Translation by the server, for pages that cannot run a model.

POST /translate   a JSON object with `model`, a name, and `request`; answers an Answer (browser/engine/types.d.ts)

Errors are as posts.py says.
"""

import json
from collections.abc import Mapping
from typing import Any

from starlette.responses import Response
from starlette.routing import Route

from app.service import cache
from app.service.posts import HEADERS, WorkQueue, named_model, post_route
from app.service.request import Request

# One request decodes at a time (cache.py); others meanwhile load their model or find their answer in the cache.
THREADS = 4
MOST_WAITING = 60  # two requests of each of 30 readers
MOST_BYTES = 50_000  # of a request: its longest text, with each letter as two escapes, takes 12,000


def routes() -> list[Route]:
    """The route above, with a queue of its own."""
    return [post_route("/translate", WorkQueue(THREADS, MOST_WAITING), MOST_BYTES, _translate)]


def _translate(_path: Mapping[str, str], body: dict[str, Any]) -> Response:
    model = named_model(body.get("model"))
    answer = cache.answer(model, Request.of(body.get("request")))
    return Response(json.dumps(answer, allow_nan=False), media_type="application/json", headers=HEADERS)
