"""Glosses of the captions: there is one for each word, and no line that nothing uses."""

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


def test_every_line_is_used_and_stands_once():
    path = glosses.files("attn_core.data").joinpath("glosses.tsv")
    entries = [line.split("\t")[0] for line in path.read_text("utf-8").splitlines()]
    assert len(set(entries)) == len(entries)
    used = {word for caption in captions() for word in caption.de_tokens}
    for caption in captions():
        for word, count in Counter(caption.de_tokens).items():
            used |= {f"{caption.id} {word}"} | {f"{caption.id} {word} {n}" for n in range(1, count + 1) if count > 1}
    assert set(entries) <= used
