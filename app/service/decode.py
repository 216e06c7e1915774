"""A sentence and a model in, an answer out: the trace as JSON, or why there is none. Without Streamlit."""

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from app.service.view import MOST_LETTERS, MOST_WORDS
from attn_core.data import language as words
from attn_core.data.moses import Moses
from attn_core.data.subwords import WORD_START

_ENDED_INSIDE = re.compile(r"\w\w[.!?]\s+\w")


@dataclass(frozen=True)
class Answer:
    """What came of a sentence: the trace as JSON (empty: nothing was decoded), and what to say of it."""

    trace: str = ""
    text: str = ""  # the translation as people write it
    problem: str = ""  # why nothing was decoded, or why the translation may be nonsense
    unknown: tuple[str, ...] = ()
    note: str = field(default="", compare=False)  # what is odd about the sentence or its translation


def refused(text: str) -> str:
    """Why nobody need ask a model about this text; empty when one may be asked."""
    if not text.strip():
        return "There is no sentence yet. Type a German one above, or pick an example."
    if len(text) > MOST_LETTERS:
        return f"This text has {len(text):,} characters. One sentence of up to {MOST_WORDS} words fits here."
    return ""


def made(
    model: Any,
    text: str,
    *,
    window: str | None = None,
    half_width: int | None = None,
    sigma: float | None = None,
    read: str | None = None,
    draw: int = 0,
    **options: Any,
) -> Answer:
    """The answer of a loaded model (a Translator) through a window and with a read; None: as it was trained.

    A read that draws positions draws the same ones again for the same `draw`; other options are those of
    `attn_core.translate`.
    """
    import torch

    from attn_core import dump, text_of, translate

    line = _line(model.source.moses, text)
    typed = line.split()
    reading = words.read(typed, model.source, model.target)
    if problem := _unreadable(typed, reading, words.language(model.source)):
        return Answer(problem=problem, unknown=reading.unknown)
    torch.set_num_threads(1)  # the setting is each thread's own
    with torch.inference_mode(), torch.random.fork_rng(devices=[]):
        torch.manual_seed(draw)
        view = model.with_window(window, half_width, sigma).with_attention_type(read)
        trace = translate(view, line, tokenized=True, **options)
    note = _odd(text, trace.target)
    return Answer(
        dump(trace), text_of(model, trace), words.doubt(reading, model.source, model.target), reading.unknown, note
    )


@lru_cache(maxsize=512)
def _line(moses: Moses, text: str) -> str:
    """The tokenised line; a sentence is read once, however often its window is moved."""
    return moses(text)


def _unreadable(typed: list[str], reading: words.Reading, language: str) -> str:
    if not typed:
        return "There is no word in this text. Type a German sentence above, or pick an example."
    if len(typed) > MOST_WORDS:
        return (
            f"This sentence has {len(typed)} words (punctuation counts); the limit is {MOST_WORDS}. "
            "These models learned on captions of about 12 words. Try one sentence, or a part of it."
        )
    if not reading.known:
        if not reading.unknown:
            return f"There are only signs in this text, and no word. Type a {language} sentence, or pick an example."
        return (
            f"This does not look like {language}: the model knows none of these words "
            f"({words.named(reading.unknown)}). It would read <unk> for each, and translate nothing. "
            f"Type a {language} sentence about something one can see, or pick an example."
        )
    return ""


def _odd(text: str, said: tuple[str, ...]) -> str:
    """What the reader should know of a sentence, or of its translation, that is not as others are."""
    if said[-1] != "</s>":
        unit = "word pieces" if any(token.startswith(WORD_START) for token in said) else "words"
        count = f"{len(said)} {unit}, the limit for this source"
        return f"The model did not end its sentence; it was stopped after {count}."
    if _ENDED_INSIDE.search(text.strip()):
        return "These look like several sentences. The models read one at a time, and know full stops at its end only."
    return ""
