"""Rules for the JavaScript of a page of components, and what breaks them."""

import posixpath
from pathlib import Path

from tests.helpers.syntax import Syntax, parsed

LONGEST = 80  # lines of a function
VENDOR = "attn_core/browser/vendor/"
LABS = ("app/lab/", "app/site/lab.js")
SHELL = "app/shell/"  # connects the app with the browser, also across the scripts of a page of Streamlit
HOSTS = "attn_core/browser/hosts/"  # connect a player with the page around it
# The engine keeps compiled plans; the address bar and its history are one for all parts of a page.
STATEFUL = ("attn_core/browser/state/store.js", "attn_core/browser/engine/", "app/shell/address.js")

FUNCTIONS = f"JavaScript functions over {LONGEST} lines outside labs"
VARIABLES = "module-level variables that change, outside store, engine, `address.js` and labs"
EVENTS = "`new CustomEvent` outside labs"
LISTENERS = "`document.addEventListener` outside `app/shell`, `hosts` and labs"
IMPORTS = "imported components that are no children in a template of the module, outside labs"
RULES = (FUNCTIONS, VARIABLES, EVENTS, LISTENERS, IMPORTS)


def modules(checkout: Path) -> dict[str, Syntax]:
    """The syntax of the page's modules, by their paths from the checkout's folder: no labs, no vendored libraries."""
    files = [path for room in ("attn_core/browser", "app") for path in sorted((checkout / room).rglob("*.js"))]
    named = {path.relative_to(checkout).as_posix(): path for path in files}
    ours = {name: path for name, path in named.items() if not name.startswith((*LABS, VENDOR))}
    syntax = parsed(ours.values())
    return {name: syntax[path] for name, path in ours.items()}


def offenders(page: dict[str, Syntax]) -> dict[str, list[str]]:
    """The functions, variables, lines and imports that break each rule, each with its module."""
    broken: dict[str, list[str]] = {rule: [] for rule in RULES}
    for name, syntax in page.items():
        broken[FUNCTIONS] += [f"{name} {function.name}" for function in syntax.functions if function.lines > LONGEST]
        broken[EVENTS] += [f"{name}:{line}" for line in syntax.events]
        broken[IMPORTS] += [f"{name} {component}" for component in _undrawn(name, page)]
        if not name.startswith(STATEFUL):
            broken[VARIABLES] += [f"{name} {variable}" for variable in syntax.mutable]
        if not name.startswith((SHELL, HOSTS)):
            broken[LISTENERS] += [f"{name}:{line}" for line in syntax.listeners]
    return broken


def _undrawn(name: str, page: dict[str, Syntax]) -> list[str]:
    """The components that a module imports and draws in none of its templates."""
    found = []
    for imported in page[name].imports:
        module = page.get(posixpath.normpath(f"{posixpath.dirname(name)}/{imported.module}"))
        if module and imported.name in module.components and not imported.drawn:
            found.append(imported.name)
    return found
