"""The table of variants: for each column a short text, and whether it differs from the paper."""

from collections.abc import Callable
from typing import Any

from attn_core.messages import N_, _
from attn_core.models.variants import VARIANTS, Variant

Settings = dict[str, Any]


def _score(s: Settings) -> str:
    name = _("location, over a fixed number of positions") if s["unmasked_fixed"] else s["score"]
    more = [
        text
        for text, holds in (
            (_("v normalised"), s["normed"]),
            ("× g", s["scale"]),
            (_("+ bias"), s["bias"]),
            (_("no matrix for the source"), s["identity_source"]),
            ("sparsemax", s["normalizer"] == "sparsemax"),
        )
        if holds
    ]
    return ", ".join([name, *more])


def _window(s: Settings) -> str:
    if s["window"] == "global":
        return "global"
    center = "⌊p⌋" if s["center_rule"] == "floor" else "p"
    return _("{window}, centred at {center}").format(window=s["window"], center=center)


def _order(s: Settings) -> str:
    if s["order"] == "gnmt":
        if s["query"] == "previous":
            return _("attends with the previous state of the bottom layer")
        return _("attends with the new state of the bottom layer")
    if s["order"] == "update-then-attend":
        return _("update, then attend")
    text = _("attend, output, then update") if s["update"] == "groundhog" else _("attend, then update")
    more = [
        *([] if s["recurrent"] else [_("from a zero state")]),
        *([_("query: word and state")] if s["query"] == "word-and-state" else []),
    ]
    return "; ".join([text, *more])


def _cell(s: Settings) -> str:
    parts = [s["cell"].upper()]
    if s["order"] == "attend-then-update" and s["reset"] == "after":
        parts.append(_("reset gate after the product"))
    if s.get("input_layer"):
        parts.append(_("after a ReLU layer"))
    if not s.get("biases", True):
        parts.append(_("without biases"))
    return ", ".join(parts)


def _encoder(s: Settings) -> str:
    if not s["bidirectional"]:
        return _("one-directional")
    return _("bidirectional, summed") if s["directions"] == "sum" else _("bidirectional")


def _start(s: Settings) -> str:
    text = {"backward": "tanh(W ←h₀)", "both-ends": "tanh(W [→h; ←h])", "copy": _("final encoder state")}[s["start"]]
    return text if s.get("first_word") != "zero" else _("{state}; no start symbol").format(state=text)


def _output(s: Settings) -> str:
    state = "sᵢ" if s.get("readout") == "s_cur" else "sᵢ₋₁"
    bias = " + b" if s.get("combine_bias") else ""
    if s["order"] == "gnmt":
        return _("top state")
    return {
        "maxout": _("maxout of {state}, y, c").format(state=state),
        "linear": _("sum of {state}, y, c").format(state=state)
        if s["order"] == "attend-then-update"
        else f"W [c; h]{bias}",
        "concat": f"[{state}; c; y]",
        "state": _("{state} only").format(state=state),
        "tanh": f"tanh(W [c; h]{bias})",
        "relu": f"relu(W [c; h]{bias})",
    }[s["combine"]]


def _feeding(s: Settings) -> str:
    if s["order"] == "attend-then-update":
        return _("c, into the state")
    if s["order"] == "gnmt":
        return _("c, into all layers")
    return (_("h̃, with one dropout") if s["dropout_once"] else "h̃") if s["feeding"] else _("none")


def _padding(s: Settings) -> str:
    return {"masked": _("masked"), "read": _("encoded and attended to"), "zero": _("zeros, attended to")}[s["padding"]]


def _training(s: Settings) -> str:
    share = s["teacher_forcing"]
    return _("teacher forcing") if share == 1 else _("own words in {share:.0%} of steps").format(share=1 - share)


# By column: a function from settings to text.
COLUMNS: dict[str, Callable[[Settings], str]] = {
    N_("Score"): _score,
    N_("Window"): _window,
    N_("Order"): _order,
    N_("Cell"): _cell,
    N_("Encoder"): _encoder,
    N_("Initial state"): _start,
    N_("Output layer"): _output,
    N_("Decoder input"): _feeding,
    N_("Padding"): _padding,
    N_("Training"): _training,
}


def row(variant: Variant) -> dict[str, Any]:
    """A variant for the browser: each cell's text, and whether the paper's would differ."""
    settings, paper = variant.settings(), variant.meant()
    cells = [
        {"column": _(name), "text": text(settings), "other": text(settings) != text(paper)}
        for name, text in COLUMNS.items()
    ]
    return {"name": variant.name, "title": _(variant.title), "kind": _(variant.kind), "cells": cells}


def groups() -> list[dict[str, Any]]:
    """All rows, grouped by paper, with the paper's own row first."""
    papers = [variant for variant in VARIANTS.values() if variant.paper is None]
    return [
        {
            "title": _("{paper} and variants under that name").format(paper=_(paper.title).split(",")[0]),
            "rows": [row(variant) for variant in VARIANTS.values() if (variant.paper or variant).name == paper.name],
        }
        for paper in papers
    ]
