"""ONNX files compute what the model computes: every output of every step, for each value of each registry."""

import json
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from attn_core.attention.settings import ATTENTION_TYPES, SCORES, WINDOWS
from attn_core.export import onnx
from attn_core.export.pieces import tensors_of
from attn_core.files import OLD, Unreplaceable
from attn_core.models import checkpoint
from attn_core.models.encoders.settings import ENCODERS
from attn_core.models.recipe import DrawnConfig, TrainConfig
from attn_core.models.settings import ORDERS
from attn_core.synthetic.forecasting import draw, forecast
from attn_core.synthetic.pointer import greedy
from attn_core.synthetic.pointer.net import OUTPUTS
from tests.browser.test_engine_models import CASES
from tests.helpers.engine import in_torch, unchecked
from tests.helpers.onnx import OnnxModel
from tests.helpers.support import close, tiny
from tests.synthetic import test_forecasting, test_pointer

SOURCE, WORDS = [4, 7, 5, 8, 6, 4], [1, 6, 4, 9]
# One case per registry value, and cases with special graphs: for the first step, for D = 0 and for several layers.
NAMES = (
    *("fixed-vector", "bahdanau-torch-gru-local-p", "luong-dot-local-m", "luong-scaled_dot-local-p", "luong-one_based"),
    *("luong-concat-bias", "luong-unmasked_fixed", "luong-heads", "luong-hard-argmax", "luong-scaled-sparsemax"),
    *("gnmt", "transformer-pre", "conv", "transformer-encoder", "gru-encoder", "torch-gru-encoder", "luong-paper"),
    "deep-bidirectional",
)


def check(model, files):
    for length in (4, 1, 6):
        start, steps = in_torch(model, SOURCE[:length], WORDS)
        found, outputs = files.steps(SOURCE[:length], WORDS)
        for t, (got, wanted) in enumerate(zip([found, *outputs], [start, *steps], strict=True)):
            assert got.keys() == wanted.keys()
            for name, tensor in wanted.items():
                try:
                    close(torch.tensor(got[name]).float(), tensor.float(), atol=1e-5, rtol=1e-5)
                except AssertionError as error:
                    raise AssertionError(
                        f"{length} words, {f'step {t - 1}' if t else 'memory'}, {name}: {error}"
                    ) from None


def written(name, folder):
    """The model of a case, as it was saved, and its ONNX files."""
    pytest.importorskip("onnxruntime", reason="install the extra [onnx]")
    checkpoint.save(tiny(dtype=torch.float32, **CASES[name]), TrainConfig(), folder / "model", {})
    with unchecked():
        onnx.write(folder / "model", folder / "onnx")
    return checkpoint.load(folder / "model"), OnnxModel(folder / "onnx")


@pytest.mark.slow
@pytest.mark.extras
@pytest.mark.parametrize("name", NAMES)
def test_onnx_files_compute_every_quantity_of_a_step(tmp_path, name):
    check(*written(name, tmp_path))


@pytest.mark.slow
@pytest.mark.extras
def test_an_onnx_file_samples_positions_by_their_weights(tmp_path):
    """With onnxruntime's own random numbers."""
    model, files = written("hard-sample", tmp_path)
    _, (wanted, *_) = in_torch(model, SOURCE, WORDS[:1])
    drawn = torch.zeros(len(SOURCE))
    for _ in range(200):
        _, (found,) = files.steps(SOURCE, WORDS[:1])
        weights = torch.tensor(found["looks.0.weights"]).flatten()
        assert sorted(weights.tolist()) == [0.0] * (len(SOURCE) - 1) + [1.0]
        drawn += weights
    alignment = wanted["looks.0.alignment"].flatten()
    close(torch.tensor(found["looks.0.alignment"]).flatten(), alignment, atol=1e-5)
    assert (alignment > 0.1).sum() > 1
    assert (drawn[alignment > 0.1] > 0).all()  # each is missed with a probability below 1e-9


def exported(model, folder):
    pytest.importorskip("onnxruntime", reason="install the extra [onnx]")
    checkpoint.save(model, DrawnConfig(), folder / "model", {})
    with unchecked():
        onnx.write(folder / "model", folder / "onnx")
    return checkpoint.read(folder / "model", model.kind), OnnxModel(folder / "onnx")


def same(outputs, steps, t):
    """The outputs of a file are the numbers of step `t`, of a batch of one."""
    for name, tensor in tensors_of(steps.map(lambda x: x[:, t : t + 1])).items():
        close(torch.tensor(outputs[name]).float(), tensor.float(), atol=1e-5, rtol=1e-5)


@pytest.mark.slow
@pytest.mark.extras
@pytest.mark.parametrize("output", OUTPUTS)
def test_onnx_files_of_a_pointer_network_make_its_choices(tmp_path, output):
    model, files = exported(test_pointer.net(problem="hull", output=output), tmp_path)
    inputs = torch.rand(1, 4, 2)
    wanted = greedy(model, inputs)
    found = files.finish(inputs.numpy(), {}, {})
    read, allowed = found["first"], np.ones((1, 1, 5), bool)
    for t, place in enumerate(wanted.chosen[0].tolist()):
        found |= files.run(files.record["steps"][0]["graphs"], found | {"read": read, "allowed": allowed}, {})
        same(found, wanted.steps, t)
        assert found["log_probs"].argmax() == place
        found |= {f"carry.state.{i}": found[f"next.state.{i}"] for i in (0, 1)}
        read = inputs[:, max(place - 1, 0)].unsqueeze(1).numpy()


@pytest.mark.slow
@pytest.mark.extras
@pytest.mark.parametrize("point", test_forecasting.POINTS)
def test_onnx_files_of_a_forecaster_make_its_forecasts(tmp_path, point):
    model, files = exported(test_forecasting.net(point), tmp_path)
    batch = draw(1, seed=3)
    wanted = forecast(model, batch)
    history, calendar = batch.history.numpy(), batch.calendar.numpy()
    found = files.run(files.record["encoder"]["embed"], {"history": history, "calendar": calendar[:, :42]}, {})
    found |= files.finish(found["embedded"], {"mask": np.ones((1, 42), bool)}, {})
    before = (history[:, -1:] - found["mean"]) / found["deviation"]
    for t in range(wanted.values.size(1)):
        numbers = {"before": before, "calendar": calendar[:, 42 + t : 43 + t], "t": np.array(t)}
        found |= files.run(files.record["steps"][0]["graphs"], found | numbers, {"t": t})
        same(found, wanted.steps, t)
        assert found["forecast"].item() == pytest.approx(wanted.values[0, t].item(), abs=1e-4)
        before = found["value"]
        found |= {name.replace("next.", "carry."): one for name, one in found.items() if name.startswith("next.")}


def test_the_cases_have_every_value_of_every_registry_but_sampled_attention():
    configs = [tiny(**CASES[name]).config for name in NAMES]
    attentions = [config.attention for config in configs if config.attention]
    assert {config.encoder.name for config in configs} == {*ENCODERS}
    assert {config.decoder.name for config in configs} == {*ORDERS}
    assert {one.score.name for one in attentions} == {*SCORES}
    assert {one.window.name for one in attentions} == {*WINDOWS}
    assert {one.type for one in attentions} == {*ATTENTION_TYPES} - {"hard-sample"}
    assert {config["encoder.cell"] for config in configs} >= {"lstm", "gru", "torch-gru"}


class Program:
    """What is exported, without torch: a file with a text."""

    def __init__(self, text):
        self.text = text

    def save(self, path):
        path.write_text(self.text, "utf-8")
        if self.text == "damaged":
            raise KeyboardInterrupt


def written_as(monkeypatch, folder, *texts, force=False):
    """Write an export whose files hold these texts."""
    traced = SimpleNamespace(case=None)
    programs = map(Program, texts)
    monkeypatch.setattr(onnx, "_onnx", lambda _traced: next(programs))
    monkeypatch.setattr(onnx, "load_any", lambda name: name)
    names = [f"part-{number}" for number in range(len(texts))]
    about = {"format": 0, "kind": "translator", "settings": {}, "copies": []}
    monkeypatch.setattr(
        onnx, "document", lambda _model, as_built, encode: about | {"graphs": [encode(name, traced) for name in names]}
    )
    onnx.write("model", folder, force=force)


def texts_of(folder):
    return {path.name: path.read_text("utf-8") for path in folder.iterdir() if path.name != "model.json"}


def test_an_interrupted_export_leaves_the_earlier_one(tmp_path, monkeypatch):
    written_as(monkeypatch, tmp_path, "one", "one")
    (tmp_path / "mine.txt").write_text("mine")
    described = (tmp_path / "model.json").read_text("utf-8")
    with pytest.raises(KeyboardInterrupt):
        written_as(monkeypatch, tmp_path, "two", "damaged", "two", force=True)
    assert texts_of(tmp_path) == {"part-0.onnx": "one", "part-1.onnx": "one", "mine.txt": "mine"}
    assert (tmp_path / "model.json").read_text("utf-8") == described
    with pytest.raises(Unreplaceable, match=r"contains mine\.txt"):
        written_as(monkeypatch, tmp_path, "two", "two", "two")
    written_as(monkeypatch, tmp_path, "two", "two", "two", force=True)
    assert texts_of(tmp_path) == {f"part-{number}.onnx": "two" for number in range(3)} | {"mine.txt": "mine"}
    described = json.loads((tmp_path / "model.json").read_text("utf-8"))
    assert [one["file"] for one in described["graphs"]] == [f"part-{number}.onnx" for number in range(3)]


def test_a_failed_export_leaves_no_folder(tmp_path, monkeypatch):
    with pytest.raises(KeyboardInterrupt):
        written_as(monkeypatch, tmp_path / "new/onnx", "damaged")
    assert not (tmp_path / "new").exists()


def test_no_folder_has_the_files_of_two_exports(tmp_path, monkeypatch):
    """An interruption while the new folder takes the place of the old one."""
    written_as(monkeypatch, tmp_path / "onnx", "one", "one")
    rename = Path.rename

    def interrupted(path, target):
        if target == tmp_path / "onnx" and not path.name.endswith(OLD):
            raise KeyboardInterrupt
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", interrupted)
    with pytest.raises(KeyboardInterrupt):
        written_as(monkeypatch, tmp_path / "onnx", "two", "two")
    assert [path.name for path in tmp_path.iterdir()] == ["onnx"]
    assert texts_of(tmp_path / "onnx") == {"part-0.onnx": "one", "part-1.onnx": "one"}
    assert (tmp_path / "onnx/model.json").exists()
