"""The table of processors: its choices follow from its rates, and a wrong one is named."""

import os
import subprocess
import sys

import pytest

from attn_core import processor
from attn_core.processor import OTHERS, TABLE, Kind, Suited
from attn_core.training.run_state import recorded_setting
from tests.benchmarks.rates import measured, verdict


@pytest.mark.parametrize("kind", TABLE)
def test_each_choice_is_the_fastest_of_the_measured_rates(kind):
    suited = TABLE[kind]
    assert suited.rates, "a kind that was not measured gets the safe choice, by being absent from the table"
    fp32 = {name: rate for name, rate in suited.rates.items() if name != "bf16"}
    if fp32:
        assert suited.products == max(fp32, key=lambda name: fp32[name])
    if "bf16" in suited.rates:
        assert suited.bf16 == (suited.rates["bf16"] > max(fp32.values()))


@pytest.mark.parametrize(
    ("vendor", "instructions"),
    [("", []), ("", ["bf16"]), ("GenuineIntel", []), ("GenuineIntel", ["avx512_bf16", "amx_bf16"])],
)
def test_a_processor_that_was_not_measured_gets_the_safe_choice(vendor, instructions, monkeypatch):
    """ARM's bf16 and Intel's AMX are probably fast, but an instruction's name does not say how fast it is."""
    monkeypatch.setattr(processor, "vendor", lambda: vendor)
    monkeypatch.setattr(processor.torch.cpu, "get_capabilities", lambda: dict.fromkeys(instructions, True))
    monkeypatch.setattr(processor, "onednn_has_bf16", lambda: True)
    assert processor.suited() == OTHERS == ("mkl", False, {})


def test_bf16_that_onednn_may_not_use_is_not_counted(monkeypatch):
    monkeypatch.setattr(processor, "vendor", lambda: "AuthenticAMD")
    monkeypatch.setattr(processor.torch.cpu, "get_capabilities", lambda: {"avx512_bf16": True})
    monkeypatch.setattr(processor, "onednn_has_bf16", lambda: False)
    assert processor.suited() == TABLE[Kind("AuthenticAMD", "")]


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
    ("rates", "choice", "wanted"),
    [
        ({"mkl": 90, "onednn": 200, "bf16": 400}, Suited("onednn", bf16=True), "holds"),
        ({"mkl": 90, "onednn": 200, "bf16": 400}, Suited("mkl", bf16=True), "says mkl, and onednn is faster"),
        ({"mkl": 160, "onednn": 150, "bf16": 80}, Suited("mkl", bf16=True), "says bf16, and the other is faster"),
        ({"mkl": 160, "onednn": 150, "bf16": 400}, Suited("mkl", bf16=False), "says fp32, and the other is faster"),
        ({"mkl": 160, "onednn": 165, "bf16": 150}, Suited("mkl", bf16=True), "holds"),  # within noise
    ],
)
def test_the_benchmark_names_what_the_table_has_wrong(rates, choice, wanted):
    found = verdict(rates, Kind("GenuineIntel", ""), choice)
    assert wanted in found
    assert ("WRONG" in found) == (wanted != "holds")


@pytest.mark.slow
def test_every_kind_of_product_has_a_rate():
    assert all(rate > 0 for rate in measured(turns=1).values())
