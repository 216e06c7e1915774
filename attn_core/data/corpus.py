"""Parallel text: files in, batches of token ids out."""

import gzip
import math
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import numpy as np
import torch
from jaxtyping import Bool, Int, Integer
from torch import Tensor

from attn_core.data.tokenizer import Tokenizer
from attn_core.trace import Record

POOL = 150  # batches that are sorted by length together


class CorpusError(ValueError):
    """Text that cannot be used as it is; the message says what to do."""


@dataclass(frozen=True)
class Batch(Record):
    """Sentence pairs, padded with 0. Reading `inputs` (<s> y_1 ...), the decoder is to say `outputs` (y_1 ... </s>).

    The last two say once more what the masks say, so that a GPU need not be waited for: a model that counted them
    there could not go on before it has answered.
    """

    source: Int[Tensor, "b src"]
    source_mask: Bool[Tensor, "b src"]
    inputs: Int[Tensor, "b tgt"]
    outputs: Int[Tensor, "b tgt"]
    target_mask: Bool[Tensor, "b tgt"]
    real: Int[Tensor, "words"]  # where target_mask is True, in `b tgt` as one line
    source_lengths: tuple[int, ...]


@runtime_checkable
class Corpus(Protocol):
    """Sentence pairs as ids, wherever they lie: in memory (Pairs) or in a mapped file (store.Store)."""

    def __len__(self) -> int: ...

    @property
    def lengths(self) -> tuple[Integer[np.ndarray, "n"], Integer[np.ndarray, "n"]]:
        """The words of each source and of each target, </s> of the targets not counted."""
        ...

    def batch(self, chosen: Integer[np.ndarray, "b"]) -> Batch:
        """The chosen pairs."""
        ...


@dataclass(frozen=True)
class Pairs:
    """A parallel corpus in memory, as token ids without <s> and </s> on the target's side."""

    source: list[list[int]]
    target: list[list[int]]

    def __len__(self) -> int:
        return len(self.source)

    @cached_property
    def lengths(self) -> tuple[Integer[np.ndarray, "n"], Integer[np.ndarray, "n"]]:
        source, target = (np.fromiter(map(len, side), np.int64, len(self)) for side in (self.source, self.target))
        return source, target

    def batch(self, chosen: Integer[np.ndarray, "b"]) -> Batch:
        return make_batch([self.source[i] for i in chosen], [self.target[i] for i in chosen])


@runtime_checkable
class Text(Protocol):
    """Parallel text that is read as a stream, as often as needed."""

    def lines(self, side: int) -> Iterator[str]:
        """The sentences of the source (side 0) or the target (side 1). Raises CorpusError where they cannot be read."""
        ...

    def names(self) -> tuple[str, str]:
        """What to call the sides in a message."""
        ...

    def identity(self) -> Any:
        """A JSON value that changes when the text does."""
        ...


@dataclass(frozen=True)
class Files:
    """Parallel text in two files, one sentence a line, each plain or gzip."""

    source: Path
    target: Path

    def lines(self, side: int) -> Iterator[str]:
        return stream_lines((self.source, self.target)[side])

    def names(self) -> tuple[str, str]:
        return str(self.source), str(self.target)

    def identity(self) -> list[list[str | int]]:
        """Name, size and date of each file. Raises CorpusError when one is missing."""
        found: list[list[str | int]] = []
        for path in (self.source, self.target):
            with _reading(path):
                about = path.stat()
            found.append([path.name, about.st_size, about.st_mtime_ns])
        return found


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    """Whatever goes wrong with a file as a CorpusError that names it."""
    try:
        yield
    except FileNotFoundError as error:
        raise CorpusError(f"{path}: there is no such file") from error
    except IsADirectoryError as error:
        raise CorpusError(f"{path} is a folder; a text file was expected") from error
    except (gzip.BadGzipFile, zlib.error, EOFError, OSError) as error:
        raise CorpusError(f"{path}: cannot be read ({error})") from error


def stream_lines(path: Path) -> Iterator[str]:
    """The lines of a plain or gzip text file, one at a time.

    Raises CorpusError for a file that is missing, empty, not UTF-8 or not really gzip; the last two where it is so.
    """
    number = 0
    with _reading(path), gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
        for number, line in enumerate(file, 1):
            try:
                text = line.decode("utf-8")
            except UnicodeDecodeError as error:
                raise CorpusError(
                    f"{path}, line {number}: not UTF-8; convert the file, for example with iconv"
                ) from error
            yield (text.removeprefix("\ufeff") if number == 1 else text).removesuffix("\n").removesuffix("\r")
    if not number:
        raise CorpusError(f"{path} is empty; one sentence per line was expected")


def read_lines(path: Path) -> list[str]:
    """All lines of a text file; see `stream_lines`."""
    return list(stream_lines(path))


def check_even(text: Text, sources: int, targets: int) -> None:
    """Raises CorpusError when the two sides have different numbers of lines."""
    if sources != targets:
        source, target = text.names()
        raise CorpusError(
            f"{source} has {sources} lines and {target} has {targets}; line i of one must translate line i of the other"
        )


def side(prefix: str, lang: str) -> Path:
    """PREFIX.LANG, or PREFIX.LANG.gz where only that exists."""
    plain = Path(f"{prefix}.{lang}")
    packed = Path(f"{prefix}.{lang}.gz")
    return packed if packed.exists() and not plain.exists() else plain


def read_parallel(source: Path, target: Path) -> tuple[list[str], list[str]]:
    """Both sides of a parallel corpus in files; see `read_text`."""
    return read_text(Files(source, target))


def read_text(text: Text) -> tuple[list[str], list[str]]:
    """All lines of both sides. Raises CorpusError when their numbers differ."""
    sources, targets = (list(text.lines(side)) for side in (0, 1))
    check_even(text, len(sources), len(targets))
    return sources, targets


def encode_pairs(
    source: Tokenizer,
    target: Tokenizer,
    sources: Iterable[str],
    targets: Iterable[str],
    max_length: int | None = None,
    source_eos: bool = False,
) -> Pairs:
    """Tokenised text as ids; pairs with an empty side, or one over `max_length` words, are left out.

    `source_eos` ends each source with </s>, for models that read it (ModelConfig.source_eos).
    """
    end = [Tokenizer.eos] if source_eos else []
    kept: list[tuple[list[int], list[int]]] = []
    for x, y in zip(sources, targets, strict=True):
        ids = source.ids(source.tokens(x, tokenized=True)), target.ids(target.tokens(y, tokenized=True))
        if all(ids) and (max_length is None or max(map(len, ids)) <= max_length):
            kept.append(ids)
    if not kept:
        raise CorpusError("no sentence pair is left; every pair has an empty side or is too long")
    return Pairs([x + end for x, _ in kept], [y for _, y in kept])


def pad(sentences: list[list[int]]) -> tuple[Int[Tensor, "b n"], Bool[Tensor, "b n"]]:
    """Sentences as one matrix, and where it is real."""
    lengths = torch.tensor([len(sentence) for sentence in sentences])
    ids = torch.zeros(len(sentences), int(lengths.max()), dtype=torch.long)
    mask = torch.arange(ids.size(1)) < lengths.unsqueeze(1)
    ids[mask] = torch.tensor([word for sentence in sentences for word in sentence], dtype=torch.long)
    return ids, mask


def make_batch(source: list[list[int]], target: list[list[int]]) -> Batch:
    """A batch of sentence pairs. The source is taken as it is, the target gets its <s> and </s>."""
    words, source_mask = pad(source)
    inputs, target_mask = pad([[Tokenizer.bos, *y] for y in target])
    outputs, _ = pad([[*y, Tokenizer.eos] for y in target])
    real = target_mask.flatten().nonzero().squeeze(1)
    return Batch(words, source_mask, inputs, outputs, target_mask, real, tuple(map(len, source)))


def batches(corpus: Corpus, size: int, seed: int | None = None, epoch: int = 0) -> Iterator[Batch]:
    """The corpus once, in batches of about equal lengths; see `batch_order`."""
    return map(corpus.batch, batch_order(corpus, size, seed, epoch))


def batch_order(corpus: Corpus, size: int, seed: int | None, epoch: int) -> list[Integer[np.ndarray, "_"]]:
    """Which pairs go into which batch of an epoch; the order depends on `seed` and `epoch` alone.

    Pairs are shuffled, sorted by length within pools of 150 batches (Bahdanau 2015, B.2, with 20), and the batches
    of the epoch shuffled again. Most batches then hold sources of one length, which an encoder reads without padding;
    in the others the longest comes first, as it must where sentences are packed without being sorted on a GPU.
    Without a seed the corpus is sorted as a whole, for validation. Only the lengths are read, not the sentences.
    """
    source, target = corpus.lengths
    if seed is None:
        order = _longest_first(source, target)
        return [order[i : i + size] for i in range(0, len(order), size)]
    dice = torch.Generator().manual_seed(seed * 1_000_003 + epoch)
    order = torch.randperm(len(corpus), generator=dice, dtype=torch.int32).numpy()
    for start in range(0, len(order), size * POOL):
        pool = order[start : start + size * POOL]  # a view: it is sorted where it lies
        pool[:] = pool[_longest_first(source[pool], target[pool])]
    turns = torch.randperm(math.ceil(len(order) / size), generator=dice).tolist()
    return [order[turn * size : (turn + 1) * size] for turn in turns]


def _longest_first(source: Integer[np.ndarray, "n"], target: Integer[np.ndarray, "n"]) -> Integer[np.ndarray, "n"]:
    """The order by length of the source, of equal ones by length of the target; equal pairs stay as they are."""
    return np.lexsort((-target.astype(np.int64), -source.astype(np.int64)))
