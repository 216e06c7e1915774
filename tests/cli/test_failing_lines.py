"""A line that a model cannot process is named, and what was done before it is written."""

import pytest
import torch

from attn_core.cli.failing import first_failing
from attn_core.decoding.translate import translate as traced
from tests.helpers.terminal import lines, run, saved

LONG = "a b " * 21  # the location score of `model` has weights for 40 positions
TEXT = ("a b", "", "b c", LONG, "c d")


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return saved(tmp_path_factory.mktemp("models") / "location", score="location", width=40)


@pytest.mark.parametrize("failing", [0, 1, 2, 6])
def test_the_first_of_several_failing_lines_is_found(failing):
    seen = []

    def work(start: int, end: int) -> None:
        seen.append((start, end))
        if bad := [place for place in (failing, 5) if start <= place < end]:
            raise ValueError(f"line {bad[0]}")

    place, error = first_failing(work, 0, 7)
    assert (place, str(error)) == (min(failing, 5), f"line {min(failing, 5)}")
    assert len(seen) <= 10


def test_what_fails_only_as_a_batch_is_no_line():
    def work(start: int, end: int) -> None:
        if end - start > 1:
            raise ValueError("too many")

    assert first_failing(work, 0, 4) is None


@pytest.mark.parametrize("chunk", [1, 2, 64])
@pytest.mark.parametrize("options", [[], ["--beam", "2"], ["--beam", "2", "--n-best", "2"], ["--traces"]], ids=" ".join)
def test_translations_before_a_failing_line_are_written(model, tmp_path, monkeypatch, chunk, options):
    monkeypatch.setattr("attn_core.cli.streams.CHUNK", chunk)
    traces = "--traces" in options
    before = run("translate", model, *([] if traces else options), text="a b\n\nb c\n").out
    more = [tmp_path / "traces"] if traces else []
    found = run("translate", model, *options, *more, text="".join(f"{line}\n" for line in TEXT))
    assert (found.status, found.out) == (1, before)
    assert found.err.startswith("error: standard input, line 4: the location score has weights for 40 positions")
    if traces:
        written = (tmp_path / "traces").read_text("utf-8").splitlines()
        assert [line == "null" for line in written] == [False, True, False]


def test_a_note_on_changed_lines_comes_before_the_error(model):
    found = run("translate", model, "--tokenized", text=f"A b\n{LONG}\n")
    note, error = found.err.splitlines()
    assert note == "note: 1 of 2 lines of the input was lower-cased, as the model's text was"
    assert error.startswith("error: standard input, line 2: ")


@pytest.mark.parametrize(
    "error",
    [
        MemoryError(),
        torch.OutOfMemoryError("CUDA out of memory"),
        RuntimeError(
            "[enforce fail at alloc_cpu.cpp:114] DefaultCPUAllocator: can't allocate memory: you tried 9 bytes"
        ),
    ],
)
def test_a_line_that_needs_too_much_memory_is_named(model, monkeypatch, error):
    def decode(view, texts, **options):
        if any(len(text) > 9 for text in texts):
            raise error
        return traced(view, texts, **options)

    monkeypatch.setattr("attn_core.cli.translate.traced", decode)
    found = run("translate", model, text="a b\na b a b a b\n")
    assert (found.status, found.out) == (1, run("translate", model, text="a b\n").out)
    assert found.err == (
        "error: standard input, line 2: there is not enough memory for this text; use shorter sentences or a smaller "
        "beam\n"
    )


def test_alignments_before_a_failing_pair_are_written(model, tmp_path):
    source, target = lines(tmp_path / "a", *TEXT), lines(tmp_path / "b", *["n o"] * 5)
    good = lines(tmp_path / "c", *TEXT[:3]), lines(tmp_path / "d", *["n o"] * 3)
    found = run("align", model, "--source", source, "--target", target)
    assert (found.status, found.out) == (1, run("align", model, "--source", good[0], "--target", good[1]).out)
    assert found.err.startswith(f"error: {source}, line 4 (with {target}): the location score")


@pytest.mark.parametrize("name", ["evaluate", "quantize", "card"])
def test_a_failing_pair_of_a_test_set_is_named(model, tmp_path, name):
    source, target = lines(tmp_path / "a", *TEXT), lines(tmp_path / "b", *["n o"] * 5)
    more = ["--out", tmp_path / "small"] if name == "quantize" else []
    found = run(name, model, "--source", source, "--reference", target, *more)
    assert (found.status, found.out) == (1, "")
    assert f"error: {source}, line 4 (with {target}): the location score" in found.err
    assert not (tmp_path / "small").exists()
