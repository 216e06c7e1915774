"""Sequence-level knowledge distillation: a teacher's translations of the training text."""

import json
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from urllib.parse import quote

from attn_core.data.corpus import CorpusError, Text, blocks
from attn_core.data.text_files import Columns
from attn_core.data.tokenizer import UNK
from attn_core.decoding.beam import best_outputs
from attn_core.files import replacing
from attn_core.models.translator import Translator

BEAM = 5


def translations(
    text: Text,
    teacher: Translator,
    folder: Path,
    tokenized: bool = False,
    on_progress: Callable[[int], None] = lambda done: None,
) -> Text:
    """The sources of `text` with the teacher's translations (Kim & Rush 2016, section 3.2).

    They are those of a beam search of width 5. Left out are sources without a word or too long for the
    teacher, and translations that are empty, have an unknown word or do not end. `on_progress(done)` receives the
    number of translated sentences.

    They are kept in `folder` and used again for the same text and teacher. They survive an interruption of
    the training; a training that fails before its first saved state removes the folder that it created.

    Raises CorpusError if no translation is left.
    """
    path = folder / f"{quote(teacher.name, safe='+')}.tsv"
    about = path.with_suffix(".json")
    made_from = json.dumps({"text": text.identity(), "tokenized": tokenized, "teacher": _digest(teacher)})
    if not (path.exists() and about.exists() and about.read_text("utf-8") == made_from):
        about.unlink(missing_ok=True)
        with replacing(path) as part:
            with part.open("w", encoding="utf-8") as file:
                file.writelines(_lines(text, teacher, tokenized, on_progress))
            if not part.stat().st_size:
                raise CorpusError(
                    f"{teacher.name}: no translation is usable: each is empty, has an unknown word or does not end, or "
                    "the sources have no words or too many"
                )
        with replacing(about) as part:
            part.write_text(made_from, "utf-8")
    return Columns(path, 0, 1)


def _digest(teacher: Translator) -> str:
    """A digest of the weights, by which a teacher is recognised."""
    found = sha256()
    for weights in teacher.parameters():
        found.update(weights.detach().cpu().numpy().tobytes())
    return found.hexdigest()[:16]


def _lines(text: Text, teacher: Translator, tokenized: bool, on_progress: Callable[[int], None]) -> Iterator[str]:
    """Lines with a source and its translation, separated by a tab, in the order of the text."""
    write = teacher.target.text if tokenized else teacher.target.detokenize
    most = teacher.limits[0]
    done = 0
    for lines in blocks(text.lines(0)):
        tokens = [teacher.source.tokens(line, tokenized) for line in lines]
        ids = {i: teacher.source_ids(one) for i, one in enumerate(tokens) if one}
        ids = {i: one for i, one in ids.items() if most is None or len(one) <= most}

        def told(more: int, before: int = done) -> None:
            on_progress(before + more)

        outputs = best_outputs(teacher, list(ids.values()), beam=BEAM, on_progress=told)
        for i, found in zip(ids, outputs, strict=True):
            words = found.text_words
            if found.ended and words and UNK not in words:
                translation = write([teacher.target.token(word) for word in words])
                yield f"{' '.join(lines[i].split())}\t{translation}\n"
        done += len(ids)
