"""Time training on a GPU: target words per second, and the share of the GPU's peak speed.

python -m tests.benchmarks gpu              on a GPU: some minutes (make bench-gpu)
python -m tests.benchmarks gpu --quick      small sizes, as a check that everything runs; the default without a GPU
python -m tests.benchmarks gpu --table      only print what was measured

First compares tiny models of every kind with the CPU (gpu_check.py). Then trains luong-general-local-p in its two
sizes, with and without CUDA graphs (TrainConfig.graphs), on random words in sentences as long as those of WMT, and
prints a table. Full runs are appended to gpu.jsonl beside this file. If a case fails, its reason is printed and the
others continue.
"""

import argparse
import tempfile
import time
import traceback
import warnings
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.utils.flop_counter import FlopCounterMode

from attn_core.data.corpus import Pairs, batch_order
from attn_core.data.tokenizer import Tokenizer
from attn_core.devices import best_precision, device_of
from attn_core.models.config import ModelConfig
from attn_core.models.presets import PRESETS
from attn_core.models.recipe import TrainConfig
from attn_core.models.translator import Translator
from attn_core.training.corpus_task import Loss
from attn_core.training.loop import fit
from attn_core.training.task import Event, Run
from tests.benchmarks.circumstances import circumstances, gpu
from tests.benchmarks.gpu_check import failures
from tests.benchmarks.records import ROOT, append, commit, finished
from tests.helpers.ready import ReadyTask

OUT = Path(__file__).with_name("gpu.jsonl")
PAPER = 1_000  # target words per second on a Tesla K40 (Luong 2015, section 4.1)
AIM = 100  # target, as a multiple of PAPER
MEAN, LONGEST = 25, 50  # words of a sentence; Luong 2015 omits longer ones
# Dense bf16 products in TFLOP/s from data sheets; for other GPUs only the measured peak is used.
PEAKS = {"H200": 989, "H100 PCIe": 756, "H100": 989, "A100": 312, "L40S": 362, "L4": 121, "A10G": 70}


@dataclass(frozen=True)
class Case:
    """One row of the table."""

    name: str
    model: ModelConfig
    recipe: TrainConfig
    words: int  # entries of either vocabulary
    warm: float  # seconds before it is timed; graphs are recorded as their shapes first occur


def cases(quick: bool, precision: str, on_gpu: bool) -> list[Case]:
    """Both sizes, on a GPU also with CUDA graphs."""
    found = []
    for name, title, words, warm in (
        ("luong-general-local-p", "small", 10_000, (10, 20)),
        ("luong-general-local-p-paper", "paper", 50_000, (15, 75)),
    ):
        model, recipe = PRESETS[name]
        recipe = replace(recipe, precision=precision, epochs=1_000_000, patience=0, wide=0)
        if quick:
            sizes = dict.fromkeys(("embedding", "encoder.hidden", "decoder.hidden", "attentional"), 32)
            model = model.set(sizes | {"bidirectional": False})
            words, warm, recipe = 500, (2, 2), replace(recipe, batch=16)
        found += [
            Case(f"{title}{', graphs' if graphs else ''}", model, replace(recipe, graphs=graphs), words, warm[graphs])
            for graphs in ((False, True) if on_gpu else (False,))
        ]
    return found


def corpus(pairs: int, words: int, seed: int = 1) -> Pairs:
    """Random words in sentences with WMT's mean length, targets about as long as their sources."""
    dice = np.random.default_rng(seed)
    source = np.clip(dice.gamma(4, MEAN / 4, pairs).round(), 1, LONGEST).astype(int)
    target = np.clip((source * dice.normal(1, 0.15, pairs)).round(), 1, LONGEST).astype(int)
    return Pairs(*([dice.integers(4, words, n).tolist() for n in side] for side in (source, target)))


def vocabulary(words: int, lang: str) -> Tokenizer:
    return Tokenizer.of_counts({f"w{i}": words - i for i in range(words - 4)}, lang)


class Enough(Exception):
    """Raised when the measurement is complete."""


def measured(case: Case, device: torch.device, seconds: float) -> dict[str, Any]:
    """Words per second of `fit` for `seconds`, after its warm-up."""
    torch.manual_seed(1)
    if device.type == "cuda":
        torch.cuda.reset_peak_memory_stats(device)
    sides = (vocabulary(case.words, "de"), vocabulary(case.words, "en"))
    model = Translator(case.model, *sides).to(device)
    train = corpus(case.recipe.batch * 1000, case.words)  # long epochs, because each ends with a save
    due, words, marks = time.perf_counter() + case.warm, 0, []

    def on_event(event: Event) -> None:
        nonlocal due, words
        if event.scores is not None:  # end of an epoch, whose words are already counted
            return
        words += event.words
        if time.perf_counter() >= due:
            event.total.item()  # wait for the GPU
            marks.append((words, time.perf_counter()))
            due = marks[-1][1] + seconds
            if len(marks) == 2:
                raise Enough(event)

    with tempfile.TemporaryDirectory() as folder:
        try:
            run = Run(case.model, case.recipe, Path(folder), on_event=on_event)
            fit(ReadyTask(run, model, train, Pairs([[4]], [[4]]), ["w0"]))
        except Enough as enough:
            loss = enough.args[0].loss
    (first, start), (last, end) = marks
    rate = (last - first) / (end - start)
    flops = flops_per_word(case, model, train)
    found = {"words_per_second": rate, "flops_per_word": flops, "tflops": rate * flops / 1e12, "loss": loss}
    found |= {"parameters": sum(weight.numel() for weight in model.parameters()), "times_paper": rate / PAPER}
    if device.type == "cuda":
        found["memory_gb"] = torch.cuda.max_memory_allocated() / 2**30
    return found


def flops_per_word(case: Case, model: Translator, train: Pairs) -> float:
    """FLOPs of matrix products per word, forward and backward, counted on the CPU for a batch of median length.

    Padded positions are not words, so they count as waste; the backward pass of a product is two products.
    """
    chosen = batch_order(train, 4, None, 0)
    batch = train.batch(chosen[len(chosen) // 2])
    twin = Translator(case.model, model.source, model.target).train()
    # The counter cannot see the products inside oneDNN's fused LSTM.
    with (
        warnings.catch_warnings(action="ignore"),
        torch.backends.mkldnn.flags(enabled=False),
        FlopCounterMode(display=False) as counter,
    ):
        Loss(twin, replace(case.recipe, graphs=False, precision="fp32"))(batch)
    return 3 * counter.get_total_flops() / len(batch.real)


def best_product(device: torch.device, precision: str, quick: bool) -> float:
    """The measured peak: TFLOP/s of a large matrix product."""
    n = 512 if quick or device.type == "cpu" else 8192
    kind = torch.bfloat16 if precision == "bf16" else torch.float32
    left, right = (torch.randn(n, n, device=device).to(kind) for _ in range(2))
    times = []
    for _ in range(12):
        began = time.perf_counter()
        (left @ right)[0, 0].item()  # wait for the GPU
        times.append(time.perf_counter() - began)
    return 2 * n**3 / min(times) / 1e12


def heading(record: dict[str, Any]) -> str:
    """Where it was measured, the peaks, and the head of the table."""
    where = f"{record['gpu']['name']}, CUDA {record['gpu']['cuda']}" if record["gpu"] else record["processor"]
    return (
        f"{where}, torch {record['packages']['torch']}, {record['date'][:10]}, commit {record['commit']}: "
        f"{record['precision']}; peak of a large product, measured: {record['peak_measured']:.1f} TFLOP/s; by the data "
        f"sheet: {record['peak_named'] or '-'}\n\n"
        f"{'':<16}{'words/s':>12}{'x paper':>10}{'TFLOP/s':>10}{'of measured':>13}{'of data sheet':>15}{'GiB':>7}"
    )


def line(name: str, row: dict[str, Any]) -> str:
    """A row of the table."""
    if "failed" in row:
        return f"{name:<16}failed: {row['failed'].strip().splitlines()[-1]}"
    sheet = f"{row['of_named_peak']:.1%}" if row["of_named_peak"] else "-"
    memory = f"{row['memory_gb']:.1f}" if "memory_gb" in row else "-"
    return (
        f"{name:<16}{row['words_per_second']:>12,.0f}{row['times_paper']:>10.1f}{row['tflops']:>10.3f}"
        f"{row['of_measured_peak']:>13.1%}{sheet:>15}{memory:>7}"
    )


def main() -> int:
    reader = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    reader.add_argument("--quick", action="store_true", help="small sizes, few updates: a check that everything runs")
    reader.add_argument("--table", action="store_true", help="only print what was measured")
    options = reader.parse_args()
    if options.table:
        for record in finished(OUT):
            print(heading(record), *(line(*case) for case in record["cases"].items()), sep="\n", end="\n\n")
        return 0
    device = device_of()
    quick = options.quick or device.type == "cpu"
    if device.type == "cpu":
        print("No GPU found: running small sizes on the CPU as a check. These numbers are not results.")
    wrong = failures(device)
    print("".join(f"{one}\n" for one in wrong))
    precision = best_precision(device)
    peak = best_product(device, precision, quick)
    card = gpu()
    named = next((tflops for name, tflops in PEAKS.items() if name in (card or {}).get("name", "")), None)
    found: dict[str, Any] = {}
    record = circumstances(("torch",)) | {"commit": commit(), "gpu": card, "precision": precision, "wrong": wrong}
    record |= {"peak_measured": peak, "peak_named": named, "cases": found}
    print(heading(record))
    for case in cases(quick, precision, device.type == "cuda"):
        try:
            row = measured(case, device, 3 if quick else 15)
            row |= {"of_measured_peak": row["tflops"] / peak, "of_named_peak": named and row["tflops"] / named}
        except Exception:  # noqa: BLE001  the other cases should still run
            row = {"failed": traceback.format_exc()}
        found[case.name] = row
        print(line(case.name, row), flush=True)
    print(f"\nLuong 2015 (section 4.1) trained at {PAPER:,} target words/s on a Tesla K40; the aim is {AIM} x that.")
    if not quick:
        append(OUT, record)
        print(f"appended to {OUT.relative_to(ROOT)}")
    return 1 if wrong or any("failed" in row for row in found.values()) else 0
