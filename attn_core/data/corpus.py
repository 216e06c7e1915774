"""Parallel text: from files to batches of token ids."""

import gzip
import hashlib
import math
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, islice, zip_longest
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import numpy as np
import torch
from jaxtyping import Bool, Int, Integer
from torch import Tensor

from attn_core.data.lines import line_of
from attn_core.data.tokenizer import Tokenizer
from attn_core.trace import Record

LINES = 8192  # read at a time from long texts
POOL = 150  # batches in a pool that is sorted by length


class CorpusError(ValueError):
    """Text that cannot be used; the message says what to do."""


@dataclass(frozen=True)
class Batch(Record):
    """Sentence pairs, padded with 0. From `inputs` (<s> y_0 ...) the decoder predicts `outputs` (y_0 ... </s>).

    The last two fields repeat the masks as indices and Python ints: computing them on a GPU would force a
    synchronisation.
    """

    source: Int[Tensor, "b src"]
    source_mask: Bool[Tensor, "b src"]
    inputs: Int[Tensor, "b tgt"]
    outputs: Int[Tensor, "b tgt"]
    target_mask: Bool[Tensor, "b tgt"]
    real: Int[Tensor, "words"]  # indices of the True entries of target_mask.flatten()
    source_lengths: tuple[int, ...]


@runtime_checkable
class Corpus(Protocol):
    """Sentence pairs as ids, in memory (Pairs) or in a memory-mapped file (arrow_corpus.Store)."""

    def __len__(self) -> int: ...

    @property
    def lengths(self) -> tuple[Integer[np.ndarray, "n"], Integer[np.ndarray, "n"]]:
        """The lengths of the sources and of the targets; those of the targets without </s>."""
        ...

    def batch(self, chosen: Integer[np.ndarray, "b"]) -> Batch:
        """A batch of the pairs with these indices."""
        ...

    def digest(self) -> str:
        """See `digest_of`."""
        ...


@dataclass(frozen=True)
class Pairs:
    """A parallel corpus in memory, as token ids; targets have no <s> and </s>."""

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

    def digest(self) -> str:
        ids = (np.fromiter(chain.from_iterable(side), np.int64) for side in (self.source, self.target))
        return digest_of(self.lengths, ids)


def digest_of(lengths: Iterable[Integer[np.ndarray, "_"]], ids: Iterable[Integer[np.ndarray, "_"]]) -> str:
    """16 hex digits that change with the pairs of a corpus or their order.

    `lengths` are those of the sources and of the targets; `ids` are those of all sources, then of all targets, in any
    number of parts.
    """
    found = hashlib.sha256()
    for part in chain(lengths, ids):
        found.update(np.asarray(part, "<i8").tobytes())
    return found.hexdigest()[:16]


@runtime_checkable
class Text(Protocol):
    """Parallel text that can be streamed repeatedly."""

    def lines(self, side: int) -> Iterator[str]:
        """The sentences of the source (side 0) or the target (side 1). Raises CorpusError if they cannot be read."""
        ...

    def names(self) -> tuple[str, str]:
        """The names of both sides, for messages."""
        ...

    def identity(self) -> Any:
        """A JSON value that changes with the text."""
        ...


@dataclass(frozen=True)
class Files:
    """Parallel text in two files, one sentence per line, each plain or gzip."""

    source: Path
    target: Path

    def lines(self, side: int) -> Iterator[str]:
        return stream_lines((self.source, self.target)[side])

    def names(self) -> tuple[str, str]:
        return str(self.source), str(self.target)

    def identity(self) -> list[list[str]]:
        """Name and digest of each file. Raises CorpusError if one cannot be read."""
        return [identity(path) for path in (self.source, self.target)]


def identity(path: Path) -> list[str]:
    """A file's name and the first 16 hex digits of its SHA-256. Raises CorpusError if it cannot be read."""
    with _reading(path), path.open("rb") as file:
        return [path.name, hashlib.file_digest(file, "sha256").hexdigest()[:16]]


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    """Convert the errors of reading a file to a CorpusError that names the file."""
    try:
        yield
    except FileNotFoundError as error:
        raise CorpusError(f"{path}: no such file") from error
    except IsADirectoryError as error:
        raise CorpusError(f"{path} is a folder; expected a text file") from error
    except (gzip.BadGzipFile, zlib.error, EOFError, OSError) as error:
        raise CorpusError(f"{path}: cannot be read ({error})") from error


def stream_lines(path: Path) -> Iterator[str]:
    """The lines of a plain or gzip text file, one at a time; `attn_core.data.lines` says what a line is.

    Raises CorpusError if the file is missing, empty, not text or not valid gzip, the latter two on reaching that line.
    """
    number = 0
    with _reading(path), gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
        for number, line in enumerate(file, 1):
            try:
                yield line_of(line, number)
            except ValueError as error:
                raise CorpusError(f"{path}, line {number}: {error}") from error
    if not number:
        raise CorpusError(f"{path} is empty; expected one sentence per line")


def read_lines(path: Path) -> list[str]:
    """All lines of a text file; see `stream_lines`."""
    return list(stream_lines(path))


def check_even(text: Text, sources: int, targets: int) -> None:
    """Raise CorpusError if the two sides have different numbers of lines."""
    if sources != targets:
        source, target = text.names()
        raise CorpusError(
            f"{source} has {sources} lines and {target} has {targets}; line i of one must translate line i of the other"
        )


def blocks_of(text: Text) -> Iterator[tuple[list[str], list[str]]]:
    """Both sides of `text`, LINES lines at a time. Raises CorpusError if one side is shorter than the other."""
    done = 0
    sides = [blocks(text.lines(side)) for side in (0, 1)]
    for pair in zip_longest(*sides, fillvalue=[]):
        if len(pair[0]) != len(pair[1]):
            rest = [sum(map(len, side)) for side in sides]
            check_even(text, *(done + len(block) + more for block, more in zip(pair, rest, strict=True)))
        done += len(pair[0])
        yield pair[0], pair[1]


def pairs_of(text: Text) -> Iterator[tuple[str, str]]:
    """The sentence pairs of `text`. Raises CorpusError if one side is shorter than the other."""
    return (pair for sources, targets in blocks_of(text) for pair in zip(sources, targets, strict=True))


def side_of(pairs: Iterator[tuple[str, str]], side: int, nothing: str) -> Iterator[str]:
    """The sentences of one side. Raises CorpusError with the message `nothing` if there is no pair."""
    first = next(pairs, None)
    if first is None:
        raise CorpusError(nothing)
    yield first[side]
    for pair in pairs:
        yield pair[side]


def blocks(lines: Iterable[str]) -> Iterator[list[str]]:
    """Lists of LINES lines."""
    lines = iter(lines)
    while block := list(islice(lines, LINES)):
        yield block


def side(prefix: str, lang: str) -> Path:
    """PREFIX.LANG, or PREFIX.LANG.gz if only that exists."""
    plain = Path(f"{prefix}.{lang}")
    packed = Path(f"{prefix}.{lang}.gz")
    return packed if packed.exists() and not plain.exists() else plain


def read_parallel(source: Path, target: Path) -> tuple[list[str], list[str]]:
    """Both sides of a parallel corpus in files; see `read_text`."""
    return read_text(Files(source, target))


def read_text(text: Text) -> tuple[list[str], list[str]]:
    """All lines of both sides. Raises CorpusError if their numbers differ."""
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
    """Tokenised text as ids; omits pairs with an empty side or with a side of more than `max_length` tokens.

    `source_eos` appends </s> to each source, for models with this setting (ModelConfig.source_eos). Raises CorpusError
    if no pair is left.
    """
    end = [Tokenizer.eos] if source_eos else []
    kept: list[tuple[list[int], list[int]]] = []
    for x, y in zip(sources, targets, strict=True):
        ids = source.ids(source.tokens(x, tokenized=True)), target.ids(target.tokens(y, tokenized=True))
        if all(ids) and (max_length is None or max(map(len, ids)) <= max_length):
            kept.append(ids)
    if not kept:
        raise CorpusError(none_left(max_length))
    return Pairs([x + end for x, _ in kept], [y for _, y in kept])


def none_left(max_length: int | None) -> str:
    """Why no pair of a text can be used."""
    long = f" or longer than {max_length} tokens (raise max_length)" if max_length else ""
    return f"no sentence pair is left: in each, a side is empty{long}"


def pad(sentences: list[list[int]]) -> tuple[Int[Tensor, "b n"], Bool[Tensor, "b n"]]:
    """Sentences as a padded matrix of ids, and its mask (True = a real word)."""
    lengths = torch.tensor([len(sentence) for sentence in sentences])
    ids = torch.zeros(len(sentences), int(lengths.max()), dtype=torch.long)
    mask = torch.arange(ids.size(1)) < lengths.unsqueeze(1)
    ids[mask] = torch.tensor([word for sentence in sentences for word in sentence], dtype=torch.long)
    return ids, mask


def make_batch(source: list[list[int]], target: list[list[int]]) -> Batch:
    """A batch of sentence pairs. Adds <s> and </s> to the targets; sources are unchanged."""
    words, source_mask = pad(source)
    inputs, target_mask = pad([[Tokenizer.bos, *y] for y in target])
    outputs, _ = pad([[*y, Tokenizer.eos] for y in target])
    real = target_mask.flatten().nonzero().squeeze(1)
    return Batch(words, source_mask, inputs, outputs, target_mask, real, tuple(map(len, source)))


def batches(corpus: Corpus, size: int, seed: int | None = None, epoch: int = 0) -> Iterator[Batch]:
    """One epoch of the corpus, in batches of similar lengths; see `batch_order`."""
    return map(corpus.batch, batch_order(corpus, size, seed, epoch))


def batch_order(corpus: Corpus, size: int, seed: int | None, epoch: int) -> list[Integer[np.ndarray, "_"]]:
    """The indices of the pairs in each batch of an epoch; depends only on `seed`, `epoch` and the lengths.

    Pairs are shuffled, sorted by length within pools of 150 batches (Bahdanau 2015, B.2, uses 20), and the batches
    are shuffled again. Most batches then hold sources of equal length, which need no padding; in the others the longest
    source comes first, as packing without sorting on a GPU requires. Without a seed the whole corpus is sorted, for
    validation.
    """
    source, target = corpus.lengths
    if seed is None:
        order = _longest_first(source, target)
        return [order[i : i + size] for i in range(0, len(order), size)]
    dice = torch.Generator().manual_seed(seed * 1_000_003 + epoch)
    order = torch.randperm(len(corpus), generator=dice, dtype=torch.int32).numpy()
    for start in range(0, len(order), size * POOL):
        pool = order[start : start + size * POOL]  # a view, so that it is sorted in place
        pool[:] = pool[_longest_first(source[pool], target[pool])]
    turns = torch.randperm(math.ceil(len(order) / size), generator=dice).tolist()
    return [order[turn * size : (turn + 1) * size] for turn in turns]


def _longest_first(source: Integer[np.ndarray, "n"], target: Integer[np.ndarray, "n"]) -> Integer[np.ndarray, "n"]:
    """The stable descending order by source length, then by target length."""
    return np.lexsort((-target.astype(np.int64), -source.astype(np.int64)))
