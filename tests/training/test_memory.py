"""How much memory training may use: that of the machine, or the limit of the container if it is lower."""

import os

import pytest
import torch

from attn_core.training import memory

CPU = torch.device("cpu")


@pytest.fixture
def limits(tmp_path, monkeypatch):
    """Writes the limits of a container, by version 2 and version 1 of control groups."""
    files = tmp_path / "memory.max", tmp_path / "memory.limit_in_bytes"
    monkeypatch.setattr(memory, "LIMITS", files)

    def write(*texts: str | None) -> None:
        for path, text in zip(files, texts, strict=True):
            if text is not None:
                path.write_text(text)

    return write


def test_the_memory_is_unknown_on_windows(limits, monkeypatch):
    """Python on Windows has neither os.sysconf nor its names."""
    monkeypatch.delattr(os, "sysconf_names")
    monkeypatch.delattr(os, "sysconf")
    assert memory.available(CPU) is None


@pytest.mark.parametrize(
    ("texts", "wanted"),
    [
        ((None, None), 4096 * 1000),
        (("max\n", None), 4096 * 1000),
        (("3000000\n", None), 3_000_000),
        ((None, "2000000\n"), 2_000_000),
        ((None, "9223372036854771712\n"), 4096 * 1000),  # version 1 without a limit
    ],
)
def test_a_container_may_have_less_than_the_machine(limits, monkeypatch, texts, wanted):
    limits(*texts)
    monkeypatch.setattr(os, "sysconf_names", {"SC_PHYS_PAGES": 1, "SC_PAGE_SIZE": 2})
    monkeypatch.setattr(os, "sysconf", {"SC_PHYS_PAGES": 1000, "SC_PAGE_SIZE": 4096}.__getitem__)
    assert memory.available(CPU) == wanted
