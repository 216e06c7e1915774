"""Run a model's ONNX files in onnxruntime, as model.json says, step by step."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

Arrays = dict[str, Any]


class OnnxModel:
    """The files of a translator in `folder`, written by attn_core.export.onnx."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.record = json.loads((folder / "model.json").read_text("utf-8"))
        self.open = pytest.importorskip("onnxruntime", reason="install the extra [onnx]").InferenceSession
        self.sessions: dict[str, Any] = {}

    def run(self, entries: list[dict], inputs: Arrays, sizes: dict[str, int]) -> Arrays:
        """The outputs of the most special file for these sizes."""
        fitting = [one for one in entries if all(sizes.get(name) == n for name, n in one["when"].items())]
        name = max(fitting, key=lambda one: len(one["when"]))["file"]
        session = self.sessions.setdefault(name, self.open(self.folder / name))
        taken = {one.name: inputs[one.name] for one in session.get_inputs()}
        return dict(zip([one.name for one in session.get_outputs()], session.run(None, taken), strict=True))

    def encode(self, source: list[int]) -> Arrays:
        """The memory and the first carry."""
        special, encoder = self.record["special"], self.record["encoder"]
        ids = np.array([[*source, *([special["eos"]] if special["source_eos"] else [])]])
        sizes, inputs = {"words": ids.size}, {"words": ids, "mask": np.ones(ids.shape, bool)}
        if "graphs" in encoder:
            return self.run(encoder["graphs"], inputs, sizes)
        return self.finish(self.run(encoder["embed"], inputs, sizes)["embedded"], inputs, sizes)

    def finish(self, below: Any, inputs: Arrays, sizes: dict[str, int]) -> Arrays:
        """The memory and the first carry, from the inputs of a recurrent encoder's lowest layer."""
        encoder = self.record["encoder"]
        final: list[list[Any]] = []
        for layer in encoder["layers"]:
            found = [self._direction(cell, below, (way == 1) != encoder["reverse"]) for way, cell in enumerate(layer)]
            final.append([last for _, last in found])
            below = np.concatenate([states for states, _ in found], -1)
        ends = {f"final.{i}": np.stack([np.stack([way[i][0] for way in layer]) for layer in final])[None]
                for i in range(len(final[0][0]))}  # fmt: skip
        return self.run(encoder["finish"], inputs | ends | {"states": below}, sizes)

    def _direction(self, cell: list[dict], below: Any, backward: bool) -> tuple[Any, list[Any]]:
        """The states of one direction in written order, and the cell's last ones."""
        session = self.sessions.setdefault(cell[0]["file"], self.open(self.folder / cell[0]["file"]))
        shapes = {one.name: one.shape for one in session.get_inputs() if one.name != "x"}
        states = {name: np.zeros(shape, np.float32) for name, shape in shapes.items()}
        places, seen = range(below.shape[1]), {}
        for j in reversed(places) if backward else places:
            after = self.run(cell, states | {"x": below[:, j]}, {})
            states = {name: after[f"next.{name}"] for name in states}
            seen[j] = states["state.0"]
        return np.stack([seen[j] for j in places], 1), [*states.values()]

    def live(self, way: dict[str, Any]) -> dict[str, tuple[float, bool]]:
        """The live settings of the window of a step: their values as trained, and whether they are whole numbers."""
        found = {}
        for one in self.record["windows"].get(way["window"], {"live": []})["live"]:
            value = way["live"][one["name"]]
            if value is None:
                other, factor = one["multiple"] or (None, 0)
                value = factor * way["live"].get(other, 0) or np.inf
            found[one["name"]] = (value, one["whole"])
        return found

    def steps(self, source: list[int], words: list[int]) -> tuple[Arrays, list[Arrays]]:
        """As `in_torch`: the memory and the first carry, and the outputs of every step."""
        start, way = self.encode(source), self.record["steps"][0]
        inputs, found = dict(start), []
        n = len(source) + self.record["special"]["source_eos"]
        live = self.live(way)
        for t, word in enumerate(words):
            inputs |= {"word": np.array([[word]]), "t": np.array(t)}
            inputs |= {"center": np.array(-1.0, np.float32)}  # in place of a p_t by hand: the window's own
            inputs |= {name: np.array(value, None if whole else np.float32) for name, (value, whole) in live.items()}
            sizes = {"words": n, "t": t} | {name: value for name, (value, _) in live.items()}
            found.append(self.run(way["graphs"], inputs, sizes))
            carried = {name: value for name, value in found[-1].items() if name.startswith("next.")}
            inputs |= {name.replace("next.", "carry.", 1): value for name, value in carried.items()}
        return start, found
