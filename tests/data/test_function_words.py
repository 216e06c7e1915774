"""The lists of function words: lowercase, each word once in its class, and as expected in our captions."""

import json

import pytest

from attn_core.data import function_words as module
from attn_core.data.captions import captions
from attn_core.data.function_words import LANGUAGES, function_words


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
