"""The quantities that attention computes at a step, from the scores to the context (see Attention.forward)."""

from typing import Any

from attn_core.attention.notation import Node, Quantity, attention_letters, has_heads, live
from attn_core.attention.settings import ATTENTION_TYPES, SCORES, WINDOWS
from attn_core.messages import N_


def attention_quantities(config: Any, query: tuple[str, ...]) -> tuple[Quantity, ...]:
    """The quantities of attention in a model with this ModelConfig, in the order in which their equations are read.

    The Gaussian follows the weights, since its line defines the sigma in their equation. `query` holds the ids of the
    quantities that form the query; the encoder states have the id "memory".
    """
    own = config.attention
    window = WINDOWS[own.window.name].quantities(config, query)
    return (
        SCORES[own.score.name].quantity(config, query),
        *window,
        *_weights(config, centred=window[0].id == "center"),
        _context(config),
    )


def _weights(config: Any, centred: bool) -> tuple[Quantity, ...]:
    """The alignment weights, the Gaussian, and the attention weights."""
    own, x, symbol = config.attention, attention_letters(config), config.decoder.letters.weights
    sigma = own.window.gaussian_width
    view = r"\ \text{in view}" if centred else ""
    if own.unmasked_fixed:
        view = rf"\ \text{{over {own.score.width} slots}}"
    if config.padding != "masked":
        view = r"\ \text{with the padding}"
    normalizer = rf"\operatorname{{{own.normalizer}}}"
    bell = rf"\exp\!\left(-\tfrac{{({x.place}-p_{x.step})^2}}{{2\sigma^2}}\right)"
    # The attention weights are the alignment weights, unless a Gaussian multiplies them (Luong 2015, eq. 10).
    align = x.weights if sigma is None else rf"\operatorname{{align}}_{x.step}" + "^m" * has_heads(config)
    lines = (rf"{align} = {normalizer}({x.scores}){view}",)
    alignment = Quantity(
        "alignment", "window", align, N_("alignment weights"), lines, ("scores", "view"), ("S",),
        element=N_("alignment weight"),
    )  # fmt: skip

    def weights(lines: tuple[str, ...], *inputs: str) -> Quantity:
        return Quantity(
            "weights", "window", symbol, N_("attention weights"), lines, inputs, ("S",), element=N_("attention weight")
        )

    if sigma is None:
        return alignment, weights((), "alignment")
    width = rf"\sigma = {'D/2 = ' if own.window.sigma is None else ''}{live('sigma', sigma)}"
    gaussian = Quantity("gaussian", "window", bell, N_("Gaussian"), (width,), ("center",), ("S",))
    if own.gaussian == "on_scores":
        line = rf"{x.weights} = {normalizer}\!\big({x.score}\,{bell}\big){view}"
        return weights((line,), "scores", "gaussian", "view"), gaussian
    equals = r"\propto" if own.gaussian == "renorm" else "="
    line = rf"{x.weight} {equals} {align}({x.place})\,{bell}"
    return alignment, weights((line,), "alignment", "gaussian"), gaussian


def _context(config: Any) -> Quantity:
    """The context vector, computed from the weights by the attention type and the heads."""
    own, x = config.attention, config.decoder.letters
    kind, symbol = ATTENTION_TYPES[own.type], f"c_{x.step}"
    transformer = config.decoder.name == "transformer"  # its own equations project the values
    value = x.value if transformer else config.encoder.value or x.value
    if own.projected or transformer:
        each = kind.equations(config, value if transformer else f"W_v^m {value}", f"{symbol}^m")
        lines = [*each, rf"{symbol} = W_O [{symbol}^1; \dots; {symbol}^{{{own.heads}}}]"]
    else:
        lines = kind.equations(config, value if own.values is None else f"W_v {value}", symbol)
    inputs = ("weights", "memory")
    return Quantity(
        "context", "window", symbol, N_("context vector"), tuple(lines), inputs, (config.context,), node=Node.CONTEXT
    )
