"""Vectors of a step as exact sums of parts: encoder states (the keys' inputs) and queries.

A part is what its vector would be if the other parts were 0, with all gates and variances as they are:

- two directions of an encoder are two parts, concatenated or summed
- a GRU's state is (1 - z) h' + z g: the state before that is carried on, and the candidate that is written; an LSTM's
  state is o tanh(c), which has no such parts
- a query [E y; s] has the parts of both; the first query is the state that the encoder starts
- a Transformer's vector is its residual stream: word, position, and what each sublayer adds. LayerNorm is linear once
  its variance is known (Elhage 2021); its biases are a part of their own
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn import functional as F

from attn_core.attribution.case import Case
from attn_core.models.cells import GRU, GRULayer
from attn_core.models.decoders.attend_then_update import AttendThenUpdate
from attn_core.models.decoders.gnmt import GNMT
from attn_core.models.decoders.transformer import ProjectedMemory, TransformerDecoder
from attn_core.models.encoders.encoder import Encoded
from attn_core.models.encoders.rnn import RNNEncoder
from attn_core.models.encoders.transformer import TransformerEncoder
from attn_core.models.transformer_layers import Input, Residual
from attn_core.trace import Step
from attn_core.trace.naming import naming

Parts = dict[str, Float[Tensor, "n size"]]
Steps = Sequence[tuple[Any, dict[str, Tensor], Step]]
WAYS = ("forward", "backward")


@dataclass
class Stream:
    """The residual stream of a sentence, as parts (1 n d) by name; `total` is their sum as the model computed it."""

    parts: dict[str, Tensor]
    total: Tensor

    @classmethod
    def of(cls, layer: Input, embedded: Float[Tensor, "1 n d"]) -> "Stream":
        """The input of the first layer: the embeddings times sqrt(d), and the positions."""
        total = layer(embedded)
        word = math.sqrt(embedded.size(-1)) * embedded
        return cls({"word": word, "position": total - word}, total)

    def add(self, name: str, added: Tensor, around: Residual) -> None:
        """Add what a sublayer returns."""
        self.parts[name] = added
        self.total = self.total + added
        if not around.pre:
            self.normalize(around.norm)

    def normalize(self, norm: nn.Module) -> None:
        """Pass LayerNorm, or the identity."""
        if not isinstance(norm, nn.LayerNorm):
            return
        scale = norm.weight / (self.total.var(-1, correction=0, keepdim=True) + norm.eps).sqrt()
        self.parts = {name: scale * (x - x.mean(-1, keepdim=True)) for name, x in self.parts.items()}
        self.parts["biases"] = self.parts.get("biases", 0) + norm.bias.expand_as(self.total)
        self.total = norm(self.total)

    def into(self, around: Residual) -> "Stream":
        """The input of a sublayer, as a stream of its own."""
        found = Stream(dict(self.parts), self.total)
        if around.pre:
            found.normalize(around.norm)
        return found

    @property
    def found(self) -> Parts:
        return {name: part[0] for name, part in self.parts.items()}


def key_parts(case: Case) -> Parts:
    """The encoder states of a sentence (src mem) by parts; a single part if the encoder adds none up."""
    encoder = case.model.encoder
    if isinstance(encoder, TransformerEncoder):
        return _encoder_stream(case, encoder).found
    if isinstance(encoder, RNNEncoder) and len(encoded := _directions(case, encoder)):
        return encoded
    return {"state": _encoded(case).states[0]}


def query_parts(case: Case, layer: int = 0) -> Parts:
    """The queries of all steps (tgt q), before any projection of heads, by parts; of a layer of a Transformer."""
    decoder = case.model.decoder
    if isinstance(decoder, TransformerDecoder):
        return _decoder_stream(case, decoder, layer).found
    steps = list(case.stepwise(*case.encode(case.source_ids.unsqueeze(0))))
    if isinstance(decoder, AttendThenUpdate):
        return _queried_state(steps, decoder)
    if isinstance(decoder, GNMT):
        return {"state": torch.cat([named["previous" if decoder.previous else "state"] for _, named, _ in steps])}
    if isinstance(decoder.rnn, GRU):
        return _new_state(steps, decoder.rnn.num_layers)
    return {"state": torch.cat([step.hidden[0] for _, _, step in steps])}


def _encoded(case: Case) -> Encoded:
    sources = case.source_ids.unsqueeze(0)
    return case.model.encoder(sources, torch.ones_like(sources, dtype=torch.bool), [sources.size(1)])


def _directions(case: Case, encoder: RNNEncoder) -> Parts:
    """The parts of a recurrent encoder's states by direction, and of a GRU's by what is carried on and written.

    The directions of a stack that sums them are not known apart: its states are one part.
    """
    if encoder.directions is None:
        if encoder.summed or sum(case.model.config.encoder.reading) < len(WAYS):
            return {}
        states = _encoded(case).states[0]
        halves = states.chunk(2, -1)
        return {name: _placed(half, way, 2) for way, (name, half) in enumerate(zip(WAYS, halves, strict=True))}
    words = case.source_ids.flip(0) if encoder.reverse else case.source_ids
    embedded, found = encoder.embed(words), {}
    for way, direction in enumerate(cast(Sequence[GRULayer], encoder.directions)):
        before, update, candidate = _gates(direction, embedded.unsqueeze(0))
        for name, part in (("before", (1 - update) * before), ("candidate", update * candidate)):
            part = part.flip(0) if encoder.reverse else part
            found[f"{WAYS[way]}, {name}"] = part if encoder.summed else _placed(part, way, len(encoder.directions))
    return found


def _gates(layer: GRULayer, embedded: Float[Tensor, "1 src m"]) -> tuple[Tensor, Tensor, Tensor]:
    """The state before each word, the update gate and the candidate of a GRU encoder: (src n) each."""
    states, _last = layer(embedded, torch.ones_like(embedded[..., 0], dtype=torch.bool))
    zero = torch.zeros_like(states[0, :1])
    ordered = (states[0, 1:], zero) if layer.backward else (zero, states[0, :-1])
    before = torch.cat(ordered)
    with naming() as named:
        layer.cell(layer.W(embedded[0]), before)
    return before, named["update"], named["candidate"]


def _placed(part: Float[Tensor, "n size"], at: int, of: int) -> Float[Tensor, "n whole"]:
    """A vector in its place in a concatenation of `of` vectors of its size, the others 0."""
    places = [torch.zeros_like(part)] * of
    places[at] = part
    return torch.cat(places, -1)


def _queried_state(steps: Steps, decoder: AttendThenUpdate) -> Parts:
    """Of Bahdanau's order: the state that attends was updated in this step (groundhog) or in the one before."""
    states, before, word = [], [], []
    for t, (_carry, named, _step) in enumerate(steps):
        state = named["previous"]
        at = t if decoder.update == "groundhog" else t - 1
        carried = state
        if t > 0:
            carry, gates, _step = steps[at]
            carried = (1 - gates["update"]) * carry.state[0] if decoder.recurrent else torch.zeros_like(state)
        states.append(state)
        before.append(carried)
        word.append(named["word"][:, 0])
    found = {"state before": torch.cat(before), "candidate": torch.cat(states) - torch.cat(before)}
    if decoder.query != "word-and-state":
        return found
    words = torch.cat(word)
    blank = torch.zeros_like(words)
    return {"word": F.pad(words, (0, states[0].size(1)))} | {
        name: torch.cat([blank, part], 1) for name, part in found.items()
    }


def _new_state(steps: Steps, layers: int) -> Parts:
    """Of torch's GRU, in which z multiplies the state before: that of the top layer, which attends."""
    gate = "update" if layers == 1 else f"update.{layers - 1}"
    before = torch.cat([named[gate] * carry.state[0][:, -1] for carry, named, _step in steps])
    state = torch.cat([step.hidden[0] for _carry, _named, step in steps])
    return {"state before": before, "candidate": state - before}


def _encoder_stream(case: Case, encoder: TransformerEncoder) -> Stream:
    """The residual stream after the last layer."""
    words = case.source_ids.flip(0) if encoder.reverse else case.source_ids
    stream = Stream.of(encoder.input, encoder.embed(words.unsqueeze(0)))
    inside = torch.ones(1, 1, len(words), dtype=torch.bool, device=words.device)
    for n, layer in enumerate(encoder.layers):
        y = stream.into(layer.around_own).total
        attended, _looks = layer.own(y, layer.own.keys(y), layer.own.values(y), inside, n)
        stream.add(f"attention {n}", attended, layer.around_own)
        stream.add(f"feed-forward {n}", layer.feed(stream.into(layer.around_feed).total), layer.around_feed)
    stream.normalize(encoder.last)
    if encoder.reverse:
        stream.parts = {name: part.flip(1) for name, part in stream.parts.items()}
    return stream


def _decoder_stream(case: Case, decoder: TransformerDecoder, last: int) -> Stream:
    """The residual stream that enters the cross-attention of layer `last`."""
    memory, _carry = case.encode(case.source_ids.unsqueeze(0))
    assert isinstance(memory, ProjectedMemory)
    inside, n = memory.src_mask.unsqueeze(1), len(case.inputs)
    causal = torch.ones(1, n, n, dtype=torch.bool, device=inside.device).tril()
    stream = Stream.of(decoder.input, decoder.embed(case.inputs.unsqueeze(0)))
    for number, layer in enumerate(decoder.layers[: last + 1]):
        y = stream.into(layer.around_own).total
        attended, _looks = layer.own(y, layer.own.keys(y), layer.own.values(y), causal, number)
        stream.add(f"self-attention {number}", attended, layer.around_own)
        entering = stream.into(layer.around_cross)
        if number == last:
            return entering
        attended, _looks = layer.cross(entering.total, *decoder.of_layer(memory, number), inside, number)
        stream.add(f"cross-attention {number}", attended, layer.around_cross)
        stream.add(f"feed-forward {number}", layer.feed(stream.into(layer.around_feed).total), layer.around_feed)
    raise AssertionError("the layer was checked")
