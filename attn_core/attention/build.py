"""Build an attention module from its settings."""

import torch
from torch import nn

from attn_core.attention.attention import Attention
from attn_core.attention.multihead import MultiHead
from attn_core.attention.scores import Score
from attn_core.attention.settings import ATTENTION_TYPES, SCORES, WINDOWS, AttentionSettings
from attn_core.attention.windows import Window


def build_attention(
    settings: AttentionSettings | None, query: int, memory: int, head_size: int
) -> Attention | MultiHead | None:
    """The attention module for `settings`; None for None. `query`, `memory` and `head_size` are vector sizes.

    Raises ValueError for a custom score that does not return one number per query and state.
    """
    if settings is None:
        return None
    score, types = settings.score, ATTENTION_TYPES[settings.type]

    def attention(query: int, memory: int, window: Window | None, values: nn.Linear | None) -> Attention:
        module = SCORES[score.name](query, memory, score)
        if not type(module).__module__.startswith("attn_core."):
            _check_shape(score.name, module, query, memory)
        return Attention(module, window, types(), values, settings.normalizer)

    values = nn.Linear(memory, settings.values, bias=False) if settings.values else None
    window = WINDOWS[settings.window.name](query, settings.window)
    if settings.projected:
        heads = (attention(head_size, head_size, None, None) for _ in range(settings.heads))
        return MultiHead(heads, window, query, memory, head_size)
    return attention(query, memory, window, values)


def _check_shape(name: str, score: Score, query: int, memory: int) -> None:
    """Raise ValueError unless a custom score returns one number per query and state; its mistakes would otherwise show
    far from its class.
    """
    b, tgt, src = 2, 3, 5
    wanted = f"queries of shape {(b, tgt, query)} and states of shape {(b, src, memory)}"
    try:
        with torch.no_grad():
            found = tuple(score(torch.zeros(b, tgt, query), score.keys(torch.zeros(b, src, memory))).shape)
    except Exception as error:
        raise ValueError(f"the score {name!r} fails for {wanted}: {type(error).__name__}: {error}") from error
    if found != (b, tgt, src):
        raise ValueError(f"the score {name!r} returns shape {found} for {wanted}; expected {(b, tgt, src)}")
