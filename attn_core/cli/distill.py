"""`distill`: the translations of a training text by a model or an ensemble, as training text for another model."""

from pathlib import Path
from typing import Annotated

import typer

from attn_core.cli.evaluate import bar
from attn_core.cli.options import (
    Alpha,
    Beam,
    Device,
    Model,
    Normalise,
    Precision,
    Source,
    Threads,
    Tokenized,
    use_threads,
)
from attn_core.cli.streams import print_status
from attn_core.data.corpus import CorpusError, read_lines
from attn_core.data.tokenizer import UNK
from attn_core.decoding.beam import best_words
from attn_core.devices import autocast, device_of
from attn_core.files import replacing
from attn_core.models.checkpoint import load


def distill(
    model: Model,
    source: Source,
    out: Annotated[
        Path, typer.Option("--out", metavar="PREFIX", help="Sentences and translations: PREFIX.LANG for each language.")
    ],
    tokenized: Tokenized = False,
    beam: Beam = 5,
    normalise: Normalise = "length",
    alpha: Alpha = 1.0,
    precision: Precision = None,
    device: Device = "auto",
    threads: Threads = None,
) -> None:
    """Translate a training text, so that another model can learn from these translations too.

    A single model learns more from the translations of an ensemble than from the references alone (sequence-level
    knowledge distillation, Kim & Rush 2016, section 3.2): `train --train TEXT+PREFIX` reads both. Sentences without a
    word and translations with an unknown word are left out. The default precision is fp32.
    """
    use_threads(threads)
    place = device_of(device)
    teacher = load(model).to(place)
    lines = read_lines(source)
    sentences = [tokens for line in lines if (tokens := teacher.source.tokens(line, tokenized))]
    ids = [teacher.source_ids(tokens) for tokens in sentences]
    with bar("translating", len(ids)) as on_progress, autocast(place, precision or "fp32"):
        found = best_words(teacher, ids, beam=beam, normalise=normalise, alpha=alpha, on_progress=on_progress)
    kept = [
        (tokens, [teacher.target.token(word) for word in words])
        for tokens, words in zip(sentences, found, strict=True)
        if words and UNK not in words
    ]
    if not kept:
        raise CorpusError(f"{source}: {teacher.name} has no translation without an unknown word")
    for side, vocabulary in enumerate((teacher.source, teacher.target)):
        write = vocabulary.text if tokenized else vocabulary.detokenize
        with replacing(Path(f"{out}.{vocabulary.lang}")) as part:
            part.write_text("".join(f"{write(pair[side])}\n" for pair in kept), "utf-8")
    print_status(f"{len(kept)} of {len(lines)} sentences and their translations are in {out}.*")
