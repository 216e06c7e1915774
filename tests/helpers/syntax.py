"""Facts from the syntax trees of JavaScript modules: functions, changing variables, events, listeners, components."""

import json
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import playwright


@dataclass(frozen=True)
class Function:
    """A function of a module, from its first to its last line; "" is the name of one without a name."""

    name: str
    line: int
    lines: int


@dataclass(frozen=True)
class Import:
    """A name that a module imports from another; `drawn`: as a component in one of its templates."""

    name: str
    module: str
    drawn: bool


@dataclass(frozen=True)
class Syntax:
    """What a module contains."""

    functions: tuple[Function, ...]
    mutable: tuple[str, ...]  # variables of the module that are assigned again, or whose value is changed in place
    events: tuple[int, ...]  # the lines with `new CustomEvent`
    listeners: tuple[int, ...]  # the lines with `document.addEventListener`
    components: tuple[str, ...]  # that are exported
    imports: tuple[Import, ...]
    nodes: int = field(default=0, compare=False)  # of the syntax tree


def parsed(paths: Iterable[Path]) -> dict[Path, Syntax]:
    """The syntax of each module. The parser is that of playwright's node, whose version requirements.txt pins.

    Raises ValueError with the path of a module that cannot be parsed.
    """
    node = Path(playwright.__file__).parent / "driver" / "node"
    command = [str(node), "--expose-internals", str(Path(__file__).with_suffix(".js"))]
    names = json.dumps([str(path) for path in paths])
    done = subprocess.run(command, input=names, capture_output=True, text=True, check=False)
    if done.returncode:
        raise ValueError(done.stderr)
    return {Path(path): _syntax(facts) for path, facts in json.loads(done.stdout).items()}


def _syntax(facts: dict[str, Any]) -> Syntax:
    functions = tuple(Function(**function) for function in facts["functions"])
    imports = tuple(Import(**imported) for imported in facts["imports"])
    others = {name: tuple(facts[name]) for name in ("mutable", "events", "listeners", "components")}
    return Syntax(functions=functions, imports=imports, nodes=facts["nodes"], **others)
