"""Answer only requests that name this dashboard, so that no page of another site can reach it.

The owner of a site can let its name point at this machine (DNS rebinding). The visitor's browser then takes the
dashboard for a part of that site, and lets the site's pages read it. But it sends the site's name as Host.
"""

import ipaddress
import logging
import os

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from attn_core.messages import _

HOSTS = "HOSTS"  # the environment variable: names with commas between them
MISDIRECTED = 421  # the status of a request that this server does not answer
_LOG = logging.getLogger(__name__)


class HostCheck:
    """An ASGI application in front of `app`: lets requests and websockets through whose Host is `served`."""

    def __init__(self, app: ASGIApp):
        self.app = app
        self.names = tuple(name.strip().lower() for name in os.environ.get(HOSTS, "").split(",") if name.strip())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        hosts = [value.decode("latin-1") for name, value in scope["headers"] if name == b"host"]
        if len(hosts) == 1 and served(hosts[0], self.names):
            await self.app(scope, receive, send)
            return
        reason = refusal(hosts[0] if hosts else "")
        _LOG.warning("%s", reason)
        if scope["type"] == "websocket" and "websocket.http.response" not in scope.get("extensions", {}):
            await send({"type": "websocket.close", "code": 1008})  # before it was accepted: status 403
            return
        response = PlainTextResponse(f"{reason}\n", MISDIRECTED, {"X-Content-Type-Options": "nosniff"})
        await response(scope, receive, send)


def served(host: str, names: tuple[str, ...] = ()) -> bool:
    """Whether a Host header names this machine: localhost, a plain IP address, or one of `names`; any port."""
    if host.startswith("["):
        name, closed, port = host[1:].partition("]")
        port = port.removeprefix(":") if closed else "?"
    else:
        name, _, port = host.partition(":")
    name = name.lower().removesuffix(".")
    return (not port or port.isdecimal()) and (name in ("localhost", *names) or _is_address(name))


def refusal(host: str) -> str:
    """What to say of a Host that is not served."""
    name = ascii(host)[1:-1][:100]
    return _(
        "This dashboard does not answer to the name “{name}”. Open it at localhost or at its IP address, or start it "
        "with the allowed host names, separated by commas, in the environment variable {variable}."
    ).format(name=name, variable=HOSTS)


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
