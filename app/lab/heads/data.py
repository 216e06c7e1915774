"""The data of the Heads page: maps of sentences of one length, and the evidence for its cards."""

import copy
import math
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Any

import torch

from app.lab.kit import shipped
from app.lab.kit.evidence import Bars, Caption, Finding, Text, table
from app.lab.kit.records import few_digits
from attn_core.data.captions import captions
from attn_core.data.corpus import make_batch
from attn_core.data.subwords import readable
from attn_core.messages import N_, _, language
from attn_core.models.transformer_layers import MultiHeadAttention, Shape

TRANSFORMER = "transformer"
_ENOUGH = 12  # sentences of one length to compare


def one_length() -> dict[str, Any]:
    """The data of fixed.js: the encoder's maps for the captions of the most frequent length in tokens.

    Raises ValueError if there is no such model, or if no two captions have the same length.
    """
    model = shipped.model(TRANSFORMER)
    lengths = defaultdict(list)
    for pair in captions():
        tokens = model.source.tokens(pair.de)
        lengths[len(tokens)].append(tokens)
    chosen = max(lengths.values(), key=len)[:_ENOUGH]
    if len(chosen) < 2:
        raise ValueError(_("no two captions have the same number of tokens for {name}").format(name=TRANSFORMER))
    ids = torch.tensor([model.source_ids(tokens) for tokens in chosen])
    torch.set_num_threads(1)  # the setting is each thread's own
    with torch.inference_mode():
        memory = model.encode(ids, torch.ones_like(ids, dtype=torch.bool))[0]
    end = ["</s>"] * model.config.source_eos
    return {
        "looks": [{"layer": look.layer, "head": look.head} for look in memory.looks],
        "sentences": [
            {
                "words": readable([*tokens, *end]),
                "maps": [[few_digits(line) for line in look.weights[row]] for look in memory.looks],
            }
            for row, tokens in enumerate(chosen)
        ],
    }


SENTENCES = 12  # of our captions
LITTLE = 0.02  # nats a word
ORDERS = ("Der Hund jagt die Katze .", "Die Katze jagt der Hund .")


def one_head_out() -> Finding:
    """Show what each head contributes to the mean log p of a word in the translations of our captions."""
    costs = _costs(shipped.model(TRANSFORMER), language())
    heads = sorted(costs, key=costs.__getitem__, reverse=True)
    losses = [costs[head] for head in heads]
    source = _(
        "“encoder 1.2” is layer 1, head 2 of the encoder, both from 0. The loss of log p, in nats per word, by forced "
        "decoding of our translations of {sentences} captions; below 0, the translations became more probable."
    ).format(sentences=SENTENCES)
    return Finding(
        Bars(heads, {N_("loss of log p"): losses}, _("loss, nats per word"), along=_("heads, by what they contribute")),
        _(
            "Removing one head costs less than {little} nats per word for {cheap} of {n} heads; the most important one "
            "costs {most:.2f}."
        ).format(little=LITTLE, cheap=sum(loss < LITTLE for loss in losses), n=len(heads), most=losses[0]),
        (table({N_("head"): head, N_("loss"): costs[head]} for head in heads), Caption(source)),
    )


@lru_cache(maxsize=8)
def _costs(model: Any, language: str) -> dict[str, float]:
    """`head_costs`, cached by model object; its heads have names in `language`."""
    return head_costs(model)


def head_costs(model: Any) -> dict[str, float]:
    """The loss of log p per word when one head is removed, by the head's name."""
    changed = copy.deepcopy(model)  # all visitors share the model
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
    """Each head's name, the W_O that it is multiplied with, and its columns there."""
    for where, part, layers in (
        (_("encoder"), "own", model.encoder.layers),
        (_("decoder"), "own", model.decoder.layers),
        (_("cross"), "cross", model.decoder.layers),
    ):
        for number, layer in enumerate(layers):
            attention = getattr(layer, part)
            size = attention.W_O.weight.size(1) // attention.heads
            for m in range(attention.heads):
                yield f"{where} {number}.{m}", attention.W_O.weight.data, slice(m * size, (m + 1) * size)


def same_words_other_order() -> Finding:
    """Show how far each word's state moves when other words are swapped: without P, with P, and behind a mask."""
    model = shipped.model(TRANSFORMER)
    rows = state_changes(model)
    bare, full = ([row[name] for row in rows] for name in ("without P", "with P"))
    source = _(
        "“{one}” and “{other}”: the length of the difference between a word's two final encoder states, "
        "divided by the length of the first. Without $P$, what is not exactly 0 is rounding: the sums are computed "
        "in a different order."
    ).format(one=ORDERS[0], other=ORDERS[1])
    after_one, after_two = masked_state_changes(model)
    causal = _(
        "The same layers with a decoder's mask and without $P$: the state of the full stop, which both sentences "
        "have in the same place, differs by {one:.4f} after one layer and by {two:.4f} after two."
    ).format(one=after_one, two=after_two)
    return Finding(
        Bars(
            [row["word"] for row in rows],
            {N_("without P"): bare, N_("with P"): full},
            _("change of the state"),
            ".2f",
        ),
        _(
            "Without $P$, the states of a word in the two sentences differ by {bare:.2f} of their length; with $P$, by "
            "up to {full:.2f}."
        ).format(bare=max(bare), full=max(full)),
        (table(rows), Caption(source), Text(causal)),
    )


def state_changes(model: Any) -> list[dict[str, Any]]:
    """A row for each word of ORDERS: the relative change of its state, without positions and with them."""
    positions = _positions(model)
    with torch.inference_mode():
        bare = [_states(model.encoder, ids, positions=False) for ids in _ids(model)]
        full = [_states(model.encoder, ids, positions=True) for ids in _ids(model)]
    return [
        {
            N_("word"): word,
            N_("without P"): _change(bare[0][here], bare[1][there]),
            N_("with P"): _change(full[0][here], full[1][there]),
        }
        for here, (word, there) in enumerate(zip(readable(model.source.tokens(ORDERS[0])), positions, strict=True))
    ]


def masked_state_changes(model: Any) -> list[float]:
    """The relative change of the last word's state without positions, behind a decoder's mask, after 1 and 2 layers."""
    with torch.inference_mode():
        states = [
            [_states(model.encoder, ids, positions=False, causal=True, layers=n)[-1] for ids in _ids(model)]
            for n in (1, 2)
        ]
    return [_change(*pair) for pair in states]


def _ids(model: Any) -> list[Any]:
    return [torch.tensor([model.source.ids(model.source.tokens(text))]) for text in ORDERS]


def _positions(model: Any) -> list[int]:
    """Where each word of the first of ORDERS stands in the second."""
    first, second = (model.source.tokens(text) for text in ORDERS)
    return [second.index(token) for token in first]


def _states(encoder: Any, words: Any, positions: bool, causal: bool = False, layers: int | None = None) -> Any:
    """The states (`source x d_model`) after the first `layers` (None: all), with or without P and a decoder's mask."""
    embedded = encoder.embed(words)
    x = encoder.input(embedded) if positions else math.sqrt(embedded.size(-1)) * embedded
    n = words.size(1)
    inside = torch.ones(1, n, n, dtype=torch.bool)
    inside = inside.tril() if causal else inside
    for number, layer in enumerate(encoder.layers[:layers]):
        x = layer(x, inside, number)[0]
    return encoder.last(x)[0]


def _change(before: Any, after: Any) -> float:
    return ((before - after).norm() / before.norm()).item()


def weights_by_heads() -> Finding:
    """Count the weights of one attention of the shipped Transformer's size for several numbers of heads."""
    config = shipped.model(TRANSFORMER).config
    shape = Shape.of_decoder(config)
    counts = {
        heads: sum(weight.numel() for weight in MultiHeadAttention(replace(shape, heads=heads)).parameters())
        for heads in (1, 2, 4, 8, 16)
        if config.embedding % heads == 0
    }
    rows = table(
        {
            N_("heads"): heads,
            "d_k": config.embedding // heads,
            N_("parameters"): f"{count:,}",
            N_("maps of 12 × 12"): heads,
        }
        for heads, count in counts.items()
    )
    source = _("One attention with $d_{{model}}$ = {embedding}, counted from its matrices.")
    few, *_between, most = counts
    return Finding(
        Bars(list(map(str, counts)), {N_("parameters"): list(counts.values())}, _("parameters"), ",d", _("heads")),
        _("With {most} heads, the attention has {many:,} parameters; with one head it has {few:,}.").format(
            most=most, many=counts[most], few=counts[few]
        ),
        (rows, Caption(source.format(embedding=config.embedding))),
    )
