"""The measurement of matrix products, on a processor without bf16."""

import pytest

from attn_core.processor import Kind, Suited
from tests.benchmarks import rates


@pytest.mark.parametrize("has_bf16", [True, False])
def test_bf16_is_measured_where_the_processor_has_it(has_bf16, monkeypatch):
    """An emulated product takes seconds, so the real ones are replaced by small ones."""
    monkeypatch.setattr(rates, "computes_bf16", lambda: has_bf16)
    for size in ("ROWS", "INNER", "COLUMNS"):
        monkeypatch.setattr(rates, size, 8)
    assert ("bf16" in rates.measured(turns=1)) == has_bf16


def test_a_processor_without_bf16_contradicts_only_a_table_that_gives_it_bf16():
    found = {"mkl": 75.0, "onednn": 80.0}
    assert "holds" in rates.verdict(found, Kind("AuthenticAMD", ""), Suited("onednn", bf16=False))
    assert "says bf16" in rates.verdict(found, Kind("AuthenticAMD", ""), Suited("onednn", bf16=True))
