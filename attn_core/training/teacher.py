"""Sequence-level knowledge distillation: a training text with the translations of a teacher."""

from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote

from attn_core.data.corpus import CorpusError, Text, blocks
from attn_core.data.text_files import Columns, Several
from attn_core.data.tokenizer import UNK
from attn_core.decoding.beam import best_outputs
from attn_core.files import replacing
from attn_core.models.translator import Translator

BEAM = 5


def with_teacher(
    text: Text,
    teacher: Translator,
    folder: Path,
    tokenized: bool = False,
    resume: bool = False,
    on_progress: Callable[[int], None] = lambda done: None,
) -> Text:
    """`text`, followed by its sources with the teacher's translations (Kim & Rush 2016, section 3.2).

    The translations are those of a beam search of width 5. Left out are sources without a word, and translations that
    are empty, have an unknown word or do not end. They are kept in `folder` for a training that is resumed: with
    `resume`, those that are there are not made again. `on_progress(done)` receives the number of translated sentences.

    Raises CorpusError if no translation is left.
    """
    path = folder / f"{quote(teacher.name, safe='+')}.tsv"
    if not (resume and path.exists()):
        with replacing(path) as part:
            with part.open("w", encoding="utf-8") as file:
                file.writelines(_lines(text, teacher, tokenized, on_progress))
            if not part.stat().st_size:
                raise CorpusError(f"{text.names()[0]}: {teacher.name} translates no sentence without unknown words")
    return Several((text, Columns(path, 0, 1)))


def _lines(text: Text, teacher: Translator, tokenized: bool, on_progress: Callable[[int], None]) -> Iterator[str]:
    """Lines with a source and its translation, separated by a tab, in the order of the text."""
    write = teacher.target.text if tokenized else teacher.target.detokenize
    done = 0
    for lines in blocks(text.lines(0)):
        tokens = [teacher.source.tokens(line, tokenized) for line in lines]
        full = [i for i, one in enumerate(tokens) if one]
        ids = [teacher.source_ids(tokens[i]) for i in full]

        def told(more: int, before: int = done) -> None:
            on_progress(before + more)

        outputs = best_outputs(teacher, ids, beam=BEAM, on_progress=told)
        for i, found in zip(full, outputs, strict=True):
            words = found.text_words
            if found.ended and words and UNK not in words:
                translation = write([teacher.target.token(word) for word in words])
                yield f"{' '.join(lines[i].split())}\t{translation}\n"
        done += len(full)
