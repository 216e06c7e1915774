"""Joined pairs: what a slow loop joins, the same at every reading, and errors for text that cannot be joined."""

import json

import pytest

from attn_core.cli import main
from attn_core.data.corpus import CorpusError, Files
from attn_core.data.joined import Joined, join_lines, join_pairs
from attn_core.training.prepare import prepared
from tests.helpers.terminal import SMALL, set_options


def pairs(n: int) -> list[tuple[str, str]]:
    return [(f"s{i} .", f"t{i} !") for i in range(n)]


@pytest.mark.parametrize("most", [2, 3, 4, 7])
def test_successive_pairs_are_joined_in_order(most):
    every = pairs(200)
    found = list(join_pairs(every, most))
    sizes = [source.count("s") for source, _ in found]
    assert set(sizes) == set(range(2, most + 1))
    start = 0
    for (source, target), size in zip(found, sizes, strict=True):
        group = every[start : start + size]
        assert source == " ".join(one for one, _ in group)
        assert target == " ".join(other for _, other in group)
        start += size
    assert 200 - most < start <= 200  # only the last ones may be left out
    assert found == list(join_pairs(every, most))
    if most == 4:  # each number of pairs is equally frequent: 66 groups, a third of them of each size
        assert all(10 < sizes.count(size) < 35 for size in (2, 3, 4))


def test_one_leaves_the_pairs_as_they_are():
    odd = [("a", ""), ("b", "c")]
    assert list(join_pairs(odd, 1)) == odd
    assert join_lines(["a", "b"], ["", "c"], 1) == (["a", "b"], ["", "c"])


def test_pairs_with_an_empty_side_are_left_out():
    assert list(join_pairs([("a", "b"), ("", "x"), ("y", " "), (" c ", "d")], 2)) == [("a c", "b d")]


def test_a_text_is_joined_side_by_side(tmp_path):
    every = pairs(50)
    for side, lang in enumerate(("de", "en")):
        (tmp_path / f"x.{lang}").write_text("".join(f"{pair[side]}\n" for pair in every))
    text = Joined(Files(tmp_path / "x.de", tmp_path / "x.en"), 4)
    assert list(zip(text.lines(0), text.lines(1), strict=True)) == list(join_pairs(every, 4))
    assert text.identity() != Joined(text.text, 3).identity()
    (tmp_path / "x.en").write_text("t0\n" * 48)
    with pytest.raises(CorpusError, match=r"x\.de has 50 lines and .*x\.en has 48"):
        list(text.lines(0))
    (tmp_path / "x.de").write_text("s0\n" * 47)
    with pytest.raises(CorpusError, match=r"x\.de has 47 lines and .*x\.en has 48"):
        list(text.lines(1))
    (tmp_path / "x.de").write_text("s0\n")
    (tmp_path / "x.en").write_text("t0\n")
    with pytest.raises(CorpusError, match="too few sentence pairs for groups of 2 to 4"):
        list(text.lines(1))
    with pytest.raises(CorpusError, match="too few sentence pairs"):
        join_lines(["a"], ["b"], 4)


TINY = SMALL | {"epochs": 1, "batch": 4, "warmup": 0, "min_frequency": 1, "precision": "fp32"}


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """A model trained on joined raw text, and the folder with the text."""
    folder = tmp_path_factory.mktemp("joined")
    for lang, word in (("de", "Hund"), ("en", "dog")):
        lines = [f"{word} {i % 5}. {'x' if lang == 'en' else 'y'}" for i in range(40)]
        for name in ("train", "valid"):
            (folder / f"{name}.{lang}").write_text("\n".join(lines) + "\n")
    settings = set_options(TINY | {"join": 3, "max_length": 20})
    text = ["--train", str(folder / "train"), "--valid", str(folder / "valid")]
    out = folder / "model"
    assert main(["train", "luong-general-global", "--out", str(out), *text, *settings, "--no-export"]) == 0
    return out, folder


@pytest.mark.slow
def test_a_model_is_trained_and_tested_on_joined_text(trained):
    out, folder = trained
    source = (folder / "train.de").read_text().splitlines()
    material = prepared(out)
    assert len(material.train) == len(list(join_pairs(zip(source, source, strict=True), 3)))
    lengths, _ = material.train.lengths
    assert (min(lengths), max(lengths)) == (2 * 3, 3 * 3)  # each line has three tokens
    test = ["--source", str(folder / "valid.de"), "--reference", str(folder / "valid.en")]
    assert main(["card", str(out), *test, "--test-set", "valid"]) == 0
    found = json.loads((out / "config.json").read_text())
    assert found["train"]["join"] == 3
    assert found["about"]["test"]["set"] == "valid (2 to 3 sentences joined)"
    assert found["about"]["test"]["sentences"] == len(material.train)


def test_the_scores_of_joined_text_are_those_of_a_joined_file(trained, capsys):
    out, folder = trained
    source, target = ((folder / f"valid.{lang}").read_text().splitlines() for lang in ("de", "en"))
    for lines, lang in zip(join_lines(source, target, 2), ("de", "en"), strict=True):
        (folder / f"two.{lang}").write_text("".join(f"{line}\n" for line in lines))
    scores = []
    for name, more in (("valid", ["--join", "2"]), ("two", [])):
        files = ["--source", str(folder / f"{name}.de"), "--reference", str(folder / f"{name}.en")]
        capsys.readouterr()
        assert main(["evaluate", str(out), *files, *more, "--json"]) == 0
        scores.append(json.loads(capsys.readouterr().out))
    assert scores[0]["perplexity"] == scores[1]["perplexity"]
    assert scores[0]["sentences"] == scores[1]["sentences"] < len(source)
    assert main(["evaluate", str(out), *files, "--join", "0"]) != 0


def test_the_number_of_pairs_that_are_too_long_is_printed(trained, tmp_path, capsys):
    _, folder = trained
    text = ["--train", str(folder / "train"), "--valid", str(folder / "valid")]
    settings = set_options(TINY | {"join": 3, "max_length": 6})
    assert main(["train", "luong-general-global", "--out", str(tmp_path), *text, *settings, "--no-export"]) == 0
    every = list(join_pairs(pairs(40), 3))
    long = sum(source.count("s") == 3 for source, _ in every)
    assert 0 < long < len(every)
    assert (
        f"{len(every)} training pairs, {long} of them skipped (empty or longer than 6 tokens); "
        in capsys.readouterr().err
    )


def test_joined_pairs_that_are_all_too_long_say_so(trained, tmp_path, capsys):
    _, folder = trained
    text = ["--train", str(folder / "train"), "--valid", str(folder / "valid")]
    settings = set_options(TINY | {"join": 4, "max_length": 5})
    assert main(["train", "luong-general-global", "--out", str(tmp_path / "m"), *text, *settings]) != 0
    assert "in each, a side is empty or longer than 5 tokens (raise max_length)" in capsys.readouterr().err
    assert not (tmp_path / "m" / "corpus").exists()
