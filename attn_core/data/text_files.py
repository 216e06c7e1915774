"""Parallel text by the names of its files: a file for each language, a file with columns, or several of these."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any

from attn_core.data.corpus import CorpusError, Files, Text, blocks_of, identity, pairs_of, side, side_of, stream_lines
from attn_core.data.form import LOWER, encodable
from attn_core.data.subwords import WORD_START
from attn_core.data.tokenizer import NO_LANGUAGE
from attn_core.data.unspaced import UNSPACED, characters_apart
from attn_core.registry import load

_COLUMNS = re.compile(r"(?P<file>.+):(?P<langs>[^,:\s]+(,[^,:\s]+)+)")
_LETTERS = re.compile(r"[^\W_]+")
_EVERY = re.compile(r"(?P<text>.+)\[(?P<first>\d+)::(?P<step>[1-9]\d*)\]")


@dataclass(frozen=True)
class Columns:
    """Parallel text in two columns, counted from 0, of a tab-separated file, plain or gzip."""

    path: Path
    source: int
    target: int

    def lines(self, side: int) -> Iterator[str]:
        """The sentences of one column. Raises CorpusError for a line that has no such column."""
        column = (self.source, self.target)[side]
        for number, line in enumerate(stream_lines(self.path), 1):
            cells = line.split("\t")
            if column >= len(cells):
                raise CorpusError(
                    f"{self.path}, line {number}: expected at least {column + 1} columns, not {len(cells)}"
                )
            yield cells[column]

    def names(self) -> tuple[str, str]:
        return f"column {self.source + 1} of {self.path}", f"column {self.target + 1} of {self.path}"

    def identity(self) -> list[Any]:
        return [*identity(self.path), self.source, self.target]


@dataclass(frozen=True)
class Several:
    """Texts one after the other."""

    texts: tuple[Text, ...]

    def lines(self, side: int) -> Iterator[str]:
        """The sentences of one side. Raises CorpusError for a text whose sides differ in length."""
        for text in self.texts:
            for block in blocks_of(text):
                yield from block[side]

    def names(self) -> tuple[str, str]:
        source, target = (" + ".join(names) for names in zip(*(text.names() for text in self.texts), strict=True))
        return source, target

    def identity(self) -> list[Any]:
        return [text.identity() for text in self.texts]


@dataclass(frozen=True)
class Every:
    """Every `step`-th pair of `text`, starting at index `first` (from 0), for example as held-out data."""

    text: Text
    first: int
    step: int

    def lines(self, side: int) -> Iterator[str]:
        """The chosen sentences of one side. Raises CorpusError if the sides differ in length, and if none is chosen."""
        chosen = islice(pairs_of(self.text), self.first, None, self.step)
        return side_of(chosen, side, f"{self.names()[0]}: it has no pair {self.first} (counted from 0)")

    def names(self) -> tuple[str, str]:
        return self.text.names()

    def identity(self) -> dict[str, Any]:
        return {"text": self.text.identity(), "first": self.first, "step": self.step}


@dataclass(frozen=True)
class Without:
    """The pairs of `text` of which neither side is a sentence of `held`, such as a test set.

    Sentences are compared as a model reads them: raw text of `langs` as tokenised by Moses, `tokenized` text as the
    words between its spaces, in Chinese as characters. Case and Unicode normalisation make no difference.
    """

    text: Text
    held: Text
    langs: tuple[str, str] = (NO_LANGUAGE, NO_LANGUAGE)
    tokenized: bool = True

    @cached_property
    def left_out(self) -> frozenset[int]:
        """The indices of the pairs that are left out. Raises CorpusError if the sides of a text differ in length."""
        held = [_Sentences(self.held.lines(side), lang, self.tokenized) for side, lang in enumerate(self.langs)]
        return frozenset(
            i
            for i, pair in enumerate(pairs_of(self.text))
            if any(line in sentences for line, sentences in zip(pair, held, strict=True))
        )

    def lines(self, side: int) -> Iterator[str]:
        """The sentences of one side. Raises CorpusError if the sides differ in length, and if no pair is left."""
        left_out, kept = self.left_out, 0
        for i, line in enumerate(self.text.lines(side)):
            if i not in left_out:
                kept += 1
                yield line
        if not kept:
            raise CorpusError(f"{self.names()[0]}: each pair has a sentence of the excluded text, so none is left")

    def names(self) -> tuple[str, str]:
        return self.text.names()

    def identity(self) -> dict[str, Any]:
        return {"text": self.text.identity(), "without": self.held.identity(), "by": "tokens"}


class _Sentences:
    """The sentences of one side of a held-out text, each as its tokens."""

    def __init__(self, lines: Iterable[str], lang: str, tokenized: bool):
        self._moses = None if tokenized else load("attn_core.data.moses:Moses")(lang)
        self._lang = lang
        lines = list(lines)
        self._letters = frozenset(map(_letters, lines))
        self._tokens = frozenset(map(self._tokens_of, lines))

    def __contains__(self, line: str) -> bool:
        # Lines with the same tokens have the same letters, which are found a hundred times as fast.
        return _letters(line) in self._letters and self._tokens_of(line) in self._tokens

    def _tokens_of(self, line: str) -> str:
        line = self._moses(line) if self._moses else LOWER.of(encodable(line)).replace(WORD_START, "_")
        return " ".join((characters_apart(line) if self._lang in UNSPACED else line).split())


def _letters(line: str) -> str:
    """The letters and digits of a line, without case."""
    return "".join(_LETTERS.findall(LOWER.of(encodable(line)).casefold()))


def text_of(named: str, langs: tuple[str, str]) -> Text:
    """The text called PREFIX (files PREFIX.LANG or PREFIX.LANG.gz), FILE:LANG,LANG (columns), or NAME+NAME (both).

    NAME[1::50] is every 50th pair of a text, starting with the second one.

    Raises CorpusError if FILE has no column for a language.
    """
    texts = tuple(_one(name, langs) for name in names_of(named, langs))
    return texts[0] if len(texts) == 1 else Several(texts)


def short(named: str, langs: tuple[str, str]) -> str:
    """The name of a text without the folders of its files."""
    return "+".join(Path(name).name for name in names_of(named, langs))


def names_of(named: str, langs: tuple[str, str], folder: Path = Path()) -> Iterator[str]:
    """The names that a "+" joins. A "+" in the path of an existing file, looked up in `folder`, separates nothing."""
    parts = named.split("+")
    while parts:
        longest_first = range(len(parts), 1, -1)
        taken = next((n for n in longest_first if _is_one(str(folder / "+".join(parts[:n])), langs)), 1)
        yield "+".join(parts[:taken])
        del parts[:taken]


def _is_one(name: str, langs: tuple[str, str]) -> bool:
    """Whether `name`, read as the name of one text (see `_one`), stands for files that exist."""
    if _is_there(name, langs):
        return True
    if every := _EVERY.fullmatch(name):
        return _is_one(every["text"], langs)
    columns = _COLUMNS.fullmatch(name)
    return bool(columns and Path(columns["file"]).exists())


def _is_there(prefix: str, langs: tuple[str, str]) -> bool:
    return all(side(prefix, lang).exists() for lang in langs)


def _one(name: str, langs: tuple[str, str]) -> Text:
    if (every := _EVERY.fullmatch(name)) and not _is_there(name, langs):
        return Every(_one(every["text"], langs), int(every["first"]), int(every["step"]))
    found = _COLUMNS.fullmatch(name)
    if not found or _is_there(name, langs):
        source, target = (side(name, lang) for lang in langs)
        return Files(source, target)
    columns = found["langs"].split(",")
    if missing := [lang for lang in langs if lang not in columns]:
        raise CorpusError(f"{name}: no column for {missing[0]!r}; list the language of each column after the colon")
    return Columns(Path(found["file"]), *(columns.index(lang) for lang in langs))
