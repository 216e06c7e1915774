"""The files of the site.

index.html                     the Explorer: the first translation, as the dashboard shows it, and the models' addresses
glosses.json                   the glosses of all example sentences; the page holds those of its first sentence
score-lab.html, ...            the lab pages that have a description, and quiz.html with all quiz cards
cards.html                     the quiz cards to print
engine.js                      what runs the models; all pages share it, and fetch it when they open a model
*.js, style.css, charts/       the pages' scripts, their style, the charts of the cards; lab.css for the lab pages only
*.woff2                        the pages' font
codes/                         the QR codes of the pages, where the site's address is known
sw.js                          the service worker, with the size and digest of each of the other files: a page opens
                               without a network after the first visit
models/NAME-DIGEST.json        a model's graphs, vocabularies and rules (export/model_files.py)
models/NAME-DIGEST.safetensors its weights
.site.json                     the list of these files, so that a later `make site` replaces no others
models/files.json              the size and digest of each of these files: a page keeps only a file that has them

All addresses are relative. Those of models change with their contents, so that browsers may keep them.
"""

import gzip
import json
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path

from app.explorer.record import SHEETS as EXPLORER_SHEETS
from app.explorer.record import record
from app.lab.kit import described
from app.lab.quiz import sheet
from app.service.catalogue import catalogue, first
from app.service.first import stored
from app.shell.component import TOUR
from app.shell.pages import EXPLORER
from app.shell.qr import svg
from app.shell.table import SHEET as TABLE
from app.site import lab
from app.site.shell import ENGINE, SitePage, document, script, styles
from attn_core.browser import bundle
from attn_core.browser.bundle import FONT
from attn_core.export.model_files import GRAPHS, LIST, model_files, sized
from attn_core.files import Unreplaceable, entries_except, replacing_folder, what_is
from attn_core.messages import _
from attn_core.models import folders

GLOSSES = "glosses.json"
MANIFEST = ".site.json"  # the list of the other files, by which a later `make site` knows which it may replace
_HERE = Path(__file__).parent


def write(out: Path, address: str = "", force: bool = False) -> list[Path]:
    """Write the site to the folder `out` in place of a site written before; returns its files.

    `address` is where the site will be served, if that is known: the Share panels and the cards to print have QR codes
    of it. Raises ValueError for something else than an address, if no model is exported for the browser, if the first
    translation is not stored, or if `out` is something else than a site or contains other files. With `force`, such
    files stay, unless they have the name of a file of the site. Until all files are written, `out` stays as it is.
    """
    if address and not address.startswith(("http://", "https://")):
        raise ValueError(_("ADDRESS must start with http:// or https://, not {address}").format(address=address))
    kind = what_is(out)
    if kind not in ("", "a folder") or (kind and not force and not _names(out) and foreign_in_site(out)):
        raise Unreplaceable(_("{path} is not a folder that `make site` wrote; choose another folder").format(path=out))
    with replacing_folder(out, foreign_in_site, force) as part:
        _write_files(part, address.rstrip("/"))
        written = sorted(path.relative_to(part).as_posix() for path in part.rglob("*") if path.is_file())
        (part / MANIFEST).write_text(json.dumps({"files": written}, indent=1) + "\n", "utf-8")
    return [out / name for name in written]


def foreign_in_site(folder: Path) -> list[str]:
    """The entries of a folder that are not of the site in it; all, if there is no site."""
    known = _names(folder)
    parents = {f"{parent.as_posix()}/" for name in known for parent in Path(name).parents}
    return entries_except(folder, lambda path: path in known or path in parents)


def _names(folder: Path) -> set[str]:
    """The names of the files of the site in a folder; none if there is no site."""
    try:
        named = json.loads((folder / MANIFEST).read_text("utf-8"))["files"]
        return {MANIFEST, *named} if all(isinstance(name, str) for name in named) else set()
    except (OSError, ValueError, KeyError, TypeError):
        return set()


def first_view(out: Path) -> int:
    """The bytes of the first picture, as sent with gzip: before a model and the engine that runs it are fetched."""
    return compressed(
        (out / name).read_bytes() for name in ("index.html", "app.js", "style.css", "icon.svg", FONT.name)
    )


def compressed(files: Iterable[bytes]) -> int:
    """The bytes of these files as sent with gzip."""
    return sum(len(gzip.compress(file, 9)) for file in files)


def style() -> str:
    """The style sheet of the Explorer's page."""
    sheets = (bundle.LIVE, _HERE / "site.css", TOUR, *EXPLORER_SHEETS)
    return styles(bundle.page_style(*sheets, font=FONT.name))


def _write_files(folder: Path, address: str) -> None:
    for below in ("charts", "models", *(["codes"] if address else [])):
        (folder / below).mkdir()
    files = {
        "app.js": script(_HERE / "site.js"),
        ENGINE: bundle.engine_code(),
        lab.SCRIPT: script(_HERE / "lab.js"),
        "style.css": style(),
        lab.SHEETS[-1]: styles("\n".join(map(bundle.sheet, [TABLE, *_sheets()]))),
        "icon.svg": (_HERE.parent / "shell" / "icon.svg").read_text("utf-8"),
    }
    models = _write_models(folder)
    cards = lab.all_cards(files)
    explorer, files[GLOSSES] = _explorer(models)
    pages = [
        explorer,
        *(lab.lab_page(item, page, cards, models, files) for item, page in described.pages()),
        lab.quiz(cards),
    ]
    menu = [(page.file, page.title) for page in pages]
    lecture = tuple(page.file for page in pages if page.presents or page is explorer)
    for page in pages:
        code = f"codes/{Path(page.file).stem}.svg" if address else ""
        files[page.file] = document(page, menu, lecture, code)
        if code:
            files[code] = svg(f"{address}/{'' if page.file == 'index.html' else page.file}")
    files[sheet.FILE] = sheet.sheet("quiz.html", f"{address}/quiz.html" if address else "")
    for name, text in files.items():
        (folder / name).write_text(text, "utf-8")
    (folder / FONT.name).write_bytes(FONT.read_bytes())
    listed = {
        "./" if name == "index.html" else name: sized(text.encode())
        for name, text in files.items()
        if not name.startswith("codes/")
    }
    listed[FONT.name] = sized(FONT.read_bytes())
    record = {"name": f"shell-{_digest(json.dumps(listed).encode())}", "files": listed}
    worker = bundle.module(_HERE / "sw.js").replace("`SHELL`", f"`{json.dumps(record)}`")
    # Inside one function, half of the script is no script, so that a browser does not install it.
    (folder / "sw.js").write_text(f"(() => {{\n{worker}\n}})();\n", "utf-8")


def _sheets() -> list[Path]:
    """The style sheets of the lab pages' stages, each once."""
    stages = [stage for _item, page in described.pages() for stage in described.stages(page)]
    return list(dict.fromkeys(sheet for stage in stages for sheet in stage.style))


def _write_models(folder: Path) -> dict[str, dict[str, str]]:
    """Write the models' files; returns their addresses. Raises ValueError as `write` does."""
    models, broken = catalogue()
    if broken:
        raise ValueError("\n".join(broken))
    paths = [folders.find(name) for name in (*models, *folders.shipped("pointer"), *folders.shipped("series"))]
    addresses = {path.name: _write_model(path, folder) for path in paths if (path / GRAPHS).is_file()}
    listed = {path.name: sized(path.read_bytes()) for path in sorted((folder / "models").iterdir())}
    (folder / "models" / LIST).write_text(json.dumps(listed), "utf-8")
    return addresses


def _explorer(addresses: dict[str, dict[str, str]]) -> tuple[SitePage, str]:
    """The first page, with the models at these addresses, and all glosses. Raises ValueError as `write` does."""
    models = catalogue()[0]
    name = first(models)
    trace = stored(models[name]) if name in models else None
    if trace is None or name not in addresses:
        raise ValueError(_("the first translation is not stored; run `python -m app.service.first`"))
    runnable = {name: model for name, model in models.items() if name in addresses}
    data = record(runnable, addresses, trace, ending=".html")
    about = f"{data['title']}. {data['about']}"
    glosses = json.dumps(data["glosses"], ensure_ascii=False, separators=(",", ":"))
    source = " ".join(trace["source"])
    data |= {"glosses": {source: data["glosses"].get(source, {})}, "allGlosses": GLOSSES}
    return SitePage("index.html", _(EXPLORER.title), about, '<div id="player"></div>', "app.js", data), glosses


def _write_model(model: Path, site: Path) -> dict[str, str]:
    """Write the files of a model; returns their addresses."""
    contents = model_files(model)
    record = json.dumps(contents.record, ensure_ascii=False, separators=(",", ":")).encode()
    files = {"record": (".json", record), "weights": (".safetensors", contents.weights)}
    addresses = {}
    for part, (ending, content) in files.items():
        addresses[part] = f"models/{model.name}-{_digest(content)}{ending}"
        (site / addresses[part]).write_bytes(content)
    return addresses


def _digest(content: bytes) -> str:
    return sha256(content).hexdigest()[:12]
