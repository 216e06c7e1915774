"""`truecase` and `build` give models capitals, and `evaluate --cased` measures them."""

import json
import shutil
from pathlib import Path

import pytest

from attn_core.models.checkpoint import load
from attn_core.models.folders import PRETRAINED
from tests.helpers.terminal import files_under, lines, run, saved

RAW = ("A N and an N. Is p o?", "The n, N and p. P p P.")  # N three times, n once; p twice as P and as p
LETTERS = ("a b c", "d e f g", "g a b")


@pytest.fixture
def model(tmp_path) -> Path:
    return saved(tmp_path / "tiny")


@pytest.fixture
def raw(tmp_path) -> Path:
    return lines(tmp_path / "raw.en", *RAW)


def test_a_model_gets_the_capitals_of_a_text(model, raw):
    before, target = files_under(model), load(model).target
    found = run("truecase", model, "--text", raw)
    assert (found.status, found.out, found.err) == (0, f"1 words get capitals; saved in {model / 'target.json'}\n", "")
    after = files_under(model)
    assert {name for name in after if after[name] != before.get(name)} == {"target.json"}
    assert dict(load(model).target.truecaser.spellings) == {"n": "N"}
    assert load(model).target.same(target)
    assert run("truecase", model, "--text", raw).status == 0, "the same table again"
    assert files_under(model) == after


def test_translations_have_the_capitals_and_traces_have_none(model, raw, tmp_path):
    run("truecase", model, "--text", raw)
    words = ("translate", model, "--tokenized", "--min-length", 20, "--max-length", 20)
    tokens = run(*words, text="\n".join(LETTERS)).out
    text = run(*words[:2], *words[3:], "--traces", tmp_path / "t.jsonl", text="\n".join(LETTERS)).out
    target = load(model).target
    assert "n" in tokens.split()
    assert tokens == tokens.lower()
    assert text.splitlines() == [target.detokenize(line.split()) for line in tokens.splitlines()]
    assert any("N" in line[1:] for line in text.splitlines())
    traces = (tmp_path / "t.jsonl").read_text("utf-8").splitlines()
    shown = [step["token"] for line in traces for step in json.loads(line)["steps"]]
    assert shown == [word.lower() for word in shown]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("all of it is small.", "raw.en has no word that is mostly written with a capital inside sentences"),
        ("", "raw.en is empty"),
    ],
)
def test_a_text_without_capitals_is_named(model, tmp_path, text, message):
    path = tmp_path / "raw.en"
    path.write_text(text, "utf-8")
    before = files_under(model)
    found = run("truecase", model, "--text", path)
    assert (found.status, found.err.count("\n"), message in found.err) == (1, 1, True)
    assert files_under(model) == before


def test_a_model_with_capitals_and_an_ensemble_are_refused(model, raw):
    found = run("truecase", f"{model}+{model}", "--text", raw)
    assert (found.status, "give one model" in found.err) == (1, True)
    target = model / "target.json"
    target.write_text(target.read_text("utf-8").replace('"lower": true', '"lower": false'), "utf-8")
    found = run("truecase", model, "--text", raw)
    assert (found.status, "outputs text with capitals, so it has none to restore" in found.err) == (1, True)


def test_bleu_with_case_counts_capitals(model, raw, tmp_path, monkeypatch):
    """The reference has N once more in lower case than the translation."""
    run("truecase", model, "--text", raw)
    monkeypatch.setattr("attn_core.evaluation.evaluate._translated", lambda *_: [["o", "n", "p", "q", "r", "n"]])
    source, reference = lines(tmp_path / "t.de", "a b c"), lines(tmp_path / "t.en", "O N p q r n")
    words = ("evaluate", model, "--source", source, "--reference", reference, "--json")
    ignoring, cased = (json.loads(run(*words, *more).out) for more in ((), ("--cased",)))
    assert ignoring["bleu"] == pytest.approx(100)
    assert cased["bleu"] == pytest.approx(100 * (5 / 6 * 4 / 5 * 3 / 4 * 2 / 3) ** 0.25)
    assert ("case:lc" in ignoring["signature"], "case:mixed" in cased["signature"]) == (True, True)


@pytest.mark.slow
def test_a_stored_model_of_a_plan_gets_its_capitals_without_training(tmp_path):
    for name in ("fixed-vector", "vocabularies"):
        shutil.copytree(PRETRAINED / name, tmp_path / name)
    lines(tmp_path / "raw.de", "x"), lines(tmp_path / "raw.en", "I see Tom, and Tom sees a man.")
    plan = tmp_path / "models.toml"
    corpus = 'train = "own"\nvalid = "own"\ntest = "own"\ntest_set = "own"\nlanguages = ["de", "en"]\ncased = "raw"'
    plan.write_text(f'[corpora.own]\n{corpus}\n[models.fixed-vector]\ncorpus = "own"\n', "utf-8")
    command = ("build", plan, "--data", tmp_path, "--work", tmp_path / "runs")
    assert run(*command, "--dry-run").out.endswith("\nfixed-vector: capitals\n")
    before = files_under(tmp_path / "fixed-vector")
    assert run(*command).status == 0, (tmp_path / "runs/fixed-vector/build.log").read_text("utf-8")
    after = files_under(tmp_path / "fixed-vector")
    assert {name for name in after if after[name] != before[name]} == {"target.json", "README.md"}
    assert "1 words get those of their commonest spelling" in (tmp_path / "fixed-vector/README.md").read_text("utf-8")
    assert dict(load(tmp_path / "fixed-vector").target.truecaser.spellings) == {"tom": "Tom"}
    assert run(*command).out == "1 of 1 models are already built\n"
