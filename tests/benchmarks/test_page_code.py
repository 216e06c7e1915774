"""Visits of modules are counted as by hand, and the command prints every row; its figures are not judged here."""

import os
import subprocess
import sys

import pytest

from attn_core.web import bundle
from tests.benchmarks.entries import Visit, acts, entered_again, ran_again, tree, visited, with_recorder
from tests.benchmarks.page_code import details, rows, table
from tests.helpers.page_rules import EVENTS
from tests.helpers.serving import ROOT, Files

# A page with a store and components. A typed sentence is drawn twice: at once, and with its answer of three words.
PAGE = {
    "store": """
export function createStore(reduce) {
  let state = { text: "", answer: "" };
  const listeners = [];
  return {
    subscribe(listener) { listeners.push(listener); listener(state); },
    dispatch(action) {
      state = reduce(state, action);
      for (const listener of listeners) listener(state);
    },
  };
}
""",
    "reducer": """
export const reduce = (state, action) => ({ ...state, ...action });
""",
    "player/draw/dot": """
export function drawDot(canvas) { canvas.getContext("2d").fillRect(0, 0, 1, 1); }
""",
    "word": """
import { html } from "HTML";
import { useLayoutEffect, useRef } from "VENDOR/hooks.js";
import { drawDot } from "./player/draw/dot.js";
import { short } from "./letters.js";
export const Word = ({ text }) => {
  const canvas = useRef();
  useLayoutEffect(() => drawDot(canvas.current), [text]);
  return html`<b>${short(text)}</b><canvas ref=${canvas} />`;
};
""",
    "letters": """
export const short = (text) => first(text);
const first = (text) => text.slice(0, 9);
""",
    "explorer": """
import { html } from "HTML";
import { Word } from "./word.js";
import { ask } from "./server.js";
export function Explorer({ state, dispatch }) {
  const type = async ({ target }) => {
    dispatch({ text: target.value });
    dispatch({ answer: await ask(target.value) });
  };
  return html`
    <input onInput=${type} />
    <output>${state.answer}</output>
    ${state.answer.split(" ").map((text) => html`<${Word} text=${text} />`)}
  `;
}
""",
    "server": """
export const ask = (text) => new Promise((done) => setTimeout(done, 50, text.toUpperCase()));
""",
    "main": """
import { html } from "HTML";
import { render } from "VENDOR/preact.js";
import { createStore } from "./store.js";
import { reduce } from "./reducer.js";
import { Explorer } from "./explorer.js";
const store = createStore(reduce);
store.subscribe((state) => render(html`<${Explorer} state=${state} dispatch=${store.dispatch} />`, document.body));
""",
}


def written(texts: dict[str, str], folder) -> str:
    """The script of these modules with a recorder; the last one is the entry."""
    vendor, made = (os.path.relpath(path, folder) for path in (bundle.VENDOR, bundle.PLAYER / "dom" / "html.js"))
    for name, text in texts.items():
        path = folder / f"{name}.js"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.lstrip().replace("VENDOR", vendor).replace("HTML", made), encoding="utf-8")
    entry = folder / f"{next(reversed(texts))}.js"
    paths = bundle.modules(entry)
    here = folder.resolve()
    names = [f"page/{path.relative_to(here)}" if path.is_relative_to(here) else str(path) for path in paths]
    return with_recorder(bundle.module(entry), names)


@pytest.fixture
def visits(tmp_path, browser) -> list[Visit]:
    """The visits of the page above while "two red dots" is typed."""
    (tmp_path / "script.js").write_text(written(PAGE, tmp_path), encoding="utf-8")
    (tmp_path / "index.html").write_text("<body></body><script type=module src=script.js></script>", encoding="utf-8")
    served = Files(tmp_path)
    page = browser.new_page()
    page.goto(served.address)
    recording = page.locator("output").evaluate_handle("(element) => ({ visits: entries.record(element) })")
    page.locator("input").fill("two red dots")
    found = recording.evaluate("({ visits }) => visits")
    page.close()
    served.stop()
    return [Visit(**visit) for visit in found]


@pytest.mark.browser
def test_visits_are_those_read_from_the_code(visits):
    assert tree(visits) == [
        # The listener of the input, which dispatches and asks.
        "- page/explorer.js (not entered)",
        "  - page/store.js (1 call)",
        "    - page/reducer.js (1 call)",
        "    - page/main.js (not entered)",
        "      - page/explorer.js (1 call)",
        "      - page/word.js (1 call)",  # of the empty answer
        "        - page/letters.js (1 call)",
        "  - page/server.js (1 call)",
        # The answer, after `await`.
        "- page/explorer.js (not entered)",
        "  - page/store.js (1 call)",
        "    - page/reducer.js (1 call)",
        "    - page/main.js (not entered)",
        "      - page/explorer.js (1 call)",
        "      - page/word.js (3 calls)",
        "        - page/letters.js (3 calls)",
    ]
    names = ("explorer", "store", "reducer", "main", "word", "letters", "server")
    assert visited(visits) == [f"page/{name}.js" for name in names]
    twice = {f"page/{name}.js": 1 for name in ("store", "reducer", "explorer", "word", "letters")}
    assert entered_again(visits) == twice
    assert ran_again(visits) == twice | {"page/explorer.js": 3, "page/main.js": 1}


def test_modules_that_act_are_those_that_draw_listen_wait_or_keep():
    acting = {
        name
        for name, text in PAGE.items()
        if acts(text.replace("VENDOR", "../vendor").replace("HTML", "../dom/html.js"))
    }
    assert acting == {"word", "explorer", "server", "main"}
    assert acts('const left = sessionStorage.getItem("left");')
    assert not acts("export const widest = ({ window, live }) => window.width + live.most;")


def test_table_has_a_column_for_each_checkout():
    visits = [Visit(0, "a.js", None, 0), Visit(1, "b.js", 0, 1), Visit(2, "c.js", 0, 4), Visit(3, "b.js", 2, 1)]
    bad = {EVENTS: ["a.js", "a.js"]}
    lines = table(
        {
            "before": rows(visits, bad, {"a.js", "b.js"}.__contains__),
            "after": rows(visits[:2], {EVENTS: []}, {"c.js"}.__contains__),
        }
    ).splitlines()
    assert lines == [
        "|  | before | after |",
        "| --- | --- | --- |",
        "| modules from `input` to paint, outside the engine | 3 | 2 |",
        "| of these no pure functions | 2 | 0 |",
        "| modules entered twice (returns) | 1 (1) | 0 (0) |",
        "| the same with listeners, callbacks and continuations | 1 (1) | 0 (0) |",
        "| modules entered twice that are no pure functions | 1 (1) | 0 (0) |",
        f"| {EVENTS} | 2 | 0 |",
    ]
    assert "- a.js (not entered)\n  - b.js (1 call)\n  - c.js (4 calls)\n    - b.js (1 call)\n" in details(visits, bad)


def test_script_of_other_modules_is_refused(tmp_path):
    written({"part": "export const one = 1;\n", "main": 'import { one } from "./part.js";\none;\n'}, tmp_path)
    script = bundle.module(tmp_path / "main.js")
    with pytest.raises(ValueError, match="a module of the script does not end"):
        with_recorder(script, ["part.js", "other.js", "main.js"])


@pytest.mark.slow
@pytest.mark.browser
def test_the_command_measures_this_checkout(chromium):
    command = [sys.executable, "-m", "tests.benchmarks.page_code", "--way"]
    environment = os.environ | {"CHROMIUM": chromium}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("|  | . |\n")
    assert "attn_core/web/state/" in done.stdout
