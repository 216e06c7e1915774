"""Tokenised text in another form than a model's: every command that uses a model brings it to form and says so."""

import json
from pathlib import Path
from unicodedata import normalize

import pytest

from attn_core.data.captions import captions
from attn_core.models.folders import PRETRAINED
from tests.helpers.terminal import SMALL, lines, run, set_options

MODEL = "bahdanau"
PAIRS = captions()[:6]
SOURCES = [" ".join(pair.de_tokens) for pair in PAIRS]
REFERENCES = [" ".join(pair.en_tokens) for pair in PAIRS]


@pytest.fixture
def plain(tmp_path) -> tuple[Path, Path]:
    return lines(tmp_path / "s", *SOURCES), lines(tmp_path / "t", *REFERENCES)


@pytest.fixture
def capitals(tmp_path) -> tuple[Path, Path]:
    return lines(tmp_path / "S", *map(str.title, SOURCES[:4]), *SOURCES[4:]), lines(
        tmp_path / "T", *map(str.upper, REFERENCES)
    )


def test_translate_brings_its_input_to_the_form_of_the_model(plain, capitals):
    found = run("translate", MODEL, "--tokenized", text=capitals[0].read_bytes())
    assert found.out == run("translate", MODEL, "--tokenized", text=plain[0].read_bytes()).out
    assert found.err == "note: 4 of 6 lines of the input were lower-cased, as the model's text was\n"
    apart = normalize("NFD", capitals[0].read_text("utf-8"))
    changed = sum(line != normalize("NFD", line) for line in SOURCES)
    assert changed
    again = run("translate", MODEL, "--tokenized", text=apart)
    assert again.out == found.out
    assert "4 of 6 lines of the input were lower-cased" in again.err
    assert f"{changed} of 6 lines of the input w" in again.err
    assert again.err.endswith(" converted to NFC, as the model's text was\n")


def test_an_n_best_list_is_that_of_the_text_in_form(plain, capitals):
    words = ("translate", MODEL, "--tokenized", "--beam", 2, "--n-best", 2)
    found, wanted = (run(*words, text=texts[0].read_bytes()) for texts in (capitals, plain))
    assert found.out == wanted.out


@pytest.mark.parametrize("command", ["align", "evaluate"])
def test_both_files_are_brought_to_the_form_of_the_model(command, plain, capitals):
    option = {"align": "--target", "evaluate": "--reference"}[command]
    json_ = ["--json"] if command == "evaluate" else []
    found, wanted = (
        run(command, MODEL, "--tokenized", "--source", source, option, target, *json_)
        for source, target in (capitals, plain)
    )
    if command == "align":
        assert found.out == wanted.out
    else:
        scores = [json.loads(one.out) for one in (found, wanted)]
        for name in ("bleu", "perplexity", "signature", "unknown_source_words", "unknown_reference_words"):
            assert scores[0][name] == scores[1][name]
    assert f"note: 4 of 6 lines of {capitals[0]} were lower-cased, as the model's text was" in found.err
    assert f"note: 6 of 6 lines of {capitals[1]} were lower-cased, as the model's text was" in found.err
    assert "note" not in wanted.err


def test_text_without_moses_escapes_is_warned_of():
    found = run("translate", "bahdanau-en-de", "--tokenized", text="a man 's dog is running .\na dog .\n")
    assert found.err == (
        "warning: 1 of 2 lines of the input has ' or \", which the model's text has as &apos; and &quot;, as Moses "
        "writes them: give the text with these escapes, or text without --tokenized\n"
    )
    assert run("translate", "bahdanau-en-de", "--tokenized", text="a man &apos;s dog is running .\n").err == ""


SETS = set_options(SMALL | {"min_frequency": 1, "epochs": 1, "precision": "fp32"})


def trained(prefix: Path, out: Path, *more: object, valid: Path | None = None):
    texts = ("--train", prefix, "--valid", valid or prefix, "--tokenized")
    return run("train", "bahdanau", *texts, "--out", out, *SETS, *more)


@pytest.fixture
def prefixes(tmp_path) -> dict[str, Path]:
    for name, change in (("plain", str), ("capitals", str.title)):
        lines(tmp_path / f"{name}.de", *map(change, SOURCES))
        lines(tmp_path / f"{name}.en", *map(change, REFERENCES))
    return {name: tmp_path / name for name in ("plain", "capitals")}


def test_quantize_and_card_compare_in_the_form_of_the_model(prefixes, tmp_path):
    trained(prefixes["plain"], tmp_path / "m")
    source, reference = (f"{prefixes['capitals']}.{lang}" for lang in ("de", "en"))
    texts = ("--source", source, "--reference", reference, "--tokenized")
    for words in (("quantize", tmp_path / "m", "--out", tmp_path / "q", "--loss", 100), ("card", tmp_path / "m")):
        found = run(*words, *texts)
        assert found.status == 0, found.err
        for file in (source, reference):
            assert f"note: 6 of 6 lines of {file} were lower-cased, as the model's text was" in found.err


def test_a_model_of_text_with_capitals_leaves_them_alone(prefixes, tmp_path):
    assert "note" not in trained(prefixes["capitals"], tmp_path / "m").err
    assert json.loads((tmp_path / "m" / "source.json").read_text("utf-8"))["form"]["lower"] is False
    files = ("--source", f"{prefixes['capitals']}.de", "--reference", f"{prefixes['capitals']}.en")
    scores = run("evaluate", tmp_path / "m", *files, "--tokenized", "--json")
    assert json.loads(scores.out)["unknown_source_words"] == 0
    assert "note" not in scores.err
    compared = run("evaluate", tmp_path / "m", *files, "--tokenized", "--against", MODEL)
    assert "note: 6 of 6 lines of" in compared.err, "two models are compared in a form of both"


def test_train_says_what_a_teacher_and_the_validation_change(prefixes, tmp_path):
    found = trained(prefixes["capitals"], tmp_path / "m", "--teacher", MODEL)
    assert "note: 6 of 6 lines of the training text were lower-cased, as the teacher's text was" in found.err
    found = trained(prefixes["plain"], tmp_path / "n", valid=prefixes["capitals"])
    assert f"note: 6 of 6 lines of {prefixes['capitals']}.de were lower-cased, as the model's text was" in found.err


def test_train_prints_how_many_pairs_are_excluded(prefixes, tmp_path):
    lines(tmp_path / "held.de", SOURCES[1].replace(" ", "  "), "x")
    lines(tmp_path / "held.en", "y", REFERENCES[3].upper())
    assert (
        "; 2 pairs left out by --exclude\n"
        in trained(prefixes["plain"], tmp_path / "m", "--exclude", tmp_path / "held").err
    )


def test_every_shipped_vocabulary_states_its_form():
    for folder in PRETRAINED.iterdir():
        for name in ("source.json", "target.json"):
            if (folder / name).exists():
                assert json.loads((folder / name).read_text("utf-8"))["form"] == {"lower": True, "unicode": "NFC"}
