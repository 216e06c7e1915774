"""Matrix products by oneDNN equal torch's, and are used only in the process that chose them."""

import subprocess
import sys

import pytest
import torch

CODE = """
import torch
from attn_core import processor
from attn_core.training.speed import products
from attn_core.training.speed.cpu_tuning import tune_cpu

torch.manual_seed(0)
layer = torch.nn.Linear(300, 500)
cases = {
    "plain": (torch.randn(64, 300), torch.randn(300, 500)),
    "transposed": (torch.randn(300, 64).T, torch.randn(500, 300).T),
    "cut out": (torch.randn(64, 700)[:, :300], torch.randn(300, 900)[:, :500]),
    "double": (torch.randn(64, 300).double(), torch.randn(300, 500).double()),
    "small": (torch.randn(2, 3), torch.randn(3, 4)),
    "empty": (torch.randn(0, 3), torch.randn(3, 4)),
}
before = {name: a @ b for name, (a, b) in cases.items()}
x = torch.randn(64, 300)
wanted = [layer(x).detach(), *torch.autograd.grad(layer(x).square().sum(), list(layer.parameters()))]
products.suited = lambda: processor.TABLE["AuthenticAMD", ""]
assert tune_cpu() == tune_cpu() == "onednn", "asking twice is no harm"
with torch.profiler.profile() as seen:
    found = {name: a @ b for name, (a, b) in cases.items()}
    learned = [layer(x).detach(), *torch.autograd.grad(layer(x).square().sum(), list(layer.parameters()))]
for name in cases:
    assert found[name].shape == before[name].shape
    torch.testing.assert_close(found[name], before[name], rtol=1e-5, atol=1e-4)
for one, other in zip(learned, wanted):
    torch.testing.assert_close(one, other, rtol=1e-4, atol=1e-3)
counts = {event.key: event.count for event in seen.key_averages()}
print(counts["mkldnn::_linear_pointwise"])
"""


@pytest.mark.skipif(not torch.backends.mkldnn.is_available(), reason="this torch has no oneDNN")
def test_products_are_those_of_torch():
    run = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=False)
    assert run.stdout.split() == ["5"], run.stderr  # two cases, forward twice, and the weight's gradient
    assert "Warning" not in run.stderr


CHOICES = """
from attn_core import processor
from attn_core.training.speed import products

processor.vendor = lambda: "GenuineIntel"
print(products.multiply_with(None), len(products._overrides))
print(products.multiply_with("mkl"), products.multiply_with("onednn"), products.current_library())
try:
    products.multiply_with("blas")
except ValueError as error:
    print(error)
"""


@pytest.mark.skipif(not torch.backends.mkldnn.is_available(), reason="this torch has no oneDNN")
def test_the_library_is_the_processors_or_the_one_asked_for():
    run = subprocess.run([sys.executable, "-c", CHOICES], capture_output=True, text=True, check=False)
    assert run.stdout.splitlines() == [
        "mkl 0",
        "mkl onednn onednn",
        "the library for matrix products must be mkl or onednn, not 'blas'",
    ], run.stderr


def test_tuning_can_be_imported_without_torch():
    code = (
        "import sys, attn_core.training.speed.cpu_tuning as tuning; tuning.tune_memory(); print('torch' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert run.stdout.split() == ["False"], run.stderr
