"""Synthetic tasks: sequence pairs with known alignments, for training a model in less than a minute.

`TASKS` is the registry. A task generates `Example`s: source tokens, target tokens and the gold links between them.
`TaskText` makes examples usable as a training corpus.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from string import ascii_lowercase
from typing import Any, ClassVar

import numpy as np

from attn_core.data.alignments import Alignment, Link
from attn_core.registry import Registry

TASKS: "Registry[Task]" = Registry("task")
EXAMPLES = 4000  # in training
MOST_EXAMPLES = 1_000_000  # which take a minute to draw, and about 1 GB of memory

Length = int | tuple[int, int]  # a length, or the shortest and the longest


@dataclass(frozen=True)
class Example:
    """A source, its target, and the gold links between their positions.

    A target token without a link (a hyphen in a date) has no source token; one with possible links only may come from
    any of them.
    """

    source: tuple[str, ...]
    target: tuple[str, ...]
    gold: Alignment


class Task:
    """Base class of synthetic tasks, which generate examples. Lengths are counted in `unit`s."""

    name: ClassVar[str]
    formula: ClassVar[str]
    lengths: ClassVar[tuple[int, int]] = (3, 10)  # default shortest and longest
    least: ClassVar[int] = 1
    most: ClassVar[int] = 100
    unit: ClassVar[str] = "token"

    def example(self, length: int, dice: np.random.Generator) -> Example:
        """One example of `length` units."""
        raise NotImplementedError

    def sample(self, n: int, length: Length | None = None, seed: int = 0) -> list[Example]:
        """`n` examples, determined by `seed`; lengths are uniformly distributed over the range.

        Raises ValueError for lengths that the task does not support.
        """
        low, high = self.check(length)
        dice = np.random.default_rng(seed)
        return [self.example(int(dice.integers(low, high + 1)), dice) for _ in range(n)]

    def check(self, length: Length | None) -> tuple[int, int]:
        """The shortest and longest length; defaults for None. Raises ValueError if the task does not support them."""
        low, high = (length, length) if isinstance(length, int) else length or self.lengths
        if not self.least <= low <= high <= self.most:
            raise ValueError(
                f"task {self.name} supports lengths from {self.least} to {self.most} {self.unit}s, not {low} to {high}"
            )
        return low, high


def _one_to_one(source: Collection[str], target: Collection[str], origin: Collection[int]) -> Example:
    """An example in which target position j comes from source position `origin[j]`."""
    links = frozenset((i, j) for j, i in enumerate(origin))
    return Example(tuple(source), tuple(target), Alignment(links, links))


@TASKS.add("copy")
class Copy(Task):
    """Copy a sequence of letters: the alignment is the diagonal."""

    formula = r"y_i = x_i"

    def example(self, length: int, dice: np.random.Generator) -> Example:
        source = [ascii_lowercase[i] for i in dice.integers(26, size=length)]
        return _one_to_one(source, source, range(length))


@TASKS.add("reverse")
class Reverse(Task):
    """Reverse a sequence of letters: the alignment is the antidiagonal."""

    formula = r"y_i = x_{T_x - 1 - i}"

    def example(self, length: int, dice: np.random.Generator) -> Example:
        source = [ascii_lowercase[i] for i in dice.integers(26, size=length)]
        return _one_to_one(source, source[::-1], range(length - 1, -1, -1))


@TASKS.add("sort")
class Sort(Task):
    """Sort distinct integers below 50: the position to attend to depends on the whole source."""

    formula = r"y_0 < y_1 < \dots, \quad \{y_i\} = \{x_j\}"

    most = 50

    def example(self, length: int, dice: np.random.Generator) -> Example:
        numbers = dice.permutation(self.most)[:length].tolist()
        origin = sorted(range(length), key=numbers.__getitem__)
        return _one_to_one([str(x) for x in numbers], [str(numbers[i]) for i in origin], origin)


MONTHS: tuple[str, ...] = ("january", "february", "march", "april", "may", "june", "july")
MONTHS += ("august", "september", "october", "november", "december")
SPACE = "_"  # a visible token for the spaces of a date
FIRST_DAY, LAST_DAY = date(1900, 1, 1), date(2099, 12, 31)


@TASKS.add("dates")
class Dates(Task):
    """Convert written dates to year-month-day, character by character: parts move, and month names become digits.

    Sources are `3 march 2021`, `march 3 2021`, or the same with the month cut to three letters. Digits of year and day
    are linked to the same digits, the leading 0 of a day to the day, and the digits of a month to all letters of its
    name.
    """

    formula = r"\text{3 march 2021} \to \text{2021-03-03}"

    lengths = (1, 1)
    unit = "date"
    most = 10

    def example(self, length: int, dice: np.random.Generator) -> Example:
        source: list[str] = []
        target: list[str] = []
        sure: set[Link] = set()
        possible: set[Link] = set()
        for number in range(length):
            if number:
                source.append(SPACE)
                target.append(SPACE)
            day = FIRST_DAY + timedelta(days=int(dice.integers((LAST_DAY - FIRST_DAY).days + 1)))
            name = MONTHS[day.month - 1]
            parts = {"day": str(day.day), "month": name if dice.random() < 0.5 else name[:3], "year": str(day.year)}
            order = ("day", "month", "year") if dice.random() < 0.5 else ("month", "day", "year")
            at = {}
            for place, part in enumerate(order):
                if place:
                    source.append(SPACE)
                at[part] = range(len(source), len(source) + len(parts[part]))
                source += parts[part]
            start = len(target)
            target += day.isoformat()
            sure |= {(i, start + j) for j, i in enumerate(at["year"])}
            sure |= {(i, start + 10 - len(at["day"]) + j) for j, i in enumerate(at["day"])}
            possible |= {(i, start + j) for i in at["month"] for j in (5, 6)}
            if len(at["day"]) == 1:
                possible.add((at["day"][0], start + 8))
        return Example(tuple(source), tuple(target), Alignment(frozenset(sure), frozenset(sure | possible)))


# A dictionary between two artificial languages, Sovu and Svo. In Sovu verbs come last and adjectives before their noun;
# in Svo verbs come second and adjectives after their noun.
NOUNS = {"baro": "lem", "kitu": "sar", "dena": "pov", "rumi": "gat", "solo": "dir", "pela": "num", "wiko": "hef"}
NOUNS |= {"tage": "bos", "humu": "kil", "nilo": "wam"}
ADJECTIVES = {"osar": "rin", "ubek": "tol", "iman": "fep", "aluk": "cus", "edor": "gib"}
ADVERBS = {"vai": "jo", "zeu": "ke", "moa": "ti", "lio": "ua"}
VERBS = {"takan": "zed", "wonen": "mip", "lissen": "yuk", "geben": "vox", "rufen": "qal", "sehan": "xot"}


@TASKS.add("verb-final")
class VerbFinal(Task):
    """Translate an artificial verb-final language into one with the verb after the subject.

    Adjectives precede their noun in the source and follow it in the target. Words translate one to one, so that only
    the order must be learned: the longer the sentence, the further away the verb.
    """

    formula = r"\text{S\,O\,V} \to \text{S\,V\,O}, \quad \text{A\,N} \to \text{N\,A}"

    least = 2
    most = 40

    def example(self, length: int, dice: np.random.Generator) -> Example:
        def draw(words: dict[str, str]) -> str:
            return list(words)[dice.integers(len(words))]

        left = length - 1  # the verb takes one
        phrases: list[list[str]] = []
        while left:
            kind = dice.random()
            if left > 1 and kind < 0.5:
                phrases.append([draw(ADJECTIVES), draw(NOUNS)])
            elif not phrases or kind < 0.75:
                phrases.append([draw(NOUNS)])
            else:
                phrases.append([draw(ADVERBS)])
            left -= len(phrases[-1])
        source = [word for phrase in phrases for word in phrase] + [draw(VERBS)]
        origin: list[int] = []
        start = 0
        for phrase in phrases:
            origin += range(start + len(phrase) - 1, start - 1, -1)
            start += len(phrase)
            if len(origin) == len(phrases[0]):
                origin.append(length - 1)
        dictionary = NOUNS | ADJECTIVES | ADVERBS | VERBS
        return _one_to_one(source, [dictionary[source[i]] for i in origin], origin)


@dataclass(frozen=True)
class TaskText:
    """Examples of a task as parallel text (see corpus.Text); `made_from` holds the arguments that generated them."""

    examples: list[Example]
    made_from: dict[str, Any]

    def lines(self, side: int) -> Iterator[str]:
        return (" ".join((example.source, example.target)[side]) for example in self.examples)

    def names(self) -> tuple[str, str]:
        return f"the sources of task {self.made_from['task']}", f"the targets of task {self.made_from['task']}"

    def identity(self) -> dict[str, Any]:
        return self.made_from


def draw_texts(
    name: str, examples: int = EXAMPLES, length: Length | None = None, held_out: int = 200, seed: int = 1
) -> tuple[TaskText, TaskText]:
    """Training examples of a task, and `held_out` validation examples whose sources are not in the training set.

    Raises ValueError for an unknown task, for a length that it does not support, and if all possible sources are held
    out.
    """
    task = TASKS[TASKS.check(name)]()
    if min(examples, held_out) < 1:
        raise ValueError(f"examples and held_out must be at least 1, not {min(examples, held_out)}")
    if max(examples, held_out) > MOST_EXAMPLES:
        raise ValueError(f"examples and held_out must be at most {MOST_EXAMPLES:,}, not {max(examples, held_out):,}")
    low, high = task.check(length)
    made_from = {"task": name, "examples": examples, "length": [low, high], "seed": seed, "held out": held_out}
    held = task.sample(held_out, length, seed=2 * seed + 1)
    known = {example.source for example in held}
    train = [example for example in task.sample(examples, length, seed=2 * seed) if example.source not in known]
    if not train:
        raise ValueError(
            f"all {examples} training examples of task {name} with {low} to {high} {task.unit}s are among the "
            f"{held_out} held-out ones: allow greater lengths"
        )
    return TaskText(train, made_from), TaskText(held, made_from | {"part": "held out"})
