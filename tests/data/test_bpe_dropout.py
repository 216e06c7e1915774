"""BPE-dropout: the vocabulary's own pieces at 0, characters at 1, and in between the probabilities of algorithm 1."""

import random
from collections import Counter

import pytest

from attn_core.data.bpe_dropout import Splitter, split_again
from attn_core.data.captions import captions
from attn_core.data.corpus import Pairs, encode_pairs
from attn_core.data.subwords import SPECIALS, WORD_START
from attn_core.data.tokenizer import Tokenizer

SIDES = {lang: [" ".join(getattr(pair, f"{lang}_tokens")) for pair in captions()[:40]] for lang in ("de", "en")}


@pytest.fixture(scope="module")
def vocabularies() -> tuple[Tokenizer, Tokenizer]:
    source, target = (Tokenizer.train(lines, lang, "bpe", 1, 300) for lang, lines in SIDES.items())
    return source, target


@pytest.fixture(scope="module")
def corpus(vocabularies) -> Pairs:
    return encode_pairs(*vocabularies, *SIDES.values(), source_eos=True)


def again(corpus: Pairs, vocabularies: tuple[Tokenizer, Tokenizer], dropout: float, longest: int = 1000, seed: int = 1):
    source, target = (Splitter(one, dropout) for one in vocabularies)
    return split_again(corpus, (source, target), longest, random.Random(seed))


def tokens(vocabulary: Tokenizer, ids: list[int]) -> list[str]:
    return [vocabulary.token(i) for i in ids]


def test_without_dropout_the_pieces_are_those_of_the_library(corpus, vocabularies):
    assert again(corpus, vocabularies, 0.0) == corpus


def test_if_every_merge_is_left_out_the_pieces_are_characters(corpus, vocabularies):
    found = again(corpus, vocabularies, 1.0)
    for vocabulary, sentences in zip(vocabularies, (found.source, found.target), strict=True):
        assert all(len(token) == 1 or token in SPECIALS for ids in sentences for token in tokens(vocabulary, ids))


@pytest.mark.parametrize("dropout", [0.1, 0.6, 1.0])
def test_the_text_stays_the_same(corpus, vocabularies, dropout):
    found = again(corpus, vocabularies, dropout)
    for side, vocabulary in zip(("source", "target"), vocabularies, strict=True):
        for old, new in zip(getattr(corpus, side), getattr(found, side), strict=True):
            assert vocabulary.text(tokens(vocabulary, new)) == vocabulary.text(tokens(vocabulary, old))
    assert all(ids[-1] == Tokenizer.eos for ids in found.source), "source_eos"


def test_the_dice_decide(corpus, vocabularies):
    one, same, other = (again(corpus, vocabularies, 0.2, seed=seed) for seed in (1, 1, 2))
    assert one == same != other
    assert one != corpus


def test_each_way_to_split_a_word_has_its_probability():
    """Two merges, (▁, a) and then (▁a, b): p, (1 - p) p and (1 - p)^2."""
    vocabulary = Tokenizer.train(["ab ab a"], "en", "bpe", 1)
    assert list(vocabulary.merges()) == [(WORD_START, "a"), (f"{WORD_START}a", "b")]
    word, p, n = vocabulary.ids([f"{WORD_START}ab"]), 0.3, 20_000
    dice, splitter = random.Random(1), Splitter(vocabulary, p)
    found = Counter(" ".join(tokens(vocabulary, splitter.again(word, dice))) for _ in range(n))
    wanted = {f"{WORD_START} a b": p, f"{WORD_START}a b": (1 - p) * p, f"{WORD_START}ab": (1 - p) ** 2}
    assert {way: count / n for way, count in found.items()} == pytest.approx(wanted, abs=0.015)  # 5 deviations


def test_a_merge_that_is_left_out_makes_way_for_a_later_one():
    """In "abc" the merges (a, b) and (b, c) exclude each other, and the former comes first."""
    vocabulary = Tokenizer.train(["xab xab xab xab xbc xbc xbc"], "en", "bpe", 1)
    ranks = vocabulary.merges()
    assert ranks["a", "b"] < ranks["b", "c"]
    word = vocabulary.ids([*"abc"])
    dice, splitter = random.Random(1), Splitter(vocabulary, 0.5)
    ways = {" ".join(tokens(vocabulary, splitter.again(word, dice))) for _ in range(200)}
    assert ways == {"ab c", "a bc", "a b c"}


def test_unknown_characters_stay_unknown(vocabularies):
    source, _ = vocabularies
    ids = source.ids(source.tokens("der λόγος hier", tokenized=True))
    found = Splitter(source, 1.0).again(ids, random.Random(1))
    assert found.count(Tokenizer.unk) == ids.count(Tokenizer.unk) > 0
    assert tokens(source, found)[:4] == [WORD_START, *"der"]


def test_a_sentence_that_would_be_too_long_keeps_its_pieces(corpus, vocabularies):
    found = again(corpus, vocabularies, 0.3, longest=24)
    lengths = [len(old) for old in corpus.source]
    assert min(lengths) < 24 < max(lengths)
    for old, new in zip(corpus.source, found.source, strict=True):
        assert new == old or len(new) <= 24 + 1
    assert max(len(new) for old, new in zip(corpus.source, found.source, strict=True) if new != old) == 25, "with </s>"
    assert found != corpus
    for old, new in zip(corpus.target, found.target, strict=True):
        assert new == old or len(new) <= 24
