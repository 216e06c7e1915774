"""A class opens the dashboard at the same time: many clients repeat what one real tab sent and fetched.

A browser opens the page, and everything that it asks of the server is recorded; then it moves the slider, steps and
copies a link. The clients repeat all of it with their own connections, and stay.
"""

import asyncio
import time
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import psutil
import websockets
from playwright.sync_api import Browser, Page, Request, WebSocket
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.benchmarks.dashboard.opening import MODEL

PATIENCE = 120.0  # seconds for a client's picture


@dataclass
class Tab:
    """What a tab asked of the server: the paths that it fetched, and the messages that it sent."""

    paths: list[str] = field(default_factory=list)
    opening: list[bytes] = field(default_factory=list)  # messages until the model is in the page
    moving: list[bytes] = field(default_factory=list)  # messages while the reader moves, steps and copies a link


def recorded(browser: Browser, address: str) -> Tab:
    """Open the dashboard in a browser with an empty cache, use it, and record its requests."""
    tab = Tab()
    context = browser.new_context(viewport={"width": 1280, "height": 900}, permissions=["clipboard-write"])
    page = context.new_page()
    sent = tab.opening

    def fetched(request: Request) -> None:
        parts = urlsplit(request.url)
        if request.method == "GET" and parts.scheme == "http":
            tab.paths.append(parts.path + (f"?{parts.query}" if parts.query else ""))

    def connected(socket: WebSocket) -> None:
        socket.on("framesent", lambda frame: sent.append(frame if isinstance(frame, bytes) else frame.encode()))

    page.on("request", fetched)
    page.on("websocket", connected)
    page.goto(f"{address}/?model={MODEL}&level=workbench")
    page.get_by_label("Keep words and states").wait_for(timeout=1000 * PATIENCE)  # the model is in the page
    page.wait_for_timeout(2000)
    sent = tab.moving
    use(page)
    context.close()
    return tab


def use(page: Page) -> None:
    """Move the slider of D, step, and open the panel with the link."""
    slider = page.get_by_label("Half-width D")
    for key in ("ArrowRight", "ArrowRight", "ArrowLeft"):
        slider.press(key)
        page.wait_for_timeout(300)
    for _ in range(3):
        page.get_by_role("button", name="Step forward").click()
    page.get_by_role("button", name="Share").first.click()
    page.wait_for_timeout(1500)


@dataclass(frozen=True)
class Attendance:
    """How a class fared: seconds from joining to the picture for each client, and the server's load afterwards."""

    waits: list[float]
    idle: float  # share of a core that the server used while the readers moved


def attend(address: str, server: psutil.Process, tab: Tab, clients: int, joining: float, watched: float) -> Attendance:
    """Let `clients` join within `joining` seconds, then use the page for `watched` seconds."""
    return asyncio.run(_attend(address, server, tab, clients, joining, watched))


async def _attend(
    address: str, server: psutil.Process, tab: Tab, clients: int, joining: float, watched: float
) -> Attendance:
    leave = asyncio.Event()
    pictures = [asyncio.get_running_loop().create_future() for _ in range(clients)]
    running = [
        asyncio.create_task(_client(address, tab, i * joining / clients, picture, leave))
        for i, picture in enumerate(pictures)
    ]
    waits = await asyncio.gather(*pictures)
    await asyncio.sleep(2)
    before, begin = server.cpu_times(), time.perf_counter()
    await asyncio.sleep(watched)
    after, wall = server.cpu_times(), time.perf_counter() - begin
    leave.set()
    await asyncio.gather(*running)
    return Attendance(sorted(waits), (after.user + after.system - before.user - before.system) / wall)


async def _client(address: str, tab: Tab, late: float, picture: asyncio.Future[float], leave: asyncio.Event) -> None:
    """Join after `late` seconds and stay until `leave`; `picture` gets the seconds until all was there."""
    await asyncio.sleep(late)
    begin = time.perf_counter()
    try:
        async with asyncio.timeout(PATIENCE):
            files = asyncio.create_task(_files(address, tab.paths))
            socket = await websockets.connect(
                f"{address.replace('http', 'ws')}/_stcore/stream", subprotocols=["streamlit"], max_size=None
            )
            first, *others = tab.opening
            await socket.send(first)
            await _drawn(socket)
            for message in others:
                await socket.send(message)
            await files
    except (OSError, TimeoutError, websockets.WebSocketException) as error:
        picture.set_exception(error)
        return
    picture.set_result(time.perf_counter() - begin)
    reading = asyncio.create_task(_read(socket))
    for message in tab.moving:
        await socket.send(message)
    await leave.wait()
    reading.cancel()
    await socket.close()


async def _drawn(socket: websockets.ClientConnection) -> None:
    """Read until the script has drawn the page."""
    while ForwardMsg.FromString(await socket.recv()).WhichOneof("type") != "script_finished":  # type: ignore[arg-type]
        pass


async def _read(socket: websockets.ClientConnection) -> None:
    async for _message in socket:
        pass


async def _files(address: str, paths: list[str]) -> None:
    """Fetch the files one after another, as with an empty cache."""
    host, _colon, port = urlsplit(address).netloc.partition(":")
    for path in paths:
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(
            f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n".encode()
        )
        status = await reader.readline()
        if b" 200 " not in status and b" 30" not in status:
            raise OSError(f"{path}: {status.decode(errors='replace').strip()}")
        while await reader.read(1 << 20):
            pass
        writer.close()
