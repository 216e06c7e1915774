"""A model in formulas, by the axis they belong to; the mechanisms' own come from their registries."""

from typing import Any

from attn_core.decoders import ORDERS
from attn_core.scores import SCORES
from attn_core.windows import WINDOWS

# What becomes of the alignment a: the variants of papers.md B4.
_GAUSSIAN = r"\exp\!\left(-\tfrac{(s-p_t)^2}{2\sigma^2}\right)"
_WEIGHTS = {
    "after_softmax": r"\alpha(s) = a(s)\," + _GAUSSIAN,
    "renorm": r"\alpha(s) \propto a(s)\," + _GAUSSIAN,
    "on_scores": r"\alpha = \operatorname{softmax}\!\big(e(s)\," + _GAUSSIAN + r"\big)",
}
_VIEW = {"floor": r"s \in \lfloor p_t \rfloor \pm D", "real": r"|s - p_t| \le D"}


def formulas(config: dict[str, Any]) -> dict[str, list[str]]:
    """Axis to LaTeX lines, in the order in which a step computes them."""
    if config["score"] is None:
        return {"score": [r"c = h_S \ \text{at every step}", r"s_i = f(s_{i-1}, y_{i-1}, c)"]}
    return {
        "score": [f"e = {SCORES[config['score']].formula}"],
        "window": _window(config),
        "order": ORDERS[config["order"]].formula.split(r", \quad "),
        "feeding": [r"x_t = [E\,y_{t-1};\ \tilde h_{t-1}]"] if config["feeding"] else [],
    }


def _window(config: dict[str, Any]) -> list[str]:
    kind, gaussian, D, sigma = (config[name] for name in ("window", "gaussian", "half_width", "sigma"))
    if kind == "global":
        return [WINDOWS[kind].formula, r"a = \operatorname{softmax}(e), \quad c = \textstyle\sum_s a(s)\,\bar h_s"]
    lines = [WINDOWS[kind].formula, rf"{_VIEW[config['center_rule']]}, \quad D = {D}"]
    if kind == "local-m" and sigma is None:
        return [*lines, r"a = \operatorname{softmax}(e), \quad c = \textstyle\sum_s a(s)\,\bar h_s"]
    if gaussian != "on_scores":
        lines.append(r"a = \operatorname{softmax}(e) \ \text{in view}")
    width = rf"\sigma = D/2 = {D / 2:g}" if sigma is None else rf"\sigma = {sigma:g}"
    return [*lines, _WEIGHTS[gaussian], rf"{width}, \quad c = \textstyle\sum_s \alpha(s)\,\bar h_s"]
