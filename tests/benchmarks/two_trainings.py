"""Which trains more models an hour: two trainings with one thread each, or one training with two threads?

python tests/benchmarks/two_trainings.py        (make bench-threads)
    --cases c       some of (a), (b) and (c), the models of make bench
    --seconds 20    of every turn
    --turns 3       of each of the two, in alternation
    --quick         small models and a short turn, as a check that everything runs

Prints target words a second, summed over the trainings that run at the same time, in every turn. `make models` runs two
trainings at a time (--jobs 2) where this shows that two are better.
"""

import argparse
import os
import statistics
import subprocess
import sys
from pathlib import Path
from time import perf_counter

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT)]

from tests.benchmarks.circumstances import circumstances  # noqa: E402
from tests.benchmarks.peers import cases  # noqa: E402
from tests.benchmarks.shares import Work, as_the_command_line  # noqa: E402

CORES = 2


def train(case: str, threads: int, seconds: float, quick: bool) -> None:
    """Train for some seconds from the moment that a line comes in, and print the words a second."""
    as_the_command_line(threads)
    work = Work(case, "fp32", quick)
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
    threads = str(CORES // jobs)
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


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    reader.add_argument("--cases", default="c", help="some of abc")
    reader.add_argument("--seconds", type=float, default=20, help="of every turn (20)")
    reader.add_argument("--turns", type=int, default=3, help="of each of the two (3)")
    reader.add_argument("--quick", action="store_true", help="small models and a short turn: does everything run?")
    reader.add_argument("--train", help=argparse.SUPPRESS)
    reader.add_argument("--threads", type=int, default=1, help=argparse.SUPPRESS)
    options = reader.parse_args()
    if options.train:
        train(options.train, options.threads, options.seconds, options.quick)
        return
    if unknown := set(options.cases) - set(cases.CASES):
        reader.error(f"--cases takes some of {''.join(cases.CASES)}, not {', '.join(sorted(unknown))}")
    if options.turns < 1 or options.seconds <= 0:
        reader.error("--turns takes 1 or more, and --seconds a number above 0")
    seconds, turns = (0.5, 1) if options.quick else (options.seconds, options.turns)
    about = circumstances(("torch",))
    print(f"{about['processor']}, {about['date'][:10]}, load before {about['load_before'][0]}\n")
    print(f"{'target words a second':32}{'one, 2 threads':>16}{'two, 1 thread':>16}")
    for case in options.cases:
        rows = [[together(case, jobs, seconds, options.quick) for jobs in (1, 2)] for _ in range(turns)]
        for one, two in rows:
            print(f"({case}){'':29}{one:16,.0f}{two:16,.0f}")
        one, two = (statistics.median(column) for column in zip(*rows, strict=True))
        print(f"({case}) median, and two by one{'':6}{one:16,.0f}{two:16,.0f}{two / one:8.2f}")


if __name__ == "__main__":
    main()
