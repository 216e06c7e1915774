"""Parallel text from the `datasets` library: from the Hugging Face hub, its cache, or a folder of data files.

The library takes seconds to import, so import this module with `registry.load`, on first use.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import datasets

from attn_core.data.corpus import CorpusError

ROWS = 1000  # read at a time


@dataclass(frozen=True)
class Hub:
    """A split of a data set as a Text, streamed from the library's memory-mapped files."""

    name: str
    split: str
    langs: tuple[str, str]
    rows: Any  # a datasets.Dataset

    def names(self) -> tuple[str, str]:
        source, target = (f"{lang} of split {self.split!r} of data set {self.name!r}" for lang in self.langs)
        return source, target

    def identity(self) -> list[Any]:
        return [Path(self.name).name, self.split, *self.langs, len(self.rows), self.rows._fingerprint]

    def lines(self, side: int) -> Iterator[str]:
        """The sentences of one language. Raises CorpusError for a row without text."""
        number = 0
        for rows in self.rows.iter(ROWS):
            pairs = (
                rows["translation"] if "translation" in rows else zip(*(rows[lang] for lang in self.langs), strict=True)
            )
            for pair in pairs:
                sentences = tuple(pair.get(lang) for lang in self.langs) if isinstance(pair, dict) else pair
                if not (isinstance(sentences, tuple) and isinstance(sentences[side], str)):
                    raise _no_text(self.name, self.split, number, sentences)
                yield " ".join(sentences[side].splitlines())
                number += 1


def _no_text(name: str, split: str, row: int, found: Any) -> CorpusError:
    """The error of a row, counted from 0, that has `found` instead of text in each language."""
    return CorpusError(
        f"data set {name!r}, split {split!r}, row {row}: expected text in each language, not {found!r:.80}"
    )


def open_hub(name: str, split: str, source_lang: str, target_lang: str, config: str | None = None) -> Hub:
    """A split of data set `name`, with both sides in the column `translation` or in columns named by language.

    `name` is a name on the hub or a folder with data files that `datasets` recognises (train.jsonl ...), `config` one
    of its configurations, and `split` may be a slice such as `train[:10%]`. Cached data sets need no network.

    Raises CorpusError if the data set, the split or a language does not exist or cannot be reached, and if the first
    row has no text.
    """
    datasets.disable_progress_bars()
    try:
        rows = datasets.load_dataset(name, config, split=split)
    except Exception as error:  # network, cache, archive and parser each raise their own
        cause = (isinstance(error, datasets.exceptions.DatasetGenerationError) and error.__cause__) or error
        reason = " ".join(str(cause).split())[:200] or type(cause).__name__
        hint = (
            "" if Path(name).is_dir() else "; check the name, and that the hub is reachable or the data set is cached"
        )
        raise CorpusError(f"data set {name!r}, split {split!r}: cannot be loaded ({reason}){hint}") from error
    if not len(rows):
        raise CorpusError(f"data set {name!r}, split {split!r} is empty")
    first = rows[0]["translation"] if "translation" in rows.column_names else rows[0]
    if not isinstance(first, dict):
        raise _no_text(name, split, 0, first)
    there = list(first)
    for lang in (source_lang, target_lang):
        if lang not in there:
            raise CorpusError(
                f"data set {name!r} has no language {lang!r}: expected a column `translation` or columns named by "
                f"language, found {', '.join(there)}"
            )
    return Hub(name, split, (source_lang, target_lang), rows)
