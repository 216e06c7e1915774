"""The numbers of the Corpus page, from the engine's weights, are those that attn_core computes from its own traces."""

import base64
from typing import Any

import pytest
import torch

from attn_core import force, load, translate
from attn_core.attention.measures import coverage, entropy
from attn_core.data.alignments import alignment_error_rate
from attn_core.data.captions import captions, gold
from attn_core.decoding.alignment import links_of
from attn_core.export.model_files import model_files
from attn_core.models import folders
from attn_core.trace import Trace

LOCAL_P, TRANSFORMER = "luong-general-local-p", "transformer"
FEW = captions()[:6]


def pairs(chosen) -> list[dict]:
    """Lines of our sentences, as the page makes them."""
    found = []
    for number, caption in enumerate(chosen, 1):
        sure, possible = gold(caption)
        pair = {"text": caption.de, "reference": caption.en, "sure": list(sure), "possible": list(possible)}
        pair["words"] = [len(caption.de_tokens), len(caption.en_tokens)]
        found.append({"number": number, "text": caption.de, "pair": pair})
    return found


def files(name: str) -> dict[str, Any]:
    """The files of a shipped model, with its weights in base64."""
    found = model_files(folders.find(name))
    return {**found.record, "weights": base64.b64encode(found.weights).decode()}


def values(found: list[dict]) -> torch.Tensor:
    return torch.tensor([item["value"] for item in found])


def close(found: torch.Tensor, wanted: torch.Tensor) -> None:
    torch.testing.assert_close(found, wanted.float(), atol=2e-4, rtol=1e-4)


CROSS = {"attention": "cross", "head": None}


@pytest.fixture(scope="module")
def local() -> list[Trace]:
    return [translate(load(LOCAL_P), caption.de) for caption in FEW]


def test_entropy_and_coverage_are_those_of_python(lab_probe, local):
    spread, covered = (
        lab_probe("figureItems", files(LOCAL_P), pairs(FEW), key, CROSS) for key in ("entropy", "coverage")
    )
    for trace, nats, totals in zip(local, spread, covered, strict=True):
        weights = trace.weights()
        close(values(nats), entropy(weights / weights.sum(-1, keepdim=True)))
        close(values(totals), coverage(weights))
        assert [item["column"] for item in nats] == weights.argmax(-1).tolist()


def test_a_window_loses_what_the_trace_says(lab_probe, local):
    figures = (lab_probe("figureItems", files(LOCAL_P), pairs(FEW), key, CROSS) for key in ("lost", "outside", "gap"))
    for trace, lost, outside, gap in zip(local, *figures, strict=True):
        looks = [word.step.looks[0] for word in trace.words]
        close(values(lost), torch.stack([look.alignment.sum() - look.weights.sum() for look in looks]))
        mass = [look.scores.softmax(-1)[~look.focus.inside].sum() for look in looks]
        close(values(outside), torch.stack(mass))
        apart = [(look.focus.center - look.weights.argmax()).abs() for look in looks]
        close(values(gap), torch.stack(apart))


def test_another_half_width_is_measured_as_asked(lab_probe):
    how = {"half_width": 1}
    found = lab_probe("figureItems", files(LOCAL_P), pairs(FEW[:2]), "lost", CROSS, how)
    for caption, lost in zip(FEW[:2], found, strict=True):
        looks = [word.step.looks[0] for word in translate(load(LOCAL_P), caption.de, **how).words]
        close(values(lost), torch.stack([look.alignment.sum() - look.weights.sum() for look in looks]))


@pytest.mark.slow
@pytest.mark.parametrize("head", [None, 3])
def test_distances_and_heads_of_a_transformer(lab_probe, head):
    found = lab_probe("figureItems", files(TRANSFORMER), pairs(FEW[:3]), "distance", CROSS | {"head": head})
    for caption, items in zip(FEW[:3], found, strict=True):
        weights = translate(load(TRANSFORMER), caption.de).weights(head)
        steps, words = weights.shape
        close(torch.tensor([item["amount"] for item in items]), weights.flatten())
        distance = torch.arange(words)[None, :] - torch.arange(steps)[:, None]
        assert values(items).int().tolist() == distance.flatten().tolist()


@pytest.mark.slow
def test_self_attention_is_that_of_the_trace(lab_probe):
    trace = translate(load(TRANSFORMER), FEW[0].de)
    encoder = torch.stack([look.weights for look in trace.memory.looks]).mean(0)
    decoder = [word.step.own[2].weights for word in trace.words]
    for attention, head, wanted in (
        ("encoder", None, entropy(encoder)),
        ("decoder", 2, torch.stack([entropy(row) for row in decoder])),
    ):
        choice = {"attention": attention, "head": head}
        [spread] = lab_probe("figureItems", files(TRANSFORMER), pairs(FEW[:1]), "entropy", choice)
        close(values(spread), wanted)


@pytest.mark.parametrize(("name", "head"), [("bahdanau", None), pytest.param(TRANSFORMER, 5, marks=pytest.mark.slow)])
def test_the_alignment_error_rate_is_that_of_python(lab_probe, name, head):
    model = load(name)
    traces = force(model, [caption.de for caption in captions()], [caption.en for caption in captions()], top=1)
    found = lab_probe("alignments", files(name), pairs(captions()), CROSS | {"head": head})
    golds = [gold(caption) for caption in captions()]
    for shift in (0, 1):
        wanted = alignment_error_rate(golds, [links_of(model, trace, shift, head) for trace in traces])
        rates = {rate: pytest.approx(getattr(wanted, rate)) for rate in ("aer", "precision", "recall")}
        counts = {"links": wanted.links, "sure": wanted.sure, "possible": wanted.possible}
        hits = {"sureHits": wanted.sure_hits, "possibleHits": wanted.possible_hits}
        assert found[shift] == counts | hits | rates


def test_gold_links_between_other_words_are_left_out(lab_probe):
    lines = pairs(FEW[:2])
    lines[1]["pair"]["words"][0] += 1  # as for a vocabulary that divides the sentence otherwise
    found = lab_probe("wordKinds", files("bahdanau"), lines, [])
    assert [has_gold for _source, _kinds, has_gold in found] == [True, False]


def test_kinds_of_words(lab_probe):
    lines = [{"number": 1, "text": "Ein Hund tanzt mit Blimblam, im Schnee."}]
    [(source, kinds, _)] = lab_probe("wordKinds", files("bahdanau"), lines, ["ein", "mit", "im"])
    assert source == ["ein", "hund", "tanzt", "mit", "blimblam", ",", "im", "schnee", "."]
    wanted = ["function", "content", "content", "function", "unknown", "punctuation", "function", "content"]
    assert kinds == [*wanted, "punctuation"]
