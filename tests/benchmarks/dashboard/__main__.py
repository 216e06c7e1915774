"""Measure the dashboard with a server, a headless Chromium and simulated viewers, all on the local machine.

python -m tests.benchmarks dashboard            (make bench-app)
python -m tests.benchmarks dashboard --quick    the same with few repetitions, as a check that everything runs

Prints each measurement beside its target, and writes them with date, hardware and versions to
tests/benchmarks/results/app-DATE.json. The targets are for two otherwise idle cores.
"""

import argparse
import asyncio
import json
import os
import random
import shutil
import time
from base64 import b64encode
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import psutil
from playwright.sync_api import Browser, Page

from app.site import page as site
from attn_core.browser import bundle
from attn_core.data.captions import captions
from attn_core.export.model_files import model_files
from attn_core.files import replacing
from tests.benchmarks.circumstances import circumstances
from tests.benchmarks.dashboard.classroom import attend, recorded
from tests.benchmarks.dashboard.load import crowd
from tests.benchmarks.dashboard.opening import (
    MODEL,
    PICTURES,
    TEXT,
    Dashboard,
    cold_page,
    cold_start,
    empty_page,
    first_visit,
    opened,
    page_memory,
    serving,
)
from tests.benchmarks.dashboard.views import corpus_rate, window_map
from tests.benchmarks.records import RESULTS, ROOT
from tests.conftest import CHROMIUMS
from tests.helpers.browser import launch_browser
from tests.helpers.serving import Files

DECODER = Path(bundle.__file__).parent / "engine" / "decoder.js"

FRAMES = """(seconds) => new Promise((done) => {
  const times = [];
  const frame = (time) => {
    times.push(time);
    if (time - times[0] < seconds * 1000) requestAnimationFrame(frame);
    else done(times.slice(1).map((t, i) => t - times[i]));
  };
  requestAnimationFrame(frame);
})"""


SLIDE = """(knob, seconds) => new Promise((done) => {
  const [gaps, begin, before] = [[], performance.now(), { ...bench }];
  let last = begin;
  knob.dispatchEvent(new PointerEvent("pointerdown"));
  const frame = (time) => {
    gaps.push(time - last);
    last = time;
    if (time - begin > seconds * 1000) {
      knob.value = 0.5; // not the trained value: the button Reset is used next
      knob.dispatchEvent(new Event("input"));
      knob.dispatchEvent(new Event("change"));
      gaps.shift();
      done({ gaps, decodes: bench.decodes - before.decodes, pictures: bench.pictures - before.pictures });
      return;
    }
    knob.value = 0.5 + (gaps.length % 60) * 0.05;
    knob.dispatchEvent(new Event("input"));
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
})"""
DECODES = """async ({ files, worker, text, runs, how }) => {
  const decoder = await openDecoder(files, { worker });
  const times = [];
  for (let run = -10; run < runs; run++) {
    const start = performance.now();
    await decoder.translate({ text, ...how });
    if (run >= 0) times.push(performance.now() - start);
  }
  decoder.close();
  return times;
}"""
LONG = "ein Hund und ein Kind " * 12  # 60 words
HOW = {MODEL: {"half_width": 4, "sigma": 2}}


def quiet(page: Page) -> None:
    """Wait until the server is idle for this page."""
    page.wait_for_function("!document.querySelector('[data-testid=stStatusWidget]')")
    page.wait_for_timeout(500)


def playing(page: Page, seconds: float) -> dict[str, float]:
    """Frame rate while the player plays."""
    page.locator(".ap").focus()
    page.keyboard.press("Home")
    quiet(page)
    sent = len(page.sent)  # type: ignore[attr-defined]
    page.get_by_label("Speed").select_option("0.5")
    page.get_by_role("button", name="Play").click()
    gaps = page.evaluate(FRAMES, seconds)
    page.locator(".ap").focus()
    page.keyboard.press("Space")
    page.get_by_label("Speed").select_option("1")
    return frames(gaps) | {"messages": len(page.sent) - sent}  # type: ignore[attr-defined]


def sliding(page: Page, seconds: float) -> dict[str, float]:
    """Frame rate, decodes and decoded pictures while the slider for sigma has another value in every frame."""
    found = page.get_by_label("Width σ of the Gaussian").evaluate(SLIDE, seconds)
    quiet(page)
    page.get_by_role("button", name="Reset").click()
    quiet(page)
    return frames(found["gaps"]) | {name: found[name] / seconds for name in ("decodes", "pictures")}


def dragging(page: Page, seconds: float) -> dict[str, float]:
    """Frame rate and drawn pictures while the slider for D is dragged back and forth."""
    box = page.get_by_label("Half-width D").bounding_box()
    y = box["y"] + box["height"] / 2
    sent, pictures = len(page.sent), page.evaluate("bench.pictures")  # type: ignore[attr-defined]
    page.mouse.move(box["x"] + box["width"] / 2, y)
    page.mouse.down()
    page.evaluate(f"() => {{ window.gaps = ({FRAMES})({seconds}); }}")
    begin, steps = time.perf_counter(), 0
    while time.perf_counter() - begin < seconds:
        steps += 1
        page.mouse.move(box["x"] + box["width"] * (0.5 + 0.4 * (steps % 40 - 20) / 20), y)
        time.sleep(0.008)
    found = frames(page.evaluate("() => window.gaps")) | {"messages": len(page.sent) - sent}  # type: ignore[attr-defined]
    found["pictures_per_second"] = (page.evaluate("bench.pictures") - pictures) / seconds
    page.mouse.move(box["x"] + box["width"] * 0.95, y)
    page.mouse.up()
    quiet(page)
    page.get_by_role("button", name="Reset").click()
    quiet(page)
    return found


def decodes(browser: Browser, script: str, runs: int, model: str = MODEL, text: str = TEXT) -> list[float]:
    """Milliseconds from asking for a full decode of a sentence to having its trace in the page.

    With a `script` that takes WebAssembly away, the engine runs in the page, since a worker would have it.
    """
    page = browser.new_page()
    page.add_init_script(script)
    files = model_files(model)
    given = files.record | {"weights": b64encode(files.weights).decode()}
    page.goto("about:blank")
    page.evaluate(f"() => {{ {bundle.module(DECODER).replace('export ', '')}; window.openDecoder = openDecoder; }}")
    found = page.evaluate(
        DECODES, {"files": given, "worker": not script, "text": text, "runs": runs, "how": HOW.get(model, {})}
    )
    page.close()
    return found


def frames(gaps: list[float]) -> dict[str, float]:
    """Frames per second, and the share that is late by half a frame or more."""
    return {"fps": 1000 * len(gaps) / sum(gaps), "late": sum(gap > 25 for gap in gaps) / len(gaps)}


def keys(page: Page, presses: int) -> list[float]:
    """Milliseconds from a key press to the painted picture of its step."""
    page.locator(".ap").focus()
    page.keyboard.press("Home")
    quiet(page)
    for i in range(presses):
        page.evaluate("() => { bench.wanted = bench.decodes; }")
        page.keyboard.press("ArrowRight" if i // 8 % 2 == 0 else "ArrowLeft")
        page.wait_for_function("(n) => bench.waits.length === n", arg=i + 1)
    return page.evaluate("bench.waits.splice(0)")


def settings(page: Page, presses: int) -> list[float]:
    """Milliseconds from pressing a place of the slider for sigma to the painted picture decoded with it."""
    page.evaluate("bench.waits.length = 0")
    box = page.get_by_label("Width σ of the Gaussian").bounding_box()
    y = box["y"] + box["height"] / 2
    places = random.Random(0)
    for i in range(presses):
        page.evaluate("() => { bench.wanted = bench.decodes + 1; }")
        beyond = (0.05, 0.25) if i % 2 else (0.75, 0.95)  # a press on the thumb would change nothing
        page.mouse.click(box["x"] + box["width"] * places.uniform(*beyond), y)
        page.wait_for_function("(n) => bench.waits.length === n", arg=i + 1)
        page.wait_for_timeout(200)
    return page.evaluate("bench.waits.splice(0)")


def viewers(server: Dashboard, count: int, moves: int) -> dict[str, float]:
    """Viewers for whom the server translates a sentence each, another sigma once a second; none is decoded twice."""
    texts = [pair.de for pair in captions()[:count]]
    cpu = psutil.Process(server.process.pid).cpu_times()
    begin = time.perf_counter()
    found = asyncio.run(crowd(server.address, texts, moves))
    wall, after = time.perf_counter() - begin, psutil.Process(server.process.pid).cpu_times()
    waits = [wait for viewer in found for wait in viewer.waits]
    answered = [1000 * wait for wait in waits if wait is not None]
    return {
        "asked": count * moves,
        "answered": len(answered),
        "p50": share(answered, 0.5),
        "p95": share(answered, 0.95),
        "cpu": (after.user + after.system - cpu.user - cpu.system) / wall,
    }


def share(values: list[float], part: float) -> float:
    """The value that `part` of the values do not exceed."""
    return sorted(values)[min(len(values) - 1, int(part * len(values)))] if values else float("nan")


def measure(chromium: str, few: bool) -> list[dict[str, Any]]:
    """All measurements with their targets, in the order of the table."""
    rows: list[dict[str, Any]] = []

    def row(what: str, value: float, target: float, unit: str, good: bool, **details: Any) -> None:
        rows.append({"what": what, "value": value, "target": target, "unit": unit, "good": good} | details)

    with launch_browser(chromium) as browser:
        for what, most, options in (("in a worker", 12, ""), ("without WebAssembly", 60, "delete window.WebAssembly;")):
            times = decodes(browser, options, 20 if few else 200)
            late = share(times, 0.95)
            row(f"decode of 12 words in the page, {what}, p95", late, most, "ms", late < most, p50=share(times, 0.5))
        times = decodes(browser, "", 5 if few else 50, "transformer", LONG)
        late = share(times, 0.95)
        row("decode of 60 words, Transformer, p95", late, 150, "ms", late < 150, p50=share(times, 0.5))
        with TemporaryDirectory() as place:
            site.write(Path(place) / "site")
            served = Files(Path(place) / "site")
            visits = sorted(first_visit(browser, served.address) for _ in range(1 if few else 5))
            served.stop()
        median = visits[len(visits) // 2]
        row("site opened to own sentence translated (median)", median, 1.5, "s", median < 1.5, all=visits)
        starts = sorted(cold_start(browser) for _ in range(1 if few else 5))
        median = starts[len(starts) // 2]
        row("server start to first picture (median)", median, 2, "s", median < 2, all=starts)
        starts = sorted(empty_page(browser) for _ in range(1 if few else 5))
        median = starts[len(starts) // 2]
        row("server start to an empty page of Streamlit's (median)", median, 2, "s", median < 2, all=starts)
        for path in list(PICTURES)[: 1 if few else None]:
            starts = sorted(cold_page(browser, path) for _ in range(1 if few else 3))
            row(
                f"server start to first picture, {path} (median)",
                starts[len(starts) // 2],
                2,
                "s",
                starts[len(starts) // 2] < 2,
                all=starts,
            )
        with serving() as server:
            server.wait()
            page = opened(browser, f"{server.address}/?model={MODEL}&level=workbench")
            quiet(page)
            page.get_by_label("Keep words and states").wait_for()  # the model is in the page
            for what, found in (
                ("playing", playing(page, 3 if few else 8)),
                ("dragging", dragging(page, 2 if few else 6)),
            ):
                row(f"{what}: frames per second", found["fps"], 60, "fps", found["fps"] > 58, **found)
                row(f"{what}: messages to the server", found["messages"], 0, "", found["messages"] == 0)
            found = sliding(page, 2 if few else 6)
            row("another sigma in every frame: fps", found["fps"], 60, "fps", found["fps"] > 58, **found)
            row("another sigma in every frame: decodes", found["decodes"], 60, "/s", found["decodes"] > 58)
            waits = keys(page, 10 if few else 80)
            row("key to picture, p95", share(waits, 0.95), 25, "ms", share(waits, 0.95) < 25, p50=share(waits, 0.5))
            waits = settings(page, 8 if few else 60)
            late = share(waits, 0.95)
            row("slider pressed to decoded picture, p95", late, 33, "ms", late < 33, p50=share(waits, 0.5))
            full = window_map(page)
            row("map of 100 windows, all decoded", full, 1.5, "s", full < 1.5)
            page.context.close()
            page = opened(browser, f"{server.address}/?model={MODEL}&race=score")
            quiet(page)
            found = playing(page, 3 if few else 8)
            row("playing a race of all scores: frames per second", found["fps"], 60, "fps", found["fps"] > 58, **found)
            page.goto(f"{server.address}/corpus?corpus_model={MODEL}")
            rate = corpus_rate(page, [pair.de for pair in captions()])
            row("corpus page: sentences measured", rate, 100, "/s", rate >= 100)
            page.context.close()
            one = server.megabytes
    (held, process), (held_without, process_without) = (
        page_memory(chromium, translates) for translates in (True, False)
    )
    extra = held - held_without
    row(
        "memory of a page with a model, over one without",
        extra,
        60,
        "MB",
        extra < 60,
        process=process - process_without,
    )
    with serving() as server:
        server.wait()
        found = viewers(server, 4 if few else 30, 5 if few else 60)
        what = f"{4 if few else 30} viewers, one decode a second each by the server"
        row(f"{what}: answered", found["answered"], found["asked"], "", found["answered"] == found["asked"])
        row(f"{what}: p95", found["p95"], 150, "ms", found["p95"] < 150, **found)
        most = max(one, server.megabytes)
        row("memory of the server", most, 600, "MB", most < 600, one_viewer=one, many=server.megabytes)
    with serving() as server:
        server.wait()
        with launch_browser(chromium) as browser:
            tab = recorded(browser, server.address)
        moved = "D moved, steps, link copied: messages to the server"
        row(moved, len(tab.moving), 0, "", not tab.moving, files=len(tab.paths))
        count = 4 if few else 300
        attendance = attend(server.address, psutil.Process(server.process.pid), tab, count, 30 * count / 300, 10)
        late = share(attendance.waits, 0.95)
        row(f"{count} viewers joining within {count / 10:g} s: page open, p95", late, 30, "s", late < 30)
        row(f"{count} viewers: load of the server afterwards", 100 * attendance.idle, 10, "%", attendance.idle < 0.1)
    return rows


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    reader.add_argument("--quick", action="store_true", help="few repetitions: a check that everything runs")
    few = reader.parse_args().quick
    chromium = next((at for name in (os.environ.get("CHROMIUM", ""), *CHROMIUMS) if (at := shutil.which(name))), None)
    if chromium is None:
        raise SystemExit("Chromium or Chrome not found: install one, or set CHROMIUM to its path")
    about = circumstances(("streamlit", "torch", "playwright"))
    rows = measure(chromium, few)
    print(f"\n{'':52}{'target':>12}{'measured':>12}")
    for row in rows:
        value = f"{row['value']:.2f}" if row["unit"] == "s" else f"{row['value']:.0f}"
        missed = "" if row["good"] else "MISSED"
        print(f"{row['what']:52}{row['target']:>9} {row['unit']:3}{value:>8} {row['unit']:4}{missed}")
    path = RESULTS / f"app-{about['date'][:10]}{'-quick' if few else ''}.json"
    with replacing(path) as part:
        part.write_text(json.dumps(about | {"quick": few, "measures": rows}, indent=1) + "\n", "utf-8")
    print(f"\nload before: {about['load_before'][0]} on {about['cores']} cores; written to {path.relative_to(ROOT)}")
