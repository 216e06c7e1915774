"""Views, models and translations for the tests of a page's state."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from attn_core.attention.settings import ATTENTION_TYPES, WINDOWS
from attn_core.web import bundle
from tests.helpers.javascript import evaluator

STATE = bundle.PLAYER.parent / "state"
ONE, OTHER, FRENCH, LONG = MODELS = ["one", "other", "french", "long"]
LIVE = [
    {"name": "half_width", "symbol": "D", "whole": True, "least": 0, "most": 1000},
    {"name": "sigma", "symbol": "σ", "whole": False, "least": 0.01, "most": 5000},
    {"name": "left", "symbol": "left", "whole": True, "least": 0, "most": 9},  # of a window of one's own
    {"name": "step", "symbol": "D", "whole": True, "least": 1, "most": 9},  # both names mean something else in a link
]
FACTS = {
    "model": ONE,
    "models": MODELS,
    "texts": {ONE: "ein hund", OTHER: "ein hund", FRENCH: "un chien", LONG: "ein hund . ein kind ."},
    "windows": {name: {"live": LIVE} for name in WINDOWS},
    "types": sorted(ATTENTION_TYPES),
    "axes": ["score", "window"],
    "glosses": ["en", "zh", "none"],
    "stops": 7,
}
CHOICES = [
    {"name": ONE, "pair": "de-en", "joined": False, "examples": ["ein hund", "ein kind"]},
    {"name": OTHER, "pair": "de-en", "joined": False, "examples": ["ein hund", "ein kind"]},
    {"name": FRENCH, "pair": "fr-en", "joined": False, "examples": ["un chien"]},
    {"name": LONG, "pair": "de-en", "joined": True, "examples": ["ein hund . ein kind .", "ein kind . ein hund ."]},
]
RUN = {
    "model": ONE,
    "window": None,
    "live": {},
    "centers": None,
    "type": None,
    "beam": 1,
    "normalise": "length",
    "alpha": 1,
    "unk": False,
    "draw": 0,
    "edits": [],
    "keep": False,
}
VIEW = RUN | {
    "text": "ein hund",
    "step": 0,
    "layer": None,
    "head": None,
    "compared": None,
    "race": None,
    "gloss": "en",
    "tour": None,
    "present": False,
    "level": "story",
}
EDITS = [
    {"kind": "weights", "step": 0, "layer": None, "head": None, "weights": [0.25, 0.75]},
    {"kind": "off", "layer": 0, "head": 1},
    {"kind": "word", "step": 3, "word": "a&b=c"},
]


def state_js(node: str, folder: Path) -> Callable[[str, Any], Any]:
    """Evaluate a JavaScript expression of `input` in node; `js` holds the exports of the modules of the state."""
    return evaluator(
        node, folder, tuple(STATE / f"{name}.js" for name in ("view", "reducer", "fit", "requests", "store"))
    )


def read(run_js, *links: str) -> list[dict[str, Any]]:
    return run_js("input[0].map((link) => js.readView(new URLSearchParams(link), input[1]))", [links, FACTS])


def written(run_js, *views: dict[str, Any]) -> list[str]:
    return run_js("input[0].map((view) => String(js.writeView(view, input[1])))", [views, FACTS])


def trace(source: str, target: str, heads: int = 1, **settings: Any) -> dict[str, Any]:
    """A translation with uniform weights, as far as the state reads it."""
    words = source.split()
    look = {"weights": [1 / len(words)] * len(words)}
    looks = [look | {"layer": head // 2, "head": head % 2} for head in range(heads)]
    steps = [{"t": t, "token": word, "top": [[word, -0.1]], "looks": looks} for t, word in enumerate(target.split())]
    return {"model": ONE, "settings": settings, "source": words, "target": target.split(), "steps": steps}


def reduced(
    run_js, actions: list[dict[str, Any]], view: dict[str, Any] = VIEW, shown: dict[str, Any] | None = None, **more: Any
) -> list[dict[str, Any]]:
    """The state after each of the actions."""
    script = """(([view, trace, more, actions, choices]) => {
        let state = { ...js.firstState(view, trace), ...more };
        const asked = (action) => (action.key === "" ? { ...action, key: js.requestKey(state.view) } : action);
        return actions.map((action) => (state = js.reduce(state, asked(action), choices)));
    })(input)"""
    return run_js(script, [view, shown or trace("ein hund", "a dog </s>"), more, actions, CHOICES])


def answered(text: str, found: dict[str, Any] | None, key: str = "", **more: Any) -> dict[str, Any]:
    """The action of a translation that has arrived; without a key, it is the one that the view asks for."""
    reading = {"known": text.split(), "unknown": [], "swapped": False}
    answer = {"trace": found, "text": "", "words": len(text.split()), "most": 60, "unit": "words", "reading": reading}
    return {"type": "translated", "key": key, "text": text, "how": {}, "files": None, "answer": answer | more}
