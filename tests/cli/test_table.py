"""`translate --table`: traces as a Parquet table, also after an interruption, and tables of other runs."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import datasets
import numpy as np
import pyarrow.parquet as pq
import pytest
import torch

from attn_core.cli import table as tables
from attn_core.cli.streams import bytes_left
from attn_core.cli.table import run_of, write_table
from attn_core.decoding.translate import text_of, translate
from attn_core.models.checkpoint import load
from attn_core.models.ensemble import Ensemble
from attn_core.trace import Trace, dump
from attn_core.trace.table import table
from tests.cli.conftest import SOURCES
from tests.helpers.support import TRANSFORMER
from tests.helpers.terminal import Run, files_under, run, saved

TEXT = (*SOURCES, "", "a g b zz", "f e")
OF_WORDS = ["target", "log_prob", "top_tokens", "top_log_probs", "scores", "alignment", "gaussian", "weights", "center"]
OF_WORDS += ["first", "last", "own_weights"]


@pytest.fixture(autouse=True)
def small_groups(monkeypatch):
    monkeypatch.setattr(tables, "GROUP", 3)


@pytest.fixture(scope="module")
def transformer(tmp_path_factory) -> Path:
    return saved(tmp_path_factory.mktemp("models") / "transformer", **TRANSFORMER)


def lines_of(*texts: str) -> str:
    return "".join(f"{text}\n" for text in texts)


def written(model: object, path: Path, *options: object, text: str = lines_of(*TEXT)) -> Run:
    return run("translate", model, "--table", path, *options, text=text)


def rows_of(path: Path) -> list[dict]:
    return pq.read_table(path).to_pylist()


def traces_of(model: Path, **options) -> list[Trace | None]:
    """The traces of TEXT, each sentence translated alone."""
    loaded = load(model)
    return [translate(loaded, text, **options) if text else None for text in TEXT]


CALLS = {
    "local-p": ("local", ["--half-width", 1], {"half_width": 1}),
    "beam": ("local", ["--beam", 3, "--alpha", 0.5], {"beam": 3, "alpha": 0.5}),
    "source with </s>": ("reads_eos", ["--replace-unk"], {"replace_unk": True}),
    "transformer": ("transformer", ["--tokenized"], {"tokenized": True}),
}


@pytest.mark.parametrize("case", CALLS)
def test_a_table_has_the_numbers_of_the_traces(case, request, tmp_path):
    name, words, options = CALLS[case]
    model = request.getfixturevalue(name)
    found = written(model, tmp_path / "t.parquet", *words)
    assert (found.status, found.out, found.err) == (0, "", "")
    rows = rows_of(tmp_path / "t.parquet")
    assert [row["line"] for row in rows] == [*range(len(TEXT))]
    assert [row["text"] for row in rows] == [*TEXT]
    for row, trace in zip(rows, traces_of(model, **options), strict=True):
        if trace is None:
            assert (row["settings"], row["translation"], row["target"], row["weights"]) == (None, "", [], [])
            continue
        record = json.loads(dump(trace))  # another route from the same records to JSON
        assert row["model"] == record["model"]
        assert json.loads(row["settings"]) == record["settings"]
        assert row["translation"] == text_of(load(model), trace, options.get("tokenized", False))
        assert {name: row[name] for name in ("source", "unknown", "target")} == {
            name: record[name] for name in ("source", "unknown", "target")
        }
        for at, step in enumerate(record["steps"]):
            assert [[layer, head] for layer, head in zip(row["layer"], row["head"], strict=True)] == [
                [look["layer"], look["head"]] for look in step["looks"]
            ]
            for part in ("scores", "alignment", "gaussian", "weights"):
                close(row[part][at], [look[part] for look in step["looks"]])
            close(row["log_prob"][at], step["log_prob"])
            close(row["top_log_probs"][at], [log_prob for _, log_prob in step["top"]])
            assert row["top_tokens"][at] == [token for token, _ in step["top"]]
            windows = [look.get("window", step["window"]) for look in step["looks"]]
            assert [*zip(row["first"][at], row["last"][at], strict=True)] == [tuple(w or (None, None)) for w in windows]
            centers = [look.get("center", step["center"]) for look in step["looks"]]
            assert [center is None for center in row["center"][at]] == [center is None for center in centers]
            close([c or 0 for c in row["center"][at]], [c or 0 for c in centers])
            close_lists(row["own_weights"][at], [look["weights"] for look in step.get("own", [])])
        for head, look in zip(row["encoder_weights"], record.get("encoder", []), strict=True):
            close(head, look["weights"])


def close(found: object, expected: object) -> None:
    np.testing.assert_allclose(np.array(found, float), np.array(expected, float), rtol=1e-5, atol=2e-6)


def close_lists(found: list, expected: list) -> None:
    for one, other in zip(found, expected, strict=True):
        close(one, other)


def test_transformers_have_self_attention_and_local_models_have_centers(transformer, local, tmp_path):
    """The comparison above is not one of empty lists."""
    for name, model in {"transformer": transformer, "local": local}.items():
        assert written(model, tmp_path / name).status == 0
    heads, windowed = rows_of(tmp_path / "transformer")[0], rows_of(tmp_path / "local")[0]
    assert len(heads["layer"]) > 1
    assert [len(step[0]) for step in heads["own_weights"]] == [*range(1, len(heads["target"]) + 1)]
    assert np.array(heads["encoder_weights"]).shape[1:] == (len(heads["source"]),) * 2
    assert windowed["center"][0][0] is not None
    assert windowed["encoder_weights"] == []


def test_edits_of_single_sentences_are_in_the_settings_of_their_rows(local):
    plain = translate(load(local), "a b c")
    edited = translate(load(local), "a b c", edits=[{"kind": "weights", "step": 0, "weights": [1, 0, 0]}])
    found = table([plain, edited]).to_pylist()
    assert [json.loads(row["settings"]).get("edits") for row in found] == [None, edited.settings["edits"]]
    assert found[1]["weights"][0] == [[1, 0, 0]]
    assert found[0]["weights"][0] != [[1, 0, 0]]


def test_an_ensemble_has_a_row_of_weights_for_each_member(local, tmp_path):
    model = Ensemble([load(local), load(local)])
    rows = table([translate(model, "a b c")]).to_pylist()
    assert (rows[0]["layer"], rows[0]["head"]) == ([0, 0], [0, 1])
    close(rows[0]["weights"][0][0], rows[0]["weights"][0][1])


def test_datasets_and_pandas_read_the_table(local, tmp_path):
    assert written(local, tmp_path / "t.parquet").status == 0
    own = pq.read_table(tmp_path / "t.parquet")
    loaded = datasets.load_dataset(
        "parquet", data_files=str(tmp_path / "t.parquet"), split="train", cache_dir=str(tmp_path / "cache")
    )
    assert loaded.column_names == own.column_names
    assert loaded[:] == own.to_pydict()
    words = own.to_pandas().explode(OF_WORDS)
    full = words[words["target"].notna()]
    targets = [token for row in own.to_pylist() for token in row["target"]]
    assert full["target"].tolist() == targets
    assert all(len(row["weights"][0]) == len(row["source"]) for _, row in full.iterrows())


def test_lines_are_written_in_row_groups_and_read_as_they_are_needed(local, tmp_path):
    taken: list[str] = []
    model, seen = load(local), []

    def lines() -> Iterator[str]:
        for text in TEXT:
            taken.append(text)
            yield text

    def traced(group: list[str], first: int) -> list[Trace | None]:
        seen.append((first, len(taken)))
        return [translate(model, text) if text else None for text in group]

    assert write_table(tmp_path / "t.parquet", lines(), model, run_of(model), traced) == len(TEXT)
    assert seen == [(0, 3), (3, 6), (6, 8)]
    found = pq.ParquetFile(tmp_path / "t.parquet").metadata
    assert [found.row_group(i).num_rows for i in range(found.num_row_groups)] == [3, 3, 2]
    assert files_under(tmp_path).keys() == {"t.parquet"}


@pytest.fixture
def interrupted(local, tmp_path, monkeypatch) -> Path:
    """The path of a table whose writing was interrupted in its third group."""
    path, groups = tmp_path / "t.parquet", []

    def write(parts: object, number: int, *rest: object) -> None:
        if number == 2:
            raise KeyboardInterrupt
        groups.append(number)
        return whole(parts, number, *rest)

    whole = tables._Parts.write
    with monkeypatch.context() as patch:
        patch.setattr(tables._Parts, "write", write)
        found = written(local, path)
    assert (found.status, found.err) == (130, "interrupted; run the same command again to continue\n")
    assert groups == [0, 1]
    assert files_under(tmp_path).keys() == {
        "t.parquet.parts",
        "t.parquet.parts/000000.parquet",
        "t.parquet.parts/000001.parquet",
    }
    return path


def test_an_interrupted_run_continues_after_its_complete_groups(local, interrupted, tmp_path, monkeypatch):
    (tmp_path / "whole").mkdir()
    assert written(local, tmp_path / "whole" / "t.parquet").status == 0
    groups = []
    whole = tables._Parts.write
    monkeypatch.setattr(
        tables._Parts, "write", lambda parts, number, *rest: groups.append(number) or whole(parts, number, *rest)
    )
    found = written(local, interrupted)
    assert (found.status, found.err, groups) == (0, "", [2])
    assert pq.read_table(interrupted).equals(pq.read_table(tmp_path / "whole" / "t.parquet"), check_metadata=True)
    assert files_under(tmp_path).keys() == {"t.parquet", "whole", "whole/t.parquet"}


def test_a_finished_table_is_not_computed_again(local, tmp_path, monkeypatch):
    assert written(local, tmp_path / "t.parquet").status == 0
    before = files_under(tmp_path)
    monkeypatch.setattr("attn_core.cli.translate.traced", lambda _, texts, **__: pytest.fail("it was") if texts else [])
    found = written(local, tmp_path / "t.parquet")
    assert (found.status, found.err) == (0, f"{tmp_path / 't.parquet'} has the traces of all 8 lines already\n")
    assert files_under(tmp_path) == before


OTHERS = {
    "model": ("reads_eos", [], TEXT, "with another model (local instead of eos)"),
    "window": ("local", ["--half-width", 1], TEXT, "with another half width (2 instead of 1)"),
    "beam": ("local", ["--beam", 2], TEXT, "with another beam (1 instead of 2)"),
    "option": ("local", ["--tokenized"], TEXT, "with another tokenized (False instead of True)"),
    "precision": ("local", ["--precision", "bf16"], TEXT, "with another precision (fp32 instead of bf16)"),
    "line": ("local", [], (*TEXT[:4], "a", *TEXT[5:]), "of another text (from line 4 on)"),
    "fewer lines": ("local", [], TEXT[:5], "of another text (from line 4 on)"),
}


@pytest.mark.parametrize("case", OTHERS)
@pytest.mark.parametrize("state", ["interrupted", "finished"])
def test_a_table_of_another_run_is_refused_in_one_line(case, state, request, local, tmp_path):
    if state == "interrupted":
        path = request.getfixturevalue("interrupted")
    else:
        path = tmp_path / "t.parquet"
        assert written(local, path).status == 0
    before = files_under(tmp_path)
    name, options, text, how = OTHERS[case]
    found = written(request.getfixturevalue(name), path, *options, text=lines_of(*text))
    where, advice = (
        (path, "replace it with --force") if state == "finished" else (f"{path}.parts", "delete that folder")
    )
    assert found.status == 1
    assert found.err == f"error: {where} has traces of another run, {how}; choose another file, or {advice}\n"
    assert files_under(tmp_path) == before


def test_other_weights_of_the_same_model_are_another_run(local, tmp_path):
    model = load(local)
    first = run_of(model)
    with torch.no_grad():
        next(iter(model.parameters())).add_(1e-3)
    assert run_of(model)["weights"] != first["weights"]
    traced = lambda group, _: [translate(model, text) for text in group]  # noqa: E731
    write_table(tmp_path / "t.parquet", ["a b"], model, first, traced)
    with pytest.raises(ValueError, match=r"has traces of another run, with another weights; choose"):
        write_table(tmp_path / "t.parquet", ["a b"], model, run_of(model), traced)


def test_more_lines_than_a_finished_table_has_are_another_text(local, tmp_path):
    path = tmp_path / "t.parquet"
    assert written(local, path, text=lines_of(*TEXT[:6])).status == 0
    for count in (3, 9):
        found = written(local, path, text=lines_of(*(TEXT * 2)[:count]))
        assert "of another text (from line " in found.err
    assert written(local, path, "--force", text=lines_of(*TEXT[:3])).status == 0
    assert len(rows_of(path)) == 3


def test_files_of_others_are_never_replaced(local, tmp_path, interrupted):
    foreign = tmp_path / "notes.parquet"
    foreign.write_text("mine")
    found = written(local, foreign)
    assert found.err == (
        f"error: {foreign} was not written by this command, so it is not replaced; choose another file, or replace it "
        "with --force (in Python, force=True)\n"
    )
    (tmp_path / "t.parquet.parts" / "notes.txt").write_text("mine")
    found = written(local, interrupted)
    assert found.err == (
        f"error: {interrupted}.parts contains notes.txt, which this command did not write; move it away\n"
    )
    (tmp_path / "u.parquet.parts").write_text("mine")
    found = written(local, tmp_path / "u.parquet")
    assert "u.parquet.parts is a file, where the parts of" in found.err
    assert foreign.read_text() == (tmp_path / "u.parquet.parts").read_text() == "mine"


def test_a_line_that_cannot_be_translated_is_named_and_complete_groups_stay(tmp_path):
    model = saved(tmp_path / "location", score="location", width=40)
    path = tmp_path / "t.parquet"
    failing = ["a b", "b", "c", "d", "a b " * 21, "e"]
    found = written(model, path, text=lines_of(*failing))
    assert found.status == 1
    assert found.err.startswith("error: standard input, line 5: the location score has weights for 40 positions")
    assert [*files_under(tmp_path / "t.parquet.parts")] == ["000000.parquet"]
    assert written(model, path, text=lines_of(*failing[:4], "a", "e")).status == 0
    assert [row["text"] for row in rows_of(path)] == [*failing[:4], "a", "e"]


def test_an_empty_input_is_an_empty_table(local, tmp_path):
    found = written(local, tmp_path / "t.parquet", text="")
    assert (found.status, found.err) == (0, "warning: standard input is empty\n")
    assert pq.read_table(tmp_path / "t.parquet").num_rows == 0
    assert pq.read_schema(tmp_path / "t.parquet").names[:3] == ["line", "text", "translation"]


def test_the_bar_knows_how_much_of_a_file_is_left(tmp_path, monkeypatch):
    (tmp_path / "text").write_text(lines_of("ä b", "c"), "utf-8")
    with (tmp_path / "text").open() as file:
        monkeypatch.setattr(sys, "stdin", file)
        assert bytes_left() == 7
        file.buffer.raw.read(5)
        assert bytes_left() == 2
    monkeypatch.setattr(sys, "stdin", None)
    assert bytes_left() is None


def test_the_text_of_a_table_has_the_warnings_of_other_text(local, tmp_path):
    found = written(local, tmp_path / "t.parquet", "--tokenized", text=lines_of("A b"))
    assert found.err == "note: 1 of 1 lines of the input was lower-cased, as the model's text was\n"


def test_recorded_settings_of_a_beam_are_those_of_the_search(local, tmp_path):
    assert written(local, tmp_path / "t.parquet", "--beam", 2).status == 0
    record = json.loads(pq.read_schema(tmp_path / "t.parquet").metadata[b"attn_core"])
    assert record["run"]["search"]["beam"] == 2
    assert record["run"]["settings"]["window"] == "local-p"
    assert len(record["groups"]) == 3
