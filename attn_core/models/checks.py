"""Which settings of a model go together. A ModelConfig calls `check` when it is made."""

from dataclasses import fields
from typing import Any

from attn_core.attention.attention import GAUSSIANS
from attn_core.attention.scores import SCORES
from attn_core.attention.types import ATTENTION_TYPES
from attn_core.attention.windows import CENTER_RULES, LOCAL_M_RULES, WINDOWS, gaussian_width
from attn_core.registry import Registry, meant

ALLOWED = {
    "init": ("glorot", "bahdanau2015", "luong2015", "none"),
    "center_rule": CENTER_RULES,
    "local_m_rule": LOCAL_M_RULES,
    "gaussian": GAUSSIANS,
    "readout": ("s_prev", "s_cur"),
    "update": ("groundhog", "printed"),
    "reset": ("before", "after"),
    "first_word": ("bos", "zero"),
    "positions": ("sinusoidal", "learned"),
    "norm": ("post", "pre"),
    "normalizer": ("softmax", "sparsemax"),
    "cell": ("lstm", "gru"),
    "directions": ("concat", "sum"),
    "padding": ("masked", "zero", "read"),
}
AT_LEAST_ONE = (
    *("embedding", "encoder_hidden", "hidden", "align_hidden", "attentional", "layers"),
    *("values", "heads", "head_size", "location_width", "rank", "feedforward", "longest"),
)
# Settings of some orders only; in another they would change nothing.
OF_ORDER = {
    **dict.fromkeys(("readout", "update", "reset", "first_word", "recurrent", "input_layer"), ("attend-then-update",)),
    **dict.fromkeys(("combine_bias", "dropout_once", "cell", "feeding"), ("update-then-attend",)),
    **dict.fromkeys(("feedforward", "positions", "longest", "norm"), ("transformer",)),
    "biases": ("update-then-attend", "gnmt"),
}
# What these may be in an order; the first is the paper's, which None stands for.
BY_ORDER: dict[str, dict[str, tuple[str, ...]]] = {
    "update-then-attend": {"query": ("state",), "combine": ("tanh", "linear", "relu"), "start": ("copy", "both-ends")},
    "attend-then-update": {
        "query": ("state", "word-and-state"),
        "combine": ("maxout", "linear", "concat", "state"),
        "start": ("backward", "both-ends", "copy"),
    },
    "gnmt": {"query": ("state", "previous"), "combine": ("state",), "start": ("copy",)},
    "transformer": {"query": ("state",), "combine": ("state",), "start": ("none",)},
}
# What a Transformer has no choice of.
OF_TRANSFORMERS = {
    "window": "global",
    "attention_type": "soft",
    "values": None,
    "head_size": None,
    "normalizer": "softmax",
    "bidirectional": False,
    "reverse": False,
    "padding": "masked",
}
OF_LOOKS = ("attention_type", "values", "heads", "head_size", "normalizer", "gaussian")


def choice(name: str, value: Any, allowed: tuple) -> None:
    """Raises ValueError when a setting is none of those allowed."""
    if value not in allowed:
        there = [str(one) for one in allowed]
        near = meant(str(value), there)
        raise ValueError(f"setting {name} must be one of {', '.join(there)}, not {value!r}{near}")


def counts(name: str, order: str) -> bool:
    """Whether a setting changes anything in models of an order."""
    return order in OF_ORDER.get(name, (order,))


def check(config: Any) -> None:
    """Raises ValueError, with what to do, for settings of a ModelConfig that are out of range or do not go together."""
    if (config.score is None) != (config.window is None):
        raise ValueError("score and window go together: set both, or none for the fixed-vector model")
    choice("order", config.order, tuple(BY_ORDER))
    ATTENTION_TYPES.check(config.attention_type)
    for name, allowed in ALLOWED.items():
        choice(name, getattr(config, name), allowed)
    _ranges(config)
    if config.score is None:
        _without_attention(config)
    else:
        SCORES.check(config.score)
        WINDOWS.check(config.window)
        if config.order == "transformer":
            _transformer(config)
        _attention(config)
    _order(config)
    _sizes(config)
    if config.source_eos and (config.reverse or config.window not in (None, "global")):
        raise ValueError(
            "source_eos needs window=global and reverse=false: positions and S count words, and </s> is none"
        )
    if config.directions == "sum" and not config.bidirectional:
        raise ValueError("directions=sum adds up two directions: set bidirectional=true")
    if config.padding != "masked" and (config.reverse or config.window != "global"):
        raise ValueError("padding that is looked at needs window=global and reverse=false")


def check_window(config: Any) -> None:
    """Raises ValueError for a setting of windows that is not at its default and changes nothing in this one.

    Not a part of `check`: a view of a model through another window keeps the settings of its own (see with_window).
    """
    _owned(config, WINDOWS, "window")
    if _changed(config, ("gaussian",)) and not favours(config):
        raise ValueError(
            "gaussian says what the Gaussian does, and this window has none: take window local-p with D above 0, "
            "or local-m with a sigma"
        )


def _owned(config: Any, variants: Registry[Any], axis: str) -> None:
    """A setting of some variants of an axis is at its default in the others."""
    chosen = getattr(config, axis)
    own = () if chosen is None else variants[chosen].options
    for name in _changed(config, tuple(dict.fromkeys(name for one in variants.values() for name in one.options))):
        if name not in own:
            there = ", ".join(key for key, one in variants.items() if name in one.options)
            raise ValueError(f"{name} belongs to {axis} {there} and changes nothing in {chosen or f'no {axis}'}")


def favours(config: Any) -> bool:
    """Whether the window has a Gaussian, which favours its centre."""
    return gaussian_width(config) is not None


def _changed(config: Any, names: tuple[str, ...]) -> list[str]:
    """Which of the settings are not at their default."""
    default = {field.name: field.default for field in fields(config)}
    return [name for name in names if getattr(config, name) != default[name]]


def _ranges(config: Any) -> None:
    if config.half_width < 0:
        raise ValueError(f"half_width (D) must be 0 or more words, not {config.half_width}")
    if config.sigma is not None and not 0 < config.sigma < float("inf"):
        raise ValueError(f"sigma must be above 0 words, not {config.sigma}")
    for name in AT_LEAST_ONE:
        size = getattr(config, name)
        if size is not None and size < 1:
            raise ValueError(f"{name} must be 1 or more, not {size}")
    for name in ("dropout", "output_dropout"):
        if not 0 <= getattr(config, name) < 1:
            raise ValueError(f"{name} must be at least 0 and below 1, not {getattr(config, name)}")


def _without_attention(config: Any) -> None:
    of_scores = tuple(name for score in SCORES.values() for name in score.options)
    for name in _changed(config, (*OF_LOOKS, *of_scores)):
        raise ValueError(f"{name} belongs to attention, and a model without a score has none")
    if config.order != "attend-then-update" or config.bidirectional:
        raise ValueError("the fixed-vector model is RNNencdec: order attend-then-update, bidirectional=false")


def _transformer(config: Any) -> None:
    choice("score of a Transformer", config.score, ("scaled_dot", "dot"))
    for name, value in OF_TRANSFORMERS.items():
        if getattr(config, name) != value:
            raise ValueError(f"a Transformer needs {name}={str(value).lower()}, not {getattr(config, name)}")
    sizes = ("embedding", "encoder_hidden", "hidden", "attentional")
    if len({getattr(config, name) for name in sizes}) > 1:
        raise ValueError(f"a Transformer has one size, d_model: set {', '.join(sizes)} to the same number")
    if config.embedding % config.heads:
        raise ValueError(f"d_model must be a multiple of heads, not {config.embedding} with {config.heads} heads")


def _attention(config: Any) -> None:
    """What a score, a read or heads do not go together with."""
    _owned(config, SCORES, "score")
    if config.score_bias and config.rank is not None:
        raise ValueError("score_bias is of the full W_a: leave rank out")
    if config.normed and config.init == "bahdanau2015":
        raise ValueError("normed divides v_a by its length, and init bahdanau2015 makes it 0: take another init")
    if config.normalizer == "sparsemax" and config.unmasked_fixed:
        raise ValueError("unmasked_fixed is for normalizer=softmax")
    if config.unmasked_fixed and (config.window != "global" or config.attention_type == "hard-sample"):
        raise ValueError(
            "unmasked_fixed needs window=global and a read other than hard-sample: a place beyond the sentence "
            "cannot be read"
        )
    if config.attention_type == "hard-sample" and favours(config) and config.gaussian != "on_scores":
        raise ValueError(
            "read=hard-sample draws from the softmax, which must have the Gaussian in it: set gaussian=on_scores, "
            "or a window without a Gaussian"
        )
    if config.projected and config.values is not None:
        raise ValueError("values belongs to attention without heads; heads read head_size units each")
    if config.heads > 1 and config.head_size is None and config.hidden % config.heads:
        raise ValueError(
            f"hidden must be a multiple of heads, not {config.hidden} with {config.heads} heads; or set head_size"
        )


def _order(config: Any) -> None:
    """What the order of a step does not go together with."""
    for name in _changed(config, tuple(OF_ORDER)):
        if not counts(name, config.order):
            what, there = "input feeding" if name == "feeding" else name, ", ".join(OF_ORDER[name])
            raise ValueError(f"{what} belongs to order {there} and changes nothing in {config.order}")
    for name, allowed in BY_ORDER[config.order].items():
        if getattr(config, name) is not None and getattr(config, name) not in allowed:
            there = ", ".join(allowed)
            raise ValueError(f"{name} must be one of {there} in order {config.order}, not {getattr(config, name)!r}")
    if config.order == "attend-then-update" and config.layers > 1:
        raise ValueError("more than one layer belongs to the other orders")
    if config.order == "gnmt" and config.layers < 2:
        raise ValueError("order gnmt looks between its bottom layer and those above: set layers=2 or more")
    if config.readout == "s_cur" and config.update == "groundhog":
        raise ValueError("readout s_cur needs update=printed: GroundHog's s_i does not exist before y_i is chosen")


def _sizes(config: Any) -> None:
    reads = {"state": "hidden", "concat": "hidden + context + embedding"}
    what = reads.get(config.chosen("combine"), "attentional")
    if config.tied and config.output_reads != config.embedding:
        raise ValueError(
            f"tied embeddings need an output layer that reads {config.embedding} numbers (embedding), "
            f"and this one reads {config.output_reads} ({what}): set one of them, or tied=false"
        )
    if config.start_reads != config.hidden and config.chosen("start") == "copy":
        raise ValueError(
            "the decoder starts from the encoder's states, so hidden must equal encoder_hidden times its "
            f"directions: {config.start_reads}, not {config.hidden}"
        )
