"""Errors in the input: one clear line on standard error, a non-zero exit status, and no file written."""

import gzip
import json
from copy import deepcopy
from pathlib import Path
from shutil import copytree

import pytest
import torch
from safetensors.torch import load_file, save_file

from attn_core.data.alignments import parse_alignment
from tests.helpers.terminal import files_under, lines, run, saved

TINY = "--set embedding=4 --set attentional=4 --set decoder.hidden=6 --set encoder.hidden=3"


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """A folder with valid and damaged models and texts."""
    here = tmp_path_factory.mktemp("bad")
    sound = saved(here / "local", window="local-p")
    saved(here / "global", window="global")
    saved(here / "heads", heads=3, head_size=2)
    saved(here / "fixed", order="attend-then-update", **{"encoder.cell": "gru"}, score=None, window=None)
    other = saved(
        here / "other", window="local-p", **{"attention.score.hidden": 3, "encoder.hidden": 5, "decoder.hidden": 5}
    )

    def damaged(name: str) -> Path:
        return Path(copytree(sound, here / name))

    record = json.loads((sound / "config.json").read_text())
    impossible = deepcopy(record["model"])
    impossible["attention"]["window"]["half_width"] = -3
    own_score = deepcopy(record["model"])
    own_score["attention"]["score"] = {"name": "cosine"}
    for name, content in {
        "not-json": "{",
        "not-an-object": "[]",
        "of-another-project": json.dumps({"model_type": "bert", "hidden_size": 768}),
        "of-the-future": json.dumps(record | {"format": 99}),
        "with-unknown-settings": json.dumps(record | {"model": record["model"] | {"flash": True}}),
        "with-mistyped-settings": json.dumps(record | {"model": ["score"]}),
        "with-impossible-settings": json.dumps(record | {"model": impossible}),
        "with-own-score": json.dumps(record | {"model": own_score}),
        "nested": "[" * 100_000,
    }.items():
        (damaged(name) / "config.json").write_text(content)
    (damaged("not-utf8") / "config.json").write_bytes(b'{"format": "\xff"}')
    path = damaged("truncated") / "model.safetensors"
    path.write_bytes(path.read_bytes()[:-100])
    (damaged("emptied") / "model.safetensors").write_bytes(b"")
    (damaged("of-other-shapes") / "model.safetensors").write_bytes((other / "model.safetensors").read_bytes())
    path = damaged("not-finite") / "model.safetensors"
    weights = load_file(path)
    weights["encoder.embed.weight"][1, 1] = torch.nan
    save_file(weights, path)
    (damaged("without-weights") / "model.safetensors").unlink()
    cased = damaged("cased") / "target.json"
    cased.write_text(cased.read_text("utf-8").replace('"lower": true', '"lower": false'), "utf-8")
    (damaged("without-words") / "target.json").unlink()
    (damaged("with-other-words") / "target.json").write_bytes((sound / "config.json").read_bytes())
    (here / "empty-folder").mkdir()
    (here / "interrupted").mkdir()
    (here / "interrupted/state.safetensors").write_bytes(b"")

    lines(here / "two", "a b", "c"), lines(here / "three", "n", "o p", "q"), lines(here / "blank", "", " ")
    (here / "empty").write_bytes(b"")
    (here / "latin").write_bytes("a\nü\n".encode("latin-1"))
    (here / "zipped").write_bytes(gzip.compress(b"a\nb\n"))
    (here / "no.gz").write_text("a\nb\n")
    (here / "cut.gz").write_bytes(b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\x4b\x04")
    (
        lines(here / "gold-bad", "0-0", "0:1"),
        lines(here / "gold-three", "0-0", "0-1", ""),
        lines(here / "gold-beyond", "0-0", "0-0 9-0"),
    )
    lines(here / "gold-zero", "0-0", "0-0")
    lines(here / "gold-long", "9" * 5000 + "-0", "0-0")
    texts = {"good": ("a b", "n o"), "blank-text": (" ", "n"), "uneven": ("a\nb", "n"), "short": ("\na", "n\nn")}
    texts |= {"third": ("\na\na b", "n\nn\nn o")}
    for prefix, (de, en) in texts.items():
        lines(here / f"{prefix}.de", *de.split("\n")), lines(here / f"{prefix}.en", *en.split("\n"))
    return here


TWO = "--source two --reference two"
PAIR = ["--source", "two", "--target", "two"]
TRAIN = "train luong-dot-global --train good --valid good --out new"
BAD = {
    # Models.
    "unknown model": ("translate nosuch", "unknown model 'nosuch'"),
    "nearly a model": ("translate bahdanua", "unknown model 'bahdanua' (did you mean 'bahdanau'?)\n"),
    "no name": (["translate", ""], "unknown model"),
    "a folder": ("translate empty-folder", "holds no config.json"),
    "interrupted": ("translate interrupted", "its training has not finished an epoch: continue it with"),
    "interrupted, card": ("card interrupted", "its training has not finished an epoch: continue it with"),
    "interrupted, export": ("export interrupted --to browser", "its training has not finished an epoch: continue it"),
    "own score": (
        "translate with-own-score",
        "needs the score 'cosine', which is not registered here: give the script",
    ),
    "own score, card": ("card with-own-score", "config.json needs the score 'cosine', which is not registered here"),
    "a file": ("translate two", "two is a file"),
    **{
        name: (f"translate {name}", "is damaged or belongs to another project")
        for name in ("not-json", "not-an-object", "of-another-project", "with-unknown-settings", "nested", "not-utf8")
    },
    "mistyped": ("evaluate with-mistyped-settings " + TWO, "is damaged or belongs to another project"),
    "impossible": ("evaluate with-impossible-settings " + TWO, "half_width must be at least 0 words, not -3"),
    "future": ("translate of-the-future", "format 99"),
    "truncated": ("translate truncated", "truncated is damaged"),
    "emptied": ("translate emptied", "emptied is damaged"),
    "shapes": ("translate of-other-shapes", "size mismatch"),
    "not finite": ("translate not-finite", "encoder.embed.weight has entries that are not finite"),
    "weights": ("translate without-weights", "model.safetensors is missing"),
    "words": ("translate without-words", "target.json is missing"),
    "other words": ("translate with-other-words", "with-other-words is damaged"),
    "card": ("card without-words", "target.json is missing"),
    # Texts.
    "missing": ("evaluate local --source nosuch --reference two", "nosuch: no such file"),
    "empty": ("evaluate local --source empty --reference two", "empty is empty"),
    "folder": ("evaluate local --source local --reference two", "local is a folder"),
    "encoding": ("evaluate local --source two --reference latin", "latin, line 2: not UTF-8"),
    "gzip": ("evaluate local --source two --reference zipped", "zipped, line 1: not UTF-8; it is compressed by gzip"),
    "no other": (["evaluate", "local", *TWO.split(), "--against", ""], "unknown model ''"),
    "ensemble": ("export bahdanau+transformer --to browser", "an ensemble (names joined by +) cannot be used here"),
    "languages": (
        "evaluate bahdanau --against bahdanau-en-de " + TWO,
        "bahdanau translates German into English, but bahdanau-en-de English into German",
    ),
    "not gzip": ("evaluate local --source no.gz --reference two", "no.gz: cannot be read"),
    "cut gzip": ("evaluate local --source cut.gz --reference two", "cut.gz: cannot be read"),
    "counts": ("evaluate local --source two --reference three", "two has 2 lines and"),
    "counts, align": ("align local --source three --target two", "three has 3 lines and"),
    "counts, gold": ("align local --source two --target two --gold gold-three", "gold-three has 3 lines and"),
    "gold": ("align local --source two --target two --gold gold-bad", "gold-bad, line 2: link '0:1'"),
    "gold, beyond": (
        "align local --source two --target two --gold gold-beyond",
        "gold-beyond, line 2: link 9-0: source position 9, counted from 0, is beyond the",
    ),
    "gold, base": (
        "align local --source two --target two --gold gold-zero --gold-base 1",
        "expected positions of at least 1",
    ),
    "gold, kind": (
        "align local --source two --target two --gold-as certain",
        "'certain' is not one of marked, sure, possible",
    ),
    "gold, long": (
        "align local --source two --target two --gold gold-long",
        "expected source-target such as 3-4",
    ),
    "n-best": ("translate local --n-best 3", "--n-best 3 needs a beam of 3 or more"),
    "least length": (
        "translate local --min-length 5 --max-length 3",
        "error: min_length must be from 0 to max_length, not 5",
    ),
    "blank": (
        "evaluate local --source blank --reference two",
        "expected at least one sentence pair with words on both sides",
    ),
    "half a test": ("card local --source two", "give both --source and --reference, or neither"),
    # Options.
    "D": ("translate local --half-width -1", "'--half-width': must be at least 0, not -1"),
    "D, text": ("translate local --half-width wide", "'--half-width': expected a whole number"),
    "sigma, text": ("translate local --sigma wide", "'--sigma': expected a number"),
    "unknown target": ("export local --to brower", "'--to': 'brower' is not one of 'browser', 'onnx'"),
    "text as an argument": ("translate local nofile.de", "standard input, as in: translate MODEL < FILE"),
    "sigma 0": ("translate local --sigma 0", "must be a number above 0, not 0.0"),
    "sigma -1": ("evaluate local --sigma -1 " + TWO, "must be a number above 0, not -1.0"),
    "sigma nan": ("align local --sigma nan --source two --target two", "must be a number above 0, not nan"),
    "sigma inf": ("translate local --sigma inf", "must be a number above 0, not inf"),
    "beam": ("translate local --beam 0", "0 is not between 1 and 200"),
    "length": ("translate local --max-length 0", "must be at least 1, not 0"),
    "beam of a card": ("card local --beam 201 " + TWO, "201 is not between 1 and 200"),
    "alpha": ("translate local --beam 2 --alpha 1e308", "must be from 0 to 10, not 1e+308"),
    "threads": ("translate local --threads 0", "must be at least 1, not 0"),
    "shift": ("align local --shift 2 --source two --target two", "2 is neither 0 nor 1"),
    "window": ("translate local --window narrow", "unknown window 'narrow'"),
    "nearly a window": (
        "translate local --window local_p",
        "'local_p' (did you mean 'local-p'?); choose one of: global",
    ),
    "rule": ("translate local --normalise much", "must be none, length or wu"),
    "D, global": ("translate global --half-width 2", "a global window has no half-width"),
    "D, fixed": ("translate fixed --half-width 2", "fixed has no attention"),
    "aligning without looking": ("align fixed --source two --target two", "fixed has no attention"),
    "head": ("align heads --layer 1 --head 0 --source two --target two", "its last is layer 0, head 2"),
    "p_t": ("translate global --window local-p", "not trained to predict p_t"),
    "option": ("translate local --bem 5", "No such option: --bem"),
    "argument": ("translate", "Missing argument 'MODEL'"),
    "command": ("translat local", "No such command 'translat'"),
    "traces, folder": ("translate local --traces local", "local is a folder"),
    "traces, no folder": ("translate local --traces no/such/t.jsonl", "folder no/such does not exist"),
    # Training.
    "preset": (TRAIN.replace("luong-dot-global", "loung"), "unknown preset 'loung'; choose one of: fixed-vector"),
    "preset, all": (TRAIN.replace("luong-dot-global", "loung"), "series, series-fixed-vector"),
    "preset, synthetic": ("train pointer-hul --out new", "unknown preset 'pointer-hul' (did you mean 'pointer-hull'?)"),
    "preset, settings": ("settings pointer-hul", "unknown preset 'pointer-hul' (did you mean 'pointer-hull'?)"),
    "setting, option": (
        f"{TRAIN} --half_width 3",
        "No such option: --half_width; if half_width is a setting of the preset, use --set half_width=",
    ),
    "setting, hyphen": (
        "settings bahdanau --label-smoothing 0",
        "if label_smoothing is a setting of the preset, use --set label_smoothing=VALUE",
    ),
    "setting, synthetic": ("train pointer-hull --updates 5", "updates is a setting of the preset, use --set updates="),
    "option, train": (f"{TRAIN} --vaild good", "No such option: --vaild (Possible options: --load, --valid)"),
    "setting": (f"{TRAIN} --set dropuot=0.1", "unknown setting 'dropuot' (did you mean 'dropout'?)\n"),
    "setting, shape": (f"{TRAIN} --set dropout", "expected NAME=VALUE"),
    "setting, type": (f"{TRAIN} --set decoder.hidden=many", "setting hidden must be a whole number, not 'many'"),
    "setting, range": (f"{TRAIN} --set window=local-m --set sigma=0", "sigma must be at least 0.01 words"),
    "setting, D": (f"{TRAIN} --set window=local-m --set half_width=-1", "half_width must be at least 0"),
    "setting, digits": (f"{TRAIN} --set batch=1e308", "batch must be from 1 to 1,000,000, not 1.00e+308\n"),
    "setting, infinite": (f"{TRAIN} --set batch=inf", "setting batch must be a whole number"),
    "setting, negative": (f"{TRAIN} --set weight_decay=-1", "weight_decay must be at least 0"),
    "no text": ("train bahdanau --out new", "text is missing"),
    "no folder": (["train", "bahdanau", "--task", "reverse", "--out", ""], "the folder's name is empty"),
    "setting, no effect": (f"{TRAIN} --set credit=word", "credit has no effect without attention.type=hard-sample"),
    "setting, no halving": ("train series --out new --set halve_after=3", "halve_after has no effect without schedule"),
    "folder, not UTF-8": (
        TRAIN.replace("--out new", "--out new\udcff"),
        r"the name 'new\udcff' is not UTF-8: rename the file or folder",
    ),
    "name, not UTF-8": (f"{TRAIN} --name a\udcff", r"Invalid value for '--name': 'a\udcff' is not UTF-8"),
    "text, not UTF-8": (TRAIN.replace("--valid good", "--valid good\udcff"), r"the name 'good\udcff' is not UTF-8"),
    "synthetic folder, not UTF-8": ("train series --out new\udcff", r"the name 'new\udcff' is not UTF-8"),
    "teacher, unknown": (f"{TRAIN} --teacher nosuch", "unknown model 'nosuch'"),
    "excluded, all": (f"{TRAIN} --exclude good", "each pair has a sentence of the excluded text, so none is left"),
    "part, none": (TRAIN.replace("--valid good", "--valid good[99::2]"), "it has no pair 99 (counted from 0)"),
    "part, uneven": (TRAIN.replace("--valid good", "--valid uneven[0::2]"), "uneven.de has 2 lines and"),
    "no frequent word": (f"{TRAIN} --tokenized", "no word occurs 2 times; give more text, or set min_frequency=1"),
    "no such text": (TRAIN.replace("--train good", "--train nosuch"), "nosuch.de: no such file"),
    "uneven text": (TRAIN.replace("--train good", "--train uneven"), "uneven.de has 2 lines and"),
    "blank text": (TRAIN.replace("--train good", "--train blank-text"), "the text has no words"),
    "blank validation": (
        f"{TRAIN.replace('--valid good', '--valid blank-text')} --set min_frequency=1",
        "no sentence pair is left",
    ),
    "long validation": (
        "train luong-location-global --train short --valid third --out new --tokenized --set min_frequency=1 "
        "--set max_length=1 --set width=1",
        "pair 3 of the validation text has a source of 2 tokens, but attention.score.width is 1: increase "
        "attention.score.width, or leave the pair out",
    ),
    "long validation, target": (
        "train transformer --train short --valid third --out new --tokenized --set min_frequency=1 "
        "--set max_length=1 --set subword=word --set decoder.positions=learned --set decoder.longest=2",
        "pair 3 of the validation text has a target with <s> of 3 tokens, but decoder.longest is 2",
    ),
    "taken": (TRAIN.replace("--out new", "--out local"), "local already holds a model"),
    "nothing to resume": (f"{TRAIN} --resume", "there is nothing to resume"),
    "below a file": (TRAIN.replace("--out new", "--out two/new"), "two is a file"),
    "hub": ("train bahdanau --hub nosuch/data --out new", "data set 'nosuch/data', split 'train': cannot be loaded"),
    "hub, no data": ("train bahdanau --hub empty-folder --out new", "cannot be loaded"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_prints_one_line_and_writes_nothing(case, folder, monkeypatch):
    words, message = BAD[case]
    monkeypatch.chdir(folder)
    before = files_under(folder)
    found = run(*(words.split() if isinstance(words, str) else words), text="a b\n")
    assert message in found.err
    assert found.err.startswith("error: ")
    assert (found.err.count("\n"), found.out) == (1, "")
    assert found.status in (1, 2)
    assert files_under(folder) == before


def test_the_same_call_without_the_mistake_succeeds(folder, monkeypatch, tmp_path):
    """The cases above fail for the reason in their message, not for another one."""
    monkeypatch.chdir(folder)

    def good(line: str) -> str:
        found = run(*line.split(), text="a b\n")
        assert found.status == 0
        return found.out

    good("translate local --half-width 1 --sigma 0.5 --beam 2 --max-length 3")
    good(f"evaluate local {TWO} --tokenized")
    aligned = good("align local --source two --target two --tokenized --shift 1")
    assert [len(parse_alignment(line).sure) for line in aligned.splitlines()] == [2, 1]
    out = tmp_path / "new"
    good(f"{TRAIN.replace('--out new', f'--out {out}')} --tokenized --set epochs=1 --set min_frequency=1 {TINY}")
    assert (out / "config.json").exists()
