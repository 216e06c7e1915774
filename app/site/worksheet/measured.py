"""The numbers and words behind the tasks, measured in the shipped models when the worksheet is written."""

from collections import Counter
from dataclasses import dataclass
from functools import cache
from math import exp

from attn_core.data.captions import captions
from attn_core.decoding.translate import text_of, translate
from attn_core.messages import _
from attn_core.models.checkpoint import load
from attn_core.trace import Look, Trace

CATCH = captions()[0].de
VERB = "fangen"  # of CATCH: the last German word, but not the last English one
WORDS = ("mädchen", "fangen", "fisch", "hand")  # of CATCH, with one English word each
VIOLIN = "Nachts spielt ein alter Mann auf der Brücke Geige."
LONG = f"Zwei Hunde laufen durch den Schnee. {CATCH} Ein alter Mann verkauft auf dem Markt frische Blumen."
GLOBAL, ADDITIVE, DOT, LUONG = "luong-general-global", "bahdanau", "bahdanau-dot", "luong-dot-global"
LOCAL, HEADS, FEEDING = "bahdanau-local-p", "luong-general-global-heads", "luong-general-global-feed"
FIXED, ATTENDING = "luong-base-long", "luong-general-global-long"
NARROW, WIDE = 1, 50.0  # a half-width D, and a σ with which the Gaussian is almost 1 in the window


@dataclass(frozen=True)
class Weighed:
    """A source word in a step: its position from 0, its score, alignment weight, Gaussian and attention weight."""

    position: int
    word: str
    score: float
    alignment: float
    gaussian: float
    weight: float


@cache
def translated(model: str, text: str, half_width: int | None = None, sigma: float | None = None) -> Trace:
    """The translation of a sentence by a shipped model, with another window where one is given."""
    trace = translate(load(model), text, half_width=half_width, sigma=sigma)
    assert isinstance(trace, Trace)  # of one sentence
    return trace


def english(model: str, text: str) -> str:
    """The translation as running text."""
    return text_of(load(model), translated(model, text))


def step_of(trace: Trace, word: str) -> int:
    """The first step whose largest attention weight is on `word`. Raises ValueError if there is none."""
    for one in trace.words:
        look = one.step.looks[0]
        if trace.source[int(look.weights.argmax())] == word:
            return one.t
    raise ValueError(_("{model} never attends to “{word}” most").format(model=trace.model, word=word))


def look_at(trace: Trace, word: str) -> Look:
    """The attention of that step."""
    return trace.words[step_of(trace, word)].step.looks[0]


def weighed(trace: Trace, look: Look) -> list[Weighed]:
    """The source words in view, by position."""
    columns = (look.scores, look.alignment, look.focus.gaussian, look.weights)
    rows = zip(trace.source, *(column.tolist() for column in columns), look.focus.inside.tolist(), strict=True)
    return [Weighed(s, word, *numbers) for s, (word, *numbers, inside) in enumerate(rows) if inside]


def largest(trace: Trace, look: Look, count: int) -> list[Weighed]:
    """The `count` words in view with the largest scores, largest first."""
    return sorted(weighed(trace, look), key=lambda one: -one.score)[:count]


def softmax(scores: list[float]) -> list[float]:
    """What a reader gets by hand."""
    powers = [exp(score) for score in scores]
    return [power / sum(powers) for power in powers]


def aligned() -> list[tuple[int, str, int, str]]:
    """For each of WORDS the step that attends to it most: step, English word, position and German word."""
    trace = translated(ADDITIVE, CATCH)
    return sorted((t := step_of(trace, word), trace.target[t], trace.source.index(word), word) for word in WORDS)


def part_of_context(index: int = 0) -> tuple[float, float, float]:
    """At the verb: its weight, a number of its encoder state, and the same number of the context vector."""
    trace = translated(LUONG, CATCH)
    look, place = look_at(trace, VERB), trace.source.index(VERB)
    return float(look.weights[place]), float(trace.memory.states[place][index]), float(look.context[index])


def repeated(model: str) -> set[str]:
    """The words of more than three letters that a model writes more than once for VIOLIN."""
    return {word for word, n in Counter(translated(model, VIOLIN).target).items() if n > 1 and len(word) > 3}


def in_narrow_window() -> tuple[float, list[tuple[Weighed, float]]]:
    """p_t at the verb, and the words that D = 1 leaves in view, each with its Gaussian of σ = D / 2, as by hand."""
    trace = translated(LOCAL, CATCH)
    look = look_at(trace, VERB)
    assert look.focus.center is not None  # of a local model
    center = float(look.focus.center)
    words = [one for one in weighed(trace, look) if abs(one.position - int(center)) <= NARROW]
    return center, [(one, exp(-((one.position - center) ** 2) / (2 * (NARROW / 2) ** 2))) for one in words]


def sums(sigma: float | None = None) -> list[tuple[str, float]]:
    """Each word that LOCAL writes, with the sum of its attention weights."""
    words = translated(LOCAL, CATCH, sigma=sigma).words
    return [(one.token, float(one.step.looks[0].weights.sum())) for one in words]


def found_by_head() -> list[list[str]]:
    """For each head the words of WORDS to which it attends most when their translation is written."""
    trace = translated(HEADS, CATCH)
    steps = {german: trace.target.index(word) for _t, word, _s, german in aligned() if word in trace.target}
    heads = range(len(trace.words[0].step.looks))
    return [[word for word in WORDS if word in steps and _most(trace, steps[word], head) == word] for head in heads]


def best_head() -> int:
    """The head that finds the most words."""
    found = found_by_head()
    return max(range(len(found)), key=lambda head: len(found[head]))


def weight_of_head(head: int) -> float:
    """The mean of a head's weights on WORDS when their translation is written."""
    trace = translated(HEADS, CATCH)
    steps = {german: trace.target.index(word) for _t, word, _s, german in aligned() if word in trace.target}
    found = [float(trace.words[t].step.looks[head].weights[trace.source.index(word)]) for word, t in steps.items()]
    return sum(found) / len(found)


def _most(trace: Trace, step: int, head: int) -> str:
    return trace.source[int(trace.words[step].step.looks[head].weights.argmax())]
