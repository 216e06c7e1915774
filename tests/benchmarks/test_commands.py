"""Every benchmark is listed, can be imported and shows its help; none is run here."""

import sys

import pytest

from tests.benchmarks.__main__ import COMMAND, benchmarks, main


@pytest.mark.parametrize("name", benchmarks())
def test_a_benchmark_shows_its_help(name, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["", name, "--help"])
    with pytest.raises(SystemExit) as end:
        main()
    assert end.value.code == 0
    assert f"{COMMAND} {name}" in capsys.readouterr().out


def test_the_list_has_the_first_line_of_each_module(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", [""])
    assert main() == 0
    out = capsys.readouterr().out
    assert "  tables " in out
    assert "  Time training on a GPU: target words per second, and the share of the GPU's peak speed.\n" in out
    assert all(line for line in benchmarks().values())


def test_an_unknown_name_is_an_error_with_a_close_one(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["", "half_widht"])
    assert main() == 2
    assert capsys.readouterr().err == "unknown benchmark 'half_widht' (did you mean 'half_width'?)\n"


def test_texts_that_are_not_there_are_an_error_without_a_traceback(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(sys, "argv", ["", "variants", str(tmp_path / "nowhere"), "--work", str(tmp_path / "work")])
    assert main() == 2
    assert str(tmp_path / "nowhere" / "val.lc.norm.tok.de") in capsys.readouterr().err
