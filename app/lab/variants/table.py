"""The table of variants in few words: for each column what a variant does, and whether the paper does otherwise."""

from collections.abc import Callable
from typing import Any

from attn_core.models.variants import VARIANTS, Variant

Settings = dict[str, Any]


def _score(s: Settings) -> str:
    name = "location, over fixed slots" if s["unmasked_fixed"] else s["score"]
    more = [
        text
        for text, holds in (
            ("v normed", s["normed"]),
            ("× g", s["score_scale"]),
            ("+ bias", s["score_bias"]),
            ("no matrix for the source", s["identity_source"]),
            ("sparsemax", s["normalizer"] == "sparsemax"),
        )
        if holds
    ]
    return ", ".join([name, *more])


def _window(s: Settings) -> str:
    if s["window"] == "global":
        return "global"
    return f"{s['window']}, at {'⌊p⌋' if s['center_rule'] == 'floor' else 'p itself'}"


def _order(s: Settings) -> str:
    if s["order"] == "gnmt":
        return f"a stack; its bottom layer’s {'previous' if s['query'] == 'previous' else 'new'} state looks"
    if s["order"] == "update-then-attend":
        return "step, then look"
    said = "look, say, then step" if s["update"] == "groundhog" else "look, then step"
    if not s["recurrent"]:
        said += " from zero"
    return said + (" (the word looks too)" if s["query"] == "word-and-state" else "")


def _cell(s: Settings) -> str:
    name = s["cell"].upper()
    if s["order"] == "attend-then-update" and s["reset"] == "after":
        name += ", reset after"
    if s.get("input_layer"):
        name += ", behind a relu layer"
    return name if s.get("biases", True) else f"{name}, no biases"


def _encoder(s: Settings) -> str:
    if not s["bidirectional"]:
        return "one way"
    return "both ways, added up" if s["directions"] == "sum" else "both ways"


def _start(s: Settings) -> str:
    said = {"backward": "tanh(W ←h₁)", "both-ends": "tanh(W [→h; ←h])", "copy": "the encoder’s last state"}[s["start"]]
    return said if s.get("first_word") != "zero" else f"{said}; no first word"


def _output(s: Settings) -> str:
    state = "sᵢ" if s.get("readout") == "s_cur" else "sᵢ₋₁"
    bias = " + b" if s.get("combine_bias") else ""
    if s["order"] == "gnmt":
        return "the top state"
    return {
        "maxout": f"maxout of {state}, y, c",
        "linear": f"the sum of {state}, y, c" if s["order"] == "attend-then-update" else f"W [c; h]{bias}",
        "concat": f"[{state}; c; y]",
        "state": f"{state} alone",
        "tanh": f"tanh(W [c; h]{bias})",
        "relu": f"relu(W [c; h]{bias})",
    }[s["combine"]]


def _feeding(s: Settings) -> str:
    if s["order"] == "attend-then-update":
        return "c, into the state"
    if s["order"] == "gnmt":
        return "c, into all layers"
    return ("h̃, dropped out once" if s["dropout_once"] else "h̃") if s["feeding"] else "nothing"


def _padding(s: Settings) -> str:
    return {"masked": "masked", "read": "read, and looked at", "zero": "zeros, looked at"}[s["padding"]]


def _training(s: Settings) -> str:
    share = s["teacher_forcing"]
    return "given words" if share == 1 else f"own words in {1 - share:.0%} of steps"


# By column: how it says the settings.
COLUMNS: dict[str, Callable[[Settings], str]] = {
    "Score": _score,
    "Window": _window,
    "Order": _order,
    "Cell": _cell,
    "Encoder": _encoder,
    "First state": _start,
    "The output reads": _output,
    "Fed on": _feeding,
    "Padding": _padding,
    "Training": _training,
}


def row(variant: Variant) -> dict[str, Any]:
    """A variant for the browser: each cell's text, and whether it would say something else of the paper."""
    settings, meant = variant.settings(), variant.meant()
    cells = [
        {"column": name, "text": say(settings), "other": say(settings) != say(meant)} for name, say in COLUMNS.items()
    ]
    return {"name": variant.name, "title": variant.title, "kind": variant.kind, "cells": cells}


def groups() -> list[dict[str, Any]]:
    """All rows, those of each paper under its name; the paper's own first."""
    papers = [variant for variant in VARIANTS.values() if variant.paper is None]
    return [
        {
            "title": f"{paper.title.split(',')[0]}, and what goes by that name",
            "rows": [row(one) for one in VARIANTS.values() if (one.paper or one).name == paper.name],
        }
        for paper in papers
    ]
