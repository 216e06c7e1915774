"""The precision that suits a processor follows from measured rates; a wrong choice is named."""

import os
import subprocess
import sys

import pytest

from attn_core import processor
from attn_core.processor import RATES, Kind
from attn_core.training.run_state import recorded_setting
from tests.benchmarks.rates import measured, verdict


@pytest.mark.parametrize(
    ("vendor", "instructions"),
    [("", []), ("", ["bf16"]), ("GenuineIntel", []), ("GenuineIntel", ["avx512_bf16", "amx_bf16"])],
)
def test_a_processor_that_was_not_measured_gets_the_safe_choice(vendor, instructions, monkeypatch):
    """ARM's bf16 and Intel's AMX are probably fast, but an instruction's name does not say how fast it is."""
    monkeypatch.setattr(processor, "vendor", lambda: vendor)
    monkeypatch.setattr(processor.torch.cpu, "get_capabilities", lambda: dict.fromkeys(instructions, True))
    monkeypatch.setattr(processor, "onednn_has_bf16", lambda: True)
    assert not processor.multiplies_bf16()


@pytest.mark.parametrize("usable", [True, False])
def test_bf16_counts_where_onednn_may_use_it(usable, monkeypatch):
    monkeypatch.setattr(processor, "vendor", lambda: "AuthenticAMD")
    monkeypatch.setattr(processor.torch.cpu, "get_capabilities", lambda: {"avx512_bf16": True})
    monkeypatch.setattr(processor, "onednn_has_bf16", lambda: usable)
    assert processor.multiplies_bf16() == usable


def test_bf16_instructions_that_were_measured_to_be_slow_are_not_used(monkeypatch):
    monkeypatch.setattr(processor, "kind", lambda: Kind("GenuineIntel", "avx512_bf16"))
    assert processor.kind() in RATES
    assert not processor.multiplies_bf16()


@pytest.mark.slow
def test_a_processor_without_bf16_trains_in_fp32_and_says_so_once(tmp_path):
    """torch's LSTM fails in bf16 where oneDNN lacks it. Resuming with the same command works."""
    words = ["luong-general-global", "--task", "reverse", "--examples", "64", "--set", "decoder.hidden=64"]
    words += ["--set", "epochs=1", "--precision", "bf16", "--device", "cpu", "--out", str(tmp_path / "run")]
    env = os.environ | {"ONEDNN_MAX_CPU_ISA": "AVX2"}
    for more in ([], ["--resume"]):
        command = [sys.executable, "-m", "attn_core", "train", *words, *more]
        run = subprocess.run(command, capture_output=True, text=True, check=False, env=env)
        assert run.returncode == 0, run.stderr
        assert run.stderr.count("this processor cannot compute in bf16, so precision fp32 is used") == 1
    assert recorded_setting(tmp_path / "run", "precision") == "fp32"


@pytest.mark.parametrize(
    ("rates", "chosen", "wanted"),
    [
        ({"fp32": 90, "bf16": 400}, "bf16", "holds"),
        ({"fp32": 160, "bf16": 80}, "bf16", "select bf16 (GenuineIntel, no bf16), but fp32 is faster"),
        ({"fp32": 160, "bf16": 400}, "fp32", "select fp32 (GenuineIntel, no bf16), but bf16 is faster"),
        ({"fp32": 160}, "bf16", "select bf16 (GenuineIntel, no bf16), but fp32 is faster"),
        ({"fp32": 160, "bf16": 150}, "bf16", "holds"),  # within noise
    ],
)
def test_the_benchmark_names_a_wrong_choice(rates, chosen, wanted):
    found = verdict(rates, Kind("GenuineIntel", ""), chosen)
    assert wanted in found
    assert ("WRONG" in found) == (wanted != "holds")


@pytest.mark.slow
def test_every_kind_of_product_has_a_rate():
    assert all(rate > 0 for rate in measured(turns=1).values())
