"""The source of a mechanism from attn_core, and that of a standalone version, for pages that show them.

The files are read, not imported, so that a page can show them without torch.
"""

import ast
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from textwrap import dedent

import attn_core
from app.lab.kit.evidence import Listing, Part
from attn_core.messages import _

PACKAGE = Path(attn_core.__file__).parent
_DESCRIBES = {"classmethod", "property"}  # methods with these decorators only make formulas or checks: omitted
Definition = ast.ClassDef | ast.FunctionDef
_LONGEST = 40  # lines of a class that is shown as a whole


def listing(title: str, file: str, places: tuple[str, ...], programs: Path, name: str) -> Listing:
    """The parts of attn_core's `file` at `places` (Class or Class.method), and the class `name` of `programs`.

    `title` is a message, which is translated here.
    """
    parts = tuple(Part(f"attn_core/{file}: {place}", source(PACKAGE / file, place)) for place in places)
    return Listing(_(title), parts, _program(programs, name))


def class_listing(title: str, place: str, programs: Path) -> Listing:
    """The class at `place` (`package.module:Class`) with what it calls, and the class of that name in `programs`."""
    module, _colon, name = place.partition(":")
    file = _file(module)
    path = file.relative_to(PACKAGE.parent).as_posix() if file.is_relative_to(PACKAGE) else file.name
    parts = tuple(Part(f"{path}: {place}", source(file, place)) for place in _places(file, name))
    has_program = file.is_relative_to(PACKAGE) and name in _definitions(programs)
    return Listing(title, parts, _program(programs, name) if has_program else "")


def source(file: Path, place: str) -> str:
    """The source of a class without the methods that only describe it, or of a method.

    Raises ValueError if the file has no such class or method.
    """
    text = file.read_text("utf-8")
    inside = ast.parse(text).body
    for name in place.split("."):
        found = [node for node in inside if isinstance(node, Definition) and node.name == name]
        if not found:
            raise ValueError(f"{file.name} has no {place}")
        inside = found[0].body
    left_out = {number for node in inside if _describes(node) for number in _lines(node)}
    lines = [*text.splitlines(), ""]
    kept = [lines[number - 1] for number in _lines(found[0]) if number not in left_out]
    return dedent("\n".join(kept)).rstrip()


def _file(module: str) -> Path:
    loaded, spec = sys.modules.get(module), None if module in sys.modules else find_spec(module)
    return Path((loaded.__file__ if loaded else spec.origin if spec else None) or "")


def _places(file: Path, name: str) -> Iterator[str]:
    """A class, or its methods if it is long; methods of its base classes that it calls, and functions of its module."""
    definitions = _definitions(file)
    own = definitions[name]
    methods = [node for node in own.body if isinstance(node, ast.FunctionDef) and not _describes(node)]
    is_short = len(source(file, name).splitlines()) <= _LONGEST
    yield from [name] if is_short else [f"{name}.{method.name}" for method in methods]
    bases = [base.id for base in getattr(own, "bases", ()) if isinstance(base, ast.Name) and base.id in definitions]
    for called in (
        ast.unparse(node.func) for method in methods for node in ast.walk(method) if isinstance(node, ast.Call)
    ):
        inherited = called.removeprefix("super().")
        if isinstance(definitions.get(called), ast.FunctionDef):
            yield called
        elif inherited not in (called, "__init__"):
            for base in bases:
                if inherited in [getattr(node, "name", "") for node in definitions[base].body]:
                    yield f"{base}.{inherited}"


def _definitions(file: Path) -> dict[str, Definition]:
    """The classes and functions of a file, by name."""
    return {node.name: node for node in ast.parse(file.read_text("utf-8")).body if isinstance(node, Definition)}


def _describes(node: ast.stmt) -> bool:
    return isinstance(node, ast.FunctionDef) and any(ast.unparse(by) in _DESCRIBES for by in node.decorator_list)


def _lines(node: ast.stmt) -> range:
    """The line numbers of a definition, its decorators and the blank line after it."""
    decorators = node.decorator_list if isinstance(node, Definition) else []
    return range(min([node.lineno, *(by.lineno for by in decorators)]), (node.end_lineno or node.lineno) + 2)


def _program(file: Path, name: str) -> str:
    """A class of a file of standalone programs, after the imports of the file."""
    body = ast.parse(file.read_text("utf-8")).body
    imports = "\n".join(ast.unparse(node) for node in body if isinstance(node, ast.Import | ast.ImportFrom))
    return f"{imports}\n\n\n{source(file, name)}"
