"""The profiler of a step: parts of operations, recorded matrix products, and shares that sum to 1."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from torch import nn

from attn_core.attention.attention import Attention
from attn_core.attention.settings import SCORES, WINDOWS
from attn_core.models.cells import GRUCell
from attn_core.models.cross_entropy import cross_entropy
from tests.benchmarks.peers.cases import CASES
from tests.benchmarks.shares import Row, Work, precisions, table, text
from tests.benchmarks.watch import PARTS, Watch, of_lstm, operations, replay, seconds

ROOT = Path(__file__).parents[2]
PRECISIONS = precisions([])


def calls(watch):
    return {part: len(times) for part, times in watch.times.items()}


def test_forward_and_backward_operations_belong_to_the_calling_file():
    attention = Attention(SCORES.build("additive", 5, 7, hidden=3), WINDOWS.build("global", 5))
    with Watch() as watch:
        memory = attention.memory(torch.randn(2, 11, 7), torch.ones(2, 11, dtype=torch.bool))
        forward = len(watch.times["attention"])
        attention(torch.randn(2, 1, 5), memory, 0).context.sum().backward()
    assert watch.times.keys() == {"attention", "rest", "optimiser"}  # this test's own operations are the rest
    assert len(watch.times["attention"]) > 2 * forward
    assert set(watch.unknown) == {f"aten.{name}.default" for name in ("randn", "ones", "sum", "ones_like")}


def test_backward_operations_belong_to_the_part_of_their_forward_operation():
    """The backward pass through two parts in sequence has as many operations as through each part alone."""
    cell = GRUCell(5)

    def gates():
        return cell(torch.ones(2, 15), torch.ones(2, 5))

    def loss(logits):
        return cross_entropy(logits, torch.tensor([1, 2]))

    with Watch() as alone:
        gates().sum().backward()
    with Watch() as other:
        loss(torch.ones(2, 5, requires_grad=True) * 1).backward()
    with Watch() as both:
        loss(gates()).backward()
    assert calls(both)["gates"] == calls(alone)["gates"]
    assert calls(both)["loss"] == calls(other)["loss"]


def test_products_are_recorded_and_replayed():
    layer = nn.Linear(5, 3)
    with Watch() as watch:
        layer(torch.ones(7, 5, requires_grad=True)).sum().backward()
    assert len(watch.products) == 3  # the layer, the gradient of its input, and that of its weight
    assert operations(watch.products) == 3 * 2 * 7 * 5 * 3
    with Watch() as again:
        replay(watch.products)
    assert [func for func, *_ in again.products] == [func for func, *_ in watch.products]
    assert operations(again.products) == operations(watch.products)


@pytest.mark.parametrize("learn", [True, False])
def test_products_are_found_in_every_mode(learn):
    """Without gradients, torch dispatches `linear` and `matmul` as single operations."""
    layer = nn.Linear(5, 3)
    with torch.inference_mode(not learn), Watch() as watch:
        layer(torch.ones(7, 5)) @ torch.ones(3, 2)
    assert operations(watch.products) == 2 * 7 * 5 * 3 + 2 * 7 * 3 * 2


def test_fused_lstm_has_as_many_products_as_one_by_hand():
    """T = 4 steps of B = 2 rows: m = 5 inputs and n = 3 states make 4 n gates; backward, twice as many products."""
    lstm = nn.LSTM(5, 3)
    with Watch() as watch:
        states, _ = lstm(torch.randn(4, 2, 5, requires_grad=True))
        forward = operations(watch.products)
        states.sum().backward()
    whole = 2 * (4 * 2) * 12 * (5 + 3)
    assert forward == whole
    assert operations(watch.products) == 3 * whole
    assert len(of_lstm((torch.ones(4, 2, 5), *lstm.all_weights[0][:2]), back=False)) == 1 + 4


def test_kernels_that_do_nothing_take_no_time(monkeypatch):
    """The median over turns ignores an interruption; the overhead of an empty operation is subtracted."""
    monkeypatch.setattr("tests.benchmarks.watch.nothing", lambda: 0.25)
    assert seconds([{"loss": [1.0, 2.0]}, {"loss": [1.0, 2.0]}, {"loss": [9.0, 2.0]}]) == {"loss": 2.5}
    assert seconds([{"loss": [0.0, 0.0]}]) == {"loss": 0.0}


def test_shares_sum_to_one():
    row = Row("training", "a", "fp32", 2.0, {"gates": 1.0, "loss": 0.5}, 1.5, 10**9, 64.0, {})
    assert row.shares == {"gates": 0.5, "loss": 0.25, "Python": 0.25}
    assert row.reached == 0.75
    head, line = table([row]).splitlines()
    assert head.split() == ["ms", "a", "step", "gates", "loss", "Python", "products", "GFLOP/s", "reached"]
    assert line.split()[3:] == [
        *("2000.0", "50.0%", "25.0%", "25.0%"),
        *("1500.0", "1", "75%", "MISSED", "(target:", "80%)"),
    ]


def test_drawn_text_is_like_that_of_the_comparison():
    source, target = text(2000, (7800, 5900))
    assert sum(map(len, target)) / 2000 == pytest.approx(13, abs=0.5)
    assert sum(map(len, source)) / 2000 == pytest.approx(12.5, abs=0.5)
    words = [word for line in source for word in line]
    assert min(words) == 4, "no special tokens"
    assert 5000 < max(words) < 7800
    assert list(map(len, source)) == sorted(map(len, source)), "sorted by length"


@pytest.mark.quick(2)
@pytest.mark.parametrize("precision", PRECISIONS)
@pytest.mark.parametrize("case", CASES)
def test_every_operation_of_a_step_has_its_part(case, precision):
    """Fails when a new file of attn_core has no entry in PLACES; only the start of the backward pass has no part."""
    work = Work(case, precision, quick=True)
    with Watch(searching=True) as search:
        work.search(search.within)
    with Watch() as training:
        work.train(training.within)
    for watch in (search, training):
        assert watch.times.keys() <= set(PARTS)
        assert set(watch.unknown) <= {"aten.div.Tensor", "aten.ones_like.default"}
    needed = {"attention", "gates", "readout", "output layer", "embeddings"}
    assert needed | {"loss", "optimiser"} <= training.times.keys()
    assert needed | {"search", "reading"} <= search.times.keys()


@pytest.mark.slow
def test_quick_profile_writes_what_it_prints():
    command = [sys.executable, "tests/benchmarks/shares.py", "--quick", "--cases", "b", "--threads", "1"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert all(f"training (b) {precision}" in run.stdout for precision in PRECISIONS)
    path = ROOT / run.stdout.split("written to ")[1].strip()
    try:
        rows = json.loads(path.read_text("utf-8"))["rows"]
    finally:
        path.unlink()
    assert [(row["work"], row["precision"]) for row in rows] == [
        (work, precision) for work in ("training", "beam step") for precision in PRECISIONS
    ]
    assert all(row["shares"].keys() == row["parts"].keys() | {"Python"} for row in rows)
    assert all(row["operations"] > 0 for row in rows)


def test_root_that_is_no_checkout_is_named(tmp_path):
    run = subprocess.run(
        [sys.executable, "tests/benchmarks/shares.py", "--root", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 2
    assert "takes a checkout of this project" in run.stderr
