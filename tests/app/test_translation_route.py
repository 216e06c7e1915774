"""POST /translate: the answer of the server, its limits, its queue, and the line of each refusal."""

import asyncio
import json
import threading
from collections.abc import Coroutine, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.routing import BaseRoute
from starlette.testclient import TestClient

from app.service import cache, translation
from app.service.decode import translate_request
from app.service.posts import WorkQueue, post_route
from app.service.request import Request
from app.shell.hosts import HostCheck
from attn_core import load

TEXT = "Ein Hund läuft."
MODEL = "luong-general-local-p"
ADDRESS = "http://127.0.0.1:8501"


@contextmanager
def visitor(routes: Sequence[BaseRoute]) -> Iterator[TestClient]:
    """A visitor of a dashboard that has these routes."""
    app = Starlette(routes=routes, middleware=[Middleware(HostCheck)])
    with TestClient(app, base_url=ADDRESS, raise_server_exceptions=False) as client:
        yield client


@pytest.fixture
def client(models) -> Iterator[TestClient]:
    with visitor(translation.routes()) as opened:
        yield opened


def body(model=MODEL, **request) -> dict:
    return {"model": model, "request": {"text": TEXT} | request}


def refusal(response: httpx.Response) -> tuple[int, str]:
    """The status and the line of an answer that is nothing else."""
    assert response.headers["content-type"].startswith("text/plain")
    assert response.headers["x-content-type-options"] == "nosniff"
    (line,) = response.text.splitlines()
    return response.status_code, line


@pytest.mark.parametrize("request_", [{}, {"half_width": 0}, {"beam": 3}, {"window": "global"}])
def test_the_answer_is_that_of_the_decoder(client, models, request_):
    response = client.post("/translate", json=body(**request_))
    assert response.headers["cache-control"] == "no-store"
    answer = translate_request(load(models[MODEL].folder), Request.of({"text": TEXT} | request_))
    assert response.json() == json.loads(json.dumps(answer))


def test_a_sentence_that_is_too_long_is_not_decoded_and_the_limit_is_in_the_answer(client):
    answer = client.post("/translate", json=body(text="hund " * 61)).json()
    assert (answer["trace"], answer["words"], answer["most"]) == (None, 61, 60)


def test_half_of_a_surrogate_pair_is_an_unknown_letter(client):
    content = json.dumps(body(text="Hund \ud83d läuft"))
    assert client.post("/translate", content=content).json()["trace"]["source"][1] == "\ufffd"


@pytest.mark.parametrize(
    ("content", "status", "line"),
    [
        (b"{", 400, "Expecting property name"),
        (b"[1]", 400, "The request must be a JSON object."),
        (b"\xff", 400, "can't decode byte"),
        (b"[" * 40_000, 400, "nested too deeply"),
        (json.dumps({"model": MODEL}), 400, "This is not a request for a translation"),
        (json.dumps(body(half_width=10**30)), 400, "half_width must be from -9999 to 9999"),
        (json.dumps(body(half_width=-1)), 400, "half_width must be"),
        (json.dumps(body(half_width=2.5)), 400, "half_width must be"),
        (json.dumps(body(sigma="nan")), 400, "'nan' is not a number"),
        (json.dumps(body(sigma=0)), 400, "sigma must be"),
        (json.dumps(body(centers={"0": "nan"})), 400, "centers must be from 0 to 120, not nan"),
        (json.dumps(body(window="round")), 400, "round"),
        (json.dumps(body(window=["global"])), 400, "is not text"),
        (json.dumps(body(type="hardest")), 400, "hardest"),
        (json.dumps(body("nothing")), 404, "There is no model “nothing” here."),
        (json.dumps(body("../pretrained")), 404, "There is no model “../pretrained” here."),
        (json.dumps(body(["bahdanau"])), 404, "There is no model"),
        (json.dumps(body(text="x" * translation.MOST_BYTES)), 413, "The request is too long."),
    ],
)
def test_a_request_that_cannot_be_answered_is_refused_in_one_line(client, content, status, line):
    found = refusal(client.post("/translate", content=content))
    assert found[0] == status
    assert line in found[1]


def test_files_of_a_model_that_cannot_be_used_are_named(client, models, tmp_path, monkeypatch):
    (tmp_path / MODEL).mkdir()
    (tmp_path / MODEL / "config.json").write_bytes((models[MODEL].folder / "config.json").read_bytes())
    (tmp_path / MODEL / "model.safetensors").write_bytes(b"not weights")
    monkeypatch.setenv("ATTN_PRETRAINED", str(tmp_path))
    status, line = refusal(client.post("/translate", json=body()))
    assert status == 409
    assert "is incomplete" in line


def test_a_failure_of_the_server_is_one_line_and_its_traceback_is_in_the_log(client, monkeypatch, caplog):
    def fails(*_):
        raise RuntimeError("a secret")

    monkeypatch.setattr(cache, "answer", fails)
    status, line = refusal(client.post("/translate", json=body()))
    assert status == 500
    assert "secret" not in line
    assert "POST /translate failed" in caplog.text


@pytest.mark.parametrize(
    "headers", [{"host": "rebound.example:8501"}, {"origin": "http://evil.example"}, {"origin": "null"}]
)
def test_another_name_or_a_page_of_another_site_is_refused(client, headers):
    assert refusal(client.post("/translate", json=body(), headers=headers))[0] == 421


def test_a_page_of_the_dashboard_itself_is_answered(client):
    assert client.post("/translate", json=body(), headers={"origin": ADDRESS}).status_code == 200
    assert client.get("/translate").status_code == 405


class Slow:
    """A route whose answers wait until `go` is set; counts those that are computed, and the most at one time."""

    def __init__(self, threads: int, most_waiting: int):
        self.go, self.lock = threading.Event(), threading.Lock()
        self.computed = self.now = self.most = 0
        self.app = Starlette(routes=[post_route("/", WorkQueue(threads, most_waiting), 100, self.answer)])

    def answer(self, _path, _given) -> PlainTextResponse:
        with self.lock:
            self.computed += 1
            self.now += 1
            self.most = max(self.most, self.now)
        assert self.go.wait(60)
        with self.lock:
            self.now -= 1
        return PlainTextResponse("done")


def in_own_loop(scene: Coroutine[Any, Any, Any]) -> Any:
    """The result of `scene`, run in another thread: the browser of other tests has a running loop in this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, scene).result()


async def until(condition) -> None:
    async with asyncio.timeout(60):
        while not condition():
            await asyncio.sleep(0.005)


def test_requests_wait_for_their_turn_and_one_too_many_is_refused_at_once():
    slow = Slow(threads=2, most_waiting=3)

    async def scene() -> tuple[list[httpx.Response], httpx.Response]:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(slow.app), base_url=ADDRESS) as visitor:
            posts = [asyncio.create_task(visitor.post("/", json={})) for _ in range(5)]
            await until(lambda: slow.now == 2)
            await asyncio.sleep(0.1)  # the other three have come by now
            late = await visitor.post("/", json={})
            slow.go.set()
            return list(await asyncio.gather(*posts)), late

    answers, late = in_own_loop(scene())
    assert [answer.text for answer in answers] == ["done"] * 5
    assert refusal(late) == (503, "The server is busy: 3 requests are waiting already. Try again in a moment.")
    assert slow.most == 2


def test_for_a_client_that_has_gone_while_it_waited_nothing_is_computed():
    slow = Slow(threads=1, most_waiting=3)

    async def post(gone: asyncio.Event) -> None:
        messages = [{"type": "http.request", "body": b"{}"}]

        async def receive():
            if messages:
                return messages.pop()
            await gone.wait()
            return {"type": "http.disconnect"}

        async def send(_message):
            pass

        scope = {"type": "http", "method": "POST", "path": "/", "headers": [], "query_string": b""}
        await slow.app(scope, receive, send)

    async def scene() -> None:
        stays, leaves = asyncio.Event(), asyncio.Event()
        posts = [asyncio.create_task(post(stays))]
        await until(lambda: slow.now == 1)
        posts += [asyncio.create_task(post(leaves)), asyncio.create_task(post(stays))]
        await asyncio.sleep(0.1)
        leaves.set()
        slow.go.set()
        await asyncio.gather(*posts)

    in_own_loop(scene())
    assert slow.computed == 2
