"""Build an attention module from its settings."""

import torch
from torch import nn

from attn_core.attention.attention import Attention
from attn_core.attention.multihead import MultiHead
from attn_core.attention.scores import Score
from attn_core.attention.settings import ATTENTION_TYPES, SCORES, WINDOWS, AttentionSettings, ScoreSettings
from attn_core.attention.windows import Window


def build_attention(
    settings: AttentionSettings | None, query: int, memory: int, head_size: int
) -> Attention | MultiHead | None:
    """The attention module for `settings`; None for None. `query`, `memory` and `head_size` are vector sizes.

    Raises ValueError for a custom score that cannot be built, does not return one number per query and state, or
    returns numbers that are not finite.
    """
    if settings is None:
        return None
    score, types = settings.score, ATTENTION_TYPES[settings.type]

    def attention(query: int, memory: int, window: Window | None, values: nn.Linear | None) -> Attention:
        ours = SCORES[score.name].__module__.startswith("attn_core.")
        module = SCORES[score.name](query, memory, score) if ours else _custom(score.name, query, memory, score)
        return Attention(module, window, types(), values, settings.normalizer)

    values = nn.Linear(memory, settings.values, bias=False) if settings.values else None
    window = WINDOWS[settings.window.name](query, settings.window)
    if settings.projected:
        heads = (attention(head_size, head_size, None, None) for _ in range(settings.heads))
        return MultiHead(heads, window, query, memory, head_size)
    return attention(query, memory, window, values)


def _custom(name: str, query: int, memory: int, settings: ScoreSettings) -> Score:
    """Build a score from outside this package and try it on small inputs, so that an error names the score."""
    if not issubclass(SCORES[name], Score):
        raise ValueError(f"the score {name!r} must be a subclass of Score")
    b, tgt, src = 2, 3, 5
    compared = f"queries of shape {(b, tgt, query)} and states of shape {(b, src, memory)}"
    try:
        module = SCORES[name](query, memory, settings)
    except TypeError as error:
        raise ValueError(
            f"the score {name!r} cannot be built by {SCORES[name].__name__}(query, memory, settings): {error}"
        ) from error
    try:
        with torch.no_grad():
            queries, states = (
                torch.linspace(-1, 1, b * n * size).view(b, n, size) for n, size in ((tgt, query), (src, memory))
            )
            found = module(queries, module.keys(states))
    except Exception as error:
        raise ValueError(f"the score {name!r} fails for {compared}: {type(error).__name__}: {error}") from error
    if not isinstance(found, torch.Tensor):
        raise ValueError(f"the score {name!r} returns {type(found).__name__} for {compared}; expected a tensor")
    shape = tuple(found.shape)
    if shape != (b, tgt, src):
        raise ValueError(f"the score {name!r} returns shape {shape} for {compared}; expected {(b, tgt, src)}")
    if not found.is_meta and not found.isfinite().all():
        raise ValueError(f"the score {name!r} returns numbers that are not finite for {compared} between -1 and 1")
    return module
