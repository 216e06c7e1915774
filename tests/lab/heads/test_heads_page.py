"""The Heads page: the maps of its captions, and the evidence of its cards."""

import json

import pytest
import torch

from app.lab.heads.data import LITTLE, TRANSFORMER, head_costs, one_length, state_changes
from attn_core import load, translate
from attn_core.data.captions import captions
from attn_core.data.examples import examples
from attn_core.models import folders
from attn_core.models.config import ModelConfig
from tests.helpers.support import TRANSFORMER as SETTINGS
from tests.helpers.support import tiny


def _order(name: str) -> str | None:
    record = json.loads((folders.pretrained() / name / "config.json").read_text("utf-8"))
    return ModelConfig.from_json(record["model"])["order"] if "kind" not in record else None


SHIPPED = [name for name in folders.shipped() if _order(name) == "transformer"]


@pytest.mark.usefixtures("untrained")
def test_sentences_of_one_length_are_compared():
    model = load("transformer")
    found = one_length()["sentences"]
    assert len({len(one["words"]) for one in found}) == 1
    assert len(found) >= 2
    n = len(found[0]["words"])
    for one in found:
        assert torch.tensor(one["maps"]).shape == (4, n, n)
    text = next(pair.de for pair in captions() if model.source.tokens(pair.de) == found[1]["words"])
    for shown, look in zip(found[1]["maps"], translate(model, text).memory.looks, strict=True):
        assert torch.tensor(shown) == pytest.approx(look.weights, rel=1e-3)


def test_a_head_without_its_part_of_the_output_is_a_head_that_reads_nothing():
    """Zeros in W_O, as on the page, equal zeros in W_V."""
    from attn_core.data.corpus import make_batch

    model = tiny(std=0.7, targets="aboywithnkcs.", **SETTINGS).eval()
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
    assert costs["cross 1.1"] == pytest.approx(cost.item(), abs=1e-6)


def test_the_shipped_transformer_of_the_page_shows_what_the_cards_say():
    model = load(TRANSFORMER)
    costs = head_costs(model)
    assert sum(cost < LITTLE for cost in costs.values()) > len(costs) / 2
    assert max(costs.values()) > 2 * LITTLE
    for row in state_changes(model):
        assert row["without P"] < 1e-5
        assert row["with P"] > 0.02


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_transformer_records_all_its_looks(name):
    model = load(name)
    trace = translate(model, examples(model.source.lang, model.target.lang)[0].source)
    looks_of = model.config.encoder.layers * model.config.attention.heads
    assert trace.target[-1] == "</s>"
    assert len(trace.memory.looks) == looks_of
    for word in trace.words:
        assert (len(word.step.looks), len(word.step.own)) == (looks_of, looks_of)
        for look in word.step.looks:
            assert look.weights.sum().item() == pytest.approx(1, abs=1e-5)
