"""The source of a mechanism from attn_core, and that of a standalone version, for pages that show them.

The files are read, not imported, so that a page can show them without torch.
"""

import ast
from pathlib import Path
from textwrap import dedent

import attn_core
from app.lab.kit.evidence import Listing, Part

PACKAGE = Path(attn_core.__file__).parent
_DESCRIBES = {"classmethod", "property"}  # methods with these decorators only make formulas or checks: omitted
Definition = ast.ClassDef | ast.FunctionDef


def listing(title: str, file: str, places: tuple[str, ...], programs: Path, name: str) -> Listing:
    """The parts of attn_core's `file` at `places` (Class or Class.method), and the class `name` of `programs`."""
    parts = tuple(Part(f"attn_core/{file}: {place}", source(PACKAGE / file, place)) for place in places)
    return Listing(title, parts, f"{_imports(programs)}\n\n\n{source(programs, name)}")


def source(file: Path, place: str) -> str:
    """The source of a class without the methods that only describe it, or of a method.

    Raises ValueError if the file has no such class or method.
    """
    text = file.read_text("utf-8")
    inside = ast.parse(text).body
    for name in place.split("."):
        found = [one for one in inside if isinstance(one, Definition) and one.name == name]
        if not found:
            raise ValueError(f"{file.name} has no {place}")
        inside = found[0].body
    left_out = {number for one in inside if _describes(one) for number in _lines(one)}
    lines = [*text.splitlines(), ""]
    kept = [lines[number - 1] for number in _lines(found[0]) if number not in left_out]
    return dedent("\n".join(kept)).rstrip()


def _describes(one: ast.stmt) -> bool:
    return isinstance(one, ast.FunctionDef) and any(ast.unparse(by) in _DESCRIBES for by in one.decorator_list)


def _lines(one: ast.stmt) -> range:
    """The line numbers of a definition, its decorators and the blank line after it."""
    decorators = one.decorator_list if isinstance(one, Definition) else []
    return range(min([one.lineno, *(by.lineno for by in decorators)]), (one.end_lineno or one.lineno) + 2)


def _imports(file: Path) -> str:
    body = ast.parse(file.read_text("utf-8")).body
    return "\n".join(ast.unparse(one) for one in body if isinstance(one, ast.Import | ast.ImportFrom))
