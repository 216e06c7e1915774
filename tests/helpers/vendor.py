"""Write the JavaScript libraries in attn_core/browser/vendor, from npm, and the font's licence.

A page loads modules by relative paths, and the bundler reads imports and exports that have a line of their own, so
these statements are rewritten. The rest of a file stays as it was published. To update a library, change its version in
VERSIONS, run `python -m tests.helpers.vendor`, and compare the declarations (*.d.ts), which are written by hand, with
the library's own.
"""

import hashlib
import json
import re
import subprocess
import tarfile
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from attn_core.browser.bundle import FONT, VENDOR

VERSIONS = {"preact": "11.2.0", "@preact/signals-core": "1.14.5", "htm": "3.1.1", "source-sans": "3.52.0"}
_FONT_PACKAGE, _FONT_PATH = "source-sans", "VF/SourceSans3VF-Upright.ttf"

_FROM = re.compile(r'\b(import|export)\{([^}]*)\}from"([^"]+)";')
_LIST = re.compile(r"\bexport\{([^}]*)\};?\s*$")
_DEFAULT = re.compile(r"\bexport default function\(")
_MAP = re.compile(r"//# sourceMappingURL=\S+\s*$")
_COPYRIGHT = re.compile(r"^\s*(Copyright (?:\(c\) )?\d{4}.*?)\s*$", re.MULTILINE)


@dataclass(frozen=True)
class Module:
    name: str  # of the file in attn_core/browser/vendor
    package: str
    path: str  # in the package
    specifier: str  # the bare name by which other modules import it


MODULES = (
    Module("preact.js", "preact", "dist/preact.mjs", "preact"),
    Module("hooks.js", "preact", "hooks/dist/hooks.mjs", "preact/hooks"),
    Module("signals-core.js", "@preact/signals-core", "dist/signals-core.module.js", "@preact/signals-core"),
    Module("htm.js", "htm", "dist/htm.module.js", "htm"),
)

ABOUT = """# Third-party libraries

Preact and htm for the components of the pages, and signals for their state. `python -m tests.helpers.vendor` fetches
the packages with npm and writes the scripts, the licences and this file. A script differs from the published file in
three points:

- Bare imports are relative, and each import and export has a line of its own.
- Names that a script exports from another one are imported first. A default export is named after the file.
- The first line names the library, its version and its licence. The reference to a source map is removed.

The declarations (`*.d.ts`) are written by hand; they declare what this project uses.

The font of the pages, Attention Sans, is a part of Source Sans 3 in weights from 400 to 700, with letters that the
interface needs. `tests/helpers/font.py` made it and has the commands; its licence reserves the name "Source".

| library | version | licence |
|---|---|---|
{libraries}

| file | file in the package | SHA-256 as published | SHA-256 here |
|---|---|---|---|
{files}
"""


def rewritten(text: str, name: str, modules: dict[str, str]) -> str:
    """A published module with imports and exports that the bundler reads; a default export gets the name `name`.

    `modules` has the relative path of each bare import. Raises ValueError for a statement in another form.
    """
    text = _MAP.sub("", text).strip()
    imports: dict[str, list[str]] = {}
    exports: list[str] = []
    for keyword, names, specifier in _FROM.findall(text):
        imports.setdefault(modules[specifier], []).extend(_spaced(names))
        if keyword == "export":
            exports += _spaced(names)
    text = _FROM.sub("", text)
    for names in _LIST.findall(text):
        exports += _spaced(names)
    text = _LIST.sub("", text)
    if _DEFAULT.search(text):
        text = _DEFAULT.sub(f"function {name}(", text)
        exports.append(name)
    if left := re.search(r"\b(?:import|export)\b.{0,40}", text):
        raise ValueError(f"{name}: cannot rewrite {left[0]}")
    lines = [f'import {{ {", ".join(names)} }} from "{path}";' for path, names in imports.items()]
    return "\n".join([*lines, text, f"export {{ {', '.join(exports)} }};\n"])


def _spaced(names: str) -> list[str]:
    return [" ".join(name.split()) for name in names.split(",")]


def files() -> dict[str, str]:
    """The files of attn_core/browser/vendor that are not written by hand, fetched with npm.

    Raises CalledProcessError if npm cannot fetch a package.
    """
    with TemporaryDirectory() as folder:
        packages = _fetched(Path(folder))
    known = {package: json.loads(inside["package.json"]) for package, inside in packages.items()}
    licences = {package: _licence(inside) for package, inside in packages.items()}
    written = {_licence_file(package): text for package, text in licences.items()}
    rows = []
    for module in MODULES:
        published = packages[module.package][module.path]
        version, licence = VERSIONS[module.package], known[module.package]["license"]
        text = rewritten(
            published.decode(), Path(module.name).stem, {other.specifier: f"./{other.name}" for other in MODULES}
        )
        notice = f"{module.specifier} {version}, {licence}, {_copyright(licences[module.package])}"
        written[module.name] = f"/*! {notice}; imports and exports rewritten */\n{text}"
        digests = [sha256(published), sha256(written[module.name].encode())]
        rows.append([module.name, f"{module.package}: {module.path}", *digests])
    font = packages[_FONT_PACKAGE][_FONT_PATH]
    rows.append([FONT.name, f"{_FONT_PACKAGE}: {_FONT_PATH}", sha256(font), sha256(FONT.read_bytes())])
    libraries = [
        [package, VERSIONS[package], f"[{known[package]['license']}]({_licence_file(package)})"] for package in VERSIONS
    ]
    written["THIRD_PARTY.md"] = ABOUT.format(libraries=_table(libraries), files=_table(rows))
    return written


def _fetched(folder: Path) -> dict[str, dict[str, bytes]]:
    """The contents of the packages' files."""
    wanted = [f"{package}@{version}" for package, version in VERSIONS.items()]
    command = ["npm", "pack", "--json", "--ignore-scripts", "--loglevel=error", "--pack-destination", str(folder)]
    done = subprocess.run([*command, *wanted], cwd=folder, capture_output=True, text=True, check=True)
    return {one["name"]: _contents(folder / one["filename"]) for one in json.loads(done.stdout)}


def _contents(package: Path) -> dict[str, bytes]:
    with tarfile.open(package) as archive:
        found = {one.name.removeprefix("package/"): archive.extractfile(one) for one in archive if one.isfile()}
        return {name: file.read() for name, file in found.items() if file}


def _licence(inside: dict[str, bytes]) -> str:
    text = inside.get("LICENSE") or inside["LICENSE.md"]
    return text.decode().replace("\r\n", "\n")


def _copyright(licence: str) -> str:
    found = _COPYRIGHT.search(licence)
    assert found, licence
    return found[1]


def _licence_file(package: str) -> str:
    return f"LICENSE-{package.lstrip('@').replace('/', '-')}.txt"


def _table(rows: list[list[str]]) -> str:
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def main() -> None:
    VENDOR.mkdir(exist_ok=True)
    for name, text in files().items():
        (VENDOR / name).write_text(text, encoding="utf-8", newline="\n")
        print(VENDOR / name)


if __name__ == "__main__":
    main()
