"""The matrix products of one layer's attention, drawn to scale in HTML."""

from html import escape
from typing import Any

from attn_core.messages import N_, _

KINDS = {
    "encoder": N_("Encoder self-attention"),
    "decoder": N_("Decoder self-attention"),
    "cross": N_("Cross-attention"),
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
        "X": _("the states of the source words in this layer"),
        "Y": _("the states of the target words in this layer"),
        "H": _("the encoder's final states"),
    }
    project = [
        _product([(asks, n_q, d, "given"), ("W_Q", d, d_k, "learned")], ("Q", n_q, d_k)),
        _product([(answers, n_k, d, "given"), ("W_K", d, d_k, "learned")], ("K", n_k, d_k)),
        _product([(answers, n_k, d, "given"), ("W_V", d, d_k, "learned")], ("V", n_k, d_k)),
    ]
    root = f"/ √{d_k}" if config["score"] == "scaled_dot" else ""
    rows = (
        _("One row of A for each query; softmax over each row, with later positions masked (equation 1).")
        if kind == "decoder"
        else _("One row of A for each query; softmax over each row (equation 1).")
    )
    weigh = _product([("Q", n_q, d_k, "made"), ("Kᵀ", d_k, n_k, "made")], ("A", n_q, n_k), f"{root} → softmax →")
    read = _product([("A", n_q, n_k, "made"), ("V", n_k, d_k, "made")], ("head", n_q, d_k))
    together = _product([(f"[head₁ … head_{h}]", n_q, d, "made"), ("W_O", d, d, "learned")], ("out", n_q, d))
    who = "; ".join(f"{name}: {given[name]}" for name in dict.fromkeys((asks, answers)))
    own = _("{matrices}. Each head has its own three matrices (section 3.2.2).").format(matrices=who)
    joined = _("{h} heads of {d_k} dimensions, numbered as in the paper.")
    steps = [
        (_("1 · Project, in each of the {h} heads").format(h=h), own, project),
        (_("2 · Compare"), rows, [weigh]),
        (_("3 · Average"), _("Each row of A gives a weighted sum of the values (equation 1)."), [read]),
        (_("4 · Combine the heads"), joined.format(h=h, d_k=d_k), [together]),
    ]  # fmt: skip
    parts = "".join(
        f"<section><h4>{escape(title)}</h4><p>{escape(about)}</p>"
        f'<div class="sh-row">{"".join(products)}</div></section>'
        for title, about, products in steps
    )
    sum_of = f"{h} × 3 × {d} × {d_k} + {d} × {d}"
    count = _("Parameters of this layer's attention: {sum} = {total:,} weights, for any number of words.")
    about = escape(count.format(sum=sum_of, total=h * 3 * d * d_k + d * d))
    return f'<div class="sh">{parts}<p class="sh-count">{about}</p></div>'


def _product(factors: list[tuple[str, int, int, str]], made: tuple[str, int, int], between: str = "") -> str:
    boxes = '<span class="sh-sign">·</span>'.join(_matrix(*factor) for factor in factors)
    sign = f"{escape(between)}" if between else "="
    return f'<div class="sh-product">{boxes}<span class="sh-sign">{sign}</span>{_matrix(*made, "made")}</div>'


def _matrix(symbol: str, rows: int, columns: int, kind: str) -> str:
    name, _mark, low = symbol.partition("_")
    label = f"{escape(name)}<sub>{escape(low)}</sub>" if low else escape(name)
    return (
        f'<figure class="sh-matrix"><figcaption translate="no">{label}</figcaption>'
        f'<div class="sh-box sh-{kind}" style="--sh-wide:{columns};--sh-high:{rows}"></div>'
        f"<small>{rows} × {columns}</small></figure>"
    )
