"""From answers of gate.py to the table: medians, ratios to the faster peer, and what was to be reached."""

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any

from tests.benchmarks.peers.text import count_words

PEERS = ("joeynmt", "onmt")
OURS = ("fp32", "best")

# How many times as fast as the faster peer ours is to be: in fp32, and in its best precision.
TRAINING = {"a": (1.35, 2.5), "b": (1.2, 2.2), "c": (1.05, 1.8)}
TRANSLATING = (1.5, 2.5)
MEGABYTES = 1000.0  # ours in fp32 is to stay below
BEAMS = {"greedy": 1, "beam 5": 5}

Answers = list[dict[str, Any]]
Found = dict[str, dict[str, Any]]  # contestant -> what was found of it


@dataclass(frozen=True)
class Row:
    """A line of the table. A contestant that is missing has no value, and a ratio without a peer is None."""

    what: str
    unit: str
    values: dict[str, float]
    ratios: dict[str, float | None]  # of ours to the faster peer; empty where a size is the target
    targets: dict[str, float]
    good: dict[str, bool | None]
    spread: dict[str, tuple[float, float]]  # lowest and highest of the repeats

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def words_per_second(answer: dict[str, Any]) -> float:
    return answer["words"] / answer["seconds"]


def sentences_per_second(answer: dict[str, Any]) -> float:
    return len(answer["lines"]) / answer["seconds"]


def padding(answers: Answers) -> float:
    """The share of target positions that held no word."""
    return 1 - sum(answer["words"] for answer in answers) / sum(answer["padded"] for answer in answers)


def race(
    what: str, unit: str, answers: dict[str, Answers], rate: Callable[[dict[str, Any]], float], goals: Iterable[float]
) -> Row:
    """Who is how fast: the median of each contestant's repeats, and ours against the faster peer."""
    rates = {who: [rate(answer) for answer in given] for who, given in answers.items() if given}
    values = {who: median(given) for who, given in rates.items()}
    base = max((values[peer] for peer in PEERS if peer in values), default=None)
    targets = dict(zip(OURS, goals, strict=True))
    ratios = {who: values[who] / base if base else None for who in OURS if who in values}
    return Row(
        what,
        unit,
        values,
        ratios,
        targets,
        {who: None if ratio is None else ratio >= targets[who] for who, ratio in ratios.items()},
        {who: (min(given), max(given)) for who, given in rates.items()},
    )


def rows(case: str, found: Found) -> list[Row]:
    """The lines of one case, as far as they were measured."""

    def of(name: str) -> dict[str, Any]:
        return {who: parts[name] for who, parts in found.items() if name in parts}

    made = []
    if training := of("train"):
        made.append(race(f"training ({case})", "words/s", training, words_per_second, TRAINING[case]))
    made += [
        race(f"{name} ({case})", "sentences/s", translating, sentences_per_second, TRANSLATING)
        for name in BEAMS
        if (translating := of(name))
    ]
    if memory := of("megabytes"):
        good = {"fp32": memory["fp32"] < MEGABYTES} if "fp32" in memory else {}
        made.append(Row(f"peak memory, training ({case})", "MB", memory, {}, {"fp32": MEGABYTES}, good, {}))
    return made


def printed(lines: list[Row], titles: dict[str, str]) -> str:
    """The table: every contestant's median, and beside ours the ratio to the faster peer and the ratio to reach."""
    head = f"{'':28}{'':>12}" + "".join(f"{titles[who]:>16}" for who in PEERS)
    head += "".join(f"{titles[who]:>12}{'x peer':>8}{'reach':>7} {'':6}" for who in OURS)
    text = [head.rstrip()]
    for row in lines:
        line = f"{row.what:28}{row.unit:>12}" + "".join(f"{number(row.values.get(who)):>16}" for who in PEERS)
        for who in OURS:
            ratio, target = row.ratios.get(who), row.targets.get(who)
            beside = "" if ratio is None else f"{ratio:.2f}"
            reach = "" if target is None else f"{target:.2f}" if target < 100 else f"<{target:.0f}"
            missed = "MISSED" if row.good.get(who) is False else ""
            line += f"{number(row.values.get(who)):>12}{beside:>8}{reach:>7} {missed:6}"
        text.append(line.rstrip())
    return "\n".join(text)


def number(value: float | None) -> str:
    return "-" if value is None else f"{value:,.0f}" if value >= 100 else f"{value:.1f}"


def sanity(case: str, found: Found, titles: dict[str, str], bleu: Callable[[list[str]], float]) -> str:
    """What shows that all learn the same: sizes, padding, loss and BLEU after one epoch, and words produced."""
    text = []
    for who, parts in found.items():
        about = parts["about"]
        line = f"({case}) {titles[who]:15}{about['parameters']:>12,} weights, vocabularies {about['vocabulary']}"
        if parts.get("train"):
            line += f"; padding {padding(parts['train']):.0%}"
        if epoch := parts.get("epoch"):
            line += f"; one epoch: {epoch['words']:,} words, loss {epoch['loss'] / epoch['words']:.3f} a word"
        for name in BEAMS:
            if parts.get(name):
                lines = parts[name][-1]["lines"]
                line += f"; {name}: {count_words(lines):,} words, BLEU {bleu(lines):.1f}"
        text.append(line)
    return "\n".join(text)
