"""Translate a view with a model, without Streamlit. It imports torch, so `cache` loads it on first use."""

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
from attn_core.messages import _
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
    gc.collect()  # garbage left now would be kept for good by the next line
    gc.freeze()  # the model and its libraries live as long as the server: no later collection need walk them
    return model


def made(model: Translator, view: View, **options: Any) -> Answer:
    """The translation of the text of `view` by a loaded model, with the view's window and attention type.

    Hard attention samples the same positions again for the same `view.draw`; `options` are those of
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
    doubt = words.doubt(reading, model.source, model.target, _("photo captions"))
    return Answer(dump(trace), text_of(model, trace), doubt, reading.unknown, _odd(view.text, trace.target))


def recorded(model: Translator, text: str, target: str | None = None, **options: Any) -> Trace:
    """The complete trace of a translation of `text`, vectors included; with a `target` the decoder is forced to it.

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
        return _("This text contains no words. Enter a German sentence above, or choose an example.")
    if len(typed) > MOST_WORDS:
        return _(
            "This sentence has {n} words (punctuation counts); the limit is {most}. The models were trained on "
            "captions of about 12 words. Enter a shorter sentence, or a part of this one."
        ).format(n=len(typed), most=MOST_WORDS)
    if not reading.known and not reading.unknown:
        return _(
            "This text contains punctuation but no words. Enter a {language} sentence, or choose an example."
        ).format(language=language)
    return ""


def _odd(text: str, produced: tuple[str, ...]) -> str:
    """A remark on a translation that was cut off, and on a text of several sentences."""
    if produced[-1] != "</s>":
        if any(token.startswith(WORD_START) for token in produced):
            message = _("The translation was cut off after {n} word pieces, the limit for this source sentence.")
        else:
            message = _("The translation was cut off after {n} words, the limit for this source sentence.")
        return message.format(n=len(produced))
    if _ENDED_INSIDE.search(text.strip()):
        return _(
            "This looks like several sentences. The models were trained on single sentences, which have a full stop "
            "only at the end."
        )
    return ""
