"""Pointer networks and forecasters as documents for the browser.

They are as a translator's (see document.py), with one entry in `steps` that has `graphs`, and

    inputs    of a pointer network: numbers in each input, the smallest number of inputs, and the largest or null
    equations, quantities  of a pointer network, also `cases` and `quantities` of its step
    encoder   of a pointer network without `embed`, since its inputs are numbers; of a forecaster, `embed` is from
              "history" and "calendar" to "embedded", "mean" and "deviation"

A pointer network's step takes "read", the input chosen before, and "allowed", the positions that may be chosen; its
`finish` also gives the "first" input. A forecaster's step is from "before", the value of the day before, and "calendar"
to "value", both in standard deviations from the mean, and to "forecast" in the unit of the history.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor

from attn_core.explain.step_graph import StepGraph
from attn_core.export.graphs import Inputs
from attn_core.export.pieces import CellPiece, FinishPiece, T, cells_of, filled, tensors_of
from attn_core.export.quantities import Equations, names_of, quantities
from attn_core.models.encoders.rnn import RNNEncoder

N = 5  # inputs, or days, that a graph is traced with

# Models of attn_core.synthetic, which is a room above this one.
PointerNet = Any
Forecaster = Any
# As in document.py.
Graphs = Callable[..., list[Any]]


class RememberPiece:
    """From the states of a pointer network's encoder to the memory, the carry and the first input."""

    def __init__(self, model: PointerNet):
        self.model, self.hidden = model, model.config.hidden

    def sample(self, more: int = 0) -> Inputs:
        final = {f"final.{i}": torch.zeros(1, 1, 1, self.hidden) for i in (0, 1)}
        return {"states": torch.zeros(1, N + more, self.hidden)} | final

    def compute(self, inputs: Inputs) -> dict[str, Tensor]:
        carry = {f"carry.state.{i}": inputs[f"final.{i}"].flatten(1) for i in (0, 1)}
        memory = self.model.remembered(inputs["states"])
        return tensors_of(memory, "memory.") | carry | {"first": self.model.start.expand(1, 1, -1)}


class PointStep:
    """One step of a pointer network."""

    def __init__(self, model: PointerNet):
        self.model = model
        self.memory = model.remembered(torch.zeros(1, N, model.config.hidden))

    def sample(self, more: int = 0) -> Inputs:
        n, hidden = N + more, self.model.config.hidden
        inputs = {"read": torch.zeros(1, 1, len(self.model.start))}
        inputs["allowed"] = torch.ones(1, 1, n + 1, dtype=torch.bool)
        inputs |= tensors_of(self.model.remembered(torch.zeros(1, n, hidden)), "memory.")
        return inputs | {f"carry.state.{i}": torch.zeros(1, hidden) for i in (0, 1)}

    def compute(self, inputs: Inputs) -> dict[str, Tensor]:
        before = tuple(inputs[f"carry.state.{i}"].unsqueeze(1) for i in (0, 1))
        hidden, after = self.model.decoder.stepper(inputs["read"])(0, None, before)
        memory = filled(self.memory, "memory.", inputs)
        step = self.model.attend(hidden.unsqueeze(1), memory, 0, inputs["allowed"])
        carried = {f"next.state.{i}": part.squeeze(1) for i, part in enumerate(after)}
        return tensors_of(step) | {"log_probs": self.model.log_probs(step)} | carried


def pointer(model: PointerNet, graphs: Graphs) -> dict[str, Any]:
    """The entries of a pointer network's document that differ between kinds."""
    problem, piece, equations = model.problem, PointStep(model), Equations()
    inputs = piece.sample()
    with torch.no_grad():
        names = [*inputs, *piece.compute(inputs)]
    graph = StepGraph("pointer", model.quantities(model.config))
    step = {"graphs": graphs("step", piece), "cases": [{}], "quantities": quantities([graph], names, equations)}
    most = model.config.longest if model.config.output == "vocabulary" else None
    return {
        "special": {"bos": -1, "eos": 0},
        "inputs": {"size": problem.inputs, "least": problem.least, "most": most},
        "encoder": {
            "layers": [[graphs("cell", CellPiece(model.encoder))]],
            "reverse": False,
            "finish": graphs("finish", RememberPiece(model)),
        },
        "equations": equations.table,
        "quantities": names_of([graph]),
        "steps": [step],
    }


class DaysPiece:
    """From a history and its calendar to the embeddings of the days."""

    def __init__(self, model: Forecaster):
        self.model = model

    def sample(self, more: int = 0) -> Inputs:
        days = N + more
        return {
            "history": torch.arange(1.0, days + 1).unsqueeze(0),
            "calendar": torch.zeros(1, days, self.model.calendar),
        }

    def compute(self, inputs: Inputs) -> dict[str, Tensor]:
        embedded, mean, deviation = self.model.embed(inputs["history"], inputs["calendar"])
        return {"embedded": embedded, "mean": mean, "deviation": deviation}


class ForecastStep:
    """One step of a forecaster: the value of a day from that of the day before."""

    def __init__(self, model: Forecaster):
        self.model = model
        self.memory, self.carry = self._begun(N)

    def _begun(self, days: int) -> tuple[Any, Any]:
        """The memory and the first carry of a history of zeros."""
        states = torch.zeros(1, days, self.model.config.embedding)
        mask = torch.ones(1, days, dtype=torch.bool)
        with torch.no_grad():
            encoded = self.model.encoder.encode(states, mask)
            return self.model.decoder.memory(encoded, mask), self.model.decoder.start(encoded, mask)

    def sample(self, more: int = 0, t: int = T) -> Inputs:
        memory, carry = self._begun(N + more)
        numbers = {name: torch.zeros(1, 1) for name in ("before", "mean", "deviation")}
        inputs = numbers | {"calendar": torch.zeros(1, 1, self.model.calendar), "t": t + more}
        return inputs | tensors_of(memory, "memory.") | tensors_of(carry, "carry.")

    def compute(self, inputs: Inputs) -> dict[str, Tensor]:
        carry = replace(filled(self.carry, "carry.", inputs), t=inputs["t"])
        memory = filled(self.memory, "memory.", inputs)
        value, step, after = self.model.step(inputs["before"], inputs["calendar"], carry, memory)
        forecast = value * inputs["deviation"] + inputs["mean"]
        return tensors_of(step) | {"value": value, "forecast": forecast} | tensors_of(after, "next.")


def series(model: Forecaster, graphs: Graphs) -> dict[str, Any]:
    """The entries of a forecaster's document that differ between kinds."""
    encoder = model.encoder
    assert isinstance(encoder, RNNEncoder)  # the settings of a SeriesConfig allow no other
    cells = cells_of(encoder)
    return {
        "special": {},
        "encoder": {
            "embed": graphs("embed", DaysPiece(model)),
            "layers": [[graphs(f"cell-{n}-{m}", one) for m, one in enumerate(layer)] for n, layer in enumerate(cells)],
            "reverse": encoder.reverse,
            "finish": graphs("finish", FinishPiece(model.decoder, encoder, cells)),
        },
        "steps": [{"graphs": graphs("step", ForecastStep(model), {"t": 0})}],
    }
