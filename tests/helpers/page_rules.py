"""Rules for the JavaScript of a page of components, and what breaks them."""

from pathlib import Path

from tests.helpers.syntax import Syntax, parsed

LONGEST = 80  # lines of a function
VENDOR = "attn_core/web/vendor/"
LABS = ("app/lab/", "app/site/lab.js")
STATEFUL = ("attn_core/web/state/store.js", "attn_core/web/engine/")  # the engine keeps compiled plans
SHELL = "app/shell/"

FUNCTIONS = f"JavaScript functions over {LONGEST} lines outside labs"
VARIABLES = "module-level variables that change, outside store, engine and labs"
EVENTS = "`new CustomEvent` outside labs"
LISTENERS = "`document.addEventListener` outside `app/shell` and labs"


def modules(checkout: Path) -> dict[str, Syntax]:
    """The syntax of the page's modules, by their paths from the checkout's folder: no labs, no vendored libraries."""
    files = [path for room in ("attn_core/web", "app") for path in sorted((checkout / room).rglob("*.js"))]
    named = {path.relative_to(checkout).as_posix(): path for path in files}
    ours = {name: path for name, path in named.items() if not name.startswith((*LABS, VENDOR))}
    syntax = parsed(ours.values())
    return {name: syntax[path] for name, path in ours.items()}


def offenders(page: dict[str, Syntax]) -> dict[str, list[str]]:
    """The functions, variables and lines that break each rule, each with its module."""
    longest: list[str] = []
    variables: list[str] = []
    events: list[str] = []
    listeners: list[str] = []
    for name, syntax in page.items():
        longest += [f"{name} {function.name}" for function in syntax.functions if function.lines > LONGEST]
        variables += [f"{name} {variable}" for variable in syntax.mutable if not name.startswith(STATEFUL)]
        events += [name for _ in syntax.events]
        listeners += [name for _ in syntax.listeners if not name.startswith(SHELL)]
    return {FUNCTIONS: longest, VARIABLES: variables, EVENTS: events, LISTENERS: listeners}
