"""Measure what each speed measure of training on a CPU gains alone, in turns with and without it.

python -m tests.benchmarks gains
    --only a,b          only these measures (measures.py has all of them)
    --seconds N         of turns for each line of the table (12); a whole run then takes at most 15 minutes
    --quick             small batches, one turn of one update: a check that every measure can be switched
    --table             measure nothing; print the tables of all stored runs

Two processes train the same small preset on the same random text, tuned as the command line tunes its own process, one
of them without the measure. They take turns, each one waiting while the other trains, and the one that begins changes
at every turn. The gain is the time without the measure divided by the time with it: the median over the turns, with the
lowest and the highest. Peak memory is that of the whole process. A measure is worth its code with a gain of 1.05 or
more, in time or in memory.

The first update of each process is traced: a measure that runs in both processes, or in none, is reported. A whole run
is appended, with processor, date and commit, to gains.jsonl beside this file; commit that file.
"""

import argparse
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Self

from tests.benchmarks.circumstances import circumstances
from tests.benchmarks.gains.measures import MEASURES, Measure
from tests.benchmarks.records import ROOT, append, commit, finished, made
from tests.robustness import busy

OUT = Path(__file__).with_name("gains.jsonl")
WORTH = 1.05
PAUSE = 0.2  # seconds between turns: threads of the other process may still be spinning
UPDATES, WARM_UP, LEAST = 4, 3, 3  # updates of a turn and before the first one; turns
WITH, WITHOUT = "with", "without"

Row = dict[str, Any]


class Worker:
    """A process that trains with a measure, or without it; see worker.py."""

    def __init__(self, *words: str):
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.benchmarks.gains.worker", *words],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.communicate()

    def train(self, threads: int, updates: int) -> dict[str, float]:
        self.process.stdin.write(f"{threads} {updates}\n")
        self.process.stdin.flush()
        return self.answer()

    def answer(self) -> dict[str, Any]:
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"{' '.join(self.process.args[3:])} ended with status {self.process.wait()}")
        return json.loads(line)


def problem(measure: Measure, ran: dict[str, Any]) -> str | None:
    """Why the gain cannot be measured; None if it can. `ran` is what the two processes ran."""
    if measure.witness and all(ran.values()):
        return f"NOT SWITCHED OFF: {measure.witness} runs in both processes"
    return "not used on this machine" if ran[WITH] == ran[WITHOUT] else None


def measured(name: str, number: int, options: argparse.Namespace) -> Iterator[Row]:
    """The rows of a measure and one of its works, one for each number of threads."""
    measure = MEASURES[name]
    about = {"measure": name, "work": measure.works[number].title}
    extent = "quick" if options.quick else "whole"
    with ExitStack() as stack:
        workers = {switch: stack.enter_context(Worker(name, str(number), switch, extent)) for switch in (WITH, WITHOUT)}
        reason = problem(measure, {switch: worker.answer()["ran"] for switch, worker in workers.items()})
        if reason:
            yield about | {"problem": reason}
            return
        stack.enter_context(busy(measure.busy))
        for threads in measure.threads[:1] if options.quick else measure.threads:
            yield about | {"threads": threads} | turns(workers, threads, options)


def turns(workers: dict[str, Worker], threads: int, options: argparse.Namespace) -> Row:
    """Milliseconds of an update, peak memory, and the gains of all turns."""
    warm_up, updates, least, seconds = (1, 1, 1, 0) if options.quick else (WARM_UP, UPDATES, LEAST, options.seconds)
    for worker in workers.values():
        worker.train(threads, warm_up)
    times: dict[str, list[float]] = {switch: [] for switch in workers}
    megabytes: dict[str, float] = {}
    order, until = list(workers), time.monotonic() + seconds
    while len(times[WITH]) < least or time.monotonic() < until:
        for switch in order:
            time.sleep(PAUSE)
            answer = workers[switch].train(threads, updates)
            times[switch].append(answer["seconds"] / updates)
            megabytes[switch] = answer["megabytes"]
        order.reverse()
    gains = [without / with_it for with_it, without in zip(times[WITH], times[WITHOUT], strict=True)]
    milliseconds = {switch: 1000 * statistics.median(each) for switch, each in times.items()}
    return {"gain": statistics.median(gains), "gains": gains, "milliseconds": milliseconds, "megabytes": megabytes}


def saved(row: Row) -> float:
    """The peak memory without the measure divided by that with it."""
    return row["megabytes"][WITHOUT] / row["megabytes"][WITH]


def line(row: Row) -> str:
    start = f"{row['measure']:20}{row['work']:60}"
    if "problem" in row:
        return f"{start}  {row['problem']}"
    gains = f"{row['gain']:.2f} ({min(row['gains']):.2f} to {max(row['gains']):.2f})"
    times, memory = (
        "".join(f"{each[switch]:9.0f}" for switch in (WITH, WITHOUT))
        for each in (row["milliseconds"], row["megabytes"])
    )
    return f"{start}{row['threads']:8}{gains:>22}{times}{saved(row):8.2f}{memory}"


def table(rows: list[Row]) -> str:
    """The rows, and the measures that gain less than WORTH in all of them."""
    head = f"{'measure':20}{'work':60}{'threads':>8}{'gain':>22}{'ms with':>9}{'without':>9}"
    head += f"{'memory':>8}{'MB with':>9}{'without':>9}"
    best: dict[str, float] = {}
    for row in rows:
        if "problem" not in row:
            best[row["measure"]] = max(best.get(row["measure"], 0), row["gain"], saved(row))
    low = [name for name, gain in best.items() if gain < WORTH]
    return "\n".join([head, *map(line, rows), f"Below {WORTH}, in time and in memory: {', '.join(low) or 'none'}."])


def arguments() -> argparse.Namespace:
    reader = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    reader.add_argument("--only", default="", help=f"some of {', '.join(MEASURES)}")
    reader.add_argument("--seconds", type=float, default=12, help="of turns for each line of the table (12)")
    reader.add_argument("--quick", action="store_true", help="one turn of one update: a check that everything runs")
    reader.add_argument("--table", action="store_true", help="measure nothing; print the tables of all stored runs")
    options = reader.parse_args()
    options.only = [name for name in options.only.split(",") if name]
    if unknown := set(options.only) - MEASURES.keys():
        reader.error(f"--only takes some of {', '.join(MEASURES)}, not {', '.join(sorted(unknown))}")
    return options


def main() -> int:
    options = arguments()
    if options.table:
        print(
            "\n\n".join(f"{table(record['rows'])}\n{made(record)}" for record in finished(OUT))
            or "No run is stored yet."
        )
        return 0
    record = circumstances(("torch",)) | {"commit": commit(), "seconds": options.seconds}
    rows: list[Row] = []
    for name, measure in MEASURES.items():
        if options.only and name not in options.only:
            continue
        for number in range(len(measure.works)):
            for row in measured(name, number, options):
                rows.append(row)
                print(line(row), flush=True)
    print(f"\n{table(rows)}\n{made(record)}")
    failed = any("NOT SWITCHED OFF" in row.get("problem", "") for row in rows)
    if not (options.quick or options.only or failed):
        append(OUT, record | {"rows": rows})
        print(f"appended to {OUT.relative_to(ROOT)}; commit this file")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
