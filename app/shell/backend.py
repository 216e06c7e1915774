"""Tell Streamlit's front end where its server is.

Without it, the front end of a page such as /heads first asks for the server below the page (/heads/_stcore/health).
Each visit of a lab page would begin with two errors in the console.
"""

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_FRONT_END = b'<script type="module"'  # the front end's own script
# All pages are one level below the server's root, which may itself be below that of a proxy.
_SCRIPT = b'<script>window.__streamlit = { BACKEND_BASE_URL: new URL("./", location.href).href };</script>\n    '
# Without these headers of a request, the answer is the page, neither compressed nor "unchanged".
_PLAIN = (b"accept-encoding", b"if-none-match", b"if-modified-since")
_STREAMLIT = b'src="./static/js/'  # is in no other page


class BackendAddress:
    """An ASGI application in front of `app`: adds the server's address to Streamlit's page."""

    def __init__(self, app: ASGIApp):
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if (
            scope["type"] != "http"
            or scope["method"] != "GET"
            or "text/html" not in Headers(scope=scope).get("accept", "")
        ):
            await self.app(scope, receive, send)
            return
        headers = [(name, value) for name, value in scope["headers"] if name not in _PLAIN]
        await self.app({**scope, "headers": headers}, receive, _AddressedPage(send).send)


class _AddressedPage:
    """Sends a response on: Streamlit's page with the address, in one message, and all others as they are."""

    def __init__(self, send: Send):
        self._send = send
        self.start: Message | None = None
        self.body = b""

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start" and _is_page(message):
            self.start = message
        elif self.start and message["type"] == "http.response.body":
            self.body += message.get("body", b"")
            if not message.get("more_body"):
                await self._send_page(self.start)
        else:
            await self._send(message)

    async def _send_page(self, start: Message) -> None:
        body = self.body.replace(_FRONT_END, _SCRIPT + _FRONT_END, 1) if _STREAMLIT in self.body else self.body
        MutableHeaders(scope=start)["content-length"] = str(len(body))
        await self._send(start)
        await self._send({"type": "http.response.body", "body": body})


def _is_page(start: Message) -> bool:
    headers = Headers(raw=start["headers"])
    return headers.get("content-type", "").startswith("text/html") and "content-encoding" not in headers
