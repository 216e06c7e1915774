"""One damaged run is one line in the list of the Training page, and its reason; it never hides the others."""

import json
import os
import threading
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.applications import Starlette
from starlette.testclient import TestClient

from app.lab.training import routes, runs
from attn_core.training import course, in_progress
from attn_core.training.snapshots_file import FILE
from tests.helpers.trainings import SNAPSHOTS, training
from tests.lab.training.test_training_page import recorded

READ = (FILE, course.METRICS, runs.STATE, "config.json", in_progress.PID, in_progress.STATUS)
DEEP = "[" * 100_000
HEADER = '{"__metadata__": {"progress": %s}}'
CONTENTS: dict[str, bytes] = {
    "empty": b"",
    "not UTF-8": b"\xff\xfe\x00",
    "null": b"null",
    "list": b"[]",
    "deep": DEEP.encode(),
    "train null": b'{"train": null}',
    "huge number": b"1" * 5000,
    "escape": b"\x1b]0;title\x07",
    "half a pair": rb'"\ud800"',
}


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    monkeypatch.setenv("ATTN_RUNS", str(tmp_path))
    training(recorded(tmp_path / "sound"))
    return tmp_path


@pytest.fixture(scope="module")
def client() -> TestClient:
    return TestClient(Starlette(routes=routes.routes()), raise_server_exceptions=False)


def answered(client: TestClient, name: str = "bad") -> dict[str, Any]:
    """The run's line in the list, and the status and the JSON of its record; none may take more than seconds."""
    found: dict[str, Any] = {}

    def ask() -> None:
        listed = client.get("/training/list")
        assert listed.status_code == 200, listed.text
        lines = {line["name"]: line for line in listed.json()["trainings"]}
        assert lines["runs/sound"]["state"] == "paused"
        found["line"] = lines.get(f"runs/{name}")
        record = client.get("/training/record", params={"name": f"runs/{name}"})
        assert record.status_code in (200, 404, 422), record.text
        assert isinstance(record.json(), dict)
        found.update(status=record.status_code, record=record.json())

    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    thread.join(20)
    assert found, "the list or the record failed, or waits for a pipe"
    return found


def broken(folder: Path, name: str, content: bytes) -> None:
    path = training(recorded(folder / "bad")) / name
    path.write_bytes(content)


@pytest.mark.parametrize("name", READ)
@pytest.mark.parametrize("content", CONTENTS.values(), ids=CONTENTS)
def test_a_damaged_file_is_one_line_in_the_list(folder, client, name, content):
    broken(folder, name, content)
    found = answered(client)
    if name in (FILE, "config.json") or (name == course.METRICS and content):
        assert found["line"]["state"] == "damaged"
        assert name in found["line"]["reason"]
        assert "\x1b" not in found["line"]["reason"]


def test_a_loop_of_links_hides_no_training(folder, client):
    training(recorded(folder / "bad"))
    (folder / "loop").symlink_to("loop")
    assert answered(client)["line"]["state"] != "damaged"


@pytest.mark.parametrize("name", READ)
@pytest.mark.parametrize("kind", ["fifo", "folder", "circle"])
def test_what_is_no_file_neither_stops_nor_hides_the_list(folder, client, name, kind):
    path = training(recorded(folder / "bad")) / name
    path.unlink(missing_ok=True)
    if kind == "circle":
        path.symlink_to(path)
    elif kind == "folder":
        path.mkdir()
    else:
        os.mkfifo(path)
    line = answered(client)["line"]
    if name in (FILE, course.METRICS, runs.STATE, "config.json"):
        assert (line["state"], name in line["reason"]) == ("damaged", True)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        (FILE, SNAPSHOTS | {"losses": [[1, float("nan")]]}),
        (FILE, SNAPSHOTS | {"extra": float("inf")}),
        (FILE, SNAPSHOTS | {"losses": [[1, 10**400]]}),
        (FILE, SNAPSHOTS | {"updates": "14"}),
        (FILE, SNAPSHOTS | {"per_epoch": 10**400}),
        (FILE, SNAPSHOTS | {"sentences": [{"source": [1, 2], "target": "ab"}, {"source": ["d"], "target": ["e"]}]}),
        (
            FILE,
            SNAPSHOTS
            | {"snapshots": [{"update": 1, "sentences": [{"weights": [["x", 1], [1, 1]]}, {"weights": [[1]]}]}]},
        ),
        (FILE, SNAPSHOTS | {"snapshots": [{"update": None, "sentences": []}]}),
        (course.METRICS, {"epoch": 1, "perplexity": 10**400}),
        (course.METRICS, {"epoch": 10**400}),
        (course.METRICS, {"epoch": True}),
        ("config.json", {"train": {"epochs": "many"}}),
        ("config.json", {"train": []}),
    ],
)
def test_values_that_cannot_be_shown_are_named(folder, client, name, content):
    broken(folder, name, json.dumps(content).encode())
    found = answered(client)
    assert found["line"]["state"] == "damaged"
    if name in (FILE, course.METRICS):
        assert found["status"] == 422
        assert found["record"]["error"].startswith(f"{folder / 'bad' / name} is damaged: ")


@pytest.mark.parametrize("progress", ["null", "[]", DEEP, '{"epoch": "x"}', '{"epoch": 1e400, "stale": NaN}'])
def test_a_state_with_any_progress_is_listed(folder, client, progress):
    header = (HEADER % json.dumps(progress)).encode()
    broken(folder, runs.STATE, len(header).to_bytes(8, "little") + header)
    assert answered(client)["line"]["state"] in ("damaged", "stopped")


@pytest.mark.parametrize("name", [b"\xff\xfe", b"\x1b]0;title\x07", "\u202etxt".encode()])
def test_the_name_of_a_run_may_have_any_bytes(folder, client, name):
    """It is listed under its escaped name, by which its record is found."""
    training(recorded(folder / "bad")).rename(folder / os.fsdecode(name))
    shown = next(line["name"] for line in client.get("/training/list").json()["trainings"] if "\\" in line["name"])
    assert shown.isprintable()
    assert client.get("/training/record", params={"name": shown}).json()["state"] == "paused"


def test_a_locked_file_without_a_number_is_no_process(folder, client):
    for content in (b"\xff\xff", b"0", b"", b"-1", "٣".encode()):
        with in_progress.announced(folder / "bad"):
            (folder / "bad" / in_progress.PID).write_bytes(content)
            assert in_progress.process(folder / "bad") is None
            answered(client)


FIELDS = ["format", "train", "epoch", "losses", "snapshots", "sentences", "updates", "per_epoch", "perplexity"]
DOCUMENTS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(FIELDS), inner, max_size=9),
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(name=st.sampled_from(READ), document=DOCUMENTS)
def test_no_document_breaks_the_list(folder, client, name, document):
    path = folder / "bad"
    if not path.exists():
        training(recorded(path))
    before = (path / name).read_bytes() if (path / name).exists() else None
    (path / name).write_text(json.dumps(document), "utf-8")
    os.utime(path / name, ns=(1, hash(json.dumps(document)) % 10**15))
    try:
        assert answered(client)["line"]
    finally:
        (path / name).unlink()
        if before is not None:
            (path / name).write_bytes(before)


def test_a_deep_request_is_a_bad_request(folder, client, monkeypatch):
    monkeypatch.setattr(routes, "_LARGEST", 10**6)
    monkeypatch.setattr(routes, "refusal", lambda request: None)
    monkeypatch.setattr(routes, "_from_own_page", lambda request: True)
    for act in ("start", "pause", "resume", "stop"):
        for body in (
            DEEP,
            '{"a":' * 300,
            DEEP[:900] + "]" * 900,
            '{"name": [[["x"]]]}',
            "null",
            "[]",
            '"\\ud800"',
            "NaN",
        ):
            answer = client.post(f"/training/{act}", content=body)
            assert (answer.status_code, bool(answer.json()["error"])) == (400, True), (act, body[:20])
