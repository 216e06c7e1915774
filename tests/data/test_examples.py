"""Our own sentences of every pair of languages: their alignments, and the gloss of each word."""

from collections import Counter

import pytest

from attn_core.data.captions import captions
from attn_core.data.examples import PAIRS, Example, examples, word_of_each
from attn_core.data.moses import Moses
from attn_core.data.tokenizer import Tokenizer

TAGS = {
    *("reordered", "monotone", "fronted", "relative-clause", "subordinate-clause", "starter", "short", "long"),
    *("compound", "negation", "reflexive", "unknown-word", "adjective", "noun-noun", "possessive", "clitic"),
    *("localiser", "existential", "ba", "passive", "comparison", "question"),
    *("fronted-object", "separable-verb", "participle-bracket", "infinitive-clause", "postposition", "idiom"),
}
OWN = [*examples("de", "en"), *examples("en", "fr"), *examples("zh", "en")]
COMMAS = (",", "，", "、")
MARKS = (*COMMAS, ".", "?", "。", "？")
each_pair = pytest.mark.parametrize("pair", PAIRS, ids="-".join)
each_own = pytest.mark.parametrize("one", OWN, ids=lambda one: f"{'-'.join(one.langs)} {one.id}")


def crosses(links):
    return any(i < k and j > m for i, j in links for k, m in links)


def named(pair: tuple[str, str], id: str) -> Example:
    return next(one for one in examples(*pair) if one.id == id)


@each_pair
def test_each_pair_has_30_examples_or_more_a_third_of_them_reordered(pair):
    found = examples(*pair)
    assert len(found) >= 30
    for name in ("id", "source", "target"):
        assert max(Counter(getattr(one, name) for one in found).values()) == 1, name
    assert 3 * sum(crosses(one.sure) for one in found) >= len(found)
    starters = ["starter" in one.tags for one in found]
    assert starters == sorted(starters, reverse=True)
    assert sum(starters) >= 5


def test_another_pair_has_none():
    assert examples("fr", "en") == ()


def test_the_captions_are_read_both_ways():
    for one, forth, back in zip(captions(), examples("de", "en"), examples("en", "de"), strict=True):
        assert (forth.words, forth.sure, forth.possible) == (one.de_tokens, one.sure, one.possible)
        assert (back.source, back.words, back.target_words) == (one.en, one.en_tokens, one.de_tokens)
        assert {(i, j) for j, i in back.sure} == one.sure
        assert {(i, j) for j, i in back.possible} == one.possible


def test_links_checked_by_hand():
    french = named(("en", "fr"), "red-car")
    assert french.words[8:12] == ("a", "small", "red", "car")
    assert french.target_words[6:10] == ("une", "petite", "voiture", "rouge")
    assert {(8, 6), (9, 7), (10, 9), (11, 8)} <= french.sure
    chinese = named(("zh", "en"), "cat-bed")
    assert chinese.words == ("一", "只", "猫", "睡", "在", "床", "上", "。")
    assert chinese.target_words == ("a", "cat", "is", "sleeping", "on", "the", "bed", ".")
    assert chinese.sure == {(0, 0), (2, 1), (3, 3), (5, 6), (6, 4), (7, 7)}
    assert chinese.possible == {(1, 0), (3, 2), (4, 4), (5, 5)}


@each_own
def test_words_are_the_models_tokens(one):
    for lang, text, words in zip(one.langs, (one.source, one.target), (one.words, one.target_words), strict=True):
        if lang == "zh":
            assert "".join(words) == text
        else:
            assert words == tuple(Moses(lang)(text).split())


@each_own
def test_every_word_is_linked_once_surely_or_possibly(one):
    assert one.sure.isdisjoint(one.possible)
    links = one.sure | one.possible
    for side, words in enumerate((one.words, one.target_words)):
        assert {link[side] for link in links} <= set(range(len(words)))
        loose = [word for i, word in enumerate(words) if word not in COMMAS and i not in {link[side] for link in links}]
        assert not loose


@each_own
def test_marks_are_linked_to_marks_only(one):
    for i, j in one.sure | one.possible:
        mark = one.words[i] in MARKS
        assert mark == (one.target_words[j] in MARKS) or (one.words[i] in COMMAS and one.target_words[j] == "and")
    end = (len(one.words) - 1, len(one.target_words) - 1)
    assert end in one.sure
    assert [link for link in one.sure | one.possible if link[0] == end[0] or link[1] == end[1]] == [end]


@each_own
def test_one_word_for_several_stays_in_one_place(one):
    """Except a French negation, and a German verb whose prefix stands apart."""
    for side in (0, 1):
        for place in {link[side] for link in one.sure}:
            found = sorted(link[1 - side] for link in one.sure if link[side] == place)
            apart = "separable-verb" in one.tags if side else one.words[place] in ("not", "no")
            assert found[-1] - found[0] == len(found) - 1 or apart


@each_own
def test_tags_are_known_and_word_order_is_as_tagged(one):
    assert TAGS.issuperset(one.tags)
    assert len(set(one.tags)) == len(one.tags)
    assert crosses(one.sure) == ("reordered" in one.tags) != ("monotone" in one.tags)


@each_pair
def test_every_word_has_a_gloss_and_punctuation_none(pair):
    for one in examples(*pair):
        assert set(one.glosses) == {"de": {"en", "zh"}, "en": {"zh"}, "zh": {"en"}}[pair[0]]
        for found in one.glosses.values():
            assert [bool(gloss) for gloss in found] == [word not in MARKS for word in one.words], one.id


def test_the_gloss_of_a_chinese_word_is_under_its_first_character():
    one = named(("zh", "en"), "red-coat")
    assert one.source_tokens == tuple("一个穿红色外套的女人正在唱歌。")
    assert one.token_glosses("en")[:9] == ("a", "(measure)", "wearing", "red", "", "coat", "", "(modifier)", "woman")


def test_links_of_characters_and_of_pieces_are_those_of_their_words():
    one = named(("zh", "en"), "red-coat")
    sure, possible = one.links(one.source_tokens, one.target_words)
    coat = {(i, one.target_words.index("coat")) for i in (5, 6)}  # 外 and 套
    assert coat <= sure <= possible
    assert (4, one.target_words.index("red")) in sure
    pieces = ["▁一个", "穿红", "色", "外套的", "女人正在", "唱歌", "▁。"]
    sure, _ = one.links(pieces, one.target_words)
    assert {j for i, j in sure if i == 3} == {one.target_words.index("coat")}  # a piece is where it begins
    with pytest.raises(ValueError, match="spell different texts"):
        one.links(["一"], one.target_words)


@each_pair
def test_tokens_are_those_of_a_vocabulary_of_words(pair):
    for one in examples(*pair):
        vocabulary = Tokenizer.train([Moses(pair[0])(one.source)], pair[0], min_frequency=1)
        assert vocabulary.tokens(one.source) == list(one.source_tokens)
        assert vocabulary.unknown(vocabulary.tokens(one.source)) == []


def test_the_word_of_each_token_by_a_slow_loop():
    words = ("ab", "c", "def", "g")
    for cut in range(2**6):  # all ways to cut seven letters
        text = "".join(words)
        ends = sorted({*(place + 1 for place in range(6) if cut >> place & 1), 7})
        tokens = [text[start:end] for start, end in zip([0, *ends], ends, strict=False)]
        letters = [k for k, word in enumerate(words) for _ in word]
        assert word_of_each(tokens, words) == [letters[start] for start in [0, *ends][: len(tokens)]]
