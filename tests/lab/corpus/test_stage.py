"""The data of the Corpus page: our sentences of every pair of languages, with links within their words."""

from app.lab.corpus.data import texts
from attn_core.data.captions import captions, gold
from attn_core.data.examples import PAIRS


def test_every_pair_of_languages_has_sentences_and_links_within_them():
    found = texts()["pairs"]
    assert list(found) == ["-".join(languages) for languages in PAIRS]
    for pairs in found.values():
        assert pairs
        for pair in pairs:
            assert pair["sure"]
            assert {tuple(link) for link in pair["sure"]} <= {tuple(link) for link in pair["possible"]}
            assert all(0 <= i < pair["words"][0] and 0 <= j < pair["words"][1] for i, j in pair["possible"])


def test_the_german_sentences_are_our_captions():
    for pair, caption in zip(texts()["pairs"]["de-en"], captions(), strict=True):
        assert (pair["text"], pair["reference"]) == (caption.de, caption.en)
        assert [frozenset(map(tuple, pair[name])) for name in ("sure", "possible")] == list(gold(caption))
