"""Readable forms of subword tokens."""

import pytest

from attn_core.data.subwords import readable, spelled, unescaped, word_numbers


@pytest.mark.parametrize(
    ("tokens", "shown"),
    [
        (["ein", "·hund", "</s>"], ["ein", "·hund", "</s>"]),  # words stay as they are
        (["▁ein", "▁schnee", "mann", "<unk>", "▁.", "</s>"], ["ein", "schnee", "·mann", "<unk>", ".", "</s>"]),
        (["▁", "🦆"], ["▁", "·🦆"]),  # a word that starts with a character outside the vocabulary
        ([], []),
    ],
)
def test_only_what_goes_on_with_a_word_is_marked(tokens, shown):
    assert readable(tokens) == shown


@pytest.mark.parametrize(
    ("tokens", "numbers", "words"),
    [
        (["ein", "hund", "&amp;", "</s>"], [0, 1, 2, 3], ["ein", "hund", "&", "</s>"]),
        (["▁schnee", "mann", "▁am", "▁b", "erg", "</s>"], [0, 0, 1, 2, 2, 3], ["schneemann", "am", "berg", "</s>"]),
        ([], [], []),
    ],
)
def test_pieces_belong_to_their_word(tokens, numbers, words):
    assert word_numbers(tokens) == numbers
    assert spelled(tokens) == words


def test_only_what_moses_wrote_is_undone_and_only_once():
    assert unescaped("&apos;s") == "'s"
    assert unescaped("&amp;quot;") == "&quot;"
    assert unescaped("&eacute;") == "&eacute;"
