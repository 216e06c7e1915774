"""A memory-mapped corpus: the same pairs as in memory, written once, and written again after a change."""

import gzip
import json
from dataclasses import replace
from hashlib import sha256

import datasets
import numpy as np
import pyarrow as pa
import pytest

from attn_core.data import corpus
from attn_core.data.arrow_corpus import Store, distinct_words, ids_of, write
from attn_core.data.captions import captions
from attn_core.data.corpus import CorpusError, Files, Pairs, encode_pairs, read_text
from attn_core.data.tokenizer import Tokenizer
from attn_core.files import CheckpointError
from attn_core.models.config import ModelConfig
from attn_core.models.recipe import TrainConfig
from attn_core.training.prepare import Texts, prepare, prepared
from attn_core.training.task import Run
from tests.helpers.terminal import files_under, lines

LANGS = ("de", "en")


@pytest.fixture
def text(tmp_path, monkeypatch) -> Files:
    """More pairs than one block of numbering holds, some with a blank side."""
    monkeypatch.setattr(corpus, "LINES", 7)
    sides = [[" ".join(getattr(pair, f"{lang}_tokens")) for pair in captions()[:40]] for lang in LANGS]
    sides[0][5], sides[1][11] = "", "  \u00a0 "
    sides[0][12] = "</s> zwei\u3000Wörter  mit▁Strich "
    paths = [lines(tmp_path / f"own.{lang}", *side) for lang, side in zip(LANGS, sides, strict=True)]
    return Files(*paths)


def vocabularies(text: Files, kind: str) -> tuple[Tokenizer, Tokenizer]:
    source, target = (Tokenizer.train(side, "de", kind, 2, 150) for side in read_text(text))
    return source, target


@pytest.mark.parametrize(
    ("kind", "max_length", "source_eos"), [("word", None, False), ("word", 12, True), ("bpe", 40, True)]
)
def test_a_store_holds_what_encoding_line_by_line_gives(text, tmp_path, kind, max_length, source_eos):
    words = vocabularies(text, kind)
    path = tmp_path / "pairs.arrow"
    assert write(path, text, words, max_length, source_eos) == 40
    wanted = encode_pairs(*words, *read_text(text), max_length, source_eos)
    found = Store(path)
    assert 3 < len(found) == len(wanted) <= 38
    assert [side.tolist() for side in found.lengths] == [side.tolist() for side in wanted.lengths]
    assert found.digest() == wanted.digest()
    for chosen in np.random.default_rng(0).permutation(len(found)).reshape(-1, 1)[:30].tolist():
        chosen = np.array([*chosen, 0, len(found) - 1])
        for name in ("source", "source_mask", "inputs", "outputs", "target_mask", "real"):
            assert getattr(found.batch(chosen), name).equal(getattr(wanted.batch(chosen), name))
    rows = datasets.Dataset.from_file(str(path))
    assert rows["source"][:] == wanted.source
    assert rows["target"][:] == wanted.target


def test_a_digest_changes_with_the_pairs_and_their_order():
    """Also if only the ends of the sentences move, or the ids between the sides."""
    corpora = [
        Pairs([[4, 5], [6]], [[7], [8]]),
        Pairs([[5, 4], [6]], [[7], [8]]),
        Pairs([[6], [4, 5]], [[8], [7]]),
        Pairs([[4], [5, 6]], [[7], [8]]),
        Pairs([[4, 5], [6, 7]], [[8], []]),
    ]
    assert len({corpus.digest() for corpus in corpora}) == 5
    assert Pairs([[4, 5], [6]], [[7], [8]]).digest() == corpora[0].digest()


def test_ids_by_hand():
    words = Tokenizer.of_counts({"a": 3, "b": 2}, "de")
    ids, lengths = ids_of(words, ["b a x", "", "a <pad> a"])
    assert ids.tolist() == [5, 4, 1, 4, 1, 4]
    assert lengths.tolist() == [3, 0, 3]


def test_lines_are_split_where_python_splits_them():
    """At every Unicode line separator, and at either end of a line."""
    lines = [
        f"{character}a{character} {character}b" for character in map(chr, range(0x110000)) if character.isprintable()
    ]
    lines += [f"{blank}a{blank}{blank}b {blank}" for blank in map(chr, range(0x110000)) if blank.isspace()]
    lines += ["", " ", "a\x00b", "a\u200bb \ufeff"]
    words, places, lengths = distinct_words(lines)
    assert [words[place] for place in places.tolist()] == [word for line in lines for word in line.split()]
    assert lengths.tolist() == [len(line.split()) for line in lines]


def test_ids_take_the_smallest_integers_that_hold_the_vocabulary(text, tmp_path):
    small = Tokenizer.of_counts({"a": 2}, "de")
    large = Tokenizer.of_counts({str(i): 2 for i in range(300)}, "en")
    write(tmp_path / "pairs.arrow", text, (small, large))
    features = datasets.Dataset.from_file(str(tmp_path / "pairs.arrow")).features
    assert [features[side].feature.dtype for side in ("source", "target")] == ["uint8", "uint16"]


@pytest.mark.parametrize("more", [1, 3, 20])
@pytest.mark.parametrize("side", [0, 1])
def test_a_side_that_ends_early_is_an_error_with_both_numbers(text, tmp_path, side, more):
    words = vocabularies(text, "word")
    path = (text.source, text.target)[side]
    path.write_text(path.read_text() + "und mehr\n" * more)
    counts = [40 + more * (i == side) for i in (0, 1)]
    with pytest.raises(CorpusError, match=rf"own.de has {counts[0]} lines and .*own.en has {counts[1]};"):
        write(tmp_path / "new" / "pairs.arrow", text, words)
    assert not (tmp_path / "new" / "pairs.arrow").exists()


def material(text, out, settings=None, tokenized=True, **options):
    recipe = replace(TrainConfig(min_frequency=1), **(settings or {}))
    return prepare(Run(ModelConfig(), recipe, out, **options), Texts(text, text), LANGS, tokenized=tokenized)


def test_a_corpus_is_numbered_again_only_when_something_changed(text, tmp_path):
    out = tmp_path / "out"
    path = out / "corpus" / "train.arrow"
    told = []
    first = material(text, out, on_progress=lambda what, lines: told.append((what, lines)))
    assert (first.lines, len(first.train), len(first.valid), len(first.references)) == (40, 38, 38, 38)
    assert ("counting en words", 40) in told
    assert told[-1] == ("numbering", 40)

    def made(**options) -> bool:
        before = path.stat().st_mtime_ns
        found = material(text, out, **options)
        assert found.lines == 40
        return path.stat().st_mtime_ns != before

    assert not made()
    assert not made(resume=True)
    assert not made(settings={"batch": 7})
    text.source.touch()
    assert not made()  # a copy of the text is the same text
    assert made(settings={"max_length": 20})
    assert made()
    assert made(tokenized=False)
    assert made()
    lines(text.target, *text.target.read_text().splitlines()[:-1], "etwas anderes")
    assert made(resume=True)  # with the vocabularies as they were
    assert (out / "target.json").read_text().count("anderes") == 0
    assert made()
    assert (out / "target.json").read_text().count("anderes") == 1
    path.with_suffix(".json").write_text("{")
    assert made()
    (out / "source.json").unlink()
    with pytest.raises(CheckpointError, match=r"source\.json is missing or damaged"):
        material(text, out, resume=True)


def test_raw_text_goes_through_moses_once(tmp_path):
    sides = [[getattr(pair, lang) for pair in captions()[:20]] for lang in LANGS]
    paths = [tmp_path / f"raw.{lang}.gz" for lang in LANGS]
    for path, side in zip(paths, sides, strict=True):
        path.write_bytes(gzip.compress("".join(f"{line}\n" for line in side).encode()))
    found = material(Files(*paths), tmp_path / "out", tokenized=False)
    tokens = [[getattr(pair, f"{lang}_tokens") for pair in captions()[:20]] for lang in LANGS]
    wanted = encode_pairs(found.source, found.target, *([" ".join(words) for words in side] for side in tokens))
    assert datasets.Dataset.from_file(str(tmp_path / "out/corpus/train.arrow"))["source"][:] == wanted.source
    assert found.valid == wanted
    assert sorted(files_under(tmp_path / "out")) == [
        "corpus",
        "corpus/train.arrow",
        "corpus/train.json",
        "source.json",
        "target.json",
    ]


def test_a_store_records_what_it_was_made_from(text, tmp_path):
    material(text, tmp_path / "out")
    record = json.loads((tmp_path / "out/corpus/train.json").read_text())
    assert record["made_from"]["text"][0] == ["own.de", sha256(text.source.read_bytes()).hexdigest()[:16]]
    assert str(tmp_path) not in json.dumps(record)


def test_other_processes_use_the_store_of_the_first(text, tmp_path):
    first = material(text, tmp_path / "out")
    other = prepared(tmp_path / "out")
    assert (other.lines, len(other.train), len(other.valid)) == (40, len(first.train), 0)
    with pytest.raises(CorpusError, match="all machines need the same --out"):
        prepared(tmp_path / "elsewhere")


@pytest.mark.parametrize("there", [True, False])
def test_a_failure_leaves_no_files(text, tmp_path, there):
    if there:
        (tmp_path / "out").mkdir()
    text.source.write_text("\n" * 39 + "a b c\n")
    before = files_under(tmp_path)
    with pytest.raises(CorpusError, match="no sentence pair is left"):
        prepare(
            Run(ModelConfig(), TrainConfig(min_frequency=1, max_length=1), tmp_path / "out"),
            Texts(text, Files(text.target, text.target)),
            LANGS,
            tokenized=True,
        )
    assert files_under(tmp_path) == before


def test_a_damaged_store_is_named(text, tmp_path):
    material(text, tmp_path / "out")
    path = tmp_path / "out/corpus/train.arrow"
    path.write_bytes(path.read_bytes()[:-200])
    with pytest.raises(CorpusError, match=r"train\.arrow: cannot be read"):
        Store(path)
    schema = pa.schema([(side, pa.list_(pa.uint8())) for side in ("source", "target")])
    with path.open("wb") as file, pa.ipc.new_stream(file, schema):
        pass
    with pytest.raises(CorpusError, match=r"train\.arrow: cannot be read \(it has no sentence pairs\); delete"):
        Store(path)


def test_one_vocabulary_can_serve_both_languages(text, tmp_path):
    recipe = TrainConfig(subword="bpe", vocabulary=120, min_frequency=1)
    made = {}
    for shared in (False, True):
        config = replace(ModelConfig(), shared=shared)
        made[shared] = prepare(Run(config, recipe, tmp_path / str(shared)), Texts(text, text), LANGS, tokenized=True)
    assert not made[False].source.shares(made[False].target)
    both = made[True]
    assert both.source.shares(both.target)
    assert (both.source.lang, both.target.lang, len(both.source)) == ("de", "en", 120)
    words = [line for side in read_text(text) for line in side]
    assert both.source.shares(Tokenizer.train(words, "de", "bpe", 1, 120))
    assert both.source.ids(both.source.tokens("ein hund", tokenized=True)) == both.target.ids(
        both.target.tokens("ein hund", tokenized=True)
    )


@pytest.mark.parametrize("tokenized", [True, False])
@pytest.mark.parametrize("settings", [{}, {"join": 2}, {"subword": "bpe", "vocabulary": 120}])
def test_translations_of_a_teacher_follow_the_text_and_add_no_words(text, tmp_path, settings, tokenized):
    taught = Files(*(lines(tmp_path / f"taught.{lang}", *["neu neu", "zwei neu"] * 20) for lang in LANGS))
    recipe = replace(TrainConfig(min_frequency=1), **settings)
    alone = prepare(Run(ModelConfig(), recipe, tmp_path / "alone"), Texts(text, text), LANGS, tokenized=tokenized)
    texts = Texts(text, text, taught)
    found = prepare(Run(ModelConfig(), recipe, tmp_path / "both"), texts, LANGS, tokenized=tokenized)
    assert found.source.shares(alone.source)
    assert found.target.shares(alone.target)
    assert found.references == alone.references
    own, more = len(alone.train), len(found.train) - len(alone.train)
    assert more == (20 if settings.get("join") else 40)
    ids = found.train.batch(np.arange(own, own + more)).source
    wanted = [found.source.ids(found.source.tokens(line, tokenized=True)) for line in ("neu neu", "zwei neu")]
    wanted = [wanted[0] + wanted[1]] if settings.get("join") else wanted
    assert [row[row != Tokenizer.pad].tolist() for row in ids[: len(wanted)]] == wanted
    assert (Tokenizer.unk in wanted[0]) == ("subword" not in settings)


def test_a_joined_validation_pair_that_is_too_long_is_not_called_a_line(text, tmp_path):
    config = ModelConfig().set({"score": "location", "width": 3})
    run = Run(config, TrainConfig(min_frequency=1, join=2), tmp_path / "out")
    with pytest.raises(CorpusError, match=r"joined pair \d+ of the validation text has a source .* or decrease join"):
        prepare(run, Texts(text, text), LANGS, tokenized=True)
