"""The Heads page: data sent to the browser, evidence of its cards, and the message without a Transformer."""

import json
import re
from pathlib import Path

import pytest
import torch

from app.lab.heads.evidence import LITTLE, head_costs, moved
from app.lab.heads.page import looks, one_length
from app.lab.heads.shapes import KINDS, shapes
from app.shell.markdown import escaped
from attn_core import load, translate
from attn_core.data.captions import captions
from attn_core.models import folders
from attn_core.models.config import ModelConfig
from attn_core.models.transformer_layers import MultiHeadAttention, Shape
from tests.helpers.shipped import ship
from tests.helpers.support import TRANSFORMER, tiny
from tests.lab.apptest import visit
from tests.lab.test_window_and_paths import sent


def _order(name: str) -> str | None:
    record = json.loads((folders.pretrained() / name / "config.json").read_text("utf-8"))
    return ModelConfig.from_json(record["model"])["order"] if "kind" not in record else None


SHIPPED = [name for name in folders.shipped() if _order(name) == "transformer"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return ship(tmp_path_factory.mktemp("pretrained"))


@pytest.fixture
def models(folder, monkeypatch) -> None:
    monkeypatch.setenv("ATTN_PRETRAINED", str(folder))


def test_the_browser_gets_every_look_of_the_record():
    model = tiny(std=0.7, **TRANSFORMER)
    trace = translate(model, "a b c", tokenized=True, max_length=4)
    data = looks(trace, model.config)
    assert data["scale"] == 2
    kinds = {kind["key"]: kind for kind in data["kinds"]}
    steps = [word.step for word in trace.words]
    for i, look in enumerate(trace.memory.looks):
        assert torch.tensor(kinds["encoder"]["looks"][i]["weights"]) == pytest.approx(look.weights, rel=1e-4)
    for name, part in (("decoder", "own"), ("cross", "looks")):
        for i, found in enumerate(kinds[name]["looks"]):
            rows = [getattr(step, part)[i] for step in steps]
            assert (found["layer"], found["head"]) == (rows[0].layer, rows[0].head)
            for field in ("weights", "scores"):
                for row, one in zip(found[field], rows, strict=True):
                    assert row == pytest.approx(getattr(one, field).tolist(), rel=1e-4)
    assert kinds["decoder"]["rows"] == kinds["decoder"]["columns"] == ["<s>", *trace.target[:-1]]
    assert (kinds["cross"]["rows"], kinds["cross"]["columns"]) == (list(trace.target), list(trace.source))


@pytest.mark.slow
def test_the_page_shows_the_sentence_of_its_link(models):
    text = captions()[3].de
    app = visit("app.lab.heads.page", heads_text=text)
    data = sent(app, "head_lab")
    trace = translate(load("transformer"), text)
    assert data["kinds"][0]["rows"] == list(trace.source)
    assert len(data["kinds"][2]["looks"]) == 4
    assert app.selectbox(key="heads_model").options == ["transformer"]


@pytest.mark.usefixtures("models")
def test_sentences_of_one_length_are_compared():
    model = load("transformer")
    found = one_length("transformer")["sentences"]
    assert len({len(one["words"]) for one in found}) == 1
    assert len(found) >= 2
    n = len(found[0]["words"])
    for one in found:
        assert torch.tensor(one["maps"]).shape == (4, n, n)
    text = next(pair.de for pair in captions() if model.source.tokens(pair.de) == found[1]["words"])
    for shown, look in zip(found[1]["maps"], translate(model, text).memory.looks, strict=True):
        assert torch.tensor(shown) == pytest.approx(look.weights, rel=1e-3)


def test_without_a_transformer_the_page_says_what_is_missing(tmp_path, monkeypatch):
    monkeypatch.setenv("ATTN_PRETRAINED", str(ship(tmp_path, "bahdanau")))
    app = visit("app.lab.heads.page")
    said = " ".join(info.value for info in app.info)
    assert "There is no trained model with order transformer" in said
    assert escaped("the model transformer is not in pretrained/") in said


@pytest.mark.parametrize("kind", KINDS)
def test_matrices_fit_together_and_are_as_large_as_the_models(kind):
    config = ModelConfig().set(TRANSFORMER | {"tied": False})
    page = shapes(config, 5, 7, kind)
    n_q, n_k = {"encoder": (5, 5), "decoder": (7, 7), "cross": (7, 5)}[kind]
    sizes = re.findall(r"<small>(\d+) × (\d+)</small>", page)
    assert sizes == [
        *((str(a), str(b)) for a, b in ((n_q, 6), (6, 2), (n_q, 2))),
        *((str(a), str(b)) for a, b in ((n_k, 6), (6, 2), (n_k, 2)) * 2),
        *((str(a), str(b)) for a, b in ((n_q, 2), (2, n_k), (n_q, n_k))),
        *((str(a), str(b)) for a, b in ((n_q, n_k), (n_k, 2), (n_q, 2))),
        *((str(a), str(b)) for a, b in ((n_q, 6), (6, 6), (n_q, 6))),
    ]
    weights = sum(weight.numel() for weight in MultiHeadAttention(Shape.of_encoder(config)).parameters())
    assert f"= {weights:,} weights" in page


def test_a_head_without_its_part_of_the_output_is_a_head_that_reads_nothing():
    """Zeros in W_O, as on the page, equal zeros in W_V."""
    from attn_core.data.corpus import make_batch

    model = tiny(std=0.7, targets="aboywithnkcs.", **TRANSFORMER).eval()
    before = {name: weight.clone() for name, weight in model.state_dict().items()}
    costs = head_costs(model)
    assert len(costs) == 3 * 2 * 3
    assert all(torch.equal(weight, before[name]) for name, weight in model.state_dict().items())
    pairs = captions()[:12]
    batch = make_batch(
        [model.source.ids(model.source.tokens(pair.de)) for pair in pairs],
        [model.target.ids(model.target.tokens(pair.en)) for pair in pairs],
    )
    with torch.inference_mode():
        whole = model.loss(batch)
        model.decoder.layers[1].cross.W_V.weight[2:4] = 0
        cost = (model.loss(batch) - whole) / batch.target_mask.sum()
    assert costs["cross 2.2"] == pytest.approx(cost.item(), abs=1e-6)


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_transformer_shows_what_the_cards_say(name):
    model = load(name)
    costs = head_costs(model)
    assert sum(cost < LITTLE for cost in costs.values()) > len(costs) / 2
    assert max(costs.values()) > 2 * LITTLE
    for row in moved(model):
        assert row["without P"] < 1e-5
        assert row["with P"] > 0.02


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_transformer_records_all_its_looks(name):
    model = load(name)
    trace = translate(model, captions()[0].de)
    looks_of = model.config.encoder.layers * model.config.attention.heads
    assert trace.target[-1] == "</s>"
    assert len(trace.memory.looks) == looks_of
    for word in trace.words:
        assert (len(word.step.looks), len(word.step.own)) == (looks_of, looks_of)
        for look in word.step.looks:
            assert look.weights.sum().item() == pytest.approx(1, abs=1e-5)
