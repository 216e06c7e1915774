"""Every benchmark can be imported, since the long ones are not run for every change."""

import importlib
from pathlib import Path

import pytest

HERE = Path(__file__).parent
# These run in the environments of the toolkits that they drive.
THEIRS = {"peers.joeynmt", "peers.onmt"}
NAMES = {
    ".".join(path.relative_to(HERE).with_suffix("").parts)
    for path in HERE.rglob("*.py")
    if not path.name.startswith(("test_", "__init__"))
}


@pytest.mark.parametrize("name", sorted(NAMES - THEIRS))
def test_a_benchmark_can_be_imported(name):
    importlib.import_module(f"tests.benchmarks.{name}")
