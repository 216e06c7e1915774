"""Commands that use a model: their output equals the results of the Python functions."""

import inspect
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from typer.main import get_command

from attn_core import cli, registry
from attn_core.attention.settings import SCORES
from attn_core.cli.streams import chunks
from attn_core.data.captions import captions
from attn_core.data.tokenizer import Tokenizer
from attn_core.decoding.search import normalised
from attn_core.decoding.translate import n_best, text_of, translate
from attn_core.evaluation.model_card import command
from attn_core.models import folders
from attn_core.models.about import languages
from attn_core.models.checkpoint import load, read_config, save
from attn_core.models.config import ModelConfig
from attn_core.models.presets import configure
from attn_core.models.recipe import TrainConfig
from attn_core.trace import dump
from attn_core.trace.reading import parse
from tests.helpers.shipped import rewritten, ship
from tests.helpers.support import tiny
from tests.helpers.terminal import files_under, lines, run, saved

ROOT = Path(__file__).parents[2]


def python(*words: object, **options) -> subprocess.Popen:
    environment = os.environ | {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen([sys.executable, *map(str, words)], env=environment, **(pipes | options))


def test_translations_are_those_of_the_python_call(local):
    model = load(local)
    found = run("translate", local, "--beam", 3, "--max-length", 6, "--tokenized", text="a b c\nd x\n")
    expected = [text_of(model, translate(model, line, beam=3, max_length=6), True) for line in ("a b c", "d x")]
    assert (found.status, found.err, found.out.splitlines()) == (0, "", expected)
    raw = run("translate", local, "--beam", 3, "--max-length", 6, text="a b c\nd x\n")
    assert raw.out.splitlines() == [model.target.detokenize(line.split()) for line in expected]


def test_an_empty_input_gives_a_warning(local):
    found = run("translate", local, text="")
    assert (found.status, found.out, found.err) == (0, "", "warning: standard input is empty\n")


@pytest.mark.parametrize("options", [{"half_width": 0}, {"attention_type": "hard-argmax"}], ids=str)
def test_another_window_or_attention_type_is_used(local, options):
    ((name, value),) = options.items()
    model = load(local)
    view = model.with_window(None, value) if name == "half_width" else model.with_attention_type(value)
    wanted = translate(view, "a b c d e f g", max_length=9)
    words = ("translate", local, "--max-length", 9, "--tokenized", f"--{name.replace('_', '-')}", value)
    assert run(*words, text="a b c d e f g").out.strip() == text_of(model, wanted, True)
    assert wanted.target != translate(model, "a b c d e f g", max_length=9).target


def test_the_window_and_the_attention_type_are_changed_together(local, tmp_path):
    """Samples take no Gaussian: either option alone would be refused."""
    hard = saved(tmp_path / "hard", type="hard-sample")
    gaussian = ("--window", "local-m", "--half-width", 1, "--sigma", 0.5)
    pair = ("--source", lines(tmp_path / "de", "a b c d"), "--target", lines(tmp_path / "en", "n o p"))
    scored = ("--source", pair[1], "--reference", pair[3])
    soft = (hard, *gaussian, "--attention-type", "soft")
    sampled = (local, "--window", "global", "--attention-type", "hard-sample")
    for name, rest in (("translate", ()), ("align", pair), ("evaluate", scored)):
        for options in (soft, sampled):
            assert run(name, *options, *rest, text="a b c").status == 0
        if name == "evaluate":
            said = run(name, *soft, *rest).out
            assert ", window local-m, half width 1, sigma 0.5, attention type soft" in said
        assert "hard-sample samples from the softmax" in run(name, hard, *gaussian, *rest, text="a b c").err
    view = load(hard).with_window("local-m", 1, 0.5, "soft")
    wanted = text_of(view, translate(view, "a b c", max_length=9), True)
    assert run("translate", *soft, "--max-length", 9, "--tokenized", text="a b c").out.strip() == wanted


def test_lines_without_a_word_stay_empty_lines(local):
    text = "\n \t \r\na b\r\n\u200b\nb\n\n"
    found = run("translate", local, "--max-length", 4, text=text)
    assert [bool(line) for line in found.out.split("\n")] == [False, False, True, False, True, False, False]
    assert run("translate", local, text="").out == ""


def test_last_line_needs_no_newline_and_a_byte_order_mark_is_no_word(local, tmp_path):
    path = tmp_path / "traces.jsonl"
    found = run("translate", local, "--max-length", 4, "--tokenized", "--traces", path, text="\ufeffa b\nc")
    assert [parse(line).source for line in path.read_text().splitlines()] == [("a", "b"), ("c",)]
    assert found.out.count("\n") == 2


def test_output_is_utf8_whatever_the_locale(local):
    """The streams of run() accept only ASCII text."""
    found = run("translate", local, "--replace-unk", "--tokenized", "--max-length", 3, text="ü ß\n" * 3)
    assert found.status == 0


def test_unknown_words_are_replaced_by_source_words(tmp_path):
    """A model that outputs only <unk>: each becomes the source word with the largest weight."""
    model = tiny(
        score="dot", window="global", order="update-then-attend", **{"encoder.hidden": 3, "decoder.hidden": 6}
    ).float()
    model.decoder.output.weight.data.zero_()
    model.decoder.output.bias.data.zero_()[Tokenizer.unk] = 9.0
    (tmp_path / "m").mkdir()
    save(model, TrainConfig(), tmp_path / "m")
    words = ("translate", tmp_path / "m", "--tokenized", "--max-length", 4)
    assert run(*words, text="ä").out == "<unk> <unk> <unk> <unk>\n"
    assert run(*words, "--replace-unk", text="ä").out == "ä ä ä ä\n"


@pytest.mark.parametrize("beam", [1, 3])
def test_each_line_has_its_trace(local, tmp_path, beam):
    path = tmp_path / "traces.jsonl"
    words = ("translate", local, "--beam", beam, "--max-length", 5, "--tokenized", "--traces", path)
    found = run(*words, text="a b c\n\nd e x\n")
    printed, written = found.out.split("\n"), path.read_text().splitlines()
    assert len(written) == 3
    assert written[1] == "null"
    for line, record in ((0, written[0]), (2, written[2])):
        trace = parse(record)
        assert dump(trace) == record
        assert " ".join(word for word in trace.target if word != "</s>") == printed[line]
    assert parse(written[2]).unknown == (2,)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["traces.jsonl"]


def test_lines_are_answered_before_the_input_ends(monkeypatch):
    read, write = os.pipe()
    with os.fdopen(read, "rb") as reader, os.fdopen(write, "wb", buffering=0) as writer:
        monkeypatch.setattr(sys, "stdin", type("Stdin", (), {"buffer": reader}))
        flow = chunks()
        writer.write(b"one\ntwo\nthr")
        assert next(flow) == ["one", "two"]
        writer.write(b"ee\n" + b"x\n" * 65)
        assert [len(next(flow)), len(next(flow))] == [64, 2]


def test_lines_before_one_that_is_not_utf8_are_translated(local):
    found = run("translate", local, "--max-length", 4, "--tokenized", text=b"a\nb\n\xff\nc\n")
    assert found.out == run("translate", local, "--max-length", 4, "--tokenized", text="a\nb\n").out
    assert (found.status, found.err.count("\n")) == (1, 1)
    assert "line 3" in found.err


@pytest.mark.slow
def test_a_closed_pipe_ends_translate_without_a_message(local, tmp_path):
    source = lines(tmp_path / "many", *["a"] * 500)
    with source.open() as text:
        process = python("-m", "attn_core", "translate", local, "--tokenized", "--traces", tmp_path / "t", stdin=text)
        process.stdout.readline()
        process.stdout.close()
        assert (process.wait(), process.stderr.read()) == (141, b"")
        process.stderr.close()
    assert [path.name for path in tmp_path.iterdir()] == ["many"]


def test_one_warning_for_lines_in_another_language(tmp_path):
    """The text of the warning is the dashboard's."""
    folder = ship(tmp_path, "bahdanau") / "bahdanau"
    pairs = captions()[:3]
    german, english = ([getattr(pair, lang) for pair in pairs] for lang in ("de", "en"))
    assert run("translate", folder, text="\n".join(german)).err == ""
    found = run("translate", folder, text="\n".join([german[0], "", *english]))
    first, last = found.err.splitlines()
    assert first.startswith("warning: line 3: This looks like English. The model translates German into English")
    assert last == "warning: this applies to 3 of 5 lines"
    assert len(found.out.splitlines()) == 5
    (only,) = run("translate", folder, text="Zyxw vuts qpon.").err.splitlines()
    assert only.startswith("warning: line 1: 3 of 3 words are outside the vocabulary that the model learned")


def test_an_n_best_list_numbers_the_lines_and_ranks_their_hypotheses(local):
    words = ("translate", local, "--beam", 4, "--max-length", 5, "--tokenized")
    rows = [line.split(" ||| ") for line in run(*words, "--n-best", 3, text="a b c\n\nd x\n").out.splitlines()]
    assert [row[0] for row in rows] == ["0", "0", "0", "1", "2", "2", "2"]
    assert [rows[0][1], rows[4][1]] == run(*words, text="a b c\nd x\n").out.splitlines()
    model = load(local)
    for i, text in ((0, "a b c"), (4, "d x")):
        found = n_best(model, text, 3, beam=4, max_length=5, tokenized=True)
        scores = [normalised(trace.log_prob, len(trace.words)) for trace in found]
        assert [float(row[2]) for row in rows[i : i + 3]] == pytest.approx(scores, abs=1e-6)


def test_further_test_scores_stand_beside_those_of_a_card(tmp_path, texts):
    folder = saved(tmp_path / "kept", score="general")
    command = ("card", folder, "--source", texts[0], "--reference", texts[1])
    assert run(*command, "--tokenized", "--beam", 2).status == 0
    first = read_config(folder)["about"]["test"]
    for options in (("--beam", 1), ("--test-set", "other", "--beam", 2), ("--test-set", "other", "--beam", 1)):
        assert run(*command, "--also", *options).status == 0
    about, text = read_config(folder)["about"], (folder / "README.md").read_text("utf-8")
    assert about["test"] == first
    more = [(test["set"], test["tokenized"], test["beam"]) for test in about["more_tests"]]
    assert more == [("test", False, 1), ("other", False, 1)], "the same set in the same form is measured anew"
    for said in ("On test, 5 sentences, tokenised, lower-cased text, beam 2:", "On other, 5 sentences, raw text (13a"):
        assert said in text
    run(*command, "--test-set", "other", "--beam", 1)
    about = read_config(folder)["about"]
    assert about["test"]["set"] == "other"
    assert [test["set"] for test in about["more_tests"]] == ["test"]


def test_a_score_is_printed_with_its_test_set_form_and_beam(local, texts, tmp_path, monkeypatch):
    """Of tokenised and of raw text, in `evaluate` and in `models`."""
    monkeypatch.setattr(folders, "PRETRAINED", tmp_path / "pretrained")
    saved(tmp_path / "pretrained/wide", score="dot")
    test = ("--source", texts[0], "--reference", texts[1])
    for options, form in ((("--tokenized",), "tokenised, lower-cased"), ((), "raw, 13a, ignoring case")):
        said = run("evaluate", "wide", *test, *options, "--beam", 2).out
        assert f"text        {form}\n" in said
        assert "beam 2" in said
        run("card", "wide", *test, *options, "--beam", 2)
        assert f"German to English, test ({form}; beam 2)\n" in run("models").out
    run("card", "wide", *test, "--tokenized", "--also", "--test-set", "other")
    others = run("models").out.partition("Other test sets\n")[2]
    assert re.search(r"wide +other +tokenised, lower-cased +5 +\d+\.\d\d ", others)


def test_a_card_describes_the_model_and_its_scores(local, texts, tmp_path):
    folder = saved(tmp_path / "kept", score="general", window="local-p", half_width=2)
    options = ("--tokenized", "--data", "multi30k", "--hardware", "an abacus", "--beam", 2)
    found = run("card", folder, "--source", texts[0], "--reference", texts[1], *options)
    assert (found.status, found.err) == (0, "")
    about, text = read_config(folder)["about"], (folder / "README.md").read_text()
    scores = json.loads(
        run("evaluate", folder, "--source", texts[0], "--reference", texts[1], "--tokenized", "--beam", 2, "--json").out
    )
    for key in ("bleu", "perplexity", "signature", "beam"):
        assert about["test"][key] == (pytest.approx(scores[key], abs=1e-4) if key != "signature" else scores[key])
    assert (about["test"]["tokenized"], about["test"]["lowercased"]) == (True, True)
    assert about["test"]["set"] == "test"
    for part in (
        f"**{scores['bleu']:.2f}**",
        scores["signature"],
        f"{scores['perplexity']:.3f}",
        r"$e_t(s) = h_t^\top W_a \bar h_s$",
        r"S \cdot \operatorname{sigmoid}(v_p^\top \tanh(W_p h_t))",
        "researchers and educators",
        "an abacus",
        "With D = 2 the window covers 5 words",
        "3.4 words on average",
        "| attention.window.half_width | 2 |",
    ):
        assert part in text
    assert "a b c" not in text
    load(folder)
    (folder / "README.md").unlink()
    run("card", folder)
    assert (folder / "README.md").read_text() == text


@pytest.mark.parametrize("preset", ["fixed-vector", "bahdanau-paper", "luong-concat-local-m", None])
def test_command_of_a_card_makes_the_same_settings(preset):
    changed = {"dropout": 0.25, "seed": 7, "tied": False} | ({"sigma": 1.5} if preset == "luong-concat-local-m" else {})
    model, recipe = configure(preset or "luong-dot-global", changed)
    about = {"preset": preset} if preset else {}
    record = {"name": "x", "model": model.to_json(), "train": recipe.to_json(), "about": about}
    words = shlex.split(command(record))
    assert words[:4] == ["python", "-m", "attn_core", "train"]
    settings = dict(words[i + 1].split("=") for i, word in enumerate(words) if word == "--set")
    assert configure(words[4], settings) == (model, recipe)
    assert len(settings) <= 4 + 3 * (preset is None)


def test_models_lists_what_is_shipped(local, reads_eos, texts, tmp_path, monkeypatch):
    monkeypatch.setattr(folders, "PRETRAINED", tmp_path / "pretrained")
    assert "No shipped models found" in run("models").out
    for name, window in (("wide", "global"), ("narrow", "local-m")):
        saved(tmp_path / "pretrained" / name, score="dot", window=window)
    run("card", "narrow", "--source", texts[0], "--reference", texts[1])
    listed = json.loads(run("models", "--json").out)
    assert [model["name"] for model in listed] == ["narrow", "wide"]
    assert listed[0]["bleu"] == read_config(tmp_path / "pretrained" / "narrow")["about"]["test"]["bleu"]
    assert listed[1]["bleu"] is None
    assert listed[1]["bytes"] == sum(len(data) for data in files_under(tmp_path / "pretrained" / "wide").values())
    table = run("models").out
    test = listed[0]["about"]["test"]
    scores = rf"{test['bleu']:.2f} +{test['bleu_low']:.1f} to {test['bleu_high']:.1f} +{test['perplexity']:.2f} "
    mechanism = r"dot score, local-m window \(D = 1\), update-then-attend"
    assert re.search(rf"narrow .* {scores}.*\n +{mechanism}\n", table)
    titles = [line for line in table.splitlines() if line.startswith("German")]
    place = f"{test['set']} (raw, 13a, ignoring case; beam 5)"
    assert titles == [f"German to English, {place}", "German to English, not measured"]
    assert max(map(len, table.splitlines())) <= 120
    assert run("translate", "wide", "--max-length", 2, text="a\n").status == 0


def test_models_with_a_pipe_or_without_a_score_do_not_hide_the_others(tmp_path, monkeypatch):
    monkeypatch.setenv("ATTN_PRETRAINED", str(tmp_path))
    for name in ("good", "pipe", "scoreless"):
        saved(tmp_path / name)
    (tmp_path / "pipe/config.json").unlink()
    os.mkfifo(tmp_path / "pipe/config.json")
    scoreless = {"test": {"set": "one"}, "more_tests": [{"set": "x"}]}
    rewritten(tmp_path / "scoreless", lambda record: record.update(about=scoreless))
    found = run("models")
    assert found.status == 1
    assert "good" in found.out
    assert re.fullmatch(r"error: .*scoreless/config\.json is damaged .*\('bleu'\)\n", found.err)


def test_no_two_shipped_models_are_listed_alike():
    listed = json.loads(run("models", "--json").out)
    about = [(one["mechanism"], languages(one["about"]), one["about"].get("data", {}).get("corpus")) for one in listed]
    sizes = [(one["model"]["embedding"],) if one["kind"] == "translator" else () for one in listed]
    assert len(set(zip(about, sizes, strict=True))) == len(listed)
    mechanisms = {one["name"]: one["mechanism"] for one in listed}
    assert mechanisms["bahdanau"] == "additive score, global window, attend-then-update as in the authors' code"
    assert mechanisms["bahdanau-printed"].endswith("attend-then-update as printed")
    assert "global window, sparsemax, update" in mechanisms["luong-general-global-sparsemax"]
    assert mechanisms["luong-general-global-long"].endswith(", trained on 2 to 4 joined sentences")


def test_help_and_models_do_not_wait_for_torch():
    code = (
        "import sys; from attn_core.cli import main\n"
        "for words in (['--help'], ['models'], ['modles'], []): main(words)\n"
        "sys.exit('torch' in sys.modules)"
    )
    process = python("-c", code)
    out, _ = process.communicate()
    assert process.returncode == 0
    for command_ in cli.COMMANDS:
        assert command_.name in out.decode()


@pytest.mark.parametrize("command_", cli.COMMANDS, ids=lambda one: one.name)
def test_the_list_of_commands_has_the_first_paragraph_of_each_help(command_):
    function = registry.load(command_.where)
    assert function.__name__ == command_.name
    assert " ".join(inspect.getdoc(function).split("\n\n")[0].split()) == command_.about


@pytest.mark.parametrize("name", ["train", "align", "translate"])
def test_a_paragraph_of_the_help_is_wrapped_by_the_terminal_only(name):
    """A line break inside a paragraph would leave half a line empty in a narrow terminal."""
    shown = get_command(cli._app(name)).commands[name].help
    assert len(shown.split("\n\n")) > 1
    assert all("\n" not in paragraph for paragraph in shown.split("\n\n"))


def test_the_page_of_settings_is_the_one_that_is_stored():
    """Written by `settings --page`; every path is on it."""
    page = run("settings", "--page").out
    assert page == (Path(cli.__file__).parents[1] / "models" / "settings.md").read_text("utf-8")
    assert {path for path in ModelConfig.names() if "." in path} <= set(re.findall(r"[\w.]+\.\w+", page))


def test_settings_are_listed_with_what_they_may_be():
    found = json.loads(run("settings", "luong-general-local-p", "--json").out)
    assert found["attention.window.half_width"]["allowed"].startswith("from 0 to")
    assert set(found["optimizer"]["allowed"].split(", ")) == {"adam", "adadelta", "sgd"}
    assert found["optimizer"]["value"] == "adam"
    for name, row in found.items():
        if isinstance(row["value"], str):
            assert row["value"] in row["allowed"].split(", "), name
    line = next(line for line in run("settings").out.splitlines() if line.startswith("attention.score="))
    assert line.split(maxsplit=1)[1] == ", ".join([*SCORES, "none"])
    assert "Luong 2015" in found["encoder.layers"]["source"]
    names = run("settings", "--presets").out.splitlines()
    assert {"bahdanau", "transformer-paper", "pointer-hull"} <= set(names)
    assert json.loads(run("settings", "--presets", "--json").out) == names
