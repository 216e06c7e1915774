"""The player's small ES modules as one script: imports are resolved, `import` and `export` lines stripped."""

import re
from functools import cache
from pathlib import Path

HERE = Path(__file__).parent / "player"
_IMPORT = re.compile(r"^import \{[^}]*\} from \"\./([a-z]+)\.js\";\n", re.MULTILINE)
_EXPORT = re.compile(r"^export (?=function|const|let|class)", re.MULTILINE)


@cache
def module(adapter: str) -> str:
    """The ES module `adapter`.js with all that it imports; its own exports stay. No name is defined twice (tested)."""
    parts: dict[str, str] = {}
    _collect(adapter, parts)
    *shared, own = parts.values()
    return "\n".join([_EXPORT.sub("", part) for part in shared] + [own])


def style(*parts: str) -> str:
    """The player's style sheet, and after it those of the `parts`, by name."""
    return "\n".join(map(sheet, ("player", "more", *parts)))


@cache
def sheet(name: str) -> str:
    """One style sheet, by its name."""
    return (HERE / f"{name}.css").read_text(encoding="utf-8")


def _collect(name: str, parts: dict[str, str]) -> None:
    text = (HERE / f"{name}.js").read_text(encoding="utf-8")
    for other in _IMPORT.findall(text):
        if other not in parts:
            _collect(other, parts)
    parts[name] = _IMPORT.sub("", text)
