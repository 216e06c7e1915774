"""The lists of function words: lowercase, each word once in its class, and as expected in our captions."""

import json

import pytest

from attn_core.data import function_words as module
from attn_core.data.captions import captions
from attn_core.data.examples import examples
from attn_core.data.function_words import LANGUAGES, function_words, is_in_other_language


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_class_lists_a_word_twice(language):
    text = module.files("attn_core.data").joinpath("function_words.json").read_text("utf-8")
    classes = json.loads(text)[language]
    for name, words in classes.items():
        listed = words.split()
        assert len(set(listed)) == len(listed), name
        assert words == words.lower()
    assert function_words(language) == tuple(sorted({word for words in classes.values() for word in words.split()}))


def test_a_caption_is_divided_into_function_words_and_others():
    caption = captions()[0]
    assert [word for word in caption.de_tokens if word not in function_words("de")] == [
        *("mädchen", "versucht", ",", "hand", "fisch", "fangen", "."),
    ]
    assert [word for word in caption.en_tokens if word not in function_words("en")] == [
        *("girl", "trying", "catch", "fish", "hand", "."),
    ]


def test_a_language_without_a_list_has_no_function_words():
    assert function_words("xx") == ()


@pytest.mark.parametrize(("own", "other"), [("de", "en"), ("en", "de"), ("en", "fr")])
def test_no_sentence_of_ours_is_taken_for_another_language_and_nearly_every_translation_is(own, other):
    pairs = examples(own, other)
    assert not [one.source for one in pairs if is_in_other_language(one.source_tokens, own, other)]
    missed = [one.target for one in pairs if not is_in_other_language(one.target_tokens, own, other)]
    assert len(missed) <= len(pairs) / 20


@pytest.mark.parametrize(
    "text",
    [
        "ich habe heute keine zeit .",
        "der film lord of the rings ist gut .",
        "die band heißt the who .",
        "also gut .",
        "gibt ' s was neues ?",
        "not !",  # a noun
        "the beatles",
        "karl i",
        "will smith",
        "on a mangé .",  # French, of which English has two words
        "我 爱 你",
        "?",
        "",
    ],
)
def test_a_german_name_or_a_third_language_is_not_taken_for_english(text):
    assert not is_in_other_language(text.split(), "de", "en")


def test_english_typed_for_german_is_recognised():
    for text in ("A girl is catching a fish .", "i ' m hungry", "how are you ?", "please wait here ."):
        assert is_in_other_language(text.split(), "de", "en"), text
    assert not is_in_other_language(["please", "wait"], "de", "en")


def test_a_language_without_a_list_is_not_guessed():
    assert not is_in_other_language(["i", "have", "no", "time"], "zh", "en")
    assert not is_in_other_language(["i", "have", "no", "time"], "de", "xx")
