"""The comparison of one training with two runs to its end; its figures are not judged here."""

import re
import subprocess
import sys

import pytest

from attn_core.training.threads import usable_cores
from tests.benchmarks import two_trainings
from tests.benchmarks.records import finished
from tests.benchmarks.two_trainings import ROOT

COMMAND = [sys.executable, "tests/benchmarks/two_trainings.py"]


@pytest.fixture
def compared(monkeypatch, tmp_path):
    """Runs the command, where two trainings have 1.5 times the words a second of one; returns the stored results."""

    def run(*words, cores=4):
        monkeypatch.setattr(two_trainings, "usable_cores", lambda: cores)
        monkeypatch.setattr("sys.argv", ["two_trainings.py", *words])
        two_trainings.main()
        return finished(two_trainings.OUT)

    monkeypatch.setattr(two_trainings, "OUT", tmp_path / "two_trainings.jsonl")
    monkeypatch.setattr(two_trainings, "together", lambda case, jobs, *rest: 500.0 * (jobs + 1))
    monkeypatch.setattr(two_trainings, "commit", lambda: "abc1234")
    return run


def test_results_are_stored_with_processor_date_and_commit(compared, capsys):
    assert compared("--quick") == []
    compared("--cases", "a", "--turns", "2")
    (_, found) = compared("--cases", "bc", "--turns", "1")
    assert found["turns"] == {"b": [[1000, 1500]], "c": [[1000, 1500]]}
    capsys.readouterr()
    compared("--table")
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert lines.count("target words a second one, 4 threads two, 2 threads") == 2
    assert lines.count("(a) 1,000 1,500") == 2
    assert "(c) median, and two by one 1,000 1,500 1.50" in lines
    day, where = found["date"][:10], found["processor"]
    assert [line for line in lines if line.startswith(day) and f"commit abc1234, {where}" in line]


def test_one_core_is_not_divided(compared, capsys):
    assert compared(cores=1) == []
    assert "needs two cores" in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.skipif(usable_cores() < 2, reason="two trainings need two cores")
def test_the_comparison_prints_both_sums_and_their_ratio():
    found = subprocess.run([*COMMAND, "--quick"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stderr
    last = found.stdout.splitlines()[-2]
    one, two, ratio = (float(number.replace(",", "")) for number in re.findall(r"[\d,.]+$|[\d,.]+(?=\s)", last)[-3:])
    assert one > 0
    assert two > 0
    assert ratio == pytest.approx(two / one, rel=0.01, abs=0.02)  # a starved training has few words a second


def test_an_unknown_case_is_named():
    found = subprocess.run([*COMMAND, "--cases", "cx"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert found.returncode == 2
    assert "--cases takes some of abc, not x" in found.stderr
