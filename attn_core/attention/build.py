"""Build an attention module from its settings."""

from torch import nn

from attn_core.attention.attention import Attention
from attn_core.attention.multihead import MultiHead
from attn_core.attention.settings import ATTENTION_TYPES, SCORES, WINDOWS, AttentionSettings
from attn_core.attention.windows import Window


def build_attention(
    settings: AttentionSettings | None, query: int, memory: int, head_size: int
) -> Attention | MultiHead | None:
    """The attention module for `settings`; None for None. `query`, `memory` and `head_size` are vector sizes."""
    if settings is None:
        return None
    score, types = settings.score, ATTENTION_TYPES[settings.type]

    def attention(query: int, memory: int, window: Window | None, values: nn.Linear | None) -> Attention:
        return Attention(SCORES[score.name](query, memory, score), window, types(), values, settings.normalizer)

    values = nn.Linear(memory, settings.values, bias=False) if settings.values else None
    window = WINDOWS[settings.window.name](query, settings.window)
    if settings.projected:
        heads = (attention(head_size, head_size, None, None) for _ in range(settings.heads))
        return MultiHead(heads, window, query, memory, head_size)
    return attention(query, memory, window, values)
