"""The matrix products of one layer's attention, drawn to scale in HTML."""

from html import escape
from typing import Any

KINDS = {
    "encoder": "Encoder self-attention",
    "decoder": "Decoder self-attention",
    "cross": "Cross-attention",
}


def shapes(config: Any, source: int, target: int, kind: str) -> str:
    """The HTML of one layer's matrix products for `source` and `target` positions.

    `config` is a Transformer's ModelConfig, `kind` a key of KINDS. Heads are numbered from 1, as in section 3.2.2.
    """
    d, h = config.embedding, config["heads"]
    d_k, n_q, n_k = d // h, source if kind == "encoder" else target, target if kind == "decoder" else source
    asks, answers = {
        "encoder": ("X", "X"), "decoder": ("Y", "Y"), "cross": ("Y", "H"),
    }[kind]  # fmt: skip
    given = {
        "X": "the states of the source words in this layer",
        "Y": "the states of the target words in this layer",
        "H": "the encoder's final states",
    }
    project = [
        _product([(asks, n_q, d, "given"), ("W_Q", d, d_k, "learned")], ("Q", n_q, d_k)),
        _product([(answers, n_k, d, "given"), ("W_K", d, d_k, "learned")], ("K", n_k, d_k)),
        _product([(answers, n_k, d, "given"), ("W_V", d, d_k, "learned")], ("V", n_k, d_k)),
    ]
    root = f"/ √{d_k}" if config["score"] == "scaled_dot" else ""
    masked = ", with positions after the query masked" if kind == "decoder" else ""
    weigh = _product([("Q", n_q, d_k, "made"), ("Kᵀ", d_k, n_k, "made")], ("A", n_q, n_k), f"{root} → softmax →")
    read = _product([("A", n_q, n_k, "made"), ("V", n_k, d_k, "made")], ("head", n_q, d_k))
    together = _product([(f"[head₁ … head_{h}]", n_q, d, "made"), ("W_O", d, d, "learned")], ("out", n_q, d))
    who = " and ".join(f"{name}: {given[name]}" for name in dict.fromkeys((asks, answers)))
    own = f"{who}. Each head has its own three matrices (section 3.2.2)."
    steps = [
        (f"1 · Project, in each of the {h} heads", own, project),
        ("2 · Compare", f"One row of A for each query; softmax over each row{masked} (equation 1).", [weigh]),
        ("3 · Average", "Each row of A gives a weighted sum of the values (equation 1).", [read]),
        ("4 · Combine the heads", f"{h} heads of {d_k} dimensions, numbered as in the paper.", [together]),
    ]  # fmt: skip
    parts = "".join(
        f"<section><h4>{escape(title)}</h4><p>{escape(about)}</p>"
        f'<div class="sh-row">{"".join(products)}</div></section>'
        for title, about, products in steps
    )
    count = f"{h} × 3 × {d} × {d_k} + {d} × {d} = {h * 3 * d * d_k + d * d:,} weights, for any number of words."
    return f'<div class="sh">{parts}<p class="sh-count">Parameters of this layer\'s attention: {count}</p></div>'


def _product(factors: list[tuple[str, int, int, str]], made: tuple[str, int, int], between: str = "") -> str:
    boxes = '<span class="sh-sign">·</span>'.join(_matrix(*factor) for factor in factors)
    sign = f"{escape(between)}" if between else "="
    return f'<div class="sh-product">{boxes}<span class="sh-sign">{sign}</span>{_matrix(*made, "made")}</div>'


def _matrix(symbol: str, rows: int, columns: int, kind: str) -> str:
    name, _, low = symbol.partition("_")
    label = f"{escape(name)}<sub>{escape(low)}</sub>" if low else escape(name)
    return (
        f'<figure class="sh-matrix"><figcaption>{label}</figcaption>'
        f'<div class="sh-box sh-{kind}" style="--sh-wide:{columns};--sh-high:{rows}"></div>'
        f"<small>{rows} × {columns}</small></figure>"
    )
