"""Greedy search in torch in which weights, context vectors and words are set by hand, as in the page."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest
import torch
from torch import Tensor

from attn_core.attention.attention import Attention
from attn_core.decoding.search import Sentences
from attn_core.models.transformer_layers import MultiHeadAttention
from attn_core.models.translator import Translator

# Returns the weights and the context of a step and a head, whose weights and values it gets.
Edit = Callable[[int, int, Tensor, Tensor], tuple[Tensor, Tensor]]


@contextmanager
def edited_attention(model: Translator, edit: Edit) -> Iterator[list[int]]:
    """Within the block, `edit` changes each head. The caller puts the number of the step into the list."""
    now, heads = [0], model.config.attention.heads if model.config.attention else 1
    average, recorded = Attention._average, MultiHeadAttention._recorded
    calls = [0]

    def averaged(self: Attention, queries, scores, focus, states, gaussian, mode):
        look = average(self, queries, scores, focus, states, gaussian, mode)
        head, calls[0] = calls[0] % heads, calls[0] + 1
        weights, context = edit(now[0], head, look.weights[0, 0], states[0])
        return replace(look, weights=weights[None, None], context=context[None, None])

    def crossed(self: MultiHeadAttention, queries, keys, values, inside, layer):
        contexts, looks = recorded(self, queries, keys, values, inside, layer)
        if self is not model.decoder.layers[layer].cross:
            return contexts, looks
        contexts, edited = contexts.clone(), []
        for m, look in enumerate(looks):
            weights, contexts[0, m, 0] = edit(now[0], layer * self.heads + m, look.weights[0, 0], values[0, m])
            edited.append(replace(look, weights=weights[None, None], context=contexts[:, m]))
        return contexts, tuple(edited)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Attention, "_average", averaged)
        patch.setattr(MultiHeadAttention, "_recorded", crossed)
        yield now


@torch.inference_mode()
def search_with_edits(
    model: Translator, text: str, edit: Edit, words: dict[int, str], steps: int
) -> list[dict[str, Any]]:
    """The token, log probability and weights of each step of greedy search, of which some words are given."""
    ids = torch.tensor([model.source_ids(model.source.tokens(text))])
    memory, carry = model.encode(ids, torch.ones_like(ids, dtype=torch.bool))
    word, records = torch.tensor([[2]]), []
    with edited_attention(model, edit) as now:
        for t in range(steps):
            now[0] = t
            step, carry = model.step(word, carry, memory)
            (log_probs,) = model.log_probs(step.attentional)[0]
            allowed = log_probs.index_fill(-1, torch.tensor(Sentences.never), -torch.inf)
            chosen = word_id(model, words[t]) if t in words else int(allowed.argmax())
            word = torch.tensor([[chosen]])
            records.append(
                {
                    "token": model.target.token(chosen),
                    "log_prob": float(log_probs[chosen]),
                    "weights": [look.weights[0, 0].tolist() for look in step.looks],
                    "contexts": [look.context[0, 0] for look in step.looks],
                }
            )
    return records


def word_id(model: Translator, word: str) -> int:
    return next(i for i in range(len(model.target)) if model.target.token(i) == word)


def unchanged(_t: int, _head: int, weights: Tensor, states: Tensor) -> tuple[Tensor, Tensor]:
    return weights, weights @ states


def with_row(t: int, head: int | None, row: list[float]) -> Edit:
    """Sets the weights of a step in a head, or in all heads (None)."""

    def edit(step: int, current: int, weights: Tensor, states: Tensor) -> tuple[Tensor, Tensor]:
        used = torch.tensor(row) if step == t and head in (None, current) else weights
        return used, used @ states

    return edit
