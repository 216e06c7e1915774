"""A model and a view in, an answer out. Without Streamlit. Torch comes with it, so `cache` loads it when asked."""

import gc
import re
from functools import lru_cache
from pathlib import Path
from typing import Any

import torch

from app.service.answer import MOST_WORDS, Answer
from app.service.view import View
from attn_core.data import language as words
from attn_core.data.moses import Moses
from attn_core.data.subwords import WORD_START
from attn_core.decoding.translate import force, text_of, translate
from attn_core.models.checkpoint import load
from attn_core.models.translator import Translator
from attn_core.trace import Trace, dump
from attn_core.training.cpu_tuning import tune_cpu

_ENDED_INSIDE = re.compile(r"\w\w[.!?]\s+\w")


def loaded(folder: Path) -> Translator:
    """The model in `folder`, ready for its first sentence. Raises CheckpointError when its files cannot be used."""
    tune_cpu()
    model = load(folder)
    model.source.tokens("Wärme die Moses-Regeln an.")
    gc.collect()  # what is garbage now would be kept for good by the next line
    gc.freeze()  # what a model and its library leave behind lives as long as the server; no later collection walks it
    return model


def made(model: Translator, view: View, **options: Any) -> Answer:
    """The answer of a loaded model to the text of `view`, through its window and with its attention type.

    Attention that draws positions draws the same ones again for the same `view.draw`; other options are those of
    `attn_core.translate`.
    """
    line = _line(model.source.moses, view.text)
    typed = line.split()
    reading = words.read(typed, model.source, model.target)
    if problem := _unreadable(typed, reading, words.language(model.source)):
        return Answer(problem=problem, unknown=reading.unknown)
    window = view.window
    torch.set_num_threads(1)  # the setting is each thread's own
    with torch.inference_mode(), torch.random.fork_rng(devices=[]):
        torch.manual_seed(view.draw)
        now = model.with_window(window.window, window.half_width, window.sigma).with_attention_type(view.attention_type)
        trace = translate(now, line, tokenized=True, beam=view.beam, replace_unk=view.replace_unk, **options)
    doubt = words.doubt(reading, model.source, model.target, "photo captions")
    return Answer(dump(trace), text_of(model, trace), doubt, reading.unknown, _odd(view.text, trace.target))


def recorded(model: Translator, text: str, target: str | None = None, **options: Any) -> Trace:
    """The whole record of a translation of `text`, vectors included; with a `target` the model is made to say that.

    `options` are those of `attn_core.translate`, or of `force`.
    """
    torch.set_num_threads(1)
    with torch.inference_mode():
        return translate(model, text, **options) if target is None else force(model, text, target, **options)


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
    if not reading.known and not reading.unknown:
        return f"There are only signs in this text, and no word. Type a {language} sentence, or pick an example."
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
