"""What the lab's stages draw, derived from Python's traces: the oracle of what the page derives from the engine's."""

from typing import Any

from app.lab.kit.records import few_digits, shown_tokens
from attn_core.data.subwords import readable
from attn_core.explain.paths import path, values
from attn_core.models.config import ModelConfig
from attn_core.trace import Trace


def gram(trace: Trace) -> list[list[float]]:
    """The inner products of the encoder states."""
    return few_digits(trace.memory.states @ trace.memory.states.T)


def kinds(trace: Trace) -> dict[str, dict[str, Any]]:
    """The attention maps of a Transformer's trace by kind: the words of rows and columns, and the heads."""
    source, target = readable(trace.source), readable(trace.target)
    read = ["<s>", *target[:-1]]  # the decoder's inputs
    steps = [word.step for word in trace.words]
    found = {
        "encoder": (source, source, [(look, look.weights, look.scores) for look in trace.memory.looks]),
        "decoder": (read, read, _of_steps([step.own for step in steps])),
        "cross": (target, source, _of_steps([step.looks for step in steps])),
    }
    return {
        key: {
            "rows": rows,
            "columns": columns,
            "heads": [
                {"layer": one.layer, "head": one.head, "weights": _rows(weights), "scores": _rows(scores)}
                for one, weights, scores in maps
            ],
        }
        for key, (rows, columns, maps) in found.items()
    }


def _of_steps(steps: list[tuple]) -> list[tuple]:
    """From the heads of each step to the rows of each head, one for each step."""
    return [(rows[0], [x.weights for x in rows], [x.scores for x in rows]) for rows in zip(*steps, strict=True)]


def _rows(found: Any) -> list[list[float]]:
    return [few_digits(row) for row in found]


def drawn(trace: Trace, config: ModelConfig, vocabulary: int, bare: bool = False) -> dict[str, Any]:
    """One diagram of the Paths page; `vocabulary` is the number of target words, `bare` leaves the numbers out."""
    graph = path(config)
    shown = shown_tokens(trace)
    sizes: dict[int | str, int] = {"S": len(trace.source), "V": vocabulary}
    return {
        "title": "Bahdanau: attend, then update" if graph.query == "previous" else "Luong: update, then attend",
        "model": trace.model,
        "order": config["order"],
        "source": [shown[token] for token in trace.source],
        "nodes": [
            {
                "id": node.id,
                "symbol": node.symbol,
                "name": node.name,
                "equation": node.equation,
                "shape": [sizes.get(n, n) for n in node.shape],
                "given": node.given,
            }
            for node in graph.nodes
        ],
        "edges": [list(edge) for edge in graph.edges],
        "query": graph.query,
        "instead": graph.instead,
        "ask": next(node.symbol for node in graph.nodes if node.id == graph.instead),
        "bare": bare,
        "steps": [_step(trace, t, bare, shown) for t in range(len(trace.words))],
    }


def _step(trace: Trace, t: int, bare: bool, shown: dict[str, str]) -> dict[str, Any]:
    found = values(trace, t)
    found["memory"] = found["memory"].norm(dim=-1)
    word = trace.words[t]
    return {
        "token": shown[word.token],
        "before": shown[trace.words[t - 1].token] if t else None,
        "top": [[shown[token], log_prob] for token, log_prob in word.top],
        "values": {name: few_digits(value) for name, value in found.items() if not bare},
    }
