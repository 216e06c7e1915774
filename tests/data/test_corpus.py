"""Parallel text: reading files, errors for bad files, and batches that contain each pair once."""

import gzip
import itertools
from collections import Counter

import pytest
import torch

from attn_core.data.corpus import (
    POOL,
    CorpusError,
    Pairs,
    batch_order,
    batches,
    encode_pairs,
    make_batch,
    pad,
    read_lines,
    read_parallel,
    side,
)
from tests.helpers.support import vocabulary

N = 211


def corpus():
    """Pairs of random lengths; the first source and the first target word are the number of the pair."""
    dice = torch.Generator().manual_seed(0)
    lengths = torch.randint(1, 9, (N, 2), generator=dice).tolist()
    return Pairs(
        [[100 + i] * n for i, (n, _) in enumerate(lengths)], [[100 + i] * m for i, (_, m) in enumerate(lengths)]
    )


def contents(batch):
    """The pairs in a batch, as (source, target) without padding, <s> and </s>."""
    for x, real, y, said in zip(batch.source, batch.source_mask, batch.outputs, batch.target_mask, strict=True):
        yield tuple(x[real].tolist()), tuple(y[said].tolist()[:-1])


@pytest.mark.parametrize("size", [1, 4, 7, 300])
@pytest.mark.parametrize("seed", [None, 5])
def test_an_epoch_holds_every_pair_once(size, seed):
    pairs = corpus()
    found = [pair for batch in batches(pairs, size, seed) for pair in contents(batch)]
    wanted = zip(map(tuple, pairs.source), map(tuple, pairs.target), strict=True)
    assert Counter(found) == Counter(wanted)
    assert all(batch.source.size(0) <= size for batch in batches(pairs, size, seed))


def test_the_order_depends_on_seed_and_epoch_alone():
    pairs = corpus()

    def order(seed, epoch):
        return [chosen.tolist() for chosen in batch_order(pairs, 3, seed, epoch)]

    first = order(5, 2)
    torch.rand(7)
    assert order(5, 2) == first
    others = [order(seed, epoch) for seed, epoch in ((5, 3), (6, 2), (5, 0), (6, 1))]
    assert first not in others
    assert all(other not in others[i + 1 :] for i, other in enumerate(others))
    # The contents of the batches change too, not only their order.
    assert {frozenset(chosen) for chosen in first} != {frozenset(chosen) for chosen in others[0]}


@pytest.mark.parametrize("n", [211, 3 * POOL * 2 + 5])
def test_the_order_by_the_slow_way(n):
    """Shuffle, sort each pool by length, cut, shuffle the batches, with Python's own sort; one pool and several."""
    dice = torch.Generator().manual_seed(1)
    pairs = Pairs(*([[7] * k for k in torch.randint(1, 9, (n,), generator=dice).tolist()] for _ in range(2)))
    dice = torch.Generator().manual_seed(5 * 1_000_003 + 2)
    shuffled = torch.randperm(n, generator=dice).tolist()
    cut = []
    for start in range(0, n, 3 * POOL):
        pool = sorted(shuffled[start : start + 3 * POOL], key=lambda i: (-len(pairs.source[i]), -len(pairs.target[i])))
        cut += [pool[i : i + 3] for i in range(0, len(pool), 3)]
    wanted = [cut[i] for i in torch.randperm(len(cut), generator=dice).tolist()]
    assert [chosen.tolist() for chosen in batch_order(pairs, 3, 5, 2)] == wanted


def test_batches_hold_sources_of_about_one_length():
    """Pairs are sorted within pools of 150 batches; this corpus is one pool, so only neighbouring batches overlap."""
    pairs = corpus()
    assert len(pairs) < 5 * POOL
    order = batch_order(pairs, 5, 1, 0)
    spans = [sorted(len(pairs.source[i]) for i in chosen) for chosen in order]
    assert all(before[-1] <= after[0] for before, after in itertools.pairwise(sorted(spans)))
    assert [span[0] for span in spans] != sorted(span[0] for span in spans), "the order of the batches is random"


def test_without_a_seed_the_corpus_is_sorted_as_a_whole():
    pairs = corpus()
    order = [i for chosen in batch_order(pairs, 4, None, 0) for i in chosen]
    lengths = [len(pairs.source[i]) for i in order]
    assert lengths == sorted(lengths, reverse=True)
    assert order != list(range(N))


def test_a_batch_by_hand():
    """Decoder inputs are <s> y_1 y_2, outputs y_1 y_2 </s>; the source is unchanged."""
    batch = make_batch([[7], [8, 9, 10]], [[4, 5], [6]])
    assert batch.source.tolist() == [[7, 0, 0], [8, 9, 10]]
    assert batch.source_mask.tolist() == [[True, False, False], [True, True, True]]
    assert batch.inputs.tolist() == [[2, 4, 5], [2, 6, 0]]
    assert batch.outputs.tolist() == [[4, 5, 3], [6, 3, 0]]
    assert batch.target_mask.tolist() == [[True, True, True], [True, True, False]]
    assert batch.real.tolist() == [0, 1, 2, 3, 4]
    assert batch.source_lengths == (1, 3)


def test_padding_by_hand():
    ids, mask = pad([[5], [6, 7]])
    assert ids.tolist() == [[5, 0], [6, 7]]
    assert mask.tolist() == [[True, False], [True, True]]


def test_pairs_that_are_empty_or_too_long_are_left_out():
    words = vocabulary("abc")
    sources, targets = ["a b", "", "a", "a b c a", "c x"], ["b", "a", " ", "a", "a b c"]
    pairs = encode_pairs(words, words, sources, targets, 3)
    a, b, c = (words.ids([word])[0] for word in "abc")
    assert pairs == Pairs([[a, b], [c, words.unk]], [[b], [a, b, c]])
    assert len(encode_pairs(words, words, sources, targets)) == len(pairs) + 1
    ended = encode_pairs(words, words, sources, targets, 3, source_eos=True)
    assert ended == Pairs([[a, b, words.eos], [c, words.unk, words.eos]], pairs.target)
    with pytest.raises(CorpusError, match="no sentence pair is left"):
        encode_pairs(words, words, ["", "a b"], ["a", "a"], 1)


def test_lines_of_plain_and_compressed_files(tmp_path):
    text = "eine Zeile\r\n\n\u00fcber Wasser"
    for ending in ("", "\n"):
        (tmp_path / "a.de").write_bytes((text + ending).encode())
        (tmp_path / "b.de.gz").write_bytes(gzip.compress((text + ending).encode()))
        for name in ("a.de", "b.de.gz"):
            assert read_lines(tmp_path / name) == ["eine Zeile", "", "\u00fcber Wasser"]
    (tmp_path / "c.de").write_text("mit Marke\n", "utf-8-sig")
    assert read_lines(tmp_path / "c.de") == ["mit Marke"]


def test_a_compressed_file_is_used_if_there_is_no_plain_one(tmp_path):
    prefix = str(tmp_path / "train")
    assert side(prefix, "de") == tmp_path / "train.de"
    (tmp_path / "train.de.gz").touch()
    assert side(prefix, "de") == tmp_path / "train.de.gz"
    (tmp_path / "train.de").touch()
    assert side(prefix, "de") == tmp_path / "train.de"


PACKED = gzip.compress(b"eine Zeile\n" * 50)
DAMAGED = {
    "latin.de": ("ok\nau\u00dfen\n".encode("latin-1"), "latin.de, line 2: not UTF-8; convert"),
    "latin.de.gz": (gzip.compress("au\u00dfen\n".encode("latin-1")), "latin.de.gz, line 1: not UTF-8"),
    "empty.de": (b"", "empty.de is empty; expected one sentence per line"),
    "plain.gz": (b"eine Zeile\n", "plain.gz: cannot be read"),
    "short.gz": (PACKED[:-9], "short.gz: cannot be read"),
    "flipped.gz": (PACKED[:10] + b"\xff" * 20, "flipped.gz: cannot be read"),
}


@pytest.mark.parametrize("name", DAMAGED)
def test_a_file_that_cannot_be_used_says_why(tmp_path, name):
    content, message = DAMAGED[name]
    (tmp_path / name).write_bytes(content)
    with pytest.raises(CorpusError, match=message):
        read_lines(tmp_path / name)


def test_a_missing_file_and_a_folder_are_named(tmp_path):
    with pytest.raises(CorpusError, match=r"nowhere\.de: no such file"):
        read_lines(tmp_path / "nowhere.de")
    with pytest.raises(CorpusError, match="is a folder; expected a text file"):
        read_lines(tmp_path)


def test_two_sides_need_as_many_lines(tmp_path):
    (tmp_path / "a.de").write_text("a\nb\n")
    (tmp_path / "a.en").write_text("a\nb\nc\n")
    with pytest.raises(CorpusError, match=r"a\.de has 2 lines and .*a\.en has 3; line i of one must translate line i"):
        read_parallel(tmp_path / "a.de", tmp_path / "a.en")
    (tmp_path / "a.en").write_text("A\nB\n")
    assert read_parallel(tmp_path / "a.de", tmp_path / "a.en") == (["a", "b"], ["A", "B"])
