"""Tokens as people read them."""

import pytest

from attn_core.pieces import readable


@pytest.mark.parametrize(
    ("tokens", "shown"),
    [
        (["ein", "·hund", "</s>"], ["ein", "·hund", "</s>"]),  # words stay as they are
        (["▁ein", "▁schnee", "mann", "<unk>", "▁.", "</s>"], ["ein", "schnee", "·mann", "<unk>", ".", "</s>"]),
        (["▁", "🦆"], ["▁", "·🦆"]),  # a word that begins with a sign that no piece has
        ([], []),
    ],
)
def test_only_what_goes_on_with_a_word_is_marked(tokens, shown):
    assert readable(tokens) == shown
