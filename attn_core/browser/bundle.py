"""Bundle ES modules into one script and style sheets into one sheet, for a page, a notebook or a Streamlit component.

A module is plain JavaScript with `import { a, b as c } from "./path.js";` (relative paths, also into other folders),
`export function`, `const` or `class`, and `export { a, b as c };`, of values that do not change. In the
script each module becomes a function that returns its exports, so two modules may use the same name. Only the entry
module keeps its exports. Four modules are not files: like the custom properties of the style sheets, `palette.js` is
generated from attn_core.palette; `function-words.js` is generated from attn_core.data.function_words; `catalogue.js`,
with the messages of the script, is generated from the catalogue of the current language (attn_core.messages); and
`code.js` loads the engine as one function, which a page can call, or start in a worker, which needs its text. The
function is part of the script, or of a file beside it that the page fetches when it opens its first model.
"""

import ast
import json
import re
from base64 import b64encode
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from gettext import c2py
from pathlib import Path

from attn_core import messages, palette
from attn_core.data.function_words import LANGUAGES, function_words

PLAYER = Path(__file__).parent / "player"
MORE = PLAYER / "styles" / "more.css"
PALETTE = PLAYER / "core" / "palette.js"
CATALOGUE = PLAYER / "core" / "catalogue.js"
CODE = PLAYER.parent / "engine" / "code.js"
SERVICE = CODE.with_name("service.js")
FUNCTION_WORDS = CODE.with_name("function-words.js")
LIVE = PLAYER.parent / "widget" / "widget.css"
VENDOR = PLAYER.parent / "vendor"
FONT = VENDOR / "attention-sans.woff2"
_PAGE = PLAYER.parent / "hosts" / "page.css"
_FACE = _PAGE.with_name("font.css")

_IMPORT = re.compile(r'^import \{([^}]*)\} from "([^"]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|const|class) (\w+))", re.MULTILINE)
_EXPORTS = re.compile(r"^export \{([^}]*)\};\n", re.MULTILINE)
_DEFAULT = re.compile(r"^export default\b", re.MULTILINE)
_OTHER = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)
_TEXT = r'"(?:[^"\\\n]|\\.)*"(?:\s*\+\s*"(?:[^"\\\n]|\\.)*")*'
_MESSAGE = re.compile(rf"\bt\(\s*({_TEXT})|\btn\(\s*({_TEXT}),\s*({_TEXT})")
_LINES = re.compile(r"^[ \t]*(?://.*)?\n", re.MULTILINE)  # no template literal has such a line
_INDENT = re.compile(r"^[ \t]+", re.MULTILINE)  # which means nothing in the templates of components
# Prettier's line breaks beside brackets. No text in a template has one there; a line with a comment keeps its break.
_OPENED = re.compile(r"^((?:(?!//).)*[({\[])\n", re.MULTILINE)
_CLOSED = re.compile(r"^((?:(?!//).)*?),?\n(?=[)}\]])", re.MULTILINE)
_ENDED = re.compile(r"^((?:(?!//).)*[;,])\n(?=.)", re.MULTILINE)  # Prettier's breaks after statements and items
_JSDOC = re.compile(r"^[ \t]*/\*\*(?:(?!\*/).)*\*/[ \t]*\n|/\*\*(?:(?!\*/).)*\*/ ?", re.MULTILINE | re.DOTALL)
_REMARK = re.compile(r"[ \t]+// [^\"'`\n]*$", re.MULTILINE)  # a text would end with a quotation mark


@dataclass(frozen=True)
class _Module:
    path: Path
    text: str  # without imports; ours also without comments, empty lines and indentation
    imports: tuple[tuple[str, Path], ...]  # the names between the braces, and the module's path
    exports: dict[str, str]  # the name inside the module, by the name outside it


def module(entry: Path, *, engine: str = "") -> str:
    """One ES module with everything that `entry` imports, in the current language.

    `engine` is the import specifier of a file that holds `engine_code()`, such as `./engine.js`; without it the script
    contains the engine.

    Raises ValueError with the file names for a missing import, circular imports, and an import or export in another
    form than those above.
    """
    return _module(entry, messages.language(), engine)


@cache
def _module(entry: Path, language: str, engine: str) -> str:
    loaded = _unexported(_loaded(engine))
    *shared, own = _with_catalogue(
        [replace(mod, text=loaded) if mod.path == CODE.resolve() else mod for mod in _collected(entry)]
    )
    names = _variables(shared)
    return "\n".join([*(_scoped(mod, names) for mod in shared), _imported(own, names) + own.text])


def style(*sheets: Path) -> str:
    """The palette and the player's style sheets, followed by `sheets`."""
    own = (PLAYER / "styles" / f"{name}.css" for name in ("player", "window-panel", "lecture"))
    return "\n".join([_themed(), *map(sheet, (*own, MORE, *sheets))])


def page_style(*sheets: Path, font: str = "") -> str:
    """The style of a page of its own around a player, followed by `sheets`; `font` as in `font_style`."""
    dark = f"@media (prefers-color-scheme: dark) {{ body {{ background: {palette.PAGE['dark']}; }} }}"
    return "\n".join([font_style(font), sheet(_PAGE), dark, style(*sheets)])


@cache
def font_style(address: str = "") -> str:
    """The font of a page, as `--ap-font`, from a file at `address`; by default the style sheet contains it."""
    return sheet(_FACE).replace("FONT", address or f"data:font/woff2;base64,{b64encode(FONT.read_bytes()).decode()}")


def vendored(path: Path) -> bool:
    """Whether a file is in the folder of other projects' libraries, for which the rules of our own code do not hold."""
    return path.is_relative_to(VENDOR)


def colors(selector: str) -> str:
    """The palette as custom properties of `selector` that follow its color-scheme."""
    light, dark = palette.PLAYER["light"], palette.PLAYER["dark"]
    return _rule(selector, {name: f"light-dark({light[name]}, {dark[name]})" for name in light})


@cache
def sheet(path: Path) -> str:
    """The text of one style sheet."""
    return path.read_text(encoding="utf-8")


def imported(path: Path) -> tuple[Path, ...]:
    """The files that a module imports."""
    return tuple(other for _names, other in _parsed(path, ()).imports)


def modules(entry: Path) -> tuple[Path, ...]:
    """The files of `module(entry)`, each after its imports; raises as `module` does."""
    return tuple(mod.path for mod in _collected(entry))


def generated() -> dict[str, str]:
    """The modules that are not files, by name, in English; code.js contains the engine."""
    return {
        PALETTE.name: _palette(),
        FUNCTION_WORDS.name: _function_words(),
        CATALOGUE.name: _catalogue(()),
        CODE.name: _loaded(""),
    }


def _themed() -> str:
    """The palette as custom properties of the player's root element, selected by its data-theme."""
    rules = {"light": ".ap-root", "dark": '.ap-root[data-theme="dark"]'}
    return "\n".join(_rule(rules[theme], _on_host(found)) for theme, found in palette.PLAYER.items())


def _on_host(found: dict[str, str]) -> dict[str, str]:
    return found | {"surface": f"var(--st-background-color, {found['surface']})"}


def _rule(selector: str, values: dict[str, str]) -> str:
    lines = "".join(f"  --ap-{name}: {value};\n" for name, value in values.items())
    return f"{selector} {{\n{lines}}}\n"


def _palette() -> str:
    figure = {name: palette.LIGHT[name] for name in ("ink", "outside", "window", "background")}
    found = {"HEAT": palette.HEAT, "ON_HEAT": palette.ON_HEAT, "FIGURE": figure}
    return "".join(f"export const {name} = {json.dumps(values)};\n" for name, values in found.items())


def _function_words() -> str:
    words = {language: " ".join(function_words(language)) for language in LANGUAGES}
    return f"export const FUNCTION_WORDS = {json.dumps(words, ensure_ascii=False)};\n"


def written(text: str) -> list[tuple[str, ...]]:
    """The messages that a module marks with `t`, and the pairs that it marks with `tn`, in template literals too."""
    return [tuple(_string(part) for part in found if part) for found in _MESSAGE.findall(text)]


def _string(joined: str) -> str:
    return "".join(ast.literal_eval(part) for part in re.split(r'(?<=")\s*\+\s*(?=")', joined))


def _catalogue(used: Iterable[tuple[str, ...]]) -> str:
    """catalogue.js for the messages that a script uses."""
    known = messages.translations()
    rule = re.search(r"plural=([^;\n]+)", known.info().get("plural-forms", ""))
    plural = rule[1] if rule else "n != 1"  # the catalogue's C expression is also valid JavaScript
    form = c2py(plural)
    texts: dict[str, str | list[str]] = {}
    for singular, *plurals in used:
        if plurals:
            forms = {form(n): known.ngettext(singular, plurals[0], n) for n in range(200)}
            if list(forms.values()) != [plurals[0], singular]:  # 0 comes before 1
                texts[singular] = [forms[index] for index in sorted(forms)]
        elif (translated := known.gettext(singular)) != singular:
            texts[singular] = translated
    return (
        f"export const CATALOGUE = {json.dumps(texts, ensure_ascii=False)};\n"
        f"export function plural(n) {{ return Number({plural}); }}\n"
    )


def _collected(entry: Path) -> list[_Module]:
    found: dict[Path, _Module] = {}
    _collect(entry.resolve(), (), found)
    return list(found.values())


def _collect(path: Path, importers: tuple[Path, ...], found: dict[Path, _Module]) -> None:
    """Add the module at `path` to `found`, after its imports."""
    if path in importers:
        circle = " -> ".join(importer.name for importer in (*importers[importers.index(path) :], path))
        raise ValueError(f"circular imports: {circle}")
    if path in found:
        return
    mod = _parsed(path, importers)
    for names, other in mod.imports:
        _collect(other, (*importers, path), found)
        missing = {name for name, _ in _pairs(names)} - found[other].exports.keys()
        if missing:
            raise ValueError(f"{path} imports {', '.join(sorted(missing))}, which {other} does not export")
    found[path] = mod


def _parsed(path: Path, importers: tuple[Path, ...]) -> _Module:
    try:
        text = _text(path)
    except FileNotFoundError:
        importer = f", imported by {importers[-1]}" if importers else ""
        raise ValueError(f"module {path} not found{importer}") from None
    if not vendored(path):
        text = _INDENT.sub("", _LINES.sub("", _REMARK.sub("", _JSDOC.sub("", text))))
        text = _CLOSED.sub(r"\1", _OPENED.sub(r"\1", text))
    imports = tuple((names, (path.parent / other).resolve()) for names, other in _IMPORT.findall(text))
    text = _IMPORT.sub("", text)
    exports = {name: name for name in _EXPORT.findall(text)}
    exports |= {outside: inside for names in _EXPORTS.findall(text) for inside, outside in _pairs(names)}
    if importers:
        text = _unexported(text)
    for line in _OTHER.findall(_EXPORTS.sub("", text)):
        if importers or not (_EXPORT.match(line) or _DEFAULT.match(line)):
            raise ValueError(f"{path}: unsupported form of import or export: {line}")
    if importers and not vendored(path):
        text = _ENDED.sub(r"\1", text)  # after the check, which reads lines
    return _Module(path, text, imports, exports)


def _unexported(text: str) -> str:
    return _EXPORTS.sub("", _EXPORT.sub("", text))


def _text(path: Path) -> str:
    if path == PALETTE.resolve():
        return _palette()
    if path == FUNCTION_WORDS.resolve():
        return _function_words()
    if path == CODE.resolve():
        return _loaded("./engine.js")  # `module` chooses where the engine is
    return _catalogue(()) if path == CATALOGUE.resolve() else path.read_text(encoding="utf-8")


def _loaded(engine: str) -> str:
    """code.js: a function that loads the engine from the script itself, or from the file at the address `engine`."""
    if engine:
        # If only half of the file came, the browser fetches it again under another address, past its own cache.
        again = f"import({json.dumps(f'{engine}?again=')} + Date.now())"
        found = f"await import({json.dumps(engine)}).catch(() => {again})"
        return f"export async function loadEngine() {{\nreturn ({found}).engineCode;\n}}\n"
    return f"{_unexported(engine_code())}export async function loadEngine() {{\nreturn engineCode;\n}}\n"


@cache
def engine_code() -> str:
    """A module with one function, `engineCode`, which contains the modules of service.js and returns its exports."""
    found = _collected(SERVICE)
    names = _variables(found)
    inside = "\n".join(_scoped(mod, names) for mod in found)
    # The entry keeps its exports, which a function cannot contain.
    return f"export function engineCode() {{\n{_unexported(inside)}\nreturn {names[found[-1].path]};\n}}\n"


def _with_catalogue(found: list[_Module]) -> list[_Module]:
    """The modules with the translations of all messages that they use in their catalogue.js."""
    used = [message for mod in found if not vendored(mod.path) for message in written(mod.text)]
    text = _unexported(_catalogue(used))
    return [replace(mod, text=text) if mod.path == CATALOGUE.resolve() else mod for mod in found]


def _variables(found: Iterable[_Module]) -> dict[Path, str]:
    """The variable that holds a module's exports, by the module's path; a number, for a small first page."""
    return {mod.path: f"${number}" for number, mod in enumerate(found)}


def _scoped(mod: _Module, names: dict[Path, str]) -> str:
    inside = _imported(mod, names) + mod.text
    return f"const {names[mod.path]}=(() => {{\n{inside}return{_renamed(mod.exports.items())};\n}})();"


def _imported(mod: _Module, names: dict[Path, str]) -> str:
    """The statement that binds the names that a module imports, if there are any."""
    bindings = ",".join(f"{_renamed(_pairs(imported))}={names[other]}" for imported, other in mod.imports)
    return f"const{bindings};\n" if bindings else ""


def _renamed(pairs: Iterable[tuple[str, str]]) -> str:
    """An object literal or pattern: `{a,b:c}` for the pairs (a, a) and (b, c)."""
    return f"{{{','.join(key if key == value else f'{key}:{value}' for key, value in pairs)}}}"


def _pairs(names: str) -> list[tuple[str, str]]:
    """The names before and after `as` of an import or export; without `as`, the name twice."""
    split = (part.split() for part in names.split(",") if part.strip())
    return [(words[0], words[-1]) for words in split]
