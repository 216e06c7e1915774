"""The worksheet: what each task claims of the shipped models, its links, and the pages."""

import re
from html.parser import HTMLParser
from math import exp
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import pytest

from app.shell.pages import EXPLORER, labs
from app.site.worksheet import lesson, measured, pages
from app.site.worksheet.task import LEVELS
from app.site.worksheet.tasks import tasks
from attn_core.files import Unreplaceable
from tests.helpers.shipped import facts_of_links

ROOT = Path(__file__).parents[2]
SITE = "https://example.org/attention"


@pytest.fixture(scope="module")
def written():
    return pages.pages(SITE)


def test_its_sentences_are_those_of_the_tour(page_probe):
    """A class takes the tour, then works on the sheet."""
    texts = list(dict.fromkeys(stop["link"]["text"] for stop in page_probe("stops") if "text" in stop["link"]))
    assert texts == [measured.LONG, measured.CATCH, measured.VIOLIN]


def test_attention_jumps_furthest_ahead_for_the_verb():
    words = measured.aligned()
    assert [german for *_rest, german in words] == ["mädchen", "fangen", "fisch", "hand"]
    jumps = {german: position - step for step, _word, position, german in words}
    assert max(jumps, key=jumps.get) == measured.VERB
    assert jumps[measured.VERB] > 1


def test_a_softmax_by_hand_has_the_proportions_of_the_page():
    assert measured.softmax([0.0, 0.0]) == [0.5, 0.5]
    trace = measured.translated(measured.LUONG, measured.CATCH)
    top = measured.highest_scored(trace, measured.attention_to(trace, measured.VERB), 3)
    assert top[0].word == measured.VERB
    total = sum(one.weight for one in top)
    assert total < 0.95  # so that a reader sees the difference
    for one, share in zip(top, measured.softmax([round(one.score, 2) for one in top]), strict=True):
        assert one.weight / total == pytest.approx(share, abs=0.005)


def test_additive_has_the_larger_score_and_dot_the_larger_difference_and_weight():
    pairs = []
    for model in (measured.ADDITIVE, measured.DOT):
        trace = measured.translated(model, measured.CATCH)
        pairs.append(measured.highest_scored(trace, measured.attention_to(trace, measured.VERB), 2))
        first, second = pairs[-1]
        assert second.weight == pytest.approx(first.weight * exp(second.score - first.score), rel=0.01)
    (additive, less), (dot, least) = pairs
    assert additive.score > dot.score
    assert additive.score - less.score < dot.score - least.score
    assert additive.weight < dot.weight


def test_the_context_vector_holds_more_than_the_state_of_the_verb():
    weight, state, context = measured.part_of_context()
    assert 0.5 < weight < 0.95
    assert abs(context - weight * state) > 0.01  # shows with three digits


def test_only_the_model_without_input_feeding_repeats_a_word():
    assert len(measured.repeated(measured.GLOBAL)) == 1
    assert not measured.repeated(measured.FEEDING)


def test_the_verb_is_in_a_narrow_window_and_the_estimate_holds():
    center, words = measured.in_narrow_window()
    assert [one.position for one, _gaussian in words] == [int(center) - 1, int(center), int(center) + 1]
    verb, gaussian = next(pair for pair in words if pair[0].word == measured.VERB)
    assert verb.alignment > 0.9
    assert gaussian == pytest.approx(exp(-2 * (verb.position - center) ** 2))  # σ = 1/2
    trace = measured.translated(measured.LOCAL, measured.CATCH, half_width=1)
    assert float(measured.attention_to(trace, measured.VERB).weights.sum()) == pytest.approx(gaussian, abs=0.05)


def test_the_sum_of_the_weights_is_small_where_the_scores_are_far_from_p_t():
    *sums, (end, _sum) = measured.weight_sums()
    assert end == "</s>"
    assert all(total < 1 for _word, total in sums)
    trace = measured.translated(measured.LOCAL, measured.CATCH)
    apart = []
    for one in trace.words[:-1]:
        look = one.step.looks[0]
        distances = [abs(s - float(look.focus.center)) for s in range(len(trace.source))]
        apart.append(float((look.alignment * look.alignment.new_tensor(distances)).sum()))
    least = min(range(len(sums)), key=lambda t: sums[t][1])
    assert apart[least] == max(apart)
    assert min(total for _word, total in measured.weight_sums(measured.WIDE)) > 0.99


def test_one_head_finds_all_words_and_no_other_does():
    found = measured.words_by_head()
    assert found[measured.best_head()] == list(measured.WORDS)
    assert [len(words) for words in found].count(len(measured.WORDS)) == 1


def test_a_model_that_misses_a_word_is_an_error():
    trace = measured.translated(measured.ADDITIVE, measured.CATCH)
    with pytest.raises(ValueError, match="never attends to “pferd”"):
        measured.step_of(trace, "pferd")


def test_the_plan_lasts_90_minutes_and_uses_each_task_once():
    phases = list(lesson.plan(tasks()))
    assert sum(phase.minutes for phase in phases) == 90
    assert [phase.task for phase in phases if phase.task] == list(range(1, len(tasks()) + 1))
    assert {task.level for task in tasks()} == set(LEVELS)


@pytest.mark.slow
def test_links_open_views_of_the_site(written, page_probe):
    start = facts_of_links(7)
    places = {f"/attention/{place.path}{'.html' if place.path else ''}" for place in (EXPLORER, *labs())}
    found = [address for text in written for address in Links.of(text)]
    assert found
    for address in found:
        parts = urlsplit(address)
        assert f"{parts.scheme}://{parts.netloc}" == "https://example.org"
        assert parts.path in places
        query = dict(parse_qsl(parts.query))
        if "model" in query:
            view = page_probe("viewOf", query, start)
            assert view["notices"] == []
            assert view["view"]["model"] == query["model"]
            assert view["view"]["text"] == query["text"]


def test_only_the_answers_have_answers(written):
    sheet, answers, _plan = written
    assert 'class="answer"' not in sheet
    assert 'class="found"' not in sheet
    assert 'class="answer"' in answers
    assert 'class="line"' not in answers
    for text in written:  # complete, and with nothing to fetch
        assert not re.search(r"\{\w*\}|<(?:script|img)|<link(?! rel=.icon. href=.data:)", text)


def test_without_an_address_links_lead_to_the_dashboard():
    sheet = pages.pages()[0]
    assert all(address.startswith(f"{pages.DASHBOARD}/?") for address in Links.of(sheet))
    assert sheet.count("<svg") == 1  # the figure; no QR codes


def test_a_folder_with_other_files_is_kept(tmp_path):
    out = tmp_path / "lesson"
    assert [path.name for path in pages.write(out)] == list(pages.FILES)
    pages.write(out)  # over its own
    (out / "worksheet.html").write_text("mine", "utf-8")
    with pytest.raises(Unreplaceable):
        pages.write(out)
    assert (out / "worksheet.html").read_text("utf-8") == "mine"
    with pytest.raises(ValueError, match="must start with"):
        pages.write(out, "example.org")


class Links(HTMLParser):
    """Collects the addresses of a page's links."""

    def __init__(self):
        super().__init__()
        self.found = []

    @classmethod
    def of(cls, text):
        reader = cls()
        reader.feed(text)
        return reader.found

    def handle_starttag(self, tag, attrs):
        if tag == "a":
            self.found.append(dict(attrs)["href"])
