"""Descriptions of lab pages, from which the dashboard (dashboard.py) and the site (app/site/lab.py) make the pages."""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from app.lab.kit.cards import Card
from app.lab.kit.live import Live, record
from app.service.digest import digest
from app.service.files import Addresses
from app.shell.notes import Notes
from app.shell.pages import MenuItem, labs
from attn_core.messages import _
from attn_core.models import folders
from attn_core.registry import load

STORED = Path(__file__).parents[1] / "stored.json"  # written by stored.py


@dataclass(frozen=True)
class Stage:
    """An interactive part, drawn in the browser by `script`, a file in the page's folder or below it (see mount.js).

    `data` is the place of the function (`package.module:name`) that computes its data, from the translators `models` if
    there are any, and from the classes of the registries at the places `registries`. Where torch computes them, they
    are `in_file`, stored.json, and computed only if it does not have those of the models and classes that are present.
    `translated` is the place of a function that gives the data their texts in the reader's language. With `live`, the
    stage translates in the page; one that fetches models of another `kind` (models.folders) gets their addresses. Its
    style is that of the page, FOLDER.css, and of `sheets`.
    """

    script: Path
    data: str = ""
    live: Live | None = None
    kind: str = ""
    models: tuple[str, ...] = ()
    registries: tuple[str, ...] = ()
    translated: str = ""
    in_file: bool = False
    sheets: tuple[Path, ...] = ()

    @property
    def folder(self) -> Path:
        """The page's folder."""
        return next(folder for folder in self.script.parents if (folder / "page.py").is_file())

    @property
    def name(self) -> str:
        """lab_FOLDER for the script with the name of the page's folder, lab_FOLDER_SCRIPT for another one."""
        return "_".join(dict.fromkeys(("lab", self.folder.name, self.script.stem)))

    @property
    def style(self) -> tuple[Path, ...]:
        """The style sheets."""
        own = self.folder / f"{self.folder.name}.css"
        return (*([own] if own.is_file() else []), *self.sheets)


class Code(NamedTuple):
    """The code of a mechanism: parts of attn_core's `file`, beside the class `name` of `programs` (source.py)."""

    title: str
    file: str
    parts: tuple[str, ...]
    programs: Path
    name: str


@dataclass(frozen=True)
class Section:
    """A title, a text, a stage, and a note in small print; each may be missing. Texts are Markdown with formulas.

    `blocks` is the place of a function that yields more (evidence.py), from files that are quick to read; `code` shows
    the code of mechanisms. `dashboard` is the place of a function that draws what only the dashboard has.
    """

    stage: Stage | None = None
    title: str = ""
    text: str = ""
    note: str = ""
    blocks: str = ""
    code: tuple[Code, ...] = ()
    dashboard: str = ""


@dataclass(frozen=True, kw_only=True)
class LabPage:
    """A page: what the menu shows (its title, a tooltip, its place by `order`), its question, what to do `first`, its
    sections and its quiz cards.

    With speaker's `notes` it has a lecture layout. Its address is the name of its folder, unless it has another one.
    """

    title: str
    about: str
    order: int
    question: str
    first: str
    sections: tuple[Section, ...]
    cards: tuple[Card, ...] = ()
    notes: Notes | None = None
    address: str = ""
    on_site: bool = True


def missing_data(error: ValueError) -> str:
    """The message in place of a stage without data: a model is missing, or its files are damaged."""
    return _("This part of the page cannot be shown: {error}.").format(error=error)


def data(stage: Stage, addresses: Addresses) -> dict[str, Any]:
    """The data of a stage for a page that finds the models' files at `addresses`.

    Raises ValueError where they are not stored and cannot be computed.
    """
    result = dict(stored(stage))
    if stage.translated:
        result = load(stage.translated)(result)
    if stage.live:
        result["live"] = record(stage.live, addresses)
    if stage.kind:
        result["addresses"] = {name: addresses[name] for name in folders.shipped(stage.kind) if name in addresses}
    return result


def stored(stage: Stage) -> dict[str, Any]:
    """The data of a stage that depend neither on the reader nor on the page.

    Stored data are used unless a model of the same name differs from the one they were made from; then the data are
    computed. If a model is missing, the data stored for the shipped one are used.
    """
    kept = _stored().get(stage.name)
    if kept and all(now in ("", kept["made_from"].get(name)) for name, now in made_from(stage).items()):
        return kept["data"]
    return computed(stage)


def made_from(stage: Stage) -> dict[str, str]:
    """What the data of a stage come from.

    The digest of each model by its name, empty for one that is not there, and the names of each registry's classes.
    """
    names = (*stage.models, *(folders.shipped(stage.kind) if stage.kind else ()))
    models = {name: digest(folders.pretrained() / name) for name in names}
    return models | {place: ", ".join(load(place)) for place in stage.registries}


def computed(stage: Stage) -> dict[str, Any]:
    """The same data, computed now."""
    return load(stage.data)() if stage.data else {}


def stages(page: LabPage) -> list[Stage]:
    """The stages of a page."""
    return [section.stage for section in page.sections if section.stage]


def page_of(item: MenuItem) -> LabPage:
    """The description of a page in the menu."""
    page: LabPage = load(f"{item.module}:PAGE")
    return page


def pages() -> list[tuple[MenuItem, LabPage]]:
    """The lab pages that the site has too, with their menu items."""
    return [(item, page_of(item)) for item in labs() if page_of(item).on_site]


@cache
def _stored() -> dict[str, Any]:
    return json.loads(STORED.read_text("utf-8")) if STORED.is_file() else {}
