"""The Training page: its list, its routes and who may use them, and the process that it starts."""

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect
from starlette.requests import Request
from starlette.responses import Response

from app.lab.training import control, routes, runs
from attn_core.training import in_progress
from attn_core.training.snapshots_file import FILE
from tests.helpers.serving import ROOT, serving
from tests.helpers.visits import address_says, query, visits
from tests.lab.apptest import sent, visit

EXAMPLE = "recorded/reverse"
# Headers by which proxies, balancers and tunnels forward an address or name themselves.
OF_PROXIES = (
    *(
        "forwarded",
        "via",
        "x_forwarded_for",
        "x_forwarded_host",
        "x_forwarded_proto",
        "x_forwarded_server",
        "x_real_ip",
    ),
    *("x_client_ip", "x_cluster_client_ip", "x_original_forwarded_for", "x_original_host", "x_envoy_external_address"),
    *("true_client_ip", "cf_connecting_ip", "fastly_client_ip", "x_appengine_user_ip", "x_azure_clientip", "x_proxy"),
    *("wl_proxy_client_ip", "proxy_client_ip", "x_request_id", "x_amzn_trace_id", "cdn_loop", "x_vercel_ip_city"),
)
OF_A_BROWSER = {
    "user_agent": "Mozilla/5.0",
    "accept": "*/*",
    "accept_language": "de",
    "sec_fetch_site": "same-origin",
    "sec_ch_ua": '"Chromium"',
    "cookie": "_streamlit_xsrf=x",
    "referer": "http://127.0.0.1:8501/training",
    "connection": "keep-alive",
    "content_type": "application/json",
    "content_length": "2",
    "dnt": "1",
    "priority": "u=1",
    "cache_control": "no-cache",
    "pragma": "no-cache",
}
HERE = {"host": "127.0.0.1:8501", "origin": "http://127.0.0.1:8501"}


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    """An empty folder of trainings of a dashboard that was started with --training."""
    monkeypatch.setenv("ATTN_RUNS", str(tmp_path))
    monkeypatch.setenv(routes.SWITCH, "1")
    monkeypatch.setattr(control, "_started", None)
    return tmp_path


def acted(asked: Request) -> Response:
    """The answer to a POST request; in another thread, since Playwright's event loop may be running in this one."""
    with ThreadPoolExecutor() as pool:
        return pool.submit(asyncio.run, routes._act(asked)).result()


def request(client: str = "127.0.0.1", body: bytes = b"{}", path: dict | None = None, **headers: str) -> Request:
    scope = {
        "type": "http",
        "method": "POST",
        "client": (client, 5000),
        "path_params": path or {},
        "query_string": b"",
        "headers": [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()],
    }

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    return Request(scope, receive)


def recorded(place: Path, epoch: int = 1, **recipe: int) -> Path:
    """A folder as a training leaves it after `epoch` epochs."""
    place.mkdir(parents=True)
    (place / FILE).write_text((runs.EXAMPLES / "reverse" / FILE).read_text("utf-8"), "utf-8")
    progress = {"epoch": epoch, "stale": 2}
    header = json.dumps({"__metadata__": {"progress": json.dumps(progress)}}).encode()
    (place / runs.STATE).write_bytes(len(header).to_bytes(8, "little") + header)
    (place / "config.json").write_text(json.dumps({"train": {"epochs": 3, "patience": 0} | recipe}), "utf-8")
    return place


def test_the_page_offers_tasks_and_models(folder):
    assert sent(visit("app.lab.training.page"), "lab_training") == {
        "tasks": list(control.TASKS),
        "presets": list(control.PRESETS),
    }


def test_recorded_trainings_and_those_of_runs_are_listed_with_their_states(folder):
    recorded(folder / "mine")
    recorded(folder / "done", 3)
    recorded(folder / "patient", patience=2)
    recorded(folder / "synthetic" / "copy-bahdanau")
    (recorded(folder / "given-up") / runs.STATE).unlink()
    (folder / "something else").mkdir()
    found = {name: (one.state, one.own) for name, one in runs.trainings().items() if not name.startswith("shipped/")}
    assert found == {
        "runs/synthetic/copy-bahdanau": ("paused", True),
        "runs/done": ("finished", False),
        "runs/given-up": ("stopped", False),
        "runs/mine": ("paused", False),
        "runs/patient": ("finished", False),
        EXAMPLE: ("recorded", False),
    }
    with in_progress.announced(folder / "mine"):
        first = next(iter(runs.trainings().values()))
        assert (first.name, first.state) == ("runs/mine", "training")


def test_the_recorded_training_finds_the_source(folder):
    """The mean largest weight of the words before </s> is even at first, and at the end on the antidiagonal."""
    record = runs.trainings()[EXAMPLE].record()
    first, last = (record["snapshots"]["snapshots"][place]["sentences"] for place in (0, -1))
    for before, after in zip(first, last, strict=True):
        n = len(after["weights"][0])
        assert max(before["weights"][0]) < 1.5 / n
        assert [row.index(max(row)) for row in after["weights"][:-1]] == list(range(n - 1, -1, -1))
    assert record["curves"]["bleu"][-1][1] > 99


@pytest.mark.parametrize("header", [[], {"__metadata__": []}, {"__metadata__": {"progress": None}}])
def test_a_state_with_another_header_cannot_be_resumed(folder, header):
    place = recorded(folder / "mine")
    text = json.dumps(header).encode()
    (place / runs.STATE).write_bytes(len(text).to_bytes(8, "little") + text)
    assert runs.trainings()["runs/mine"].state == "stopped"


def test_a_failure_is_reported_also_after_its_folder_was_removed(folder, monkeypatch):
    monkeypatch.setattr(control, "_started", subprocess.Popen([sys.executable, "-c", "raise SystemExit(3)"]))
    control._started.wait()
    runs.synthetic_folder().mkdir()
    (runs.synthetic_folder() / control.LOG).write_text("one\nerror: the last line\n\n", "utf-8")
    assert control.failure() == "error: the last line"
    (runs.synthetic_folder() / control.LOG).unlink()
    runs.synthetic_folder().rmdir()
    assert control.failure() == "The training has failed."


def test_damaged_files_are_reported(folder):
    broken = recorded(folder / "mine")
    (broken / FILE).write_text('{"format": 7}', "utf-8")
    with pytest.raises(ValueError, match="is damaged: expected format 1"):
        runs.trainings()["runs/mine"].record()


@pytest.mark.parametrize(
    ("client", "headers", "allowed"),
    [
        ("127.0.0.1", HERE, True),
        ("::1", HERE | {"host": "[::1]:8501"}, True),
        ("::ffff:127.0.0.1", HERE | {"host": "localhost:8501"}, True),
        ("192.168.0.7", HERE, False),
        ("127.0.0.1", HERE | {"host": "192.168.0.2:8501"}, False),
        ("127.0.0.1", HERE | {"host": "lecture.example.org"}, False),
        ("127.0.0.1", HERE | OF_A_BROWSER, True),
        *(("127.0.0.1", HERE | {name: "192.168.0.7"}, False) for name in OF_PROXIES),
        ("127.0.0.1", {}, False),
    ],
)
def test_only_a_browser_on_this_machine_may_start_trainings(folder, monkeypatch, client, headers, allowed):
    asked = request(client, **headers)
    assert routes.from_this_machine(asked) == allowed
    listed = json.loads(routes._list(asked).body)
    assert listed["may"] == allowed
    assert (listed["refusal"] is None) == allowed
    started: list[str] = []
    monkeypatch.setattr(control, "start", lambda task, preset: started.append(task) or "name")
    body = json.dumps({"task": "reverse", "preset": "bahdanau"}).encode()
    origin = headers | {"origin": f"http://{headers.get('host', '')}"}
    answer = acted(request(client, body, {"act": "start"}, **origin))
    assert (answer.status_code, started) == ((200, ["reverse"]) if allowed else (403, []))


@pytest.mark.parametrize("given", [None, "", "0", "true"])
def test_training_is_off_unless_the_dashboard_was_started_with_it(folder, monkeypatch, given):
    """Also for a request that only a browser on this machine seems to send, such as that of a silent proxy."""
    monkeypatch.delenv(routes.SWITCH)
    if given is not None:
        monkeypatch.setenv(routes.SWITCH, given)
    for act in ("start", "pause", "resume", "stop"):
        monkeypatch.setattr(control, act, lambda *_given: pytest.fail("it was called"))
        body = json.dumps({"task": "reverse", "preset": "bahdanau", "name": "runs/synthetic/x"}).encode()
        answer = acted(request(body=body, path={"act": act}, **HERE))
        assert answer.status_code == 403
        assert "make app TRAINING=1" in json.loads(answer.body)["error"]
    listed = json.loads(routes._list(request(**HERE)).body)
    assert (listed["may"], listed["failure"]) == (False, None)
    assert "attn-core app --training" in listed["refusal"]


def test_the_page_shows_how_to_start_the_dashboard_with_training(visit):
    page = visit("training", ready=".tr-map canvas", query={"training": EXAMPLE}, cards=False)
    start = page.get_by_role("button", name="Start training")
    expect(start).to_be_disabled()
    expect(start).to_have_accessible_description(re.compile("make app TRAINING=1"))
    expect(page.get_by_text("Training from this page is off.")).to_be_visible()


@pytest.mark.parametrize("origin", ["http://evil.example.org", "null", ""])
def test_a_page_of_another_site_cannot_start_a_training(folder, monkeypatch, origin):
    monkeypatch.setattr(control, "start", lambda *_given: pytest.fail("it was started"))
    answer = acted(request(path={"act": "start"}, **HERE | {"origin": origin}))
    assert answer.status_code == 403


def test_requests_that_make_no_sense_are_refused(folder):
    for act, body, status in (
        ("start", b"{}", 400),
        ("start", b"no JSON", 400),
        ("start", b'{"task": "nothing", "preset": "bahdanau"}', 409),
        ("delete", b'{"name": "x"}', 400),
        ("pause", b'{"name": "../../etc"}', 409),
        ("pause", b" " * 3000, 413),
    ):
        answer = acted(request(body=body, path={"act": act}, **HERE))
        assert answer.status_code == status, (act, body)
        assert json.loads(answer.body)["error"]


@pytest.mark.slow
def test_one_training_runs_at_a_time_and_only_those_of_the_page_are_touched(folder, monkeypatch):
    calls: list[list[str]] = []
    monkeypatch.setattr(control, "_process", lambda words, log: calls.append(words))
    sent_signals: list[tuple[int, int]] = []
    recorded(folder / "mine")
    with ExitStack() as training:
        training.enter_context(in_progress.announced(folder / "synthetic" / "copy-bahdanau"))

        def kill(number: int, which: int) -> None:
            """The training obeys the second signal; the first one comes while Python imports the modules."""
            sent_signals.append((number, which))
            if len(sent_signals) == 2:
                training.close()

        monkeypatch.setattr(os, "kill", kill)
        with pytest.raises(control.Refused, match="copy-bahdanau is training: pause or stop it first"):
            control.start("reverse", "bahdanau")
        control.pause("runs/synthetic/copy-bahdanau")
    assert sent_signals == [(os.getpid(), signal.SIGINT)] * 2
    for act in (control.pause, control.resume, control.stop):
        with pytest.raises(control.Refused, match="runs/mine was not started from this page"):
            act("runs/mine")
    recorded(folder / "synthetic" / "reverse-bahdanau")
    with pytest.raises(control.Refused, match="reverse-bahdanau is not training"):
        control.pause("runs/synthetic/reverse-bahdanau")
    control.resume("runs/synthetic/reverse-bahdanau")
    assert calls[-1][-1] == "--resume"
    with pytest.raises(control.Refused, match="reverse-bahdanau is paused: resume it, or stop it first"):
        control.start("reverse", "bahdanau")
    control.stop("runs/synthetic/reverse-bahdanau")
    assert runs.trainings()["runs/synthetic/reverse-bahdanau"].state == "stopped"
    assert control.start("reverse", "bahdanau") == "runs/synthetic/reverse-bahdanau"
    assert "--resume" not in calls[-1]
    assert not (folder / "synthetic" / "reverse-bahdanau").exists()
    assert len(calls) == 2


def test_two_moments_of_a_training_side_by_side(visit):
    page = visit("training", ready=".tr-map canvas", query={"training": EXAMPLE, "at": "1000"}, cards=False)
    scrub = page.get_by_role("slider", name="Snapshot")
    page.get_by_role("button", name="Keep this snapshot to compare").click()
    expect(page.locator(".tr-moves")).to_have_text("The snapshot after update 1,000 is kept. Move to another one.")
    scrub.focus()
    page.keyboard.press("Home")
    told = page.locator(".tr-moves")
    expect(told).to_contain_text("Between updates 1,000 and 1, ")
    maps = page.get_by_role("img", name="Attention weights of the model after update 1: ")
    expect(maps).to_have_count(4)
    expect(page.get_by_role("img", name="Differences of the attention: ")).to_have_count(4)
    address_says(page, against="1000")
    expect(page).not_to_have_url(re.compile(r"[?&]at="))  # the first snapshot is where a link opens
    said, link = told.text_content(), query(page)

    page.get_by_role("button", name="End comparison").click()
    expect(page.locator(".tr-map canvas").first).to_be_visible()
    expect(maps).to_have_count(0)
    again = visit("training", ready=".tr-pairs canvas", query=link, cards=False)
    expect(again.locator(".tr-moves")).to_have_text(said)


def test_a_tap_shows_the_numbers_of_a_cell_in_the_format_of_all_numbers(visit):
    """Whatever the language of the browser, in which 1.000 may be a thousand."""
    link = {"training": EXAMPLE, "at": "1000"}
    page = visit("training", ".tr-map canvas", link, cards=False, has_touch=True, locale="de-DE")
    expect(page.locator(".tr-at")).to_have_text("after update 1,000 of 1,000")
    expect(page.locator(".tr-readout")).to_contain_text("Update 1,000 ·")
    assert "1,000" in page.locator(".tr-curves .tr-tick").all_text_contents()
    canvas = page.locator(".tr-map canvas").first
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    canvas.tap(position={"x": box["width"] / 2, "y": box["height"] - 6})
    expect(page.locator(".tr-numbers").first).to_contain_text("weight")
    page.wait_for_timeout(100)
    expect(page.locator(".tr-numbers").first).to_contain_text("weight")


def test_a_training_is_started_followed_paused_resumed_and_stopped(browser, tmp_path):
    with serving(ROOT / "app" / "streamlit_app.py", {"ATTN_RUNS": str(tmp_path), routes.SWITCH: "1"}) as server:
        with visits(browser, server.address) as open_page:
            page = open_page("training", ready=".tr-map canvas", cards=False)
            scrub = page.get_by_role("slider", name="Snapshot")
            expect(scrub).to_have_attribute("aria-valuetext", "after update 1 of 1,000")
            maps = page.get_by_role("img", name="Attention after update 1, largest weights: q to ")
            expect(maps).to_have_count(1)

            page.get_by_role("button", name="Start training").click()
            pause = page.get_by_role("button", name="Pause", exact=True)
            expect(pause).to_be_visible(timeout=180_000)
            expect(page.locator(".tr-status")).to_contain_text("update ", timeout=60_000)
            expect(page.get_by_role("button", name="Start training")).to_be_disabled()
            pause.click()
            resume = page.get_by_role("button", name="Resume")
            expect(resume).to_be_visible(timeout=60_000)
            training = tmp_path / "synthetic" / "reverse-bahdanau"
            assert runs.state_of(training) == "paused"
            taken = len(json.loads((training / FILE).read_text("utf-8"))["snapshots"])
            resume.click()
            expect(pause).to_be_visible(timeout=180_000)
        # The server ends; the training goes on, and the next server finds it.
        assert in_progress.process(training) is not None
    with serving(ROOT / "app" / "streamlit_app.py", {"ATTN_RUNS": str(tmp_path), routes.SWITCH: "1"}) as server:
        assert in_progress.process(training) is not None
        with visits(browser, server.address) as open_page:
            page = open_page("training", ready=".tr-map canvas", cards=False)
            stop = page.get_by_role("button", name="Stop")
            expect(stop).to_be_visible(timeout=60_000)
            stop.click()
            expect(page.locator(".tr-status")).to_contain_text("Stopped.", timeout=60_000)
    assert in_progress.process(training) is None
    assert len(json.loads((training / FILE).read_text("utf-8"))["snapshots"]) >= taken
    assert not (training / runs.STATE).exists()


@pytest.mark.slow
def test_stop_ends_a_training_that_missed_the_first_signal(tmp_path, monkeypatch):
    code = (
        "import signal, time\n"
        "signal.signal(signal.SIGINT, lambda *_: signal.signal(signal.SIGINT, signal.default_int_handler))\n"
        "print('ready', flush=True)\ntime.sleep(600)"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout.readline() == b"ready\n"
        monkeypatch.setattr(in_progress, "process", lambda _folder: process.pid if process.poll() is None else None)
        control._end(tmp_path)
        assert process.returncode != 0
