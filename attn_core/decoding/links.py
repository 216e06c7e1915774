"""Links of the Explorer: how a sentence is translated, as the query of an address, which the page writes and reads too.

    view(url)     the trace of the translation that a link leads to
    link(trace)   the link to the translation of a trace

Its names are those of browser/state/view.js, and its edits are spelt as in browser/state/edits.js: both are read from
there.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import parse_qsl, urlencode, urlsplit

from attn_core.attention.settings import WINDOWS
from attn_core.decoding.translate import translate
from attn_core.messages import _, offered
from attn_core.models.checkpoint import load
from attn_core.models.translator import Translator
from attn_core.trace import Trace

Value = TypeVar("Value")

_STATE = Path(__file__).parents[1] / "browser" / "state"
# By property of a run or a view, its name in a link, such as p for centers.
_NAMES: dict[str, str] = dict(
    re.findall(r'^  (\w+): \{\s*link: "(\w+)"', (_STATE / "view.js").read_text("utf-8"), re.MULTILINE)
)
_OTHERS = ("text", "layer", "head", "edit")
_WITH = "with"  # the model that is compared; with_beam, ...: its other properties
_OFF, _EDIT = re.findall(r"/\^(.+)\$/u?\.exec", (_STATE / "edits.js").read_text("utf-8"))[:2]
# Names that others add to links, which are ignored.
(_FOREIGN,) = re.findall(r"FOREIGN = /\^(.+)\$/", (_STATE / "link-reader.js").read_text("utf-8"))
# Settings that links lack.
_UNLINKED = ("temperature", "max_length", "min_length", "prefer_finished", "unk_shift", "ensemble")


@dataclass(frozen=True)
class Link:
    """What a link asks for: a model's name, a sentence, and options of `translate`."""

    model: str
    text: str
    options: dict[str, Any]


def view(url: str, model: Translator | None = None, *, compared: bool = False) -> Trace:
    """The trace of the translation that a link of the Explorer leads to, as the page computes it.

    `url` is an address, or its query. `model` is the model, if it is not one of those that `load` finds by name. With
    `compared` the trace is that of the second translation, which the link compares with the first. What concerns the
    view alone is ignored, such as the step on show. Raises ValueError for a link without a model and a sentence, for a
    name or value that links do not have, for sampled attention, whose random numbers are the page's own, and as
    `translate` does; CheckpointError if there is no such model.
    """
    found = read(url, compared)
    if model is None:
        model = load(found.model)
    options = dict(found.options)
    kind = options.get("attention_type") or model.settings["attention_type"]
    if kind == "hard-sample":
        raise ValueError(_("the page draws its own random numbers, so Python cannot repeat sampled attention"))
    if model.settings["score"] is None:
        options.pop("replace_unk", None)  # without effect
    return translate(model, found.text, **options)


def read(url: str, compared: bool = False) -> Link:
    """What a link asks for. Raises ValueError as `view` does."""
    query = dict(parse_qsl(urlsplit(url).query or (url if "=" in url else ""), keep_blank_values=True))
    _check_names(query)
    for name in ("text", _NAMES["model"]):
        if not query.get(name):
            raise ValueError(_("the link has no {name}: copy one by Share in the Explorer").format(name=name))
    first = _Run(query, "")
    if not compared:
        return Link(query[_NAMES["model"]], query["text"], first.options())
    if not any(name == _WITH or name.startswith(f"{_WITH}_") for name in query):
        raise ValueError(_("the link compares no second translation"))
    other = query.get(_WITH) or query[_NAMES["model"]]
    search = first.search() if other != query[_NAMES["model"]] else {}
    return Link(other, query["text"], _Run(query, _WITH).options(search))


@dataclass(frozen=True)
class _Run:
    """The properties of a translation in a link; those of the second one have names with a prefix."""

    query: Mapping[str, str]
    prefix: str

    def value(self, name: str, read: Callable[[str], Value], wanted: str) -> Value | None:
        """The value of a name; None if there is none. Raises ValueError for one that `read` cannot read."""
        written = self.query.get(f"{self.prefix}_{name}" if self.prefix else name)
        if not written:
            return None
        try:
            return read(written)
        except ValueError:
            problem = _("{name} in the link must be {wanted}, not {value!r:.60}")
            raise ValueError(problem.format(name=name, wanted=wanted, value=written)) from None

    def search(self) -> dict[str, Any]:
        """The beam and how its hypotheses are ranked, as far as the link names them."""
        found = {
            "beam": self.value(_NAMES["beam"], _beam, _("a whole number from 1")),
            "normalise": self.value(_NAMES["normalise"], str, ""),
        }
        return {name: value for name, value in found.items() if value is not None}

    def options(self, search: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """The options of `translate`; what the link does not name is that of `search`, or as usual."""
        ranking: dict[str, Any] = {"beam": 1, "normalise": "length"} | dict(search or {}) | self.search()
        alpha = self.value(_NAMES["alpha"], float, _("a number"))
        if alpha is not None and ranking["normalise"] != "none":
            ranking["alpha"] = alpha
        live = {name: self.value(link, float, _("a number")) for name, link in live_names().items()}
        found = {
            "window": self.value(_NAMES["window"], str, ""),
            "live": {name: _whole(value) for name, value in live.items() if value is not None},
            "centers": self.value(_NAMES["centers"], _centers, _("pairs of a step and a position, as in 3-7.5_4-8")),
            "attention_type": self.value(_NAMES["type"], str, ""),
            "replace_unk": self.value(_NAMES["unk"], lambda word: _expect_word(word, "replace"), "replace"),
            "keep_states": self.value(_NAMES["keep"], lambda word: _expect_word(word, "1"), "1"),
            "edits": self.value("edit", parse_edits, _("edits such as w3-0.2_0.8 or n4-dog")),
        }
        return {name: value for name, value in found.items() if value} | (ranking if ranking["beam"] > 1 else {})


def link(trace: Trace) -> str:
    """The link of the Explorer to the translation of a trace: "?text=...&model=...", to go after the page's address.

    Raises ValueError for a trace that no link leads to: of tokenized text, forced decoding, samples, an ensemble,
    with sampled attention, with lengths set by hand, or with weights beyond 0 and 1.
    """
    settings = trace.settings
    unlinked = [name for name in _UNLINKED if settings.get(name)]
    if settings.get("search") == "forced" or unlinked:
        what = ", ".join(unlinked) or _("forced decoding")
        raise ValueError(_("the Explorer has no {what}, so no link leads to this trace").format(what=what))
    if settings["attention_type"] == "hard-sample":
        raise ValueError(_("the page draws its own random numbers, so no link leads to this trace"))
    if "text" not in settings:
        raise ValueError(_("a link needs the sentence as it is written, which a trace of tokenized text does not have"))
    moved, ranked = settings["intervention"], settings.get("search") == "beam"
    values: dict[str, Any] = {"model": trace.model}
    values["window"] = settings["window"] if moved else None
    values["centers"] = "_".join(f"{t}-{_decimal(p)}" for t, p in settings.get("centers", {}).items())
    kind = settings["attention_type"]
    values["type"] = None if kind == settings["trained_attention_type"] else kind
    values["beam"] = settings["beam"] if ranked else None
    values["normalise"] = settings["normalise"] if ranked and settings["normalise"] != "length" else None
    values["alpha"] = _decimal(settings["alpha"]) if ranked and settings["alpha"] != 1 else None
    values["unk"] = "replace" if settings.get("replace_unk") else None
    values["keep"] = "1" if settings.get("keep_states") else None
    query = {"text": settings["text"]} | {_NAMES[name]: value for name, value in values.items()}
    live = WINDOWS.settings_class(settings["window"]).live() if moved else ()
    query |= {live_names()[name]: _decimal(settings[name]) for name in live if settings.get(name) is not None}
    query["edit"] = format_edits(settings.get("edits", []))
    return "?" + urlencode({name: value for name, value in query.items() if value})


def live_names() -> dict[str, str]:
    """The live settings of all registered windows, such as half_width, and their names in a link (see view.js)."""
    taken = {*_NAMES.values(), *_OTHERS, _WITH}
    names: dict[str, str] = {}
    for window in WINDOWS:
        for name, about in WINDOWS.settings_class(window).live().items():
            if name not in names:
                symbol = [about.symbol] if re.fullmatch("[A-Z]", about.symbol or name[:1]) else []
                names[name] = next(link for link in (*symbol, name, f"window_{name}") if link not in taken)
                taken.add(names[name])
    return names


def parse_edits(text: str) -> list[dict[str, Any]]:
    """The edits of a link (see browser/state/edits.js, writeEdits). Raises ValueError for text that is none."""
    return [_parse_edit(part) for part in text.split(" ") if part]


def _parse_edit(text: str) -> dict[str, Any]:
    if off := re.fullmatch(_OFF, text):
        return {"kind": "off", "layer": int(off[1]), "head": int(off[2])}
    found = re.fullmatch(_EDIT, text)
    if not found:
        raise ValueError(text)
    kind, step, layer, head, value = found.groups()
    if kind == "n":
        return {"kind": "word", "step": int(step), "word": value}
    edit = {"step": int(step)} | ({} if head is None else {"layer": int(layer), "head": int(head)})
    if kind == "c":
        return {"kind": "context"} | edit | {"from": int(value)}
    return {"kind": "weights"} | edit | {"weights": [float(weight) for weight in value.split("_")]}


def format_edits(edits: list[Mapping[str, Any]]) -> str:
    """Edits as a link spells them. Raises ValueError for weights that are not from 0 to 1."""
    return " ".join(_format_edit(edit) for edit in edits)


def _format_edit(edit: Mapping[str, Any]) -> str:
    head = "" if edit.get("head") is None else f".{edit['layer']}.{edit['head']}"
    if edit["kind"] == "weights":
        if not all(0 <= weight <= 1 for weight in edit["weights"]):
            raise ValueError(_("a link holds weights from 0 to 1 only"))
        return f"w{edit['step']}{head}-" + "_".join(map(_decimal, edit["weights"]))
    if edit["kind"] == "context":
        return f"c{edit['step']}{head}-{edit['from']}"
    return f"o{edit['layer']}.{edit['head']}" if edit["kind"] == "off" else f"n{edit['step']}-{edit['word']}"


def _check_names(query: Mapping[str, str]) -> None:
    """Raise ValueError for a name that links do not have."""
    known = [*_NAMES.values(), *_OTHERS, *live_names().values()]
    for name in query:
        if name != _WITH and name.removeprefix(f"{_WITH}_") not in known and not re.fullmatch(_FOREIGN, name):
            problem = _("the link has {name!r}, which is none of its names{hint}")
            raise ValueError(problem.format(name=name, hint=offered(name, known)))


def _expect_word(written: str, word: str) -> bool:
    """True. Raises ValueError for another word."""
    if written != word:
        raise ValueError(written)
    return True


def _beam(written: str) -> int:
    """A beam width. Raises ValueError for other text."""
    if not re.fullmatch("[1-9][0-9]*", written):
        raise ValueError(written)
    return int(written)


def _centers(written: str) -> dict[int, float]:
    """p_t by step, such as "3-7.5_4-8". Raises ValueError for other text."""
    return {int(step): float(center) for step, center in (pair.split("-") for pair in written.split("_"))}


def _whole(value: float) -> float:
    return int(value) if value.is_integer() else value


def _decimal(value: float) -> str:
    """A number in decimal digits, without an exponent, which links do not have."""
    return f"{Decimal(repr(_whole(float(value)))):f}"
