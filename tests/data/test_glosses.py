"""Glosses of the captions: there is one for each word, and no line that nothing uses."""

import json
from collections import Counter

import pytest

from attn_core.data import glosses
from attn_core.data.captions import captions
from attn_core.data.examples import examples


def test_a_word_has_the_gloss_of_its_sentence():
    of = {pair.id: pair.glosses for pair in examples("de", "en")}
    assert of["ball-pick-up"]["en"] == ("a", "boy", "lifts", "a", "yellow", "ball", "up", "")
    assert of["heidelberg-bridge"]["en"][7] == "young"
    assert of["dog-ball-thrown"]["en"][4:8] == ("the", "ball", "", "that")
    assert of["chess-boys"]["zh"] == ("两", "男孩", "下", "国际象棋", "")


@pytest.mark.parametrize(("words", "lang"), [(("Hund", "Quark"), "de"), (("dog",), "fr")])
def test_a_word_or_a_language_without_a_gloss_is_an_error(words, lang):
    with pytest.raises(KeyError):
        glosses.glosses_of("chess-boys", words, lang)


def german() -> list[tuple[str, list[str]]]:
    lines = glosses.files("attn_core.data").joinpath("glossed.jsonl").read_text("utf-8").splitlines()
    others = [(one["id"], one["tokens"]) for one in map(json.loads, lines)]
    return [*others, *((caption.id, caption.de_tokens) for caption in captions())]


def english() -> list[tuple[str, list[str]]]:
    return [(one.id, one.words) for one in (*examples("en", "de"), *examples("en", "fr"))]


@pytest.mark.parametrize(("name", "sentences"), [("glosses.tsv", german), ("glosses-en.tsv", english)])
def test_every_line_is_used_and_stands_once(name, sentences):
    text = glosses.files("attn_core.data").joinpath(name).read_text("utf-8")
    entries = [line.split("\t")[0] for line in text.splitlines()]
    assert len(set(entries)) == len(entries)
    used = {word for _id, words in sentences() for word in words}
    for id, words in sentences():
        for word, count in Counter(words).items():
            used |= {f"{id} {word}"} | {f"{id} {word} {n}" for n in range(1, count + 1) if count > 1}
    assert set(entries) <= used
