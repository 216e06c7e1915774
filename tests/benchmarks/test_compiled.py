"""The comparison with torch.compile; its figures are not judged here."""

import re
import subprocess
import sys

import pytest

from tests.benchmarks import compiled


@pytest.fixture
def output(monkeypatch, capsys):
    """Runs the command; returns what it prints."""

    def run(*words):
        monkeypatch.setattr("sys.argv", ["compiled.py", *words])
        compiled.main()
        return capsys.readouterr().out

    return run


def test_a_gain_of_a_third_is_marked(output, monkeypatch):
    row = {"plain": 0.13, "compiled": 0.1, "compiling": 20.0, "next shape": 9.0}
    monkeypatch.setattr(compiled, "measured", lambda case, *rest: row | {"plain": 0.12} if case == "a" else row)
    monkeypatch.setattr(compiled.shutil, "which", lambda name: name)
    _, first, second, _ = output("--cases", "ba").splitlines()
    assert re.fullmatch(r"\(a\) +120\.0 +100\.0 +1\.20x +20\.0 s +9\.0 s", first)
    assert re.fullmatch(r"\(b\) +130\.0 +100\.0 +1\.30x .*worth a setting.*", second)


def test_bad_input_is_refused_in_one_line(output, monkeypatch, capsys):
    with pytest.raises(SystemExit):
        output("--cases", "x")
    assert "--cases takes letters of abc, not 'x'" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        output("--repeats", "0")
    assert "--repeats takes at least 1" in capsys.readouterr().err
    monkeypatch.setattr(compiled.shutil, "which", lambda name: None)
    with pytest.raises(SystemExit, match="install g\\+\\+"):
        output()


@pytest.mark.slow
@pytest.mark.skipif(not compiled.compiler(), reason="no C++ compiler is installed")
def test_both_steps_are_measured():
    command = [sys.executable, compiled.__file__, "--quick", "--cases", "c"]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    _, row, _ = run.stdout.splitlines()
    assert re.fullmatch(r"\(c\)( +\d+\.\d){2} +\d\.\d\dx( +\d+\.\d s){2}.*", row)
