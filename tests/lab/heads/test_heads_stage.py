"""The heads of a Transformer in a browser: maps, one word in all heads, and the fixed layer."""

import re
from typing import Any

import pytest
import torch
from playwright.sync_api import Page, expect

from attn_core.models.config import ModelConfig
from attn_core.models.transformer_layers import MultiHeadAttention, Shape
from tests.helpers.javascript import settle
from tests.helpers.numbers import written
from tests.helpers.support import TRANSFORMER
from tests.lab import stages

LAYERS, HEADS = 2, 3  # of stages.transformer_trace
WORDS = {"encoder": ["a", "b", "c", "d"], "decoder": ["<s>", "n", "o", "p"], "cross": ["n", "o", "p", "</s>"]}


@pytest.fixture(scope="module")
def trace():
    return stages.transformer_trace()


def rows_of(trace, kind: str, look: int) -> list[torch.Tensor]:
    if kind == "encoder":
        return list(trace.memory.looks[look].weights)
    return [getattr(word.step, "own" if kind == "decoder" else "looks")[look].weights for word in trace.words]


def choose(page: Page, kind: str) -> None:
    page.locator(".ap-choice").nth(list(WORDS).index(kind)).click()
    settle(page)


@pytest.mark.parametrize("kind", WORDS)
def test_a_word_shows_where_each_head_looks_from_it(lab, trace, kind):
    page = lab("heads", stages.heads_data(trace))
    choose(page, kind)
    words = page.locator(".hd-words .ap-word")
    assert words.all_inner_texts() == WORDS[kind]
    columns = WORDS["encoder"] if kind == "cross" else WORDS[kind]
    for row in (3, 1):
        words.nth(row).hover()
        settle(page)
        for look in range(LAYERS * HEADS):
            weights = rows_of(trace, kind, look)[row]
            best = weights.argmax().item()
            place = f"layer {look // HEADS}, head {look % HEADS}"
            name = f"{place}: from {WORDS[kind][row]}, largest weight on {columns[best]}"
            small = page.locator(".hd-small").nth(look)
            assert small.get_attribute("aria-label").startswith(f"{name} {weights[best].item():.2f}")
            assert small.locator(".hd-top").inner_text().startswith(columns[best])


@pytest.mark.parametrize("kind", WORDS)
def test_a_small_map_opens_with_its_numbers(lab, trace, kind):
    page = lab("heads", stages.heads_data(trace))
    choose(page, kind)
    page.locator(".hd-small").nth(4).click()
    settle(page)
    expect(page.locator(".hd-large .ap-title")).to_contain_text("Layer 1, head 1")
    for i, row in enumerate(rows_of(trace, kind, 4)):
        for j, weight in enumerate(row.tolist()):
            said = page.locator(f".hd-big td[data-row='{i}'][data-column='{j}']").inner_text()
            if weight >= 0.995:
                assert said == "1"
            else:
                assert said == (f"{weight:.2f}".removeprefix("0") if weight >= 0.005 else "")
    cell = page.locator(".hd-big td[data-row='2'][data-column='1']")
    cell.hover()
    settle(page)
    looks = trace.memory.looks if kind == "encoder" else ()
    line = page.locator(".hd-cellline").inner_text()
    assert f"{rows_of(trace, kind, 4)[2][1].item():.4f}" in line
    assert re.match(r"\S+ ← \S+: q · k", line)  # the query's word, and the one that it attends to
    if looks:
        assert f"q · k / √2 = {written(looks[4].scores[2, 1].item(), 4)}" in line
    assert page.locator(".hd-none").count() == (6 if kind == "decoder" else 0)


def test_a_word_stays_when_it_is_clicked(lab, trace):
    page = lab("heads", stages.heads_data(trace))
    words = page.locator(".hd-words .ap-word")
    words.nth(3).click()
    page.mouse.move(2, 2)
    settle(page)
    expect(words.nth(3)).to_have_attribute("aria-pressed", "true")
    page.locator(".hd-big th[data-row='0']").click()
    page.mouse.move(2, 2)
    settle(page)
    expect(words.nth(0)).to_have_attribute("aria-pressed", "true")


@pytest.fixture(scope="module")
def sentences() -> dict[str, Any]:
    """Encoder maps of three sentences of three words."""
    traces = [stages.transformer_trace(text) for text in ("a b c", "c b a", "d d e")]
    return {
        "looks": [{"layer": one.layer, "head": one.head} for one in traces[0].memory.looks],
        "sentences": [
            {"words": list(one.source), "maps": [look.weights.tolist() for look in one.memory.looks]} for one in traces
        ],
    }


def test_the_same_places_weigh_differently_in_other_sentences(lab, sentences):
    page = lab("fixed", sentences)
    maps = torch.tensor([one["maps"] for one in sentences["sentences"]])
    for look in (0, 5):
        page.locator(".hd-share").nth(look).click()
        several = maps[:, look]
        others = (several.sum(0) - several) / (len(several) - 1)
        share = 1 - (several - others).square().sum() / (several - 1 / 3).square().sum()
        expect(page.locator(".hd-share").nth(look)).to_have_text(f"{100 * max(share.item(), 0):.0f}%")
        page.locator(".hd-big").first.locator("td[data-row='2'][data-column='0']").click()
        page.mouse.move(2, 2)
        settle(page)
        for i, line in enumerate(page.locator(".hd-strip").all()):
            words = sentences["sentences"][i]["words"]
            assert line.locator(".hd-pair").inner_text() == f"{words[2]} ← {words[0]}"
            bar = line.locator("i").evaluate("bar => bar.getBoundingClientRect().width / bar.parentElement.clientWidth")
            assert bar == pytest.approx(several[i, 2, 0].item(), abs=0.01)
        fixed = page.locator(".hd-big").last.locator("td[data-row='2'][data-column='0']")
        assert float(fixed.inner_text() or 0) == pytest.approx(several[:, 2, 0].mean().item(), abs=0.006)


def test_another_sentence_changes_the_first_map_only(lab, sentences):
    page = lab("fixed", sentences)
    own, fixed = page.locator(".hd-big").first, page.locator(".hd-big").last
    before = fixed.inner_text()
    page.locator(".hd-strip").nth(2).click()
    settle(page)
    assert own.locator("tbody th").all_inner_texts() == ["d", "d", "e"]
    assert fixed.inner_text() == before


@pytest.mark.parametrize("part", ["heads", "fixed"])
@pytest.mark.parametrize("width", [390, 1920])
def test_nothing_hangs_over_the_edge(lab, trace, sentences, part, width):
    page = lab(part, stages.heads_data(trace) if part == "heads" else sentences, width=width)
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_long_words_at_the_edges_of_a_map_are_not_cut(lab, trace):
    data = stages.heads_data(trace)
    words = ["Einkaufswagen", "im", "Fußballstadion", "Mmmmmmmmm"]
    data["attentions"][0] |= {"rows": words, "columns": words}
    page = lab("heads", data)
    for label in page.locator(".hd-big th span").all():
        assert label.evaluate("one => one.scrollWidth <= one.clientWidth && one.scrollHeight <= one.clientHeight")


@pytest.mark.parametrize("words", [4, 24])
def test_a_map_that_goes_on_behind_its_edge_fades_there(lab, words):
    page = lab(
        "heads", stages.heads_data(stages.transformer_trace(" ".join("abcd"[i % 4] for i in range(words)))), width=390
    )
    frame = page.locator(".hd-scroll")
    wide = frame.evaluate("one => one.scrollWidth > one.clientWidth")
    assert wide is (words > 4)
    style = "one => { const { maskImage, maskSize } = getComputedStyle(one); return [maskImage, maskSize]; }"
    image, size = frame.evaluate(style)
    assert ("gradient" in image) is wide
    if wide:
        assert size == "100% 100%"
        frame.evaluate("one => one.scrollTo(one.scrollWidth, 0)")
        settle(page)
        assert frame.evaluate(style)[1].startswith("calc(100% + ")  # the faded end lies beyond the frame


@pytest.mark.parametrize("kind", WORDS)
def test_matrices_fit_together_and_are_as_large_as_the_models(lab, kind):
    config = ModelConfig().set(TRANSFORMER | {"tied": False})
    page = lab("heads", stages.heads_data(stages.transformer_trace("a b c d e", "n o p")))
    choose(page, kind)
    n_q, n_k = {"encoder": (5, 5), "decoder": (4, 4), "cross": (4, 5)}[kind]
    sizes = page.locator(".sh-matrix small").all_inner_texts()
    assert sizes == [
        *(f"{a} × {b}" for a, b in ((n_q, 6), (6, 2), (n_q, 2))),
        *(f"{a} × {b}" for a, b in ((n_k, 6), (6, 2), (n_k, 2)) * 2),
        *(f"{a} × {b}" for a, b in ((n_q, 2), (2, n_k), (n_q, n_k))),
        *(f"{a} × {b}" for a, b in ((n_q, n_k), (n_k, 2), (n_q, 2))),
        *(f"{a} × {b}" for a, b in ((n_q, 6), (6, 6), (n_q, 6))),
    ]
    weights = sum(weight.numel() for weight in MultiHeadAttention(Shape.of_encoder(config)).parameters())
    expect(page.locator(".sh-count")).to_contain_text(f"= {weights:,}, for any")
