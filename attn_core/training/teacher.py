"""Sequence-level knowledge distillation: a teacher's translations of the training text."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import quote

from attn_core.data.corpus import CorpusError, Text, blocks
from attn_core.data.text_files import Columns
from attn_core.data.tokenizer import UNK
from attn_core.decoding.beam import best_outputs
from attn_core.evaluation.evaluate import translation_text
from attn_core.files import remove_leftovers, replacing
from attn_core.models.translator import Translator

BEAM = 5


@dataclass(frozen=True, eq=False)
class Translations:
    """Parallel text: the sources of `text` with the teacher's translations (Kim & Rush 2016, section 3.2).

    They are those of a beam search of width 5, made when they are first read. Left out are sources without a word or
    too long for the teacher, and translations that are empty, have an unknown word or do not end. `on_progress(done)`
    receives the number of translated sentences, and `on_lines(lines)` the sources before they are translated.

    They are kept in `folder` and used again for the same text and teacher. They survive an interruption of the
    training and, once all are made, its failure; see run_state.clear.
    """

    text: Text
    teacher: Translator
    folder: Path
    tokenized: bool = False
    on_progress: Callable[[int], None] = lambda done: None
    on_lines: Callable[[list[str]], None] = lambda lines: None

    def lines(self, side: int) -> Iterator[str]:
        """The sentences of one side. Raises CorpusError if no translation is left."""
        path, about = self._path, self._path.with_suffix(".json")
        made_from = json.dumps(self.identity())
        if not (path.exists() and about.exists() and about.read_text("utf-8") == made_from):
            about.unlink(missing_ok=True)
            remove_leftovers(self.folder)
            with replacing(path) as part:
                with part.open("w", encoding="utf-8") as file:
                    file.writelines(self._translated())
                if not part.stat().st_size:
                    raise CorpusError(
                        f"{self.teacher.name}: no translation is usable: each is empty, has an unknown word or does "
                        "not end, or the sources have no words or too many"
                    )
            with replacing(about) as part:
                part.write_text(made_from, "utf-8")
        return Columns(path, 0, 1).lines(side)

    def _translated(self) -> Iterator[str]:
        """Lines with a source and its translation, separated by a tab, in the order of the text."""
        teacher = self.teacher
        most = teacher.limits[0]
        done = 0
        for lines in blocks(self.text.lines(0)):
            self.on_lines(lines)
            tokens = [teacher.source.tokens(line, self.tokenized) for line in lines]
            ids = {i: teacher.source_ids(words) for i, words in enumerate(tokens) if words}
            ids = {i: sentence for i, sentence in ids.items() if most is None or len(sentence) <= most}

            def report(more: int, before: int = done) -> None:
                self.on_progress(before + more)

            outputs = best_outputs(teacher, list(ids.values()), beam=BEAM, on_progress=report)
            for i, output in zip(ids, outputs, strict=True):
                words = output.text_words
                if output.ended and words and UNK not in words:
                    translation = translation_text(
                        teacher.target, [teacher.target.token(word) for word in words], self.tokenized
                    )
                    yield f"{' '.join(lines[i].split())}\t{translation}\n"
            done += len(ids)

    def names(self) -> tuple[str, str]:
        return Columns(self._path, 0, 1).names()

    def identity(self) -> dict[str, Any]:
        return {
            "text": self.text.identity(),
            "tokenized": self.tokenized,
            "beam": BEAM,
            "teacher": self._teacher,
        }

    @property
    def _path(self) -> Path:
        return self.folder / f"{quote(self.teacher.name, safe='+')}.tsv"

    @cached_property
    def _teacher(self) -> str:
        """A digest of the teacher's settings, vocabularies and weights, by which it is recognised."""
        digest = sha256(json.dumps([self.teacher.source.identity(), self.teacher.target.identity()]).encode())
        for model in getattr(self.teacher, "members", [self.teacher]):
            digest.update(json.dumps(model.config.to_json()).encode())
        for weights in self.teacher.parameters():
            digest.update(weights.detach().cpu().numpy().tobytes())
        return digest.hexdigest()[:16]
