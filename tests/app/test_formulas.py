"""The equations below the player of the Explorer and of a handout: of the window and attention type in force."""

import re
from contextlib import suppress
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import pytest

from attn_core.attention.settings import ATTENTION_TYPES, WINDOWS
from attn_core.explain.mathml import mathml
from attn_core.explain.plain import plain
from attn_core.explain.step_graph import formulas, step_graph
from attn_core.models.config import ModelConfig
from attn_core.models.presets import PRESETS
from tests.helpers.described import described
from tests.helpers.support import BAHDANAU, LUONG, TRANSFORMER, VARIANTS, fitting, tiny

ROOT = Path(__file__).parents[2]
WEB = ROOT / "attn_core" / "browser"
MODELS = {
    "local-p": LUONG | {"window": "local-p", "half_width": 2},
    "local-m": LUONG | {"window": "local-m", "half_width": 3},
    "global": LUONG | {"window": "global"},
    "bahdanau": BAHDANAU,
    "transformer": TRANSFORMER,
}


@cache
def config(name: str) -> ModelConfig:
    return ModelConfig.of(fitting(MODELS[name]))


def ways(name: str) -> list[tuple[dict, str | None, ModelConfig]]:
    """The windows and attention types that the model can be run with whatever its D, and its settings then."""
    found = []
    for window in (None, *WINDOWS):
        for kind in (None, *ATTENTION_TYPES):
            with suppress(ValueError):
                plain = config(name).with_window(window)
                plain = plain.set({"type": kind}) if kind else plain
                found.append(({"window": window, "half_width": None, "sigma": None}, kind, plain))
            if not found or found[-1][:2] != ({"window": window, "half_width": None, "sigma": None}, kind):
                continue
            for how in ({"half_width": 0}, {"half_width": 5}, {"sigma": 0.75}, {"half_width": 4, "sigma": 3.0}):
                try:
                    now = config(name).with_window(window, **how)
                    now = now.set({"type": kind}) if kind else now
                except ValueError:
                    continue
                found.append(({"window": window, "half_width": None, "sigma": None} | how, kind, now))
    return found


def graphs(name: str) -> dict:
    """The part of browser.json that formulas are made from."""
    steps: dict[tuple, ModelConfig] = {}
    for how, _kind, now in ways(name):
        if how["half_width"] is None and how["sigma"] is None:
            steps.setdefault((now["window"], now["type"]), now)
    return described(steps.values())


def shown(equation: dict) -> str:
    """An equation of the page in MathML, with the values of the live settings in it."""
    return re.sub(
        r'<mn data-live="(\w+)">[^<]*</mn>',
        lambda found: f"<mn>{float(equation['values'][found[1]]):g}</mn>",
        equation["markup"],
    )


@pytest.mark.parametrize("name", MODELS)
def test_the_equations_are_those_of_the_settings_in_force(page_probe, name):
    given = [how | ({"type": kind} if kind else {}) for how, kind, _now in ways(name)]
    document = graphs(name)
    found = page_probe.each("formulasOf", [[document, how] for how in given])
    assert len(found) > (20 if name.startswith("local") else 0)
    for how, (_, _, now), one in zip(given, ways(name), found, strict=True):
        wanted = {axis: [mathml(line) for line in lines] for axis, lines in formulas(now).items()}
        assert {axis: [shown(line) for line in lines] for axis, lines in one.items()} == wanted, how


@cache
def every_line() -> list[str]:
    """Each symbol and equation of the presets, of the attention types and of the variants of this test suite."""
    configs = [model for model, _recipe in PRESETS.values()]
    configs += [tiny(**settings).config for settings in VARIANTS.values()]
    for name in MODELS:
        configs += [now for _how, _kind, now in ways(name)]
    quantities = [one for model in configs for one in step_graph(model).quantities]
    lines = [line for one in quantities for line in (one.symbol, *one.lines, *one.first)]
    return sorted(set(lines))


def test_the_page_knows_every_command_of_the_equations(page_probe):
    """An unknown command would be shown as text, with its backslash."""
    found = page_probe.each("unknownCommands", [[line] for line in every_line()])
    assert len(every_line()) > 100
    assert {line: unknown for line, unknown in zip(every_line(), found, strict=True) if unknown} == {}


def test_every_equation_is_mathml_that_the_page_accepts():
    """An unknown command would be text with a backslash, and the page refuses elements that it does not know."""
    script = (WEB / "player" / "dom" / "mathml.js").read_text("utf-8")
    known = set(re.findall(r'"(\w+)"', re.search(r"const TAGS = new Set\(\[(.*?)\]\)", script, re.S)[1]))
    for line in every_line():
        found = ElementTree.fromstring(mathml(line))
        assert {one.tag for one in found.iter()} <= known, line
        assert "\\" not in "".join(found.itertext()), line


def test_no_command_is_left_in_plain_text():
    assert {line: plain(line) for line in every_line() if "\\" in plain(line)} == {}
