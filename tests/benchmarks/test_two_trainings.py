"""The comparison of one training with two runs to its end; its figures are not judged here."""

import re
import subprocess
import sys

import pytest

from tests.benchmarks.two_trainings import ROOT

COMMAND = [sys.executable, "tests/benchmarks/two_trainings.py"]


@pytest.mark.slow
def test_the_comparison_prints_both_sums_and_their_ratio():
    found = subprocess.run([*COMMAND, "--quick"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stderr
    last = found.stdout.splitlines()[-1]
    one, two, ratio = (float(number.replace(",", "")) for number in re.findall(r"[\d,.]+$|[\d,.]+(?=\s)", last)[-3:])
    assert one > 0
    assert two > 0
    assert ratio == pytest.approx(two / one, rel=0.01, abs=0.02)  # a starved training has few words a second


def test_an_unknown_case_is_named():
    found = subprocess.run([*COMMAND, "--cases", "cx"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert found.returncode == 2
    assert "--cases takes some of abc, not x" in found.stderr
