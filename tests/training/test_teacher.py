"""A teacher's translations of the training text, and a training with them."""

import json
from unittest import mock

import pytest
import torch

from attn_core.data.corpus import CorpusError, Files, read_text
from attn_core.data.text_files import Several, Without
from attn_core.data.tokenizer import Tokenizer
from attn_core.decoding.beam import beam_search
from attn_core.decoding.beam import best_outputs as best
from attn_core.evaluation.model_card import card, command
from attn_core.files import PART
from attn_core.models.checkpoint import read_config, save
from attn_core.models.ensemble import Ensemble
from attn_core.models.folders import TRANSLATOR, read_record
from attn_core.models.recipe import TrainConfig
from attn_core.training.teacher import BEAM, Translations
from tests.helpers.support import LUONG, tiny
from tests.helpers.terminal import SMALL, lines, run, set_options

SENTENCES = [" ".join("abcdefg"[(i * k + k) % 7] for i in range(1 + k % 4)) for k in range(40)]


@pytest.fixture
def text(tmp_path):
    sides = [lines(tmp_path / f"own.{name}", *SENTENCES, "", "  g\ta ") for name in ("de", "en")]
    return Files(*sides)


def teacher(bias: float) -> object:
    """A model that ends sentences, and now and then says <unk> or nothing."""
    model = tiny(5, 1.5, **LUONG, dtype=torch.float32).eval()
    model.decoder.output.bias.data[Tokenizer.unk] = bias
    model.decoder.output.bias.data[Tokenizer.eos] = 2.0
    return model


@pytest.mark.slow
def test_usable_translations_are_kept(text, tmp_path):
    """Those that end, are not empty and have no unknown word, translated one sentence at a time."""
    model, done = teacher(1.5), []
    found = Translations(text, model, tmp_path / "taught", tokenized=True, on_progress=done.append)
    pairs, left_out = [], set()
    for line in (*SENTENCES, "g a"):
        words = beam_search(model, [model.source.ids(line.split())], BEAM, record=False).found[0].words
        said = [model.target.token(word) for word in words[:-1]]
        reason = "cut off" if words[-1] != Tokenizer.eos else "unknown" if "<unk>" in said else "" if said else "empty"
        if reason:
            left_out.add(reason)
        else:
            pairs.append((line, " ".join(said)))
    assert left_out == {"cut off", "unknown", "empty"}
    assert read_text(found) == ([source for source, _ in pairs], [target for _, target in pairs])
    assert done[-1] == len(SENTENCES) + 1


def read(*arguments, **options):
    return read_text(Translations(*arguments, **options))


def test_translations_are_kept_for_the_same_text_and_teacher(text, tmp_path, monkeypatch):
    folder, searches = tmp_path / "taught", []
    monkeypatch.setattr("attn_core.training.teacher.best_outputs", lambda *a, **b: searches.append(a) or best(*a, **b))
    found = read(text, teacher(1.0), folder, tokenized=True)
    kept = (folder / "tiny.tsv").read_text("utf-8")
    assert read(text, teacher(1.0), folder, tokenized=True) == found
    assert len(searches) == 1
    assert (folder / "tiny.tsv").read_text("utf-8") == kept
    read(text, teacher(1.5), folder, tokenized=True)  # trained again, under the same name
    read(text, teacher(1.5), folder)
    read(Several((text, text)), teacher(1.5), folder)
    assert len(searches) == 4
    (folder / "tiny.tsv").unlink()
    left = folder / f".tiny.tsv.killed{PART}"
    left.mkdir()
    read(Several((text, text)), teacher(1.5), folder)
    assert len(searches) == 5
    assert not left.exists()
    another = teacher(1.0)
    another.name = "one+../two"
    read(text, another, folder, tokenized=True)
    assert sorted(path.name for path in folder.glob("*.tsv")) == ["one+..%2Ftwo.tsv", "tiny.tsv"]


def test_a_teacher_is_known_by_its_settings_vocabularies_and_weights(text, tmp_path):
    def identity(*members):
        one = Ensemble(members) if len(members) > 1 else members[0]
        return Translations(text, one, tmp_path).identity()

    def tuned(**settings):
        return tiny(5, 1.5, **LUONG, dtype=torch.float32, window="local-p", **settings).eval()

    wide, narrow = tuned(half_width=2), tuned(half_width=1)
    assert all(map(torch.equal, wide.parameters(), narrow.parameters()))
    french = tuned(half_width=2)
    french.target = french.target.speaking("fr")
    found = [identity(wide), identity(narrow), identity(french), identity(wide, wide), identity(wide, narrow)]
    assert len({json.dumps(one) for one in found}) == 5
    assert identity(tuned(half_width=2)) == identity(wide)


def test_translations_that_another_teacher_may_have_replaced_are_made_again(text, tmp_path, monkeypatch):
    read(text, teacher(1.0), tmp_path / "taught", tokenized=True)

    def interrupted(*_arguments, **_options):
        raise KeyboardInterrupt

    monkeypatch.setattr("attn_core.training.teacher.best_outputs", interrupted)
    with pytest.raises(KeyboardInterrupt):
        read(text, teacher(1.5), tmp_path / "taught", tokenized=True)
    calls = mock.Mock(side_effect=best)
    monkeypatch.setattr("attn_core.training.teacher.best_outputs", calls)
    read(text, teacher(1.0), tmp_path / "taught", tokenized=True)
    assert calls.called, "the description is removed before the file is replaced"


def test_sources_that_are_too_long_for_the_teacher_are_left_out(text, tmp_path):
    """Longer ones have no row in W_a of the location score."""
    model = tiny(5, 1.5, **LUONG, score="location", width=3, dtype=torch.float32).eval()
    model.decoder.output.bias.data[Tokenizer.eos] = 2.0
    for one in (model, Ensemble([tiny(5, 1.5, **LUONG, dtype=torch.float32).eval(), model])):
        done = []
        found = Translations(text, one, tmp_path / "taught", tokenized=True, on_progress=done.append)
        taught = list(found.lines(0))
        assert taught
        assert all(len(line.split()) <= 3 for line in taught)
        assert done[-1] == sum(len(line.split()) <= 3 for line in SENTENCES) + 1


def test_excluded_sentences_are_not_translated(text, tmp_path):
    held = Files(*(lines(tmp_path / f"held.{name}", *SENTENCES[:20]) for name in ("de", "en")))
    found = Translations(Without(text, held), teacher(1.0), tmp_path / "taught", tokenized=True)
    assert not {line.strip() for line in found.lines(0)} & set(SENTENCES[:20])


def test_raw_text_is_translated_to_raw_text(text, tmp_path):
    found = Translations(text, teacher(1.0), tmp_path / "taught")
    model = teacher(1.0)
    tokens = Translations(text, model, tmp_path / "again", tokenized=True)
    assert list(found.lines(1)) == [model.target.detokenize(line.split()) for line in tokens.lines(1)]


def test_a_teacher_without_a_usable_translation_leaves_no_file(text, tmp_path):
    with pytest.raises(CorpusError, match="tiny: no translation is usable: each is empty, has an unknown word"):
        read(text, teacher(50.0), tmp_path / "taught", tokenized=True)
    assert not (tmp_path / "taught").exists()


def test_train_learns_from_a_teacher_and_goes_on_with_it(text, tmp_path):
    save(teacher(1.0), TrainConfig(), tmp_path / "wise")
    learned = ("train", "luong-dot-global", "--train", tmp_path / "own", "--valid", tmp_path / "own", "--tokenized")
    sets = set_options(SMALL | {"min_frequency": 1, "warmup": 2})
    words = (*learned, *sets, "--out", tmp_path / "m", "--teacher", tmp_path / "wise")
    first = run(*words, "--set", "epochs=1")
    assert first.status == 0, first.err
    about = read_config(tmp_path / "m")["about"]
    taught = (tmp_path / "m/taught/tiny.tsv").read_text("utf-8").splitlines()
    assert about["data"]["teacher"] == "tiny"
    assert about["data"]["pairs"] == len(SENTENCES) + 2 + len(taught)
    left_out = len(SENTENCES) + 2 - len(taught)
    assert left_out
    assert f"; {left_out} sentences without a usable translation by the teacher\n" in first.err
    record = read_record(tmp_path / "m", TRANSLATOR)
    assert "--teacher tiny " in command(record)
    assert "training pairs, translations by tiny included (Kim & Rush 2016)" in card(record, tmp_path / "m")
    (tmp_path / "wise").rename(tmp_path / "later")
    moved = (tmp_path / "later" if word == tmp_path / "wise" else word for word in words)
    assert run(*moved, "--set", "epochs=2", "--resume").status == 0
    assert [json.loads(line)["epoch"] for line in (tmp_path / "m/metrics.jsonl").read_text().splitlines()] == [1, 2]


def test_a_teacher_of_other_languages_is_refused(text, tmp_path):
    save(teacher(1.0), TrainConfig(), tmp_path / "wise")
    words = ("train", "luong-dot-global", "--train", tmp_path / "own", "--valid", tmp_path / "own")
    found = run(*words, "--teacher", tmp_path / "wise", "--target-lang", "fr", "--out", tmp_path / "m")
    assert found.status == 1
    assert "translates de to en: give a teacher for de to fr" in found.err
    assert not (tmp_path / "m").exists()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"valid": "nowhere"}, "nowhere.de: no such file"),
        ({"sets": ("--set", "score=location", "--set", "width=2")}, "but attention.score.width is 2: increase"),
        ({"sets": ("--set", "min_frequency=50")}, "no word occurs"),
    ],
)
def test_nothing_is_translated_for_a_training_that_cannot_begin(text, tmp_path, monkeypatch, change, message):
    save(teacher(1.0), TrainConfig(), tmp_path / "wise")
    monkeypatch.setattr("attn_core.training.teacher.best_outputs", mock.Mock(side_effect=AssertionError))
    words = ("train", "luong-dot-global", "--train", tmp_path / "own", "--valid", tmp_path / change.get("valid", "own"))
    found = run(*words, "--tokenized", *change.get("sets", ()), "--teacher", tmp_path / "wise", "--out", tmp_path / "m")
    assert (found.status, message in found.err) == (1, True), found.err
    assert not (tmp_path / "m").exists()
