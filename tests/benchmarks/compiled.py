"""Does torch.compile make a training step faster? Compare both on the CPU, alternately.

python tests/benchmarks/compiled.py         (make bench-compiled; needs a C++ compiler, such as g++)
    --cases abc      some of (a) additive attention, GRU; (b) general, LSTM, input feeding; (c) b without feeding
    --repeats N      of every measurement (7); the table has their medians
    --quick          small models: a check that everything runs

One thread, fp32 and torch's own matrix products, since the compiler cannot see our choice of library (products.py). The
step is that of make bench-shares on one batch, in CPU time. torch compiles each shape of batch anew: `compiling` is the
wall time until the first step of the first shape has run, `next shape` that of a second shape.
"""

import argparse
import math
import shutil
import statistics
import sys
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT)]

from tests.benchmarks.circumstances import circumstances  # noqa: E402
from tests.benchmarks.peers.cases import CASES  # noqa: E402

WORTHWHILE = 1.3  # the smallest gain that would justify a setting


def compiler() -> bool:
    """Whether torch.compile has a C++ compiler here."""
    return any(map(shutil.which, ("g++", "clang++", "c++")))


def seconds(work: Any, loss: Any, batch: Any) -> float:
    """The processor's time for one update."""
    began = process_time()
    work.update(loss, *batch)
    return process_time() - began


def measured(case: str, repeats: int, quick: bool) -> dict[str, float]:
    """Seconds per step, plain and compiled, and seconds to compile two shapes of batch."""
    import torch

    from attn_core.data.corpus import make_batch
    from tests.benchmarks.shares import Work

    torch._dynamo.reset()
    work = Work(case, "fp32", quick)
    work.model.train()
    plain, compiled = work.model.loss, torch.compile(work.model.loss, dynamic=False)
    found = {}
    for name, batch in (("compiling", work.batches[1]), ("next shape", work.batches[2])):
        began = perf_counter()
        work.update(compiled, *batch)
        found[name] = perf_counter() - began
    work.model.eval()
    values = [loss(make_batch(*work.batches[1])).item() for loss in (plain, compiled)]
    if not math.isclose(*values, rel_tol=1e-4):
        raise SystemExit(f"({case}): the compiled loss is {values[1]:.6g}, the plain one {values[0]:.6g}")
    work.model.train()
    turns: dict[str, list[float]] = {"plain": [], "compiled": []}
    for loss in (plain, compiled) * 3:  # warm up
        seconds(work, loss, work.batches[1])
    for _ in range(repeats):
        for times, loss in zip(turns.values(), (plain, compiled), strict=True):
            times.append(seconds(work, loss, work.batches[1]))
    return found | {name: statistics.median(times) for name, times in turns.items()}


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    reader.add_argument("--cases", default="".join(CASES), help="some of abc")
    reader.add_argument("--repeats", type=int, default=7, help="of every measurement (7)")
    reader.add_argument("--quick", action="store_true", help="small models: a check that everything runs")
    options = reader.parse_args()
    if not options.cases or set(options.cases) - set(CASES):
        reader.error(f"--cases takes letters of {''.join(CASES)}, not {options.cases!r}")
    if options.repeats < 1:
        reader.error("--repeats takes at least 1")
    if not compiler():
        sys.exit("torch.compile needs a C++ compiler: install g++ (Debian: apt-get install g++)")
    import torch

    torch.set_num_threads(1)
    torch._dynamo.config.recompile_limit = 64
    print(f"{'ms a step':12}{'plain':>10}{'compiled':>10}{'gain':>8}{'compiling':>12}{'next shape':>12}", flush=True)
    for case in sorted(set(options.cases)):
        row = measured(case, options.repeats, options.quick)
        gain = row["plain"] / row["compiled"]
        line = f"({case})         {1000 * row['plain']:10.1f}{1000 * row['compiled']:10.1f}{gain:7.2f}x"
        line += f"{row['compiling']:10.1f} s{row['next shape']:10.1f} s"
        print(line + (f"  worth a setting ({WORTHWHILE} x or more)" if gain >= WORTHWHILE else ""), flush=True)
    about = circumstances(("torch",))
    version, load = about["packages"]["torch"], about["load_before"][0]
    print(f"{about['processor']}, torch {version}, {about['date'][:10]}; load {load}")


if __name__ == "__main__":
    main()
