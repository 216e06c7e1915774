"""Answer only requests that name this dashboard and come from its pages, so that no page of another site can reach it.

The owner of a site can let its name point at this machine (DNS rebinding). The visitor's browser then takes the
dashboard for a part of that site, and lets the site's pages read it. But it sends the site's name as Host.

A browser lets the pages of any site open a websocket and send a form, also those of another port of this machine. It
sends the page's own address as Origin.
"""

import ipaddress
import logging
import os
from urllib.parse import urlsplit

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from attn_core.messages import _

HOSTS = "HOSTS"  # the environment variable: names with commas between them
MISDIRECTED = 421  # the status of a request that this server does not answer
_READING = ("GET", "HEAD", "OPTIONS")  # methods whose answers other sites cannot read
_PORTS = {"http": ":80", "https": ":443"}  # those that browsers leave out
_LOG = logging.getLogger(__name__)


class HostCheck:
    """An ASGI application in front of `app`: lets requests and websockets through whose Host is `served`.

    A websocket, or a request that is not for reading, must not have the Origin of another site (`same_site`).
    """

    def __init__(self, app: ASGIApp):
        self.app = app
        self.names = tuple(name.strip().lower() for name in os.environ.get(HOSTS, "").split(",") if name.strip())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        hosts, origins = (_header(scope, name) for name in (b"host", b"origin"))
        if len(hosts) != 1 or not served(hosts[0], self.names):
            reason = refusal(hosts[0] if hosts else "")
        elif not _reads(scope) and not all(same_site(origin, hosts[0], self.names) for origin in origins):
            reason = _("This request comes from a page of another site.")
        else:
            await self.app(scope, receive, send)
            return
        _LOG.warning("%s", reason)
        if scope["type"] == "websocket" and "websocket.http.response" not in scope.get("extensions", {}):
            await send({"type": "websocket.close", "code": 1008})  # before it was accepted: status 403
            return
        response = PlainTextResponse(f"{reason}\n", MISDIRECTED, {"X-Content-Type-Options": "nosniff"})
        await response(scope, receive, send)


def _header(scope: Scope, name: bytes) -> list[str]:
    return [value.decode("latin-1") for key, value in scope["headers"] if key == name]


def _reads(scope: Scope) -> bool:
    return scope["type"] == "http" and scope["method"] in _READING


def same_site(origin: str, host: str, names: tuple[str, ...]) -> bool:
    """Whether an Origin header is that of the pages at `host`, or at one of `names`, whose proxy may change Host."""
    try:
        page = urlsplit(origin)
        name = page.hostname
    except ValueError:
        return False
    port = _PORTS.get(page.scheme)
    if port is None or not name:
        return False
    return name in names or page.netloc.lower().removesuffix(port) == host.lower().removesuffix(port)


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
    """The message for a Host that is not served."""
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
