"""The graph of a model's step with the numbers of a trace, for the browser."""

from typing import Any

from app.lab.kit.records import few_digits, spelling
from attn_core.explain.paths import path, values
from attn_core.messages import N_, _
from attn_core.models.config import ModelConfig
from attn_core.trace import Trace

TITLES = {
    "attend-then-update": N_("Bahdanau: attend, then update"),
    "update-then-attend": N_("Luong: update, then attend"),
}


def drawn(trace: Trace, config: ModelConfig, vocabulary: int, bare: bool = False) -> dict[str, Any]:
    """One diagram for the browser; `vocabulary` is the number of target words.

    `bare`: the trace is of another config, so that only shapes can be shown, not numbers.
    """
    graph = path(config)
    symbols = {node.id: node.symbol for node in graph.nodes}
    shown = spelling(trace)
    sizes: dict[int | str, int] = {"S": len(trace.source), "V": vocabulary}
    return {
        "title": _(TITLES[config["order"]]),
        "model": trace.model,
        "order": config["order"],
        "source": [shown[token] for token in trace.source],
        "nodes": [
            {
                "id": node.id, "symbol": node.symbol, "name": node.name, "equation": node.equation,
                "shape": [sizes.get(n, n) for n in node.shape], "given": node.given,
            }
            for node in graph.nodes
        ],
        "edges": [list(edge) for edge in graph.edges],
        "query": graph.query,
        "instead": graph.instead,
        "ask": symbols[graph.instead],
        "bare": bare,
        "steps": [_step(trace, t, bare, shown) for t in range(len(trace.words))],
    }  # fmt: skip


def _step(trace: Trace, t: int, bare: bool, shown: dict[str, str]) -> dict[str, Any]:
    found = values(trace, t)
    found["memory"] = found["memory"].norm(
        dim=-1
    )  # only the length of each state: the vectors would be most of the page's data
    word = trace.words[t]
    return {
        "token": shown[word.token],
        "before": shown[trace.words[t - 1].token] if t else None,
        "top": [[shown[token], log_prob] for token, log_prob in word.top],
        "values": {name: few_digits(value) for name, value in found.items() if not bare},
    }
