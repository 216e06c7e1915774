"""Which trains more models an hour: two trainings with half of the cores each, or one training with all of them?

python tests/benchmarks/two_trainings.py        (make bench-threads)
    --cases ac      some of (a), (b) and (c) of make bench, here as small presets in the precision of `auto`
    --seconds 20    of every turn
    --turns 3       of each of the two, in alternation
    --quick         tiny models and a short turn, as a check that everything runs; nothing is stored
    --table         measure nothing; print all stored results

Prints target words a second, summed over the trainings that run at the same time, in every turn, and appends them, with
processor, date and commit, to two_trainings.jsonl beside this file; commit that file. `make models` runs two trainings
at a time (--jobs 2) where this shows that two are better.
"""

import argparse
import os
import statistics
import subprocess
import sys
from pathlib import Path
from time import perf_counter
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT)]

from attn_core.training.threads import usable_cores  # noqa: E402
from tests.benchmarks.circumstances import circumstances  # noqa: E402
from tests.benchmarks.peers import cases  # noqa: E402
from tests.benchmarks.records import append, commit, finished, made  # noqa: E402
from tests.benchmarks.shares import Work, as_the_command_line  # noqa: E402

OUT = Path(__file__).with_suffix(".jsonl")


def train(case: str, threads: int, seconds: float, quick: bool) -> None:
    """Train for some seconds from the moment that a line comes in, and print the words a second."""
    as_the_command_line(threads)
    import torch

    from attn_core.devices import best_precision

    work = Work(case, best_precision(torch.device("cpu")), quick, sizes="small")
    words = sum(len(y) + 1 for _, target in work.batches for y in target)
    work.train()
    print("ready", flush=True)
    sys.stdin.readline()
    began, rounds = perf_counter(), 0
    while (passed := perf_counter() - began) < seconds:
        work.train()
        rounds += 1
    print(words * rounds / passed, flush=True)


def together(case: str, jobs: int, seconds: float, quick: bool) -> float:
    """Words a second of `jobs` trainings that share the cores, summed."""
    threads = str(usable_cores() // jobs)
    command = [sys.executable, __file__, "--train", case, "--threads", threads, "--seconds", str(seconds)]
    environment = os.environ | {"OMP_NUM_THREADS": threads, "MKL_NUM_THREADS": threads, "PYTHONPATH": str(ROOT)}
    running = [
        subprocess.Popen(
            command + ["--quick"] * quick, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        for _ in range(jobs)
    ]
    for one in running:  # all are set up before the first one starts
        if not one.stdout or one.stdout.readline().strip() != "ready":
            raise RuntimeError("a training could not be set up; its message is above")
    for one in running:
        if one.stdin:
            one.stdin.write("start\n")
            one.stdin.flush()
    return sum(float(one.communicate()[0]) for one in running)


def table(record: dict[str, Any]) -> str:
    """The turns of each case, their medians, and where and when they were measured."""
    cores = record["cores"]
    heads = (f"{count}, {n} thread{'s' * (n > 1)}" for count, n in (("one", cores), ("two", cores // 2)))
    lines = [f"{'target words a second':32}" + "".join(f"{head:>16}" for head in heads)]
    for case, turns in record["turns"].items():
        lines += [f"({case}){'':29}{one:16,.0f}{two:16,.0f}" for one, two in turns]
        one, two = (statistics.median(column) for column in zip(*turns, strict=True))
        lines.append(f"({case}) median, and two by one{'':6}{one:16,.0f}{two:16,.0f}{two / one:8.2f}")
    return "\n".join([*lines, made(record)])


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    reader.add_argument("--cases", default="ac", help="some of abc")
    reader.add_argument("--seconds", type=float, default=20, help="of every turn (20)")
    reader.add_argument("--turns", type=int, default=3, help="of each of the two (3)")
    reader.add_argument("--quick", action="store_true", help="tiny models and a short turn: does everything run?")
    reader.add_argument("--table", action="store_true", help="measure nothing; print all stored results")
    reader.add_argument("--train", help=argparse.SUPPRESS)
    reader.add_argument("--threads", type=int, default=1, help=argparse.SUPPRESS)
    options = reader.parse_args()
    if options.train:
        train(options.train, options.threads, options.seconds, options.quick)
        return
    if options.table:
        print("\n\n".join(map(table, finished(OUT))) or "No result is stored yet.")
        return
    if unknown := set(options.cases) - set(cases.CASES):
        reader.error(f"--cases takes some of {''.join(cases.CASES)}, not {', '.join(sorted(unknown))}")
    if options.turns < 1 or options.seconds <= 0:
        reader.error("--turns takes at least 1, and --seconds a number above 0")
    if usable_cores() < 2:
        print("Skipped the comparison of one training with two: it needs two cores.")
        return
    seconds, turns = (0.5, 1) if options.quick else (options.seconds, options.turns)
    about = circumstances(("torch",))
    record = {name: about[name] for name in ("date", "processor", "load_before")}
    record |= {"commit": commit(), "cores": usable_cores(), "turns": {}}
    for case in options.cases:
        print(f"({case}) {cases.CASES[case].text}: {turns} x 2 turns of {seconds:g} seconds", flush=True)
        rows = [[together(case, jobs, seconds, options.quick) for jobs in (1, 2)] for _ in range(turns)]
        record["turns"][case] = [[round(rate, 1) for rate in row] for row in rows]
    print(f"\n{table(record)}")
    if not options.quick:
        append(OUT, record)


if __name__ == "__main__":
    main()
