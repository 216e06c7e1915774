"""The numbers of the Corpus page, from the engine's weights, are those that attn_core computes from its own traces."""

import math

import pytest
import torch

from attn_core import force, load, translate
from attn_core.attention.measures import coverage, entropy
from attn_core.data.alignments import alignment_error_rate
from attn_core.data.captions import captions, gold
from attn_core.decoding.alignment import links_of
from attn_core.trace import Trace
from tests.lab.corpus.conftest import MEASURED, files

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


def items(
    run, name: str, figure: str, shown: dict, lines: list[dict], how: dict | None = None
) -> dict[int, list[dict]]:
    """The items of a figure by the number of their line."""
    expression = f"""Object.fromEntries((await {MEASURED}(input.lines, input.how)).map((one) =>
      [one.line.number, js.FIGURES.find(({{ key }}) => key === input.figure).items(one, input.shown)]))"""
    given = {"files": files(name), "lines": lines, "how": how or {}, "figure": figure, "shown": shown}
    return {int(number): found for number, found in run(expression, given).items()}


def values(found: list[dict]) -> torch.Tensor:
    return torch.tensor([item["value"] for item in found])


def close(found: torch.Tensor, wanted: torch.Tensor) -> None:
    torch.testing.assert_close(found, wanted.float(), atol=2e-4, rtol=1e-4)


CROSS = {"attention": "cross", "head": None}


@pytest.fixture(scope="module")
def local() -> list[Trace]:
    return [translate(load(LOCAL_P), caption.de) for caption in FEW]


def test_entropy_and_coverage_are_those_of_python(run, local):
    spread = items(run, LOCAL_P, "entropy", CROSS, pairs(FEW))
    covered = items(run, LOCAL_P, "coverage", CROSS, pairs(FEW))
    for number, trace in enumerate(local, 1):
        weights = trace.weights()
        close(values(spread[number]), entropy(weights / weights.sum(-1, keepdim=True)))
        close(values(covered[number]), coverage(weights))
        assert [item["column"] for item in spread[number]] == weights.argmax(-1).tolist()


def test_a_window_loses_what_the_trace_says(run, local):
    lost = items(run, LOCAL_P, "lost", CROSS, pairs(FEW))
    outside = items(run, LOCAL_P, "outside", CROSS, pairs(FEW))
    gap = items(run, LOCAL_P, "gap", CROSS, pairs(FEW))
    for number, trace in enumerate(local, 1):
        looks = [word.step.looks[0] for word in trace.words]
        close(values(lost[number]), torch.stack([look.alignment.sum() - look.weights.sum() for look in looks]))
        mass = [look.scores.softmax(-1)[~look.focus.inside].sum() for look in looks]
        close(values(outside[number]), torch.stack(mass))
        apart = [(look.focus.center - look.weights.argmax()).abs() for look in looks]
        close(values(gap[number]), torch.stack(apart))


def test_another_half_width_is_measured_as_asked(run):
    how = {"half_width": 1}
    lost = items(run, LOCAL_P, "lost", CROSS, pairs(FEW[:2]), how)
    for number, caption in enumerate(FEW[:2], 1):
        looks = [word.step.looks[0] for word in translate(load(LOCAL_P), caption.de, **how).words]
        close(values(lost[number]), torch.stack([look.alignment.sum() - look.weights.sum() for look in looks]))


@pytest.mark.slow
@pytest.mark.parametrize("head", [None, 3])
def test_distances_and_heads_of_a_transformer(run, head):
    traces = [translate(load(TRANSFORMER), caption.de) for caption in FEW[:3]]
    shown = {"attention": "cross", "head": head}
    found = items(run, TRANSFORMER, "distance", shown, pairs(FEW[:3]))
    for number, trace in enumerate(traces, 1):
        weights = trace.weights(head)
        steps, words = weights.shape
        close(torch.tensor([item["amount"] for item in found[number]]), weights.flatten())
        distance = torch.arange(words)[None, :] - torch.arange(steps)[:, None]
        assert values(found[number]).int().tolist() == distance.flatten().tolist()


@pytest.mark.slow
def test_self_attention_is_that_of_the_trace(run):
    trace = translate(load(TRANSFORMER), FEW[0].de)
    encoder = torch.stack([look.weights for look in trace.memory.looks]).mean(0)
    spread = items(run, TRANSFORMER, "entropy", {"attention": "encoder", "head": None}, pairs(FEW[:1]))[1]
    close(values(spread), entropy(encoder))
    spread = items(run, TRANSFORMER, "entropy", {"attention": "decoder", "head": 2}, pairs(FEW[:1]))[1]
    close(values(spread), torch.stack([entropy(word.step.own[2].weights) for word in trace.words]))


@pytest.mark.parametrize(("name", "head"), [("bahdanau", None), pytest.param(TRANSFORMER, 5, marks=pytest.mark.slow)])
def test_the_alignment_error_rate_is_that_of_python(run, name, head):
    model = load(name)
    traces = force(model, [caption.de for caption in captions()], [caption.en for caption in captions()], top=1)
    expression = f"""await {MEASURED}(input.lines)
      .then((all) => [0, 1].map((shift) => js.alignment(all, input.shown, shift)))"""
    shown = {"attention": "cross", "head": head}
    found = run(expression, {"files": files(name), "lines": pairs(captions()), "shown": shown})
    golds = [gold(caption) for caption in captions()]
    for shift in (0, 1):
        wanted = alignment_error_rate(golds, [links_of(model, trace, shift, head) for trace in traces])
        rates = {rate: pytest.approx(getattr(wanted, rate)) for rate in ("aer", "precision", "recall")}
        counts = {"links": wanted.links, "sure": wanted.sure, "possible": wanted.possible}
        hits = {"sureHits": wanted.sure_hits, "possibleHits": wanted.possible_hits}
        assert found[shift] == counts | hits | rates


def test_gold_links_between_other_words_are_left_out(run):
    lines = pairs(FEW[:2])
    lines[1]["pair"]["words"][0] += 1  # as for a vocabulary that divides the sentence otherwise
    expression = f"(await {MEASURED}(input.lines)).map(({{ line, forced }}) => [line.number, forced !== null])"
    found = dict(run(expression, {"files": files("bahdanau"), "lines": lines}))
    assert found == {1: True, 2: False}


def test_alignment_scores_by_hand(run):
    """|A| = 3, |S| = 2, one sure and two possible hits: AER = 1 - (1 + 2) / (3 + 2)."""
    pair = {"sure": [[0, 0], [1, 1]], "possible": [[2, 1]], "links": [[0, 0], [2, 1], [3, 3], [3, 3]]}
    found = run("js.alignmentScores([input])", pair)
    assert found["aer"] == pytest.approx(1 - 3 / 5)
    assert (found["links"], found["possible"], found["precision"], found["recall"]) == (3, 3, pytest.approx(2 / 3), 0.5)
    none = dict.fromkeys(("links", "sure", "possible", "sureHits", "possibleHits", "aer"), 0)
    assert run("js.alignmentScores(input)", []) == none | {"precision": 1, "recall": 1}


def test_kinds_of_words(run):
    expression = f"(await {MEASURED}(input.lines)).map(({{ weighed, kinds }}) => [weighed.source, kinds.source])"
    lines = [{"number": 1, "text": "Ein Hund tanzt mit Blimblam, im Schnee."}]
    ((source, kinds),) = run(expression, {"files": files("bahdanau"), "lines": lines, "words": ["ein", "mit", "im"]})
    assert source == ["ein", "hund", "tanzt", "mit", "blimblam", ",", "im", "schnee", "."]
    wanted = ["function", "content", "content", "function", "unknown", "punctuation", "function", "content"]
    assert kinds == [*wanted, "punctuation"]


def test_the_largest_entropy_is_that_of_uniform_weights(run):
    assert run("js.spread(Float32Array.from(input))", [0.1, 0.1, 0.1, 0.1]) == pytest.approx(math.log(4))
    assert run("js.spread(Float32Array.from(input))", [0, 0]) is None
