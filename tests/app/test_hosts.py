"""The dashboard accepts requests only under its own host names, for pages and for websockets."""

import asyncio
import socket
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

import pytest

from app.shell.hosts import HostCheck, same_site, served
from tests.helpers.serving import ROOT, serving

WEBSOCKET = (
    "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: streamlit\r\n"
)


def answer(address: str, host: str, *, websocket: bool = False, origin: str | None = None) -> tuple[int, str]:
    """Status and text of the response to a request with this Host and, unless it is given, the same Origin."""
    origin = f"http://{host}" if origin is None else origin
    place = urlsplit(address)
    path, more = ("/_stcore/stream", WEBSOCKET) if websocket else ("/", "Connection: close\r\n")
    with socket.create_connection((place.hostname, place.port), timeout=60) as line:
        line.sendall(f"GET {path} HTTP/1.1\r\nHost: {host}\r\nOrigin: {origin}\r\n{more}\r\n".encode())
        head = b""
        while b"\r\n\r\n" not in head and (part := line.recv(4096)):
            head += part
        text = head.decode("latin-1")
        status = int(text.split()[1])
        if status != 101:
            while part := line.recv(4096):
                text += part.decode("latin-1")
    return status, text


@pytest.mark.parametrize("websocket", [False, True], ids=["page", "websocket"])
def test_another_name_reaches_neither_page_nor_websocket(dashboard, websocket):
    port = urlsplit(dashboard).port
    well = 101 if websocket else 200
    for host in (f"127.0.0.1:{port}", f"localhost:{port}"):
        assert answer(dashboard, host, websocket=websocket)[0] == well
    status, text = answer(dashboard, f"rebound.example:{port}", websocket=websocket)
    assert status == 421
    assert "in the environment variable HOSTS" in text
    assert "rebound.example" in text


def test_a_page_of_another_port_or_site_opens_no_websocket(dashboard):
    port = urlsplit(dashboard).port
    host = f"127.0.0.1:{port}"
    for origin in (
        f"http://127.0.0.1:{port + 1}",
        "http://localhost:3000",
        f"http://localhost:{port}",
        "null",
        "x",
        "",
    ):
        status, text = answer(dashboard, host, websocket=True, origin=origin)
        assert (status, "a page of another site" in text) == (421, True), origin
    assert answer(dashboard, host, origin="http://127.0.0.1:3000")[0] == 200  # for reading, without its answer


@pytest.mark.parametrize(
    ("origin", "host"),
    [
        ("http://127.0.0.1:8501", "127.0.0.1:8501"),
        ("http://localhost", "LOCALHOST:80"),
        ("https://ok.de", "ok.de:443"),
        ("https://ok.de", "127.0.0.1:8501"),
        ("http://[::1]:8501", "[::1]:8501"),
    ],
)
def test_a_page_at_the_host_or_at_an_allowed_name_is_of_this_site(origin, host):
    assert same_site(origin, host, ("ok.de",))


@pytest.mark.parametrize(
    "origin",
    [
        *("", "null", "x", "http://", "http://[", "http://127.0.0.1:8501.evil.example", "http://evil.example:8501"),
        *("ftp://127.0.0.1:8501", "http://127.0.0.1", "http://127.0.0.1:85010", "https://not-ok.de"),
    ],
)
def test_other_pages_are_of_another_site(origin):
    assert not same_site(origin, "127.0.0.1:8501", ("ok.de",))


def refused(**scope: object) -> list[dict]:
    """What a request gets that must not be let through."""
    said: list[dict] = []

    async def unreachable(*_):
        raise AssertionError("the request was let through")

    async def send(message):
        said.append(message)

    with ThreadPoolExecutor() as pool:  # Playwright's event loop may be running in this thread
        pool.submit(asyncio.run, HostCheck(unreachable)(scope, None, send)).result()
    return said


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
def test_a_form_of_another_site_is_refused(method):
    headers = [(b"host", b"127.0.0.1:8501"), (b"origin", b"http://127.0.0.1:3000")]
    assert refused(type="http", method=method, headers=headers)[0]["status"] == 421


@pytest.mark.slow
def test_names_are_added_by_the_environment():
    with serving(ROOT / "app" / "streamlit_app.py", {"HOSTS": "lab.example, Other.example"}) as server:
        for host, status in (("lab.example", 101), ("other.example:80", 101), ("example", 421)):
            assert answer(server.address, host, websocket=True)[0] == status


@pytest.mark.parametrize(
    "host",
    ["localhost", "LOCALHOST:8501", "localhost.", "127.0.0.1:8501", "192.168.1.20", "[::1]:8501", "[fe80::1]", "ok.de"],
)
def test_addresses_and_given_names_are_served(host):
    assert served(host, ("ok.de",))


@pytest.mark.parametrize(
    "host",
    [
        *("", "evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "evil.example:127.0.0.1"),
        *("not-ok.de", "127.0.0.1@evil.example", "[::1", "[::1]evil.example", "::1", "localhost:80:80", "1.2.3"),
    ],
)
def test_what_only_looks_like_an_address_is_not(host):
    assert not served(host, ("ok.de",))


@pytest.mark.parametrize("headers", [[], [(b"host", b"localhost"), (b"host", b"evil.example")]], ids=["none", "two"])
def test_a_request_has_one_host(headers):
    assert [one["type"] for one in refused(type="websocket", headers=headers)] == ["websocket.close"]
