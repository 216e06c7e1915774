"""The table of variants: for each column a short text, and whether it differs from the paper."""

from collections.abc import Callable
from typing import Any

from attn_core.models.variants import VARIANTS, Variant

Settings = dict[str, Any]


def _score(s: Settings) -> str:
    name = "location, over a fixed number of positions" if s["unmasked_fixed"] else s["score"]
    more = [
        text
        for text, holds in (
            ("v normalised", s["normed"]),
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
    return f"{s['window']}, centred at {'⌊p⌋' if s['center_rule'] == 'floor' else 'p'}"


def _order(s: Settings) -> str:
    if s["order"] == "gnmt":
        return f"attends with the {'previous' if s['query'] == 'previous' else 'new'} state of the bottom layer"
    if s["order"] == "update-then-attend":
        return "update, then attend"
    text = "attend, output, then update" if s["update"] == "groundhog" else "attend, then update"
    if not s["recurrent"]:
        text += " from a zero state"
    return text + (" (query: word and state)" if s["query"] == "word-and-state" else "")


def _cell(s: Settings) -> str:
    name = s["cell"].upper()
    if s["order"] == "attend-then-update" and s["reset"] == "after":
        name += ", reset gate after the product"
    if s.get("input_layer"):
        name += ", after a ReLU layer"
    return name if s.get("biases", True) else f"{name}, without biases"


def _encoder(s: Settings) -> str:
    if not s["bidirectional"]:
        return "one-directional"
    return "bidirectional, summed" if s["directions"] == "sum" else "bidirectional"


def _start(s: Settings) -> str:
    text = {"backward": "tanh(W ←h₀)", "both-ends": "tanh(W [→h; ←h])", "copy": "final encoder state"}[s["start"]]
    return text if s.get("first_word") != "zero" else f"{text}; no start symbol"


def _output(s: Settings) -> str:
    state = "sᵢ" if s.get("readout") == "s_cur" else "sᵢ₋₁"
    bias = " + b" if s.get("combine_bias") else ""
    if s["order"] == "gnmt":
        return "top state"
    return {
        "maxout": f"maxout of {state}, y, c",
        "linear": f"sum of {state}, y, c" if s["order"] == "attend-then-update" else f"W [c; h]{bias}",
        "concat": f"[{state}; c; y]",
        "state": f"{state} only",
        "tanh": f"tanh(W [c; h]{bias})",
        "relu": f"relu(W [c; h]{bias})",
    }[s["combine"]]


def _feeding(s: Settings) -> str:
    if s["order"] == "attend-then-update":
        return "c, into the state"
    if s["order"] == "gnmt":
        return "c, into all layers"
    return ("h̃, with one dropout" if s["dropout_once"] else "h̃") if s["feeding"] else "none"


def _padding(s: Settings) -> str:
    return {"masked": "masked", "read": "encoded and attended to", "zero": "zeros, attended to"}[s["padding"]]


def _training(s: Settings) -> str:
    share = s["teacher_forcing"]
    return "teacher forcing" if share == 1 else f"own words in {1 - share:.0%} of steps"


# By column: a function from settings to text.
COLUMNS: dict[str, Callable[[Settings], str]] = {
    "Score": _score,
    "Window": _window,
    "Order": _order,
    "Cell": _cell,
    "Encoder": _encoder,
    "Initial state": _start,
    "Output layer": _output,
    "Decoder input": _feeding,
    "Padding": _padding,
    "Training": _training,
}


def row(variant: Variant) -> dict[str, Any]:
    """A variant for the browser: each cell's text, and whether the paper's would differ."""
    settings, meant = variant.settings(), variant.meant()
    cells = [
        {"column": name, "text": text(settings), "other": text(settings) != text(meant)}
        for name, text in COLUMNS.items()
    ]
    return {"name": variant.name, "title": variant.title, "kind": variant.kind, "cells": cells}


def groups() -> list[dict[str, Any]]:
    """All rows, grouped by paper, with the paper's own row first."""
    papers = [variant for variant in VARIANTS.values() if variant.paper is None]
    return [
        {
            "title": f"{paper.title.split(',')[0]} and variants under that name",
            "rows": [row(one) for one in VARIANTS.values() if (one.paper or one).name == paper.name],
        }
        for paper in papers
    ]
