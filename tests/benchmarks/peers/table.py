"""The table of the comparison: medians, ratios to the faster of the other toolkits, and target ratios."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any

from attn_core.processor import multiplies_bf16
from tests.benchmarks.peers.text import count_words

PEERS = ("joeynmt", "onmt")
OURS = ("fp32", "best")

# Target ratios to the faster of the other toolkits: for fp32, and for bf16 where the processor multiplies it faster.
TRAINING = {"a": 1.8, "b": 1.45, "c": 1.3}
TRANSLATING = 1.8
MEGABYTES = 1000.0  # target for the peak memory of ours in fp32
BEAMS = {"greedy": 1, "beam 5": 5}

Answers = list[dict[str, Any]]
Found = dict[str, dict[str, Any]]  # toolkit -> its results


@dataclass(frozen=True)
class Row:
    """A line of the table. A missing toolkit has no value, and a ratio without another toolkit is None."""

    what: str
    unit: str
    values: dict[str, float]
    ratios: dict[str, float | None]  # of ours to the faster of the others; empty where the target is a size
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
    """The share of padding among the target positions."""
    return 1 - sum(answer["words"] for answer in answers) / sum(answer["padded"] for answer in answers)


def judged() -> tuple[str, ...]:
    """Those of ours that have target ratios on this processor."""
    return OURS if multiplies_bf16() else ("fp32",)


def race(
    what: str, unit: str, answers: dict[str, Answers], rate: Callable[[dict[str, Any]], float], goal: float
) -> Row:
    """A row of rates: the median of each toolkit's repeats, and the ratio of ours to the faster of the others.

    Whether a target is reached is only said if all of the others have been measured.
    """
    rates = {who: [rate(answer) for answer in given] for who, given in answers.items() if given}
    values = {who: median(given) for who, given in rates.items()}
    base = max((values[peer] for peer in PEERS if peer in values), default=None)
    both = all(peer in values for peer in PEERS)
    targets = dict.fromkeys(judged(), goal)
    ratios = {who: values[who] / base if base else None for who in OURS if who in values}
    return Row(
        what,
        unit,
        values,
        ratios,
        targets,
        {who: ratio >= goal if both and ratio else None for who, ratio in ratios.items() if who in targets},
        {who: (min(given), max(given)) for who, given in rates.items()},
    )


def rows(case: str, found: Found) -> list[Row]:
    """The measured lines of one case."""

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
    """The table as text: medians of all toolkits, and for ours the ratio to the faster of the others and its target."""
    head = f"{'':28}{'':>12}" + "".join(f"{titles[who]:>16}" for who in PEERS)
    head += "".join(f"{titles[who]:>12}{'ratio':>8}{'target':>7} {'':6}" for who in OURS)
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
    """Figures that show equal work: sizes, padding, loss and BLEU after one epoch, and output words."""
    text = []
    for who, parts in found.items():
        about = parts["about"]
        line = f"({case}) {titles[who]:15}{about['parameters']:>12,} weights, vocabularies {about['vocabulary']}"
        if parts.get("train"):
            line += f"; padding {padding(parts['train']):.0%}"
        if epoch := parts.get("epoch"):
            line += f"; one epoch: {epoch['words']:,} words, loss {epoch['loss'] / epoch['words']:.3f} per word"
        for name in BEAMS:
            if parts.get(name):
                lines = parts[name][-1]["lines"]
                line += f"; {name}: {count_words(lines):,} words, BLEU {bleu(lines):.1f}"
        text.append(line)
    return "\n".join(text)
