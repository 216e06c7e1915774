"""The parts of a translator that are exported: its encoder, a recurrent encoder's cell, and one decoding step.

Tensors have the names of their fields in the record: "memory.keys", "carry.state.0", "looks.0.focus.gaussian".
"""

import copy
from collections.abc import Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any, cast

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from attn_core.attention.settings import WindowSettings
from attn_core.export.graphs import Inputs
from attn_core.models.cells import GATES, GRULayer, gru_update, lstm_update
from attn_core.models.decoders.decoder import Carry, Decoder
from attn_core.models.encoders.encoder import Encoded
from attn_core.models.encoders.rnn import RNNEncoder
from attn_core.models.translator import Translator
from attn_core.trace import Memory, Record
from attn_core.trace.naming import naming

WORDS, T, D = 4, 3, 2  # source words, step, and whole live settings of the inputs that a graph is traced with


def tensors_of(record: Any, prefix: str = "") -> dict[str, Tensor]:
    """The tensors of a record, named by their fields."""
    if isinstance(record, Tensor):
        return {prefix.removesuffix("."): record}
    parts: dict[str, Any] = {}
    if is_dataclass(record):
        parts = {field.name: getattr(record, field.name) for field in fields(record)}
    elif isinstance(record, tuple):
        parts = {str(place): one for place, one in enumerate(record)}
    return {key: value for name, part in parts.items() for key, value in tensors_of(part, f"{prefix}{name}.").items()}


def filled(record: Record, prefix: str, values: Inputs) -> Any:
    """`record` with the tensors of `values` that have its names."""
    names = iter(tensors_of(record, prefix))
    return record.map(lambda _: values[next(names)])


def prepared(memory: Memory, carry: Carry, named: dict[str, Tensor]) -> dict[str, Tensor]:
    """What is computed once for a sentence; the encoder states are marked if the memory has others in their place."""
    others = {name: value for name, value in named.items() if value is not memory.states and name not in GATES}
    return tensors_of(memory, "memory.") | tensors_of(carry, "carry.") | marked(others)


def marked(named: dict[str, Tensor]) -> dict[str, Tensor]:
    """The values that a model has marked with `named`, by the names of a graph's outputs."""
    return {f"named.{name}": value for name, value in named.items()}


def with_live_inputs(settings: WindowSettings, values: Inputs) -> WindowSettings:
    """The settings of a window with inputs of a graph in place of its live ones; an infinite sigma: no Gaussian."""
    found = copy.copy(settings)
    for name in settings.live():
        object.__setattr__(found, name, values[name])  # they are frozen, and check that a value is a number
    return found


class StepPiece:
    """One decoding step of `model` with one word, in its current window and attention type."""

    def __init__(self, model: Translator):
        self.model = model
        own = model.decoder.attention
        self.window = None if own is None else model.mode.window or own.window
        self.centered = self.window is not None and self.window.settings.is_local
        live = () if self.window is None else self.window.settings.live()
        kinds = {} if self.window is None else self.window.settings.kinds()
        self.whole = {name: int in kinds[name] for name in live}  # by live setting, whether it is a whole number
        words = torch.arange(WORDS + 1).unsqueeze(0) % len(model.source)
        self.before: list[str] = []  # names of what is computed once for a sentence
        self.encoded = {n: self._encode(words[:, :n]) for n in (1, WORDS, WORDS + 1)}

    def _encode(self, words: Tensor) -> tuple[Memory, list[Carry]]:
        """The memory, and the carries of the first steps."""
        with torch.no_grad():
            with naming() as named:
                memory, carry = self.model.encode(words, torch.ones_like(words, dtype=torch.bool))
            self.before = [*prepared(memory, carry, named)]
            memory, carries = replace(memory, looks=()), [carry]
            for _ in range(T + 2):
                carries.append(self.model.step(words[:, :1], carries[-1], memory)[1])
        return memory, carries

    def sample(self, words: int = WORDS, t: int = T, more: int = 0, **live: int) -> Inputs:
        memory, carries = self.encoded[words + more]
        carry = carries[t + more]
        inputs: Inputs = {"word": torch.tensor([[4]])}
        inputs |= tensors_of(memory, "memory.") | tensors_of(carry, "carry.") | {"t": t}
        inputs |= {name: live.get(name, D) if whole else torch.tensor(1.5) for name, whole in self.whole.items()}
        if self.centered:
            inputs |= {"center": torch.tensor(-1.0)}
        return {name: value.clone() if isinstance(value, Tensor) else value for name, value in inputs.items()}

    def compute(self, inputs: Inputs) -> dict[str, Tensor]:
        memory, carries = self.encoded[WORDS]
        carry = replace(filled(carries[0], "carry.", inputs), t=inputs["t"])
        mode = self.model.mode
        if self.whole or self.centered:
            window: Any = copy.copy(self.window)
            window.settings = with_live_inputs(window.settings, inputs)
            mode = replace(mode, window=window)
        if self.centered:
            given = inputs["center"]  # by hand; below 0: the window's own
            window.by_hand = lambda center, _t: torch.where(given < 0, center, given)
        with naming() as named:
            step, after = self.model.decoder(inputs["word"], carry, filled(memory, "memory.", inputs), mode)
        found = tensors_of(step) | {"log_probs": self.model.log_probs(step.attentional)}
        return found | tensors_of(after, "next.") | marked(named)


class EncoderPiece:
    """An encoder without recurrence, in one graph: from the words to the memory and the carry."""

    def __init__(self, model: Translator):
        self.model = model

    def sample(self, words: int = WORDS, more: int = 0) -> Inputs:
        ids = torch.arange(words + more).unsqueeze(0) % len(self.model.source)
        return {"words": ids, "mask": torch.ones_like(ids, dtype=torch.bool)}

    def compute(self, inputs: Inputs) -> dict[str, Tensor]:
        with naming() as named:
            memory, carry = self.model.encode(inputs["words"], inputs["mask"])
        return prepared(memory, carry, named)


class EmbedPiece(EncoderPiece):
    """The embeddings of a recurrent encoder, in written order."""

    def sample(self, words: int = WORDS, more: int = 0) -> Inputs:
        return {"words": super().sample(words, more)["words"]}

    def compute(self, inputs: Inputs) -> dict[str, Tensor]:
        return {"embedded": self.model.encoder.embed(inputs["words"])}


class CellPiece:
    """One update of a GRULayer, or of a layer and direction of torch's LSTM or GRU."""

    def __init__(self, rnn: GRULayer | nn.RNNBase, layer: int = 0, backward: bool = False):
        self.rnn, self.layer, self.backward = rnn, layer, backward

    def sample(self, more: int = 0) -> Inputs:
        rnn = self.rnn
        if isinstance(rnn, GRULayer):
            return {"x": torch.zeros(1, rnn.W.in_features), "state.0": torch.zeros(1, rnn.hidden)}
        W, *_ = self._weights
        states = 2 if isinstance(rnn, nn.LSTM) else 1
        return {"x": torch.zeros(1, W.size(1))} | {f"state.{i}": torch.zeros(1, rnn.hidden_size) for i in range(states)}

    @property
    def _weights(self) -> tuple[Any, ...]:
        """W, U and the two biases of torch's RNN; None for a missing bias."""
        end = f"l{self.layer}{'_reverse' if self.backward else ''}"
        names = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
        return tuple(getattr(self.rnn, f"{name}_{end}", None) for name in names)

    def compute(self, inputs: Inputs) -> dict[str, Tensor]:
        with naming() as named:
            after = self._update(inputs["x"], tuple(value for name, value in inputs.items() if name != "x"))
        return {f"next.state.{i}": part for i, part in enumerate(after)} | marked(named)

    def _update(self, x: Tensor, before: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
        state, *cell = before
        if isinstance(self.rnn, GRULayer):
            return (self.rnn.cell(self.rnn.W(x), state),)
        W, U, b_i, b_h = self._weights
        entering, recurrent = F.linear(x, W, b_i), F.linear(state, U, b_h)
        if cell:
            return lstm_update(entering + recurrent, cell[0])
        return (gru_update(entering, recurrent, state),)


def cells_of(encoder: RNNEncoder) -> list[list[CellPiece]]:
    """The cells of each layer, forward and backward."""
    if encoder.rnn is None:
        assert encoder.directions is not None
        return [[CellPiece(one) for one in cast(Sequence[GRULayer], encoder.directions)]]
    ways = (False, True) if encoder.rnn.bidirectional else (False,)
    return [[CellPiece(encoder.rnn, layer, way) for way in ways] for layer in range(encoder.rnn.num_layers)]


class FinishPiece:
    """From the states of a recurrent encoder's last layer, its directions side by side, to the memory and the carry."""

    def __init__(self, decoder: Decoder, encoder: RNNEncoder, cells: list[list[CellPiece]]):
        self.decoder, self.encoder = decoder, encoder
        self.layers, self.ways = len(cells), len(cells[0])
        self.states = [value.size(-1) for name, value in cells[0][0].sample().items() if name.startswith("state.")]

    def sample(self, words: int = WORDS, more: int = 0) -> Inputs:
        length, n = words + more, self.states[0]
        inputs: Inputs = {"states": torch.zeros(1, length, self.ways * n)}
        inputs |= {f"final.{i}": torch.zeros(1, self.layers, self.ways, n) for i in range(len(self.states))}
        return inputs | {"mask": torch.ones(1, length, dtype=torch.bool)}

    def compute(self, inputs: Inputs) -> dict[str, Tensor]:
        states, final = inputs["states"], tuple(inputs[f"final.{i}"] for i in range(len(self.states)))
        if self.encoder.summed:
            states = states.unflatten(-1, (2, -1)).sum(-2)
        encoded = Encoded(states, final, summed=self.encoder.summed)
        mask = inputs["mask"]
        with naming() as named:
            memory, carry = self.decoder.memory(encoded, mask), self.decoder.start(encoded, mask)
        return prepared(memory, carry, named)
