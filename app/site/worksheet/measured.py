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
class WordInView:
    """A source word in the view of a step: its position from 0, score, alignment weight, Gaussian, attention weight."""

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
    for target in trace.words:
        if _most_attended(trace, target.t, 0) == word:
            return target.t
    raise ValueError(_("{model} never attends to “{word}” most").format(model=trace.model, word=word))


def attention_to(trace: Trace, word: str) -> Look:
    """The attention at the first step whose largest weight is on `word`. Raises ValueError if there is none."""
    return trace.words[step_of(trace, word)].step.looks[0]


def words_in_view(trace: Trace, look: Look) -> list[WordInView]:
    """The source words in view of a step, by position."""
    columns = (look.scores, look.alignment, look.focus.gaussian, look.weights)
    rows = zip(trace.source, *(column.tolist() for column in columns), look.focus.inside.tolist(), strict=True)
    return [WordInView(s, word, *numbers) for s, (word, *numbers, inside) in enumerate(rows) if inside]


def highest_scored(trace: Trace, look: Look, count: int) -> list[WordInView]:
    """The `count` words in view with the largest scores, largest first."""
    return sorted(words_in_view(trace, look), key=lambda word: -word.score)[:count]


def softmax(scores: list[float]) -> list[float]:
    """The softmax of a few scores, as students compute it by hand."""
    powers = [exp(score) for score in scores]
    return [power / sum(powers) for power in powers]


def aligned() -> list[tuple[int, str, int, str]]:
    """For each of WORDS, in the order of the steps: step, English word, position and German word."""
    trace = translated(ADDITIVE, CATCH)
    return sorted((t := step_of(trace, word), trace.target[t], trace.source.index(word), word) for word in WORDS)


def part_of_context() -> tuple[float, float, float]:
    """At the verb: its weight, and the first numbers of its encoder state and of the context vector."""
    trace = translated(LUONG, CATCH)
    look, place = attention_to(trace, VERB), trace.source.index(VERB)
    return float(look.weights[place]), float(trace.memory.states[place][0]), float(look.context[0])


def repeated(model: str) -> set[str]:
    """The words of more than three letters that a model writes more than once for VIOLIN."""
    return {word for word, n in Counter(translated(model, VIOLIN).target).items() if n > 1 and len(word) > 3}


def in_narrow_window() -> tuple[float, list[tuple[WordInView, float]]]:
    """p_t at the verb, and the words that D = 1 leaves in view, each with its Gaussian of σ = D / 2, as by hand."""
    trace = translated(LOCAL, CATCH)
    look = attention_to(trace, VERB)
    assert look.focus.center is not None  # of a local model
    center = float(look.focus.center)
    words = [word for word in words_in_view(trace, look) if abs(word.position - int(center)) <= NARROW]
    return center, [(word, exp(-((word.position - center) ** 2) / (2 * (NARROW / 2) ** 2))) for word in words]


def weight_sums(sigma: float | None = None) -> list[tuple[str, float]]:
    """Each word that LOCAL writes, with the sum of its attention weights."""
    words = translated(LOCAL, CATCH, sigma=sigma).words
    return [(word.token, float(word.step.looks[0].weights.sum())) for word in words]


def words_by_head() -> list[list[str]]:
    """For each head the words of WORDS to which it attends most when their translation is written."""
    trace = translated(HEADS, CATCH)
    steps = _steps_of_words(trace)
    heads = range(len(trace.words[0].step.looks))
    return [[word for word, t in steps.items() if _most_attended(trace, t, head) == word] for head in heads]


def best_head() -> int:
    """The head that finds the most words."""
    words = words_by_head()
    return max(range(len(words)), key=lambda head: len(words[head]))


def weight_of_head(head: int) -> float:
    """The mean of a head's weights on WORDS when their translation is written."""
    trace = translated(HEADS, CATCH)
    steps = _steps_of_words(trace)
    weights = [float(trace.words[t].step.looks[head].weights[trace.source.index(word)]) for word, t in steps.items()]
    return sum(weights) / len(weights)


def _steps_of_words(trace: Trace) -> dict[str, int]:
    """The step of `trace` that writes the translation of each of WORDS, where it is the one in `aligned`."""
    english = {german: word for _t, word, _s, german in aligned()}
    return {word: trace.target.index(english[word]) for word in WORDS if english[word] in trace.target}


def _most_attended(trace: Trace, step: int, head: int) -> str:
    return trace.source[int(trace.words[step].step.looks[head].weights.argmax())]
