"""The benchmark of the dashboard runs to its end; its figures are not judged here."""

import os
import subprocess
import sys

import pytest

from tests.benchmarks.bench_app import ROOT


@pytest.mark.slow
@pytest.mark.browser
def test_the_benchmark_of_the_dashboard_measures_every_row(chromium):
    command = [sys.executable, "tests/benchmarks/bench_app.py", "--quick"]
    environment = os.environ | {"CHROMIUM": chromium}
    found = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stderr
    live = ("decode of 12 words", "another sigma in every frame: decodes")
    moving = ("playing: frames", "dragging: frames", *live, "key to picture", "slider pressed")
    opening = ("site opened", "first picture (median)", "an empty page", "first picture, score-lab")
    crowds = ("viewers, one decode", "viewers joining", "load of the server", "link copied")
    views = ("map of 100 windows", "playing a race of all scores", "corpus page: sentences measured")
    for row in (*moving, *views, *opening, *crowds, "decode of 60 words", "memory of the server", "memory of a page"):
        assert row in found.stdout
