"""The evidence of the Heads page's cards, computed when a card is turned."""

import copy
import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import streamlit as st
import torch

from app.lab.kit import shipped, show
from attn_core.data.captions import captions
from attn_core.data.corpus import make_batch
from attn_core.data.subwords import readable
from attn_core.models.transformer_layers import MultiHeadAttention, Shape

TRANSFORMER = "transformer"
SENTENCES = 12  # of our captions
LITTLE = 0.02  # nats a word
ORDERS = ("Der Hund jagt die Katze .", "Die Katze jagt der Hund .")


def one_head_out() -> None:
    """What each head is worth: the mean log p of a word of our captions' translations without it."""
    costs = _costs(TRANSFORMER)
    labels, values = list(costs), list(costs.values())
    cheap = sum(value < LITTLE for value in values)
    dearest = max(costs, key=costs.__getitem__)
    st.markdown(
        f"**{cheap} of {len(costs)}** heads can be taken out, one at a time, for less than {LITTLE} nats a word. The "
        f"most costly one is {dearest}: {costs[dearest]:.2f} nats a word."
    )
    top = sorted(costs, key=costs.__getitem__, reverse=True)[:10]
    show.bars(top, {"loss of log p, nats a word": [costs[label] for label in top]}, unit="nats a word")
    st.caption(
        "The ten most costly heads; encoder 1.2 is head 2 of the encoder's layer 1. "
        f"{SENTENCES} of our captions, the model made to say our translations; the other {len(labels) - len(top)} "
        f"heads cost from {min(values):.3f} to {sorted(values)[-len(top) - 1]:.3f}."
    )


@st.cache_data(max_entries=8, show_spinner=False)
def _costs(name: str) -> dict[str, float]:
    return head_costs(shipped.model(name))


def head_costs(model: Any) -> dict[str, float]:
    """By how much log p of a word falls when one head is taken out; by the head's name."""
    changed = copy.deepcopy(model)  # the model itself is everybody's
    torch.set_num_threads(1)  # the setting is each thread's own
    pairs = captions()[:SENTENCES]
    batch = make_batch(
        [model.source_ids(model.source.tokens(pair.de)) for pair in pairs],
        [model.target.ids(model.target.tokens(pair.en)) for pair in pairs],
    )
    words = batch.target_mask.sum()
    costs = {}
    with torch.inference_mode():
        whole = changed.loss(batch)
        for name, weight, columns in _heads(changed):
            kept = weight[:, columns].clone()
            weight[:, columns] = 0
            costs[name] = ((changed.loss(batch) - whole) / words).item()
            weight[:, columns] = kept
    return costs


def _heads(model: Any) -> Iterator[tuple[str, Any, slice]]:
    """Each head's name, the W_O that it goes through, and its columns there."""
    for where, part, layers in (
        ("encoder", "own", model.encoder.layers),
        ("decoder", "own", model.decoder.layers),
        ("cross", "cross", model.decoder.layers),
    ):
        for number, layer in enumerate(layers, 1):
            attention = getattr(layer, part)
            size = attention.W_O.weight.size(1) // attention.heads
            for m in range(attention.heads):
                yield f"{where} {number}.{m + 1}", attention.W_O.weight.data, slice(m * size, (m + 1) * size)


def same_words_other_order() -> None:
    """How far each word's state moves when the others change places, with positions and without."""
    rows = moved(shipped.model(TRANSFORMER))
    show.table(rows)
    st.caption(
        f"“{ORDERS[0]}” against “{ORDERS[1]}”: the length of the difference between a word's two last encoder states, "
        "divided by the length of the first. What is not exactly 0 without $P$ is rounding: sums are made in another "
        "order."
    )


def moved(model: Any) -> list[dict[str, Any]]:
    """A row for each word of ORDERS: the relative change of its state, without positions and with them."""
    tokens = [model.source.tokens(text) for text in ORDERS]
    places = [tokens[1].index(token) for token in tokens[0]]
    with torch.inference_mode():
        ids = [torch.tensor([model.source.ids(one)]) for one in tokens]
        bare = [_states(model.encoder, one, positions=False) for one in ids]
        full = [_states(model.encoder, one, positions=True) for one in ids]
    return [
        {
            "word": word,
            "without P": _change(bare[0][here], bare[1][there]),
            "with P": _change(full[0][here], full[1][there]),
        }
        for here, (word, there) in enumerate(zip(readable(tokens[0]), places, strict=True))
    ]


def _states(encoder: Any, words: Any, positions: bool) -> Any:
    embedded = encoder.embed(words)
    x = encoder.input(embedded) if positions else math.sqrt(embedded.size(-1)) * embedded
    everywhere = torch.ones(1, 1, words.size(1), dtype=torch.bool)
    for number, layer in enumerate(encoder.layers):
        x, _ = layer(x, everywhere, number)
    return encoder.last(x)[0]


def _change(one: Any, other: Any) -> float:
    return ((one - other).norm() / one.norm()).item()


def weights_by_heads() -> None:
    """The weights of one attention of the shipped Transformer's size, made with other numbers of heads."""
    config = shipped.model(TRANSFORMER).config
    shape = Shape.of_decoder(config)
    rows = []
    for heads in (1, 2, 4, 8, 16):
        if config.embedding % heads:
            continue
        made = MultiHeadAttention(replace(shape, heads=heads))
        rows.append(
            {
                "heads": heads,
                "d_k": config.embedding // heads,
                "weights": f"{sum(weight.numel() for weight in made.parameters()):,}",
                "maps of 12 × 12": heads,
            }
        )
    show.table(rows)
    st.caption(f"One attention with $d_{{model}}$ = {config.embedding}, counted from the matrices as they are made.")
