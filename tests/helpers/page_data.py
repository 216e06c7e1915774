"""What JavaScript tests need from Python: the facts of windows, and traces made by the real equations.

tests/helpers/data.js reads it as one object: `windows`, `types`; `grid`, `heads`, `trained`: traces; `pieces`: by
window, a trace of word pieces, and the cells and centers of its words in the figures of Python; `paths`: steps as
graphs, with Python's order; `scores`: the data of the Score lab; `pointer`: the first inputs of the Pointer page.
"""

import itertools
import json
from graphlib import CycleError
from pathlib import Path
from typing import Any

from app.lab.kit.described import data as stage_data
from app.lab.pointer.data import MOST, START
from app.lab.score.page import PAGE as SCORE_LAB
from attn_core.explain.paths import path
from attn_core.export import facts
from attn_core.export.model_files import model_files
from attn_core.figures.cells import cells, steps
from attn_core.figures.words import joined_cells, joined_steps
from attn_core.models.config import ModelConfig
from attn_core.models.folders import find
from attn_core.trace import Trace, dump
from tests.browser import traces
from tests.explain.test_paths import CONFIGS
from tests.helpers.javascript import write_generated
from tests.helpers.shared import once
from tests.helpers.windows import registered

WINDOWS = ("global", "local-m", "local-p")
WIDTHS = tuple(itertools.product([0, 2, 3], [None, 0.7]))
RULES = tuple(itertools.product(["after_softmax", "renorm", "on_scores"], ["floor", "real"], ["clamp", "text"]))
PIECES = ["▁die", "▁kirch", "platz", "uhr", "▁."], ["▁the", "▁clock", "s", "▁.", "</s>"]


def write(folder: Path) -> None:
    """Write the data, the modules that the bundler generates, and the files of a shipped model."""
    write_generated(folder)
    (folder / "data.json").write_text(once("js-data", lambda: json.dumps(collected())), "utf-8")
    model = model_files(find("luong-general-local-p"))
    (folder / "model.json").write_text(json.dumps(model.record), "utf-8")
    (folder / "weights").write_bytes(model.weights)


def collected() -> dict[str, Any]:
    """The data as JSON."""
    with registered():
        windows = facts.windows()
    grid = [
        traces.make(window, traces.SHORT, *width, *rules, seed=width[0], looks=2)
        for window, width, rules in itertools.product(WINDOWS, WIDTHS, RULES)
        if window != "global" or width[1] is None
    ]
    trained = {
        "global": traces.make("global"),
        "local-m": traces.make("local-m", half_width=3),
        "local-p": traces.make("local-p", half_width=2),
        "local-p, wider": traces.make("local-p", half_width=3),
        "local-p, with a width": traces.make("local-p", half_width=3, sigma=2.0),
    }
    return {
        "windows": windows,
        "types": facts.windows_and_types()["types"],
        "grid": [json_of(trace) for trace in grid],
        "heads": json_of(traces.make("global", looks=3)),
        "trained": {name: json_of(trace) for name, trace in trained.items()},
        "pieces": {window: by_words(traces.make(window, PIECES)) for window in WINDOWS},
        "paths": {name: ordered(ModelConfig.of(**settings)) for name, settings in CONFIGS.items()},
        "scores": stage_data(SCORE_LAB.sections[0].stage, {}),
        "pointer": {"start": START, "most": MOST},
    }


def json_of(trace: Trace) -> dict[str, Any]:
    return json.loads(dump(trace))


def by_words(trace: Trace) -> dict[str, Any]:
    """A trace, and what the figures of Python draw of its words: the cells, and each step's center."""
    source, target = PIECES
    return {
        "trace": json_of(trace),
        "cells": joined_cells(cells(trace), source, target),
        "centers": [step["center"] for step in joined_steps(steps(trace), source, target)],
    }


def ordered(config: ModelConfig) -> dict[str, Any]:
    """A step as a graph, and Python's order; for the other state as the query the edges, and the order or a cycle."""
    graph = path(config)
    nodes = [{name: getattr(node, name) for name in ("id", "given", "symbol", "equation")} for node in graph.nodes]
    page = {"order": graph.order, "nodes": nodes, "edges": graph.edges, "query": graph.query, "instead": graph.instead}
    other = graph.queried_with(graph.instead)
    try:
        scheduled, cycle = other.schedule(), None
    except CycleError as error:
        scheduled, cycle = None, error.args[1]
    instead = {"edges": other.edges, "scheduled": scheduled, "cycle": cycle}
    return {"graph": page, "scheduled": graph.schedule(), "instead": instead}
