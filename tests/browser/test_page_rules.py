"""The page's JavaScript: short functions, no state or events beside the store, components that only know children."""

import pytest

from tests.helpers.page_rules import EVENTS, FUNCTIONS, IMPORTS, LISTENERS, RULES, VARIABLES, modules, offenders
from tests.helpers.serving import ROOT
from tests.helpers.syntax import Function, Import, Syntax, parsed

MODULE = """
import { other, First as Opening, Second } from "./other.js";
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
export const Whole = () => html`<p>${short}</p>${fixed && html`<${Opening} value=${Second} />`}`;
export class Guard extends Component {}
export const LONGEST = 80;
export class Arena {}
"""


@pytest.fixture(scope="module")
def page() -> dict[str, Syntax]:
    return modules(ROOT)


@pytest.mark.parametrize("rule", RULES)
def test_page_follows_rule(page, rule):
    assert offenders(page)[rule] == []


def test_module_that_breaks_each_rule_is_found(page):
    name = "app/explorer/broken.js"
    bad = Syntax(
        functions=(Function("long", 1, 81), Function("short", 82, 80)),
        mutable=("count",),
        events=(3,),
        listeners=(4,),
        components=(),
        imports=(
            Import("Chip", "../../attn_core/browser/player/dom/parts.js", drawn=False),
            Import("WithSubscripts", "../../attn_core/browser/player/dom/parts.js", drawn=True),
            Import("Model", "../../attn_core/browser/engine/model.js", drawn=False),
            Import("Fragment", "../../attn_core/browser/vendor/preact.js", drawn=False),
        ),
    )
    assert offenders(page | {name: bad}) == {
        FUNCTIONS: [f"{name} long"],
        VARIABLES: [f"{name} count"],
        EVENTS: [f"{name}:3"],
        LISTENERS: [f"{name}:4"],
        IMPORTS: [f"{name} Chip"],
    }


def test_syntax_of_a_module_is_read(tmp_path):
    path = tmp_path / "module.js"
    path.write_text(MODULE.lstrip(), encoding="utf-8")
    functions = (
        Function("short", 5, 1),
        Function("outer", 6, 13),
        Function("", 14, 3),
        Function("method", 20, 1),
        Function("Whole", 22, 1),
    )
    imports = (
        Import("other", "./other.js", drawn=False),
        Import("First", "./other.js", drawn=True),
        Import("Second", "./other.js", drawn=False),
    )
    mutable = ("count", "first", "second", "table")
    assert parsed([path]) == {path: Syntax(functions, mutable, (15,), (14,), ("Whole", "Guard"), imports)}


def test_nodes_of_the_syntax_tree_are_counted(tmp_path):
    """A module, its declaration, the declarator, the name, a sum and two numbers; comments are none."""
    path = tmp_path / "module.js"
    path.write_text("// One.\nconst two = 1 + 1;\n", encoding="utf-8")
    assert parsed([path])[path].nodes == 7


@pytest.mark.parametrize("template", ["html`<${Child} />`", "html`<p><${Part} key=${1} of=${Child} value=${2} /></p>`"])
def test_component_in_a_template_is_drawn(tmp_path, template):
    path = tmp_path / "module.js"
    path.write_text(f'import {{ Child }} from "./child.js";\nconst parent = () => {template};\n', encoding="utf-8")
    assert parsed([path])[path].imports == (Import("Child", "./child.js", drawn=True),)


def test_module_that_cannot_be_parsed_is_named(tmp_path):
    path = tmp_path / "module.js"
    path.write_text("export const = 1;", encoding="utf-8")
    with pytest.raises(ValueError, match=r"module\.js: Unexpected token"):
        parsed([path])
