"""The example sentences and their hand-made alignments."""

from collections import Counter

import pytest

from attn_core.data.alignments import Alignment
from attn_core.data.captions import Caption, captions, gold
from attn_core.data.moses import Moses

TAGS = {
    *("reordered", "monotone", "fronted", "fronted-object", "separable-verb", "participle-bracket"),
    *("infinitive-clause", "relative-clause", "subordinate-clause", "postposition"),
    *("compound", "negation", "idiom", "reflexive", "unknown-word", "starter", "short", "long"),
}
each_caption = pytest.mark.parametrize("caption", captions(), ids=lambda caption: caption.id)


def crosses(links):
    return any(i < k and j > m for i, j in links for k, m in links)


def tagged(tag):
    return [caption for caption in captions() if tag in caption.tags]


def test_there_are_enough_pairs_and_no_two_are_alike():
    assert len(captions()) >= 48
    for name in ("id", "de", "en"):
        assert max(Counter(getattr(caption, name) for caption in captions()).values()) == 1, name


def test_starters_come_first_and_a_third_is_reordered():
    starters = ["starter" in caption.tags for caption in captions()]
    assert starters == sorted(starters, reverse=True)
    assert sum(starters) >= 5
    assert 3 * len(tagged("reordered")) >= len(captions())
    assert tagged("unknown-word")
    assert len(tagged("long")) == 2


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
def test_tokens_are_the_models_tokens(caption):
    assert caption.de_tokens == tuple(Moses("de")(caption.de).split())
    assert caption.en_tokens == tuple(Moses("en")(caption.en).split())


@each_caption
def test_lengths_suit_a_screen(caption):
    assert 4 <= len(caption.de_tokens) <= 22
    assert 4 <= len(caption.en_tokens) <= 22


@each_caption
def test_links_are_inside_the_sentence_and_sure_or_possible_but_not_both(caption):
    for i, j in caption.sure | caption.possible:
        assert 0 <= i < len(caption.de_tokens)
        assert 0 <= j < len(caption.en_tokens)
    assert caption.sure.isdisjoint(caption.possible)


@each_caption
def test_every_word_is_linked_and_every_noun_surely(caption):
    links = caption.sure | caption.possible
    loose_de = {i for i, token in enumerate(caption.de_tokens) if token != ","} - {i for i, _ in links}
    loose_en = {j for j, token in enumerate(caption.en_tokens) if token != ","} - {j for _, j in links}
    assert not loose_de, [caption.de_tokens[i] for i in loose_de]
    assert not loose_en, [caption.en_tokens[j] for j in loose_en]
    # German spelling tells which words are nouns: those with a capital that do not open the sentence.
    nouns = [word.strip(".,").lower() for word in caption.de.split()[1:] if word[0].isupper()]
    sure = {caption.de_tokens[i] for i, _ in caption.sure}
    assert nouns
    assert sure.issuperset(nouns)


@each_caption
def test_full_stops_are_linked_to_each_other_only(caption):
    stop = (len(caption.de_tokens) - 1, len(caption.en_tokens) - 1)
    assert caption.de_tokens[-1] == caption.en_tokens[-1] == "."
    assert [link for link in gold(caption)[1] if link[0] == stop[0] or link[1] == stop[1]] == [stop]
    assert stop in caption.sure


@each_caption
def test_one_word_for_several_stays_in_one_place(caption):
    """The English words of a compound are adjacent; several German words for one word are a separable verb."""
    for i in range(len(caption.de_tokens)):
        found = sorted(j for k, j in caption.sure if k == i)
        assert not found or found[-1] - found[0] == len(found) - 1
    shared = [j for j, count in Counter(j for _, j in caption.sure).items() if count > 1]
    assert not shared or "separable-verb" in caption.tags


@each_caption
def test_tags_are_known_and_word_order_is_as_tagged(caption):
    assert TAGS.issuperset(caption.tags)
    assert len(set(caption.tags)) == len(caption.tags)
    assert crosses(caption.sure) == ("reordered" in caption.tags)
    assert ("monotone" in caption.tags) != ("reordered" in caption.tags)


@each_caption
def test_unknown_words_are_spelled_alike_so_that_replacement_can_copy_them(caption):
    copied = {(i, j) for i, j in caption.sure if caption.de_tokens[i] == caption.en_tokens[j] != "."}
    names = [link for link in copied if caption.de_tokens[link[0]] in ("heidelberg", "wilhelm")]
    assert bool(names) == ("unknown-word" in caption.tags)
