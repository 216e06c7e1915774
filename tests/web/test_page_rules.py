"""The page's JavaScript has short functions, and no state or events beside the store; labs follow later.

Modules that break a rule today are listed. The lists only shrink: a module that is mended leaves its list.
"""

from collections import Counter

import pytest

from tests.helpers.page_rules import EVENTS, FUNCTIONS, LISTENERS, VARIABLES, modules, offenders
from tests.helpers.serving import ROOT
from tests.helpers.syntax import Function, Syntax, parsed

TODAY = {
    FUNCTIONS: [
        "app/shell/numbers/opened.js useOpened",
        "attn_core/web/player/components/painting.js painting",
        "attn_core/web/player/draw/animation.js animate",
        "attn_core/web/player/draw/painter.js makePainter",
    ],
    VARIABLES: [
        "app/shell/address.js kept",
        "attn_core/web/player/core/heat.js made",
        "attn_core/web/player/core/pieces.js tables",
        "attn_core/web/player/draw/text.js cuts",
    ],
    EVENTS: [],
    LISTENERS: [
        "attn_core/web/hosts/keys.js",
        "attn_core/web/hosts/keys.js",
    ],
}

MODULE = """
import { other } from "./other.js";
let count = 0;
const [first, second] = [new Map(), []];
const fixed = new Set(["a"]), table = {}, hidden = {};
export const short = () => (count += 1);
export function outer(values) {
  first.set(values, 1);
  second.push(...values);
  table[values] = other;
  if (fixed.has(values)) {
    const hidden = [];
    hidden.push(values);
  }
  document.addEventListener("click", () => {
    dispatchEvent(new CustomEvent("clicked"));
  });
  document.body.addEventListener("click", short);
}
class Part {
  method({ second }) { second.push(new Event("changed")); }
}
"""


@pytest.fixture(scope="module")
def broken() -> dict[str, list[str]]:
    return offenders(modules(ROOT))


@pytest.mark.parametrize("rule", TODAY)
def test_only_listed_modules_break_a_rule(broken, rule):
    found, listed = Counter(broken[rule]), Counter(TODAY[rule])
    assert not found - listed, "breaks the rule"
    assert not listed - found, "breaks the rule no longer: remove it from the list"


def test_there_is_a_list_for_each_rule(broken):
    assert broken.keys() == TODAY.keys()


def test_syntax_of_a_module_is_read(tmp_path):
    path = tmp_path / "module.js"
    path.write_text(MODULE.lstrip(), encoding="utf-8")
    functions = (
        Function("short", 5, 1),
        Function("outer", 6, 13),
        Function("", 14, 3),
        Function("method", 20, 1),
    )
    assert parsed([path]) == {path: Syntax(functions, ("count", "first", "second", "table"), (15,), (14,))}


def test_module_that_cannot_be_parsed_is_named(tmp_path):
    path = tmp_path / "module.js"
    path.write_text("export const = 1;", encoding="utf-8")
    with pytest.raises(ValueError, match=r"module\.js: Unexpected token"):
        parsed([path])
