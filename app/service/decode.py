"""Translate with a model, without Streamlit. It imports torch, so `cache` loads it on first use."""

import gc
import json
from dataclasses import asdict, replace
from functools import cache
from pathlib import Path
from typing import Any

import torch

from app.service.request import Request
from app.service.seeded import seeded
from attn_core.browser.limits import sentence_length
from attn_core.data.language import read
from attn_core.decoding.translate import force, text_of, translate
from attn_core.models.checkpoint import load
from attn_core.models.translator import Translator
from attn_core.trace import Trace, dump
from attn_core.training.speed.cpu_tuning import tune_cpu


def load_model(folder: Path) -> Translator:
    """The model in `folder`, ready for its first sentence. Raises CheckpointError when its files cannot be used."""
    tune_cpu()
    model = load(folder)
    model.source.tokens("Wärme die Moses-Regeln an.")
    _freeze()
    return model


@cache
def _freeze() -> None:
    """Exempt the libraries from garbage collection, which would walk all their objects each time.

    Only once, when the first model is loaded. Everything else that is alive is exempted too: if this were repeated, the
    objects of readers who leave and of models that the cache drops would never be collected.
    """
    gc.collect()  # garbage left now would be kept for good by the next line
    gc.freeze()


def translate_request(model: Translator, request: Request, **options: Any) -> dict[str, Any]:
    """The answer of a loaded model to a request, as the engine in a page gives it (browser/engine/types.d.ts, Answer).

    Hard attention samples the same positions again for the same `draw`; `options` are those of `attn_core.translate`.
    Raises ValueError for settings that the model cannot be run with.
    """
    line = model.source.moses(request.text)
    tokens = model.source.tokens(line, tokenized=True)
    words = model.source.text(tokens).split()
    reading = read(words, model.source, model.target)
    answer: dict[str, Any] = {"trace": None, "text": "", "reading": asdict(reading)}
    answer |= sentence_length(len(words), len(tokens), of_characters=model.source.of_characters)
    if answer["words"] > answer["most"] or not (reading.known or reading.unknown):
        return answer
    torch.set_num_threads(1)  # the setting is each thread's own
    with torch.inference_mode(), seeded(request.draw):
        changed = model.with_window(request.window, attention_type=request.type, live=dict(request.live))
        changed = changed.with_centers(dict(request.centers))
        options |= {"beam": request.beam, "replace_unk": request.replace_unk and changed.settings["score"] is not None}
        options |= {"normalise": request.normalise} if request.beam > 1 else {}
        trace = translate(changed, line, tokenized=True, **options)
    trace = replace(trace, settings=trace.settings | {"text": request.text})
    return answer | {"trace": json.loads(dump(trace)), "text": text_of(model, trace)}


def full_trace(model: Translator, text: str, target: str | None = None, **options: Any) -> Trace:
    """The complete trace of a translation of `text`, vectors included; with a `target` the decoder is forced to it.

    `options` are those of `attn_core.translate`, or of `force`.
    """
    torch.set_num_threads(1)
    with torch.inference_mode():
        return translate(model, text, **options) if target is None else force(model, text, target, **options)
