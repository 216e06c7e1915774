"""`evaluate`: its scores agree with other ways to compute them, and its warnings."""

import json
import math

import pytest
import sacrebleu

from attn_core.decoding.translate import force
from attn_core.models.checkpoint import load
from tests.cli.conftest import REFERENCES, SOURCES
from tests.helpers.terminal import lines, run


@pytest.mark.parametrize("name", ["local", "reads_eos"])
def test_scores_are_those_of_other_routes(name, texts, request):
    """BLEU by sacrebleu of the output of `translate`, perplexity from forced traces, unknown words counted by hand."""
    folder = request.getfixturevalue(name)
    model = load(folder)
    words = ("--tokenized", "--beam", 2)
    scores = json.loads(run("evaluate", folder, "--source", texts[0], "--reference", texts[1], *words, "--json").out)
    outputs = run("translate", folder, *words, text=texts[0].read_text()).out.splitlines()
    assert scores["bleu"] == pytest.approx(
        sacrebleu.corpus_bleu(outputs, [REFERENCES], tokenize="none", force=True).score
    )
    traces = force(model, SOURCES, REFERENCES, tokenized=True)
    log_prob, n = sum(trace.log_prob for trace in traces), sum(len(trace.words) for trace in traces)
    assert scores["perplexity"] == pytest.approx(math.exp(-log_prob / n), rel=1e-5)
    assert "tok:none" in scores["signature"]
    assert (scores["source_words"], scores["unknown_source_words"]) == (17, 1)
    assert (scores["reference_words"], scores["unknown_reference_words"]) == (14, 1)
    assert scores["output_words"] == sum(len(line.split()) for line in outputs)
    assert scores["bleu_low"] <= scores["bleu"] <= scores["bleu_high"]
    assert scores["sentences_per_second"] == pytest.approx(5 / scores["seconds"])


def test_raw_text_is_compared_without_case(local, texts):
    found = run("evaluate", local, "--source", texts[0], "--reference", texts[1])
    assert "case:lc" in found.out
    assert "tok:13a" in found.out
    upper = lines(texts[1].with_name("upper.en"), *(line.upper() for line in REFERENCES))
    same = [
        json.loads(run("evaluate", local, "--source", texts[0], "--reference", r, "--json").out)
        for r in (texts[1], upper)
    ]
    assert same[0]["bleu"] == same[1]["bleu"]
    assert same[0]["perplexity"] == same[1]["perplexity"]


def test_two_models_are_compared_on_the_same_text(local, reads_eos, texts):
    scored = ("--source", texts[0], "--reference", texts[1], "--tokenized")
    found = json.loads(run("evaluate", local, *scored, "--against", reads_eos, "--json").out)
    other = json.loads(run("evaluate", reads_eos, *scored, "--json").out)
    assert {"sentences_per_second", "seconds"} | {k for k in other if other[k] == found["against"][k]} == set(other)
    assert found["difference"] == pytest.approx(found["bleu"] - other["bleu"])
    replaced = run("evaluate", local, *scored, "--half-width", 0, "--against", local, "--json").out
    assert (
        json.loads(replaced)["against"]["settings"]
        == json.loads(run("evaluate", local, *scored, "--json").out)["settings"]
    )
    changed = run("evaluate", local, *scored, "--half-width", 0, "--attention-type", "hard-argmax", "--against", local)
    names = [line for line in changed.out.splitlines() if line.startswith("model ")]
    assert [name.partition("greedy")[2] for name in names] == [
        ", half width 0, attention type hard-argmax",
        "",
    ]
    last = run("evaluate", local, *scored, "--against", local).out.splitlines()[-1]
    assert last == "difference  +0.00 BLEU, p = 1.0000 (approximate randomisation, 10,000 trials)"


@pytest.mark.parametrize("words", [("evaluate", "--reference"), ("align", "--target")], ids=["evaluate", "align"])
def test_a_source_in_the_target_language_gets_a_warning(words, tmp_path):
    english = lines(tmp_path / "en", "a dog runs through the snow", "two men are sitting at a table", "ein hund")
    found = run(words[0], "bahdanau", "--source", english, words[1], english)
    said = f"bahdanau may translate 2 of the 3 lines of {english} poorly. The first: This looks like English."
    assert said in found.err


def test_tokenised_text_without_the_option_gets_a_warning(local, tmp_path, monkeypatch):
    monkeypatch.setattr("attn_core.cli.evaluate.FEWEST", 3)  # these are enough
    source = lines(tmp_path / "s", "a", "b", "c")

    def said(*references: str, options=()) -> str:
        reference = lines(tmp_path / "r", *references)
        return run("evaluate", local, "--source", source, "--reference", reference, *options).err

    warning = f"warning: {tmp_path / 'r'} looks like tokenised text; if it and {source} are, add --tokenized\n"
    assert said("n , o", "o .", "n.") == warning
    assert said("n , o", "o .", "n.", options=["--tokenized"]) == said("n, o", "o.", "n .") == ""


def test_few_pairs_get_a_warning(local, tmp_path):
    source, reference = lines(tmp_path / "s", *["a"] * 50), lines(tmp_path / "r", *["n"] * 50)
    assert run("evaluate", local, "--source", source, "--reference", reference).err == ""
    source, reference = lines(tmp_path / "s", *["a"] * 49), lines(tmp_path / "r", *["n"] * 49)
    found = run("evaluate", local, "--source", source, "--reference", reference)
    assert found.err == "warning: BLEU is unreliable on fewer than 50 sentence pairs (here: 49)\n"


def test_an_empty_pair_is_translated_but_has_no_perplexity(local, tmp_path):
    source, reference = lines(tmp_path / "s", "a b", "", "c"), lines(tmp_path / "r", "n", "o", "")
    scores = json.loads(run("evaluate", local, "--source", source, "--reference", reference, "--json").out)
    assert (scores["sentences"], scores["skipped"]) == (3, 2)
    model = load(local)
    assert scores["perplexity"] == pytest.approx(math.exp(-force(model, "a b", "n").log_prob / 2), rel=1e-5)
