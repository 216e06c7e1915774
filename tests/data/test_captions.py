"""The example sentences and their hand-made alignments."""

from collections import Counter

import pytest

from attn_core.data.alignments import Alignment
from attn_core.data.captions import Caption, captions, gold

each_caption = pytest.mark.parametrize("caption", captions(), ids=lambda caption: caption.id)


def test_there_are_enough_pairs_some_with_unknown_words_and_two_long_ones():
    assert len(captions()) >= 48
    counts = Counter(tag for caption in captions() for tag in caption.tags)
    assert counts["unknown-word"]
    assert counts["long"] == 2


def test_links_of_a_pair_checked_by_hand():
    caption = next(caption for caption in captions() if caption.id == "ball-pick-up")
    assert caption.de_tokens == ("ein", "junge", "hebt", "einen", "gelben", "ball", "auf", ".")
    assert caption.en_tokens == ("a", "boy", "picks", "up", "a", "yellow", "ball", ".")
    assert caption.sure == {(0, 0), (1, 1), (2, 2), (6, 3), (3, 4), (4, 5), (5, 6), (7, 7)}
    assert caption.possible == {(2, 3), (6, 2)}


def test_gold_counts_sure_links_as_possible():
    caption = Caption("x", "a b", "a b", ("a", "b"), ("a", "b"), frozenset({(0, 0)}), frozenset({(1, 0)}), ())
    assert gold(caption) == Alignment(frozenset({(0, 0)}), frozenset({(0, 0), (1, 0)}))
    assert isinstance(gold(caption), Alignment), "a plain pair equals it"


def test_captions_are_read_once_and_nobody_can_change_them():
    assert captions() is captions()
    with pytest.raises(AttributeError):
        captions()[0].de = "Ein anderer Satz."


@each_caption
def test_lengths_suit_a_screen(caption):
    assert 4 <= len(caption.de_tokens) <= 22
    assert 4 <= len(caption.en_tokens) <= 22
    assert caption.de_tokens[-1] == caption.en_tokens[-1] == "."


@each_caption
def test_every_noun_is_linked_surely(caption):
    # German spelling tells which words are nouns: those with a capital that do not open the sentence.
    nouns = [word.strip(".,").lower() for word in caption.de.split()[1:] if word[0].isupper()]
    sure = {caption.de_tokens[i] for i, _ in caption.sure}
    assert nouns
    assert sure.issuperset(nouns)


@each_caption
def test_several_words_for_one_are_a_separable_verb(caption):
    shared = [j for j, count in Counter(j for _, j in caption.sure).items() if count > 1]
    assert not shared or "separable-verb" in caption.tags


@each_caption
def test_unknown_words_are_spelled_alike_so_that_replacement_can_copy_them(caption):
    copied = {(i, j) for i, j in caption.sure if caption.de_tokens[i] == caption.en_tokens[j] != "."}
    names = [link for link in copied if caption.de_tokens[link[0]] in ("heidelberg", "wilhelm")]
    assert bool(names) == ("unknown-word" in caption.tags)
