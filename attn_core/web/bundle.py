"""ES modules as one script and style sheets as one sheet, for a page, a notebook or a component of Streamlit.

A module is plain JavaScript: `import { a, b as c } from "./path.js";` by relative path, into other folders too, and
`export function`, `const` or `class`. In the script each module is a function of its own that returns what it exports,
so two modules may use the same name. Only the entry keeps the exports that it has. The player's `core/palette.js` is
not a file: like the style sheets' custom properties it is written from attn_core.palette.
"""

import json
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from attn_core import palette

PLAYER = Path(__file__).parent / "player"
MORE = PLAYER / "styles" / "more.css"
PALETTE = PLAYER / "core" / "palette.js"

_IMPORT = re.compile(r'^import \{([^}]*)\} from "([^"]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|const|class) (\w+))", re.MULTILINE)
_DEFAULT = re.compile(r"^export default\b", re.MULTILINE)
_OTHER = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)
_JSDOC = re.compile(r"^[ \t]*/\*\*(?:(?!\*/).)*\*/[ \t]*\n", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class _Module:
    path: Path
    text: str  # without its imports, and without its documentation
    imports: tuple[tuple[str, Path], ...]  # what stands between the braces, and of which module
    exports: tuple[str, ...]


@cache
def module(entry: Path) -> str:
    """One ES module with everything that `entry` imports. A file's name is one that a variable may have.

    Raises ValueError, naming the files, for an import that is not there, a circle of imports, and an import or export
    of another form than those above.
    """
    *shared, own = _collected(entry)
    names = {one.path: f"${place}_{one.path.stem}" for place, one in enumerate(shared)}
    return "\n".join([*(_scoped(one, names) for one in shared), _imported(own, names) + own.text])


def style(*sheets: Path) -> str:
    """The palette and the player's style sheets, and after them `sheets`."""
    own = (PLAYER / "styles" / "player.css", MORE)
    return "\n".join([_themed(), *map(sheet, (*own, *sheets))])


def colors(selector: str) -> str:
    """The palette as custom properties of `selector`, which follow its color-scheme."""
    light, dark = palette.PLAYER["light"], palette.PLAYER["dark"]
    return _rule(selector, {name: f"light-dark({light[name]}, {dark[name]})" for name in light})


@cache
def sheet(path: Path) -> str:
    """One style sheet."""
    return path.read_text(encoding="utf-8")


def modules(entry: Path) -> tuple[Path, ...]:
    """The files of `module(entry)`, each after those that it imports; raises as `module` does."""
    return tuple(one.path for one in _collected(entry))


def _themed() -> str:
    """The palette as custom properties of the player's root, whose data-theme names the theme."""
    rules = {"light": ".ap-root", "dark": '.ap-root[data-theme="dark"]'}
    return "\n".join(_rule(rules[theme], _on_host(found)) for theme, found in palette.PLAYER.items())


def _on_host(found: dict[str, str]) -> dict[str, str]:
    return found | {"surface": f"var(--st-background-color, {found['surface']})"}


def _rule(selector: str, values: dict[str, str]) -> str:
    lines = "".join(f"  --ap-{name}: {value};\n" for name, value in values.items())
    return f"{selector} {{\n{lines}}}\n"


def _palette() -> str:
    return f"export const HEAT = {json.dumps(palette.HEAT)};\nexport const ON_HEAT = {json.dumps(palette.ON_HEAT)};\n"


def _collected(entry: Path) -> list[_Module]:
    found: dict[Path, _Module] = {}
    _collect(entry.resolve(), (), found)
    return list(found.values())


def _collect(path: Path, importers: tuple[Path, ...], found: dict[Path, _Module]) -> None:
    """Put the module at `path` into `found`, after all that it imports."""
    if path in importers:
        circle = " -> ".join(one.name for one in (*importers[importers.index(path) :], path))
        raise ValueError(f"these modules import each other: {circle}")
    if path in found:
        return
    one = _parsed(path, importers)
    for names, other in one.imports:
        _collect(other, (*importers, path), found)
        missing = {name.split(" as ")[0] for name in _split(names)} - set(found[other].exports)
        if missing:
            raise ValueError(f"{path} imports {', '.join(sorted(missing))} from {other}, which has no such export")
    found[path] = one


def _parsed(path: Path, importers: tuple[Path, ...]) -> _Module:
    try:
        text = _palette() if path == PALETTE.resolve() else path.read_text(encoding="utf-8")
    except FileNotFoundError:
        who = f", which {importers[-1]} imports" if importers else ""
        raise ValueError(f"there is no module {path}{who}") from None
    text = _JSDOC.sub("", text)
    imports = tuple((names, (path.parent / other).resolve()) for names, other in _IMPORT.findall(text))
    text, exports = _IMPORT.sub("", text), tuple(_EXPORT.findall(text))
    if importers:
        text = _EXPORT.sub("", text)
    for line in _OTHER.findall(text):
        if importers or not (_EXPORT.match(line) or _DEFAULT.match(line)):
            raise ValueError(f"{path}: the bundler does not know this form of import or export: {line}")
    return _Module(path, text, imports, exports)


def _scoped(one: _Module, names: dict[Path, str]) -> str:
    inside = _imported(one, names) + one.text
    return f"const {names[one.path]} = (() => {{\n{inside}return {{ {', '.join(one.exports)} }};\n}})();"


def _imported(one: _Module, names: dict[Path, str]) -> str:
    lines = (
        f"const {{ {', '.join(_split(inside)).replace(' as ', ': ')} }} = {names[other]};\n"
        for inside, other in one.imports
    )
    return "".join(lines)


def _split(names: str) -> list[str]:
    return [name for part in names.split(",") if (name := " ".join(part.split()))]
