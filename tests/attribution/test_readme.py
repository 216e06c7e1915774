"""The examples of the room's README run."""

import re

import pytest

from tests.project.rooms import ROOT

EXAMPLES = re.findall(r"```python\n(.*?)```", (ROOT / "attn_core/attribution/README.md").read_text("utf-8"), re.DOTALL)


@pytest.mark.slow
def test_every_example_of_the_readme_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    names: dict = {}
    for example in EXAMPLES:
        exec(example, names)
    assert len(EXAMPLES) == 5
    assert (tmp_path / "methods.pdf").stat().st_size > 1000
    assert "läuft" in capsys.readouterr().out
    assert names["split"].errors.abs().max() == pytest.approx(0, abs=1e-4)
