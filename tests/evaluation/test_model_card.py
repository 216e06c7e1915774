"""A model card states what was recorded, and nothing else."""

import json
import re
from dataclasses import replace
from pathlib import Path
from shutil import copytree

import pytest
import yaml
from huggingface_hub import ModelCard

from attn_core.cli import main
from attn_core.evaluation import model_card
from attn_core.evaluation.hub_header import header, synthetic
from attn_core.evaluation.model_card import card
from attn_core.models.about import tests_of as scores_of  # a name that pytest takes for no test
from attn_core.models.about import text_of
from attn_core.models.config import ModelConfig
from attn_core.models.folders import find, shipped
from attn_core.models.presets import PRESETS
from tests.data.test_truecase import TRUECASER
from tests.helpers.shipped import ship
from tests.helpers.support import both_sides

LOCAL_P, LOCAL_M, GLOBAL = "luong-general-local-p", "luong-general-local-m", "luong-general-global"
TEST = {
    "set": "synthetic",
    "sentences": 10,
    "bleu": 12.0,
    "bleu_low": 10.0,
    "bleu_high": 14.0,
    "signature": "none",
    "brevity_penalty": 1.0,
    "perplexity": 5.0,
    "beam": 5,
    "tokenized": True,
    "greedy_bleu": 11.0,
    "unknown_source_words": 1,
    "unknown_reference_words": 2,
    "source_words": 300,
    "reference_words": 310,
    "mean_source_length": 30.0,
    "in_paper_window": 0.1,
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return ship(tmp_path, LOCAL_P, LOCAL_M, "bahdanau", "fixed-vector", "transformer")


def written(folder: Path, about: dict | None = None, **model) -> str:
    record = json.loads((folder / "config.json").read_text("utf-8"))
    return card(record | {"about": about or {}, "model": changed(record["model"], **model)}, folder)


def changed(record: dict, **settings) -> dict:
    """The model entry of a config.json with changed settings."""
    return ModelConfig.from_json(record).set(settings).to_json()


def rewrite(path: Path, change) -> None:
    """Apply `change` to the record in a JSON file."""
    record = json.loads(path.read_text("utf-8"))
    change(record)
    path.write_text(json.dumps(record, ensure_ascii=False), "utf-8")


def test_a_card_shows_the_equations_of_the_settings(folder):
    assert "$s_i = f(s_{i-1}, y_i, c_i)$" in written(folder / "bahdanau")
    assert "the paper computes $s_i$ from $y_{i-1}$, not from $y_i$" in written(folder / "bahdanau")
    printed = written(folder / "bahdanau", update="printed")
    assert "$s_i = f(s_{i-1}, y_{i-1}, c_i)$" in printed
    assert "`attend-then-update` as in Bahdanau 2015:" in printed
    assert "y_i, c_i" not in printed.split("\n## Data")[0]  # the table of settings explains both updates
    assert r"$p_t = \min(t, S - 1)$" in written(folder / LOCAL_M)
    assert r"\tanh(W_p h_t)) - 1$" in written(folder / LOCAL_P, one_based=True)
    assert r"\propto" in written(folder / LOCAL_P, gaussian="renorm")
    assert "may sum to less than 1" in written(folder / LOCAL_P)
    assert "may sum to less than 1" not in written(folder / LOCAL_P, gaussian="renorm")
    assert r"\operatorname{softmax}" not in written(folder / "fixed-vector")


def test_a_transformers_card_names_its_parts(folder):
    text = written(folder / "transformer", **both_sides(norm="pre"))
    assert "English: Transformer, 2 + 2 layers of 2 heads, scaled_dot score." in text
    assert "- Decoder: 2 layers of 14 units, 2 heads, 512 inner units: $" in text
    assert "LSTM" not in text
    assert "- Other settings of the mechanism that are not the default: `encoder.norm = pre`, `decoder.norm" in text
    assert r"in every head: $e_t^m(s) = q_t^\top k_s / \sqrt{d_k}$, $d_k = 7$" in text


@pytest.mark.parametrize("name", ["bahdanau", "fixed-vector", "transformer", LOCAL_P])
def test_every_setting_in_a_card_has_a_meaning(folder, name):
    rows = [line.split(" | ") for line in written(folder / name).splitlines() if line.startswith("| ")]
    meanings = {row[0].removeprefix("| "): row[2].removesuffix(" |") for row in rows if len(row) == 3}
    assert {"encoder", "decoder", "optimizer"} < meanings.keys()
    assert all(len(meaning.split()) > 1 for setting, meaning in meanings.items() if setting != "setting")


def test_the_window_is_compared_with_the_sentences_that_were_measured(folder):
    text = written(folder / LOCAL_P, {"test": TEST})
    assert "With D = 2 the window covers 5 words" in text
    assert "10% of the sources of synthetic are no longer than that (30.0 words on average)" in text
    assert "seldom" not in text
    assert "paper's D = 10" not in written(folder / LOCAL_P)


def test_a_card_omits_what_was_not_measured(folder):
    assert "come out worse" not in written(folder / "fixed-vector")
    assert "Time and hardware" not in written(folder / LOCAL_P)


def test_limits_are_those_of_the_vocabularies(folder):
    text = written(folder / LOCAL_P)
    assert "no capital letters" in text
    assert "`<unk>`" in text
    vocabulary = json.loads((folder / LOCAL_P / "source.json").read_text("utf-8"))["tokenizer"]["model"]["vocab"]
    assert f"{len(set(vocabulary) - {'<pad>', '<unk>', '<s>', '</s>'})} words (de)" in text

    def capital(record):
        vocabulary = record["tokenizer"]["model"]["vocab"]
        vocabulary["Hund"] = vocabulary.pop("hund")

    rewrite(folder / LOCAL_P / "target.json", lambda record: record.update(truecase=TRUECASER.to_json()))
    assert "capital letters. In running text, sentences start with a capital, and 4 words get" in written(
        folder / LOCAL_P
    )

    rewrite(folder / LOCAL_P / "source.json", capital)
    assert "no capital letters" not in written(folder / LOCAL_P)
    rewrite(folder / LOCAL_P / "source.json", lambda record: record.update(kind="bpe"))
    text = written(folder / LOCAL_P, {"test": TEST})
    assert "`<unk>`" not in text
    assert "subwords (de)" in text
    assert "the window covers 5 subwords" in text
    assert "10% of the sources" not in text, "their lengths are in words"


@pytest.mark.parametrize(
    ("machine", "said"),
    [
        ({"hardware": "an abacus"}, "an abacus."),
        ({"hardware": "an abacus", "threads": 1}, "an abacus, 1 thread."),
        ({"hardware": "an abacus", "threads": 2, "torch": "2.0"}, "an abacus, 2 threads, torch 2.0."),
    ],
)
def test_a_machine_is_described_as_far_as_it_is_known(folder, machine, said):
    assert f"\n\nHardware: {said}\n" in written(folder / LOCAL_P, {"machine": machine})


@pytest.mark.parametrize(
    ("about", "said"),
    [
        ({"epoch": 3}, "Epoch 3 was the best."),
        ({"train_seconds": 90}, "Training up to the best epoch took 2 minutes, validation not included."),
        ({"epoch": 3, "train_seconds": 61}, "Epoch 3 was the best. Training up to it took 1 minute, validation not"),
    ],
)
def test_the_best_epoch_and_the_time_are_stated(folder, about, said):
    rewrite(folder / LOCAL_P / "config.json", lambda record: record.pop("about"))
    assert said in written(folder / LOCAL_P, about)


def test_a_chinese_vocabulary_of_words_has_characters(folder):
    rewrite(folder / LOCAL_P / "source.json", lambda record: record.update(lang="zh"))
    text = written(folder / LOCAL_P)
    assert " characters (zh), " in text
    assert "- Source characters outside its vocabulary become `<unk>`." in text


def test_the_command_of_several_processes_starts_as_many(folder):
    """The batch is that of one process, so with one the updates would be smaller."""
    assert "torchrun --nproc-per-node 4 -m attn_core train" in written(folder / LOCAL_P, {"machine": {"processes": 4}})
    assert "python -m attn_core train" in written(folder / LOCAL_P)


def test_a_setting_newer_than_the_model_has_its_default_in_card_and_command(folder, monkeypatch):
    """Even if the preset has another value by now."""
    model, recipe = PRESETS["bahdanau"]
    newer = {**PRESETS, "bahdanau": (model, replace(recipe, snapshots=7))}
    monkeypatch.setattr(model_card, "PRESETS", newer)
    record = json.loads((folder / "bahdanau/config.json").read_text("utf-8"))
    del record["train"]["snapshots"]
    text = card(record | {"about": {"preset": "bahdanau"}}, folder / "bahdanau")
    assert "| snapshots | 24 |" in text
    assert "--set snapshots=24" in text


def test_the_command_names_the_splits_of_a_hub(folder):
    """Those that `train --hub` takes, also if the text is a known corpus."""
    text = written(folder / LOCAL_P, {"data": {"hub": "bentrevett/multi30k", "corpus": "multi30k"}})
    assert "--hub bentrevett/multi30k --train train --valid validation" in text


@pytest.mark.slow
def test_the_command_has_no_threads_unless_they_are_recorded(folder, capsys):
    rewrite(folder / LOCAL_P / "config.json", lambda record: record.pop("about"))
    assert main(["card", str(folder / LOCAL_P), "--hardware", "an abacus"]) == 0
    about = json.loads((folder / LOCAL_P / "config.json").read_text("utf-8"))["about"]
    assert about["machine"] == {"hardware": "an abacus"}
    assert "--threads" not in (folder / LOCAL_P / "README.md").read_text("utf-8")


def hub(text: str) -> tuple[dict, ModelCard]:
    """The YAML block of a card as it stands there, and as the Hugging Face hub's own library reads it."""
    block = text.split("---\n")[1]
    return yaml.safe_load(block), ModelCard(text)


def languages_in(name: str) -> list[str]:
    """The languages of a shipped model by its name: `bahdanau-en-fr`; German to English where it names none."""
    named = re.fullmatch(r".+-(en|zh)-(de|fr|en)", name)
    return list(named.groups()) if named else ["de", "en"]


LICENCES = {  # by corpus, with the data sets of the hub
    "multi30k": ("multi30k-non-commercial-research", ["bentrevett/multi30k"]),
    "multi30k-en-de": ("multi30k-non-commercial-research", ["bentrevett/multi30k"]),
    "multi30k-en-fr": ("multi30k-non-commercial-research", None),  # that data set has no French
    "multi30k-tatoeba": ("multi30k-non-commercial-research", None),  # and no everyday sentences
    "3am-tatoeba-zh-en": ("3am-and-tatoeba", None),
}


def test_a_card_names_the_sets_on_which_models_were_compared(folder):
    """Only sets that both were measured on in one form count; each has its own sign."""
    one = TEST | {"set": "one", "lowercased": True}
    scores = {LOCAL_P: (41.5, 35.0, 20.0), GLOBAL: (41.25, 36.0, None), "best-of-all": (50.0, 30.0, None)}
    ship(folder, GLOBAL)
    copytree(folder / GLOBAL, folder / "best-of-all")
    for name, (first, second, third) in scores.items():
        tests = [
            one | {"set": which, "bleu": bleu}
            for which, bleu in zip("abc", (first, second, third), strict=True)
            if bleu
        ]
        about = {"test": tests[0], "more_tests": tests[1:]}
        rewrite(
            folder / name / "config.json", lambda record, name=name, about=about: record.update(name=name, about=about)
        )
    text = {
        name: card(json.loads((folder / name / "config.json").read_text("utf-8")), folder / name) for name in scores
    }
    form = "(tokenised, lower-cased; beam 5)"
    assert (
        f"Compared with `{GLOBAL}`, which has a global window: BLEU +0.25 on a {form}, -1.00 on b {form}. "
        "They were compared on these test sets only, with one run each."
    ) in text[LOCAL_P]
    assert "Compared with" not in text[GLOBAL]
    best = text["best-of-all"]
    assert f"On a {form}, its BLEU is 8.50 higher than that of `{LOCAL_P}`, the best of the others." in best
    assert f"On b {form}, its BLEU is 6.00 lower than that of `{GLOBAL}`, the best of the others." in best


@pytest.mark.parametrize("name", shipped())
def test_the_header_of_a_shipped_card_is_what_the_hub_reads(name):
    text = (find(name) / "README.md").read_text("utf-8")
    record = json.loads((find(name) / "config.json").read_text("utf-8"))
    fields, read = hub(text)
    assert text == card(record, find(name)), f"python -m attn_core card {name}"
    for one in scores_of(record["about"]):
        words = "tokenised, lower-cased text" if one["tokenized"] else "raw text (13a, ignoring case)"
        assert text_of(one) == words
        assert f"On {one['set']}, {one['sentences']:,} sentences, {words}, beam {one['beam']}:" in text
    assert fields["language"] == languages_in(name)
    licence, datasets = LICENCES[record["about"]["data"]["corpus"]]
    assert (fields["license"], fields["license_name"], fields.get("datasets")) == ("other", licence, datasets)
    assert fields["model-index"][0]["name"] == record["name"]
    found = [(one.dataset_name, one.metric_type, one.metric_value) for one in read.data.eval_results]
    tests = scores_of(record["about"])
    assert [one[:2] for one in found] == [(one["set"], kind) for one in tests for kind in ("bleu", "perplexity")]
    values = [one[kind] for one in tests for kind in ("bleu", "perplexity")]
    assert [one[2] for one in found] == pytest.approx(values, abs=1e-4)
    assert read.text.lstrip().startswith(f"# {record['name']}\n")


@pytest.mark.parametrize("name", shipped("pointer") + shipped("series"))
def test_the_header_of_a_model_of_synthetic_data_names_no_licence_and_no_language(name):
    record = json.loads((find(name) / "config.json").read_text("utf-8"))
    fields, read = hub((find(name) / "README.md").read_text("utf-8"))
    assert fields.keys() == {"library_name", "tags", "metrics", "model-index"}
    numbers = [v for row in record["about"]["test"]["rows"] for k, v in row.items() if k != "n" and v is not None]
    assert [result.metric_value for result in read.data.eval_results] == pytest.approx(numbers, abs=1e-4)


def test_a_header_has_the_known_fields_and_quotes_strings_that_yaml_would_convert(folder):
    fields, read = hub(written(folder / LOCAL_P, {"source_lang": "no", "target_lang": "yes: a #1"}))
    assert fields == {
        "language": ["no", "yes: a #1"],
        "library_name": "attn_core",
        "pipeline_tag": "translation",
        "tags": ["sequence-to-sequence", "attention", "general", "local-p", "update-then-attend"],
    }
    assert read.data.eval_results is None
    assert hub(written(folder / "fixed-vector"))[0]["tags"] == ["sequence-to-sequence", "attend-then-update"]
    hub_set = {"data": {"hub": "someone/texts"}, "test": TEST}
    fields, _ = hub(written(folder / LOCAL_P, hub_set))
    assert fields["datasets"] == ["someone/texts"]
    assert fields["model-index"][0]["results"][0]["dataset"] == {"name": "synthetic", "type": "someone/texts"}
    assert "license" not in fields


def test_an_evaluation_without_a_number_gives_no_scores():
    """A network whose longest input is shorter than all that were asked for."""
    test = {"rows": [{"n": 20, "accuracy": None, "area": None}]}
    text = header(synthetic("plain-hull", {"type": "other", "name": "plain-hull"}, test, ["synthetic-data"]))
    assert yaml.safe_load(text.split("---\n")[1]).keys() == {"library_name", "tags"}
