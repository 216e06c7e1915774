"""A model's scores on a test set equal those computed from its traces."""

import math
import unicodedata
from dataclasses import replace
from itertools import product

import pytest
import torch

from attn_core.data.tokenizer import Tokenizer
from attn_core.decoding.translate import force, text_of, translate
from attn_core.evaluation import evaluate as evaluation
from attn_core.evaluation.bleu import bleu, bleu_score, difference
from attn_core.evaluation.evaluate import difference_of, evaluate
from attn_core.models.translator import Translator
from tests.helpers.support import LUONG, tiny

SOURCES = ["a b c", "", "d e", "c"]
REFERENCES = ["n o", "o", "no non", "on on no"]


def subwords():
    """A model with a BPE target vocabulary."""
    torch.manual_seed(0)
    plain = tiny(**LUONG)
    target = Tokenizer.train(["no non on", "non no no"], "en", "bpe", 1, 9)
    return Translator(plain.config, plain.source, target, "subwords").eval()


@pytest.mark.parametrize("make", [lambda: tiny(**LUONG), subwords], ids=["words", "subwords"])
def test_the_scores_are_those_of_the_traces(make):
    model = make()
    found = evaluate(model, SOURCES, REFERENCES, beam=2, normalise="none", tokenized=True)
    full = [i for i, source in enumerate(SOURCES) if source]
    forced = force(model, [SOURCES[i] for i in full], [REFERENCES[i] for i in full], tokenized=True)
    words = sum(len(REFERENCES[i].split()) + 1 for i in full)
    wanted = math.exp(-sum(trace.log_prob for trace in forced) / words)
    assert found.perplexity == pytest.approx(wanted, rel=1e-5), "per word, also with subwords"
    outputs = [""] * len(SOURCES)
    for i in full:
        trace = translate(model, SOURCES[i], tokenized=True, beam=2, normalise="none")
        outputs[i] = text_of(model, trace, tokenized=True)
    assert list(found.translations) == outputs
    assert found.bleu == bleu(outputs, REFERENCES)
    assert (found.sentences, found.skipped, found.beam, found.normalise) == (4, 1, 2, "none")


def test_a_sentence_has_more_subwords_than_words():
    """Otherwise the test above could not distinguish them."""
    assert len(subwords().target.tokens("on on no", tokenized=True)) > 3


@pytest.mark.parametrize("tokenized", [True, False], ids=["tokenised", "raw"])
def test_chinese_is_compared_by_characters(monkeypatch, tokenized):
    """The vocabulary writes characters; a reference may have spaces between words, or none at all."""
    lines = ["\u4e00 \u53ea \u5c0f \u732b \u7761 \u5728 \u5e8a \u4e0a"]
    plain = tiny(**LUONG)
    model = Translator(plain.config, plain.source, Tokenizer.train(lines, "zh", min_frequency=1), "zh").eval()
    monkeypatch.setattr(evaluation, "_translated", lambda *_: [lines[0].split()])
    reference = "\u4e00\u53ea \u5c0f\u732b \u7761\u5728 \u5e8a\u4e0a"
    found = evaluate(model, ["a b"], [reference if tokenized else reference.replace(" ", "")], tokenized=tokenized)
    assert found.bleu.score == pytest.approx(100)


WANTED = ["the dog runs over the snow", "two men sit at a table", "a girl reads a long book", "the cat sleeps all day",
          "a boy throws the red ball", "the train stops at noon", "rain falls on the old roof"]  # fmt: skip
OURS = [line.replace("the", "a") if i in (0, 6) else line for i, line in enumerate(WANTED)]
THEIRS = [line.rsplit(" ", 1)[0] + " now" if i in (1, 2, 4) else line for i, line in enumerate(WANTED)]


def test_the_p_value_is_the_share_of_all_swaps():
    found = difference(OURS, THEIRS, WANTED)
    assert found.score == pytest.approx(bleu_score(OURS, WANTED) - bleu_score(THEIRS, WANTED))
    least = 0
    for swaps in product((False, True), repeat=len(WANTED)):
        sides = [(b, a) if swap else (a, b) for a, b, swap in zip(OURS, THEIRS, swaps, strict=True)]
        one, other = (bleu_score(side, WANTED) for side in zip(*sides, strict=True))
        least += abs(one - other) >= abs(found.score) - 1e-9
    assert found.p == pytest.approx(least / 2 ** len(WANTED), abs=0.02)
    assert 0.1 < found.p < 0.9
    turned = difference(THEIRS, OURS, WANTED)
    assert (turned.score, turned.p) == (-found.score, found.p)


@pytest.mark.parametrize("changed", [0, 1], ids=["none", "one"])
def test_so_few_other_outputs_are_no_significant_difference(changed):
    """Swapping a single pair of outputs only turns the difference round."""
    found = difference(WANTED, [*["no"] * changed, *WANTED[changed:]], WANTED)
    assert found.p == 1
    assert bool(found.score) == bool(changed)


@pytest.fixture
def saying(monkeypatch):
    """A function that makes a model with the vocabulary of a line, which is all that it outputs."""
    outputs: dict[str, list[str]] = {}
    monkeypatch.setattr(evaluation, "_translated", lambda model, sources, *_: [outputs[model.name]] * len(sources))

    def make(line: str) -> Translator:
        plain = tiny(**LUONG)
        outputs[line] = line.split()
        return Translator(plain.config, plain.source, Tokenizer.train([line], "de", min_frequency=1), line).eval()

    return make


def test_bleu_compares_tokenised_text_in_the_form_of_the_model(saying):
    """Capitals, and letters apart from their marks, of text or reference change nothing for a model without them."""
    model = saying("die köchin sieht äpfel und birnen")
    other = unicodedata.normalize("NFD", "Die Köchin sieht Äpfel und Birnen")
    assert evaluate(model, ["A b"], [other], tokenized=True).bleu.score == pytest.approx(100)
    assert evaluate(model, ["A b"], [other], tokenized=True).perplexity == pytest.approx(
        evaluate(model, ["a b"], ["die köchin sieht äpfel und birnen"], tokenized=True).perplexity
    )
    cased = saying("Die Köchin sieht Äpfel und Birnen")
    assert evaluate(cased, ["a b"], [other], tokenized=True).bleu.score == pytest.approx(100)
    assert evaluate(cased, ["a b"], [other.lower()], tokenized=True).bleu.score < 50
    assert evaluate(cased, ["a b"], [other.lower()]).bleu.score < 50
    assert "case:mixed" in evaluate(cased, ["a b"], [other]).bleu.signature


@pytest.mark.parametrize("tokenize", ["none", "13a", "zh"])
def test_the_score_of_a_validation_is_that_of_an_evaluation(tokenize):
    texts = ["a <unk> dog runs on the <unk> .", "<unk> ."], ["a dog runs on the beach .", "no ."]
    assert bleu_score(*texts, tokenize) == bleu(*texts, tokenize).score


def test_models_of_other_forms_are_compared_in_a_form_of_both(saying):
    model, cased = saying("die köchin sieht äpfel und birnen"), saying("Die Köchin sieht Äpfel und Birnen")
    references = ["Die Köchin sieht Äpfel und Birnen"]
    with pytest.raises(ValueError, match="give `evaluate` the same form for both models"):
        difference_of(
            model.target, *(evaluate(one, ["a"], references, tokenized=True) for one in (model, cased)), references
        )
    form = model.target.form.joint(cased.target.form)
    both = [evaluate(one, ["a"], references, tokenized=True, form=form) for one in (model, cased)]
    assert difference_of(model.target, *both, references).score == 0


@pytest.mark.parametrize(("lang", "tokenized"), [("en", True), ("en", False), ("zh", True), ("zh", False)])
def test_two_evaluations_are_compared_as_each_was_scored(lang, tokenized, monkeypatch):
    """Case and punctuation count in tokenised text only; Chinese is compared by characters."""
    wanted = (
        ["A dog, a cat.", "Two men sit at a table."]
        if lang == "en"
        else ["\u4e00\u53ea\u5c0f\u732b\u7761\u5728\u5e8a\u4e0a"] * 2
    )
    said = [["a dog, a cat.", "two men sat at a Table."], ["A Dog , a cat .", "Two men sit on chairs."]]
    if lang == "zh":
        said = [
            ["\u4e00\u53ea\u5c0f \u732b\u7761\u5728\u5e8a", wanted[1]],
            [wanted[0], "\u5c0f\u732b\u7761\u5728\u5730\u4e0a"],
        ]
    plain = tiny(**LUONG)
    model = Translator(plain.config, plain.source, Tokenizer.train(wanted, lang, min_frequency=1), "mine").eval()
    both = []
    for lines in said:
        monkeypatch.setattr(evaluation, "_translated", lambda *_, lines=lines: [[line] for line in lines])
        monkeypatch.setattr(Tokenizer, "text", lambda self, tokens: " ".join(tokens))
        monkeypatch.setattr(Tokenizer, "detokenize", lambda self, tokens: " ".join(tokens))
        both.append(evaluate(model, ["a b", "c"], wanted, tokenized=tokenized))
    found = difference_of(model.target, *both, wanted)
    assert found.score == pytest.approx(both[0].bleu.score - both[1].bleu.score)
    assert abs(found.score) > 1
    with pytest.raises(ValueError, match="tokenised text cannot be compared with that of running text"):
        difference_of(model.target, both[0], replace(both[1], tokenized=not tokenized), wanted)
