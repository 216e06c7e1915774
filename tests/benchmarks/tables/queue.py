"""Which runs are missing, in which order they come, and how long they take."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from attn_core.evaluation.paper_tables import Table
from tests.benchmarks.tables.models import ALIGNER, ENSEMBLE, MEMBERS, MODELS, SEEDS

Record = Mapping[str, Any]
GUESS = {ALIGNER: 2.0, ENSEMBLE: 15.0}  # minutes on one core before a run was measured
USUAL = 11.0


@dataclass(frozen=True)
class Job:
    """A run of a model (or of the aligner) with a seed."""

    model: str
    seed: int

    @property
    def name(self) -> str:
        return f"{self.model}-{self.seed}"

    @property
    def members(self) -> tuple["Job", ...]:
        """The runs whose weights it needs."""
        return tuple(Job(MEMBERS, seed) for seed in SEEDS) if self.model == ENSEMBLE else ()


def queue(table: Table) -> list[Job]:
    """All runs of a table: seed 1 of every model first, then seed 2, so that k passes give each row k seeds."""
    models = list(dict.fromkeys(row.model for row in table.rows))
    if ENSEMBLE in models:
        models = list(dict.fromkeys([*models, MEMBERS]))
    single = [Job(model, seed) for seed in SEEDS for model in models if model != ENSEMBLE]
    return [*single, *([Job(ENSEMBLE, 1)] if ENSEMBLE in models else [])]


def current(records: Iterable[Record], fingerprints: Mapping[str, str]) -> dict[Job, Record]:
    """The finished runs with today's settings, the first of each."""
    found: dict[Job, Record] = {}
    for record in records:
        if record["settings"] == fingerprints.get(record["model"]):
            found.setdefault(Job(record["model"], record["seed"]), record)
    return found


def missing(wanted: Sequence[Job], done: Iterable[Job], weights: Iterable[Job]) -> list[Job]:
    """The wanted runs that are left, in their order. `weights` are runs whose trained model is on this machine.

    Weights are not tracked: where an ensemble is still to be measured, members without weights here are trained again.
    """
    finished, here = set(done), set(weights)
    again = {member for job in wanted if job not in finished for member in job.members if member not in here}
    return [job for job in wanted if job not in finished or job in again]


def minutes(job: Job, done: Mapping[Job, Record]) -> float:
    """Expected minutes of a run on one core: the mean of its model's finished runs, or else of all trainings."""
    own = [record["cpu_minutes"] for one, record in done.items() if one.model == job.model]
    if job.model in GUESS:
        return sum(own) / len(own) if own else GUESS[job.model]
    all_of = own or [record["cpu_minutes"] for one, record in done.items() if one.model in MODELS]
    return sum(all_of) / len(all_of) if all_of else USUAL


def left(jobs: Sequence[Job], done: Mapping[Job, Record]) -> str:
    """What is left, in words."""
    hours = sum(minutes(job, done) for job in jobs) / 60
    return f"{'1 run is' if len(jobs) == 1 else f'{len(jobs)} runs are'} left, about {hours:.1f} core hours."
