"""Weights in 8 bits: the values of the format by hand, its errors, and a model stored so and read again."""

import json

import pytest
import torch
from safetensors.torch import load_file, save_file

from attn_core.cli.quantize import STORED
from attn_core.cli.streams import LOSSY
from attn_core.files import CheckpointError
from attn_core.models import checkpoint
from attn_core.models.folders import TRANSLATOR, find, shipped
from attn_core.models.quantization import packed, unpacked
from tests.helpers.shipped import rewritten
from tests.helpers.support import close
from tests.helpers.terminal import lines, run, saved

SMALL, ALL = 3.3, 200  # MB: of a model's weights, and of all of pretrained/
# Weights that are larger, in MB as measured: the vocabularies of Chinese to English have more entries (luong-
# general-local-p-zh-en has 0.07 MB more than -global), and best-de-en and two of its teachers have larger layers.
LARGER = {
    "bahdanau-zh-en": 3.53,
    "luong-general-local-p-zh-en": 3.36,
    "best-de-en": 6.99,
    "bahdanau-bpe": 6.99,
    "luong-general-bpe": 6.86,
}
SOURCES, REFERENCES = ("a b c", "d e f g a", "b"), ("n o p", "q r s", "t")


def test_each_row_has_its_scale_and_its_largest_number_is_exact():
    weights = {"W": torch.tensor([[1.0, -2.0, 0.5], [0.0, 0.0, 0.0], [0.01, 127.0, -50.4]]), "b": torch.tensor([0.1])}
    stored = packed(weights)
    assert stored["W"].tolist() == [[64, -127, 32], [0, 0, 0], [0, 127, -50]]  # 63.5 is rounded to an even number
    assert stored["W"].dtype is torch.int8
    close(stored["W.row_scale"], torch.tensor([2 / 127, 0.0, 1.0]))
    assert stored["b"].dtype is torch.float16
    read = unpacked(stored)
    assert read.keys() == weights.keys()
    close(read["W"], torch.tensor([[128 / 127, -2.0, 64 / 127], [0.0, 0.0, 0.0], [0.0, 127.0, -50.0]]))


def test_no_number_is_further_away_than_half_a_step_of_its_row():
    weight = torch.randn(7, 5, 3) * torch.logspace(-6, 3, 7)[:, None, None]
    stored = packed({"W": weight})
    error = (unpacked(stored)["W"] - weight).abs().flatten(1).amax(1)
    assert (error <= 0.5001 * stored["W.row_scale"]).all()


@pytest.mark.parametrize(
    "change", [{"W.row_scale": None}, {"W.row_scale": torch.ones(3)}, {"W": torch.ones(2).to(torch.int8)}]
)
def test_8_bits_without_a_scale_for_each_row_are_an_error(change):
    stored = packed({"W": torch.ones(2, 3)}) | change
    with pytest.raises(ValueError, match="W has 8 bits, but not a scale for each row"):
        unpacked({name: tensor for name, tensor in stored.items() if tensor is not None})


def test_the_command_stores_a_model_that_loses_little_and_says_so(tmp_path):
    folder, out = saved(tmp_path / "whole", tied=True), tmp_path / "small"
    texts = lines(tmp_path / "t.de", *SOURCES), lines(tmp_path / "t.en", *REFERENCES)
    words = ("quantize", folder, "--source", texts[0], "--reference", texts[1], "--tokenized", "--loss", "100")
    found = run(*words, "--out", out)
    assert (found.status, found.err) == (0, "")
    assert found.out.startswith("BLEU ")
    whole, small = checkpoint.load(folder), checkpoint.load(out)
    assert small.name == "whole"
    assert {tensor.dtype for tensor in load_file(out / "model.safetensors").values()} == {
        torch.int8, torch.float16, torch.float32
    }  # fmt: skip
    expected = unpacked(packed(whole.state_dict()))
    for name, weight in small.state_dict().items():
        assert torch.equal(weight, expected[name]), name
    assert json.loads((out / "config.json").read_text("utf-8"))["about"]["weights"].startswith("8 bits")
    again = run(*words, "--out", out)
    assert (again.status, "already holds a model" in again.err) == (1, True)
    twice = run(words[0], out, *words[2:], "--out", tmp_path / "twice")
    assert (twice.status, twice.err) == (1, f"error: {out} is already stored in 8 bits\n")
    assert not (tmp_path / "twice").exists()


def test_a_model_of_joined_sentences_is_tested_on_such_and_its_old_scores_are_left_out(tmp_path, monkeypatch):
    folder = saved(tmp_path / "whole")
    old = {"valid": {"bleu": 98.0}, "test": {"bleu": 99.0}, "alignment": {"aer": 0.0}}
    rewritten(folder, lambda record: record.update(train=record["train"] | {"join": 2}, about=old))
    texts = lines(tmp_path / "t.de", "a", "b", "c", "d"), lines(tmp_path / "t.en", "n", "o", "p", "q")
    given = []
    result = type("Result", (), {"bleu": type("Bleu", (), {"score": 30.0})})
    monkeypatch.setattr(
        "attn_core.cli.quantize.evaluate", lambda _model, *sides, **_options: given.append(sides) or result
    )
    words = ("--source", texts[0], "--reference", texts[1], "--tokenized", "--out", tmp_path / "small")
    assert run("quantize", folder, *words).status == 0
    assert given == [(["a b", "c d"], ["n o", "p q"])] * 2
    about = json.loads((tmp_path / "small/config.json").read_text("utf-8"))["about"]
    assert not {"valid", "test", "alignment"} & about.keys()


def test_the_command_writes_nothing_if_bleu_falls(tmp_path, monkeypatch):
    folder = saved(tmp_path / "whole")
    texts = lines(tmp_path / "t.de", *SOURCES), lines(tmp_path / "t.en", *REFERENCES)
    words = ("--source", texts[0], "--reference", texts[1], "--tokenized", "--loss", "0")
    scores = iter((30.0, 29.0))
    result = type("Result", (), {"bleu": property(lambda self: type("Bleu", (), {"score": next(scores)}))})
    monkeypatch.setattr("attn_core.cli.quantize.evaluate", lambda *args, **options: result())
    found = run("quantize", folder, *words, "--out", tmp_path / "small")
    assert (found.status, found.out) == (LOSSY, "")
    assert "BLEU 30.00, in 8 bits 29.00: it loses more than 0, so nothing was written" in found.err
    assert not (tmp_path / "small").exists()


def test_a_damaged_model_in_8_bits_is_named(tmp_path):
    folder = saved(tmp_path / "m")
    weights = packed(checkpoint.load(folder).state_dict())
    weights.pop("decoder.W_c.weight.row_scale")
    save_file(weights, folder / "model.safetensors")
    with pytest.raises(CheckpointError, match=r"decoder\.W_c\.weight has 8 bits"):
        checkpoint.load(folder)


@pytest.mark.parametrize("name", shipped(TRANSLATOR))
def test_shipped_weights_are_small(name):
    size = (find(name) / "model.safetensors").stat().st_size / 1e6
    assert json.loads((find(name) / "config.json").read_text("utf-8"))["about"]["weights"] == STORED
    assert size <= LARGER.get(name, SMALL)
    assert name not in LARGER or size > SMALL, "it is no exception any more"


def test_all_shipped_models_together_are_below_200_mb():
    files = [path for path in find(shipped()[0]).parent.rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) / 1e6 < ALL
