"""The table of the comparison of time to quality: when each toolkit's scores first reach the goals."""

import math
from collections.abc import Callable, Iterable
from statistics import median
from typing import Any

from tests.benchmarks.peers.recipes import CONTENDERS, TOOLKITS, Contender
from tests.benchmarks.records import provenance

Row = dict[str, float]  # a validation: updates, words, cpu_seconds, wall_seconds, perplexity, bleu
Record = dict[str, Any]  # a finished training, see quality.py

GOALS = tuple(("perplexity", goal) for goal in (15, 10, 8)) + tuple(("bleu", goal) for goal in (25, 32, 36))
LIMIT = 60.0  # minutes
NEVER = math.inf
MINUTES = {  # by whether a run was quiet
    False: "minutes are CPU minutes of one core, since other programs ran at the same time",
    True: "minutes are wall minutes of one thread, since nothing else ran (--quiet)",
}


def crossing(rows: Iterable[Row], measure: str, goal: float, unit: str) -> float:
    """The `unit` at which `measure` first reaches the goal, interpolated between validations; NEVER if it does not."""
    sign = 1 if measure == "bleu" else -1
    before = None
    for row in rows:
        if sign * (row[measure] - goal) >= 0:
            if before is None:
                return row[unit]
            share = (goal - before[measure]) / (row[measure] - before[measure])
            return before[unit] + share * (row[unit] - before[unit])
        before = row
    return NEVER


def reached_all(rows: list[Row]) -> bool:
    return all(crossing(rows, measure, goal, "updates") < NEVER for measure, goal in GOALS)


def clock(record: Record) -> str:
    """The seconds that count: those of the wall if nothing else ran on the machine, else those of the processor."""
    return "wall_seconds" if record["quiet"] else "cpu_seconds"


def minutes(record: Record, measure: str, goal: float) -> float:
    found = crossing(record["rows"], measure, goal, clock(record)) / 60
    return found if found <= LIMIT else NEVER


def in_time(record: Record, measure: str, goal: float, unit: str) -> float:
    """The `unit` at which the goal is reached; NEVER if that takes longer than LIMIT."""
    return crossing(record["rows"], measure, goal, unit) if minutes(record, measure, goal) < NEVER else NEVER


def updates(record: Record, measure: str, goal: float) -> float:
    return in_time(record, measure, goal, "updates")


def words(record: Record, measure: str, goal: float) -> float:
    """In thousands of target words, </s> included."""
    return in_time(record, measure, goal, "words") / 1000


UNITS: dict[str, tuple[Callable[[Record, str, float], float], int]] = {
    "minutes": (minutes, 1),
    "updates": (updates, 0),
    "thousand words": (words, 0),
}


def shown(values: list[float], digits: int) -> str:
    """The median of the seeds with their range; a dash is a goal that was not reached."""

    def one(value: float) -> str:
        return "-" if value == NEVER else f"{value:,.{digits}f}"

    if not values:
        return ""
    between = f" ({one(min(values))} to {one(max(values))})" if len(values) > 1 else ""
    return one(middle(values)) + between


def middle(values: list[float]) -> float:
    """The median; of two seeds of which one has not reached the goal, NEVER."""
    return median(values) if NEVER not in values or len(values) % 2 else sorted(values)[len(values) // 2]


def ratio(ours: dict[int, float], peers: Iterable[dict[int, float]]) -> str:
    """The time of the better peer divided by ours; with ">", a lower bound, because no peer reached the goal.

    Times are by seed, and each peer is compared on the seeds that ours has too.
    """
    found = []
    for theirs in peers:
        seeds = sorted(ours.keys() & theirs.keys())
        if seeds and (own := middle([ours[seed] for seed in seeds])) < NEVER:
            found.append((middle([theirs[seed] for seed in seeds]) / own, own))
    if not found:
        return ""
    best, own = min(found)
    return f"> {LIMIT / own:.1f} x" if best == NEVER else f"{best:.2f} x"


def of(contender: Contender, records: Iterable[Record]) -> list[Record]:
    return [record for record in records if (record["toolkit"], record["recipe"]) == (contender.name, contender.recipe)]


def block(records: list[Record], unit: str) -> list[str]:
    """The lines of one case and one unit."""
    value, digits = UNITS[unit]
    lines = [
        f"  {unit:30}{'weights':>9}{'seeds':>7}" + "".join(f"{f'{measure} {goal}':>24}" for measure, goal in GOALS)
    ]
    for contender in CONTENDERS:
        if own := of(contender, records):
            about = own[-1]["about"]
            weights = f"{about['parameters'] / 1e6:.1f} M"
            cells = [shown([value(record, *goal) for record in own], digits) for goal in GOALS]
            title = f"{contender.title}, {about['precision']}"
            lines.append(f"  {title:30}{weights:>9}{len(own):7}" + "".join(f"{cell:>24}" for cell in cells))
    return [line.rstrip() for line in lines]


def ratios(records: list[Record]) -> list[str]:
    """The lines with the time of the better peer, divided by that of each of ours."""
    peers = [contender for contender in CONTENDERS if not contender.ours and of(contender, records)]
    toolkits = list(dict.fromkeys(contender.toolkit for contender in peers))
    better = "better peer" if len(toolkits) > 1 else "".join(TOOLKITS[one].title.split()[0] for one in toolkits)
    lines = []
    for contender in CONTENDERS:
        if contender.ours and (own := of(contender, records)):
            cells = []
            for goal in GOALS:
                times, *others = (
                    {record["seed"]: minutes(record, *goal) for record in of(who, records)}
                    for who in (contender, *peers)
                )
                cells.append(ratio(times, others))
            if any(cells):
                title = f"{better} / {contender.title}, {own[-1]['about']['precision']}"
                lines.append(f"  {title:46}" + "".join(f"{cell:>24}" for cell in cells))
    return [line.rstrip() for line in lines]


def printed(records: list[Record], cases: dict[str, str]) -> str:
    """The tables as text, one for each processor and clock; `cases` are the titles of the cases."""
    lines = []
    for processor, quiet in dict.fromkeys((record["processor"], record["quiet"]) for record in records):
        here = [record for record in records if (record["processor"], record["quiet"]) == (processor, quiet)]
        lines.append(f"{processor}; {MINUTES[quiet]}")
        lines.append(f"median of the seeds (lowest to highest); -: not reached within {LIMIT:.0f} minutes")
        for case, title in cases.items():
            chosen = [one for one in here if one["case"] == case]
            if chosen:
                lines.append(f"\n({case}) {title}")
                lines += [line for unit in UNITS for line in block(chosen, unit)] + ratios(chosen)
        lines += [f"\n{processor}, {provenance(here)}", ""]
    return "\n".join(lines).rstrip()
