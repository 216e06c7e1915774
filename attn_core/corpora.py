"""Parallel text: files in, batches of token ids out."""

import gzip
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import torch
from jaxtyping import Bool, Int
from torch import Tensor

from attn_core.text import Tokenizer
from attn_core.trace import Record

POOL = 150  # batches that are sorted by length together


class CorpusError(ValueError):
    """Text that cannot be used as it is; the message says what to do."""


@dataclass(frozen=True)
class Batch(Record):
    """Sentence pairs, padded with 0. Reading `inputs` (<s> y_1 ...), the decoder is to say `outputs` (y_1 ... </s>)."""

    source: Int[Tensor, "b src"]
    source_mask: Bool[Tensor, "b src"]
    inputs: Int[Tensor, "b tgt"]
    outputs: Int[Tensor, "b tgt"]
    target_mask: Bool[Tensor, "b tgt"]


@dataclass(frozen=True)
class Pairs:
    """A parallel corpus as token ids, without <s> and </s> on the target's side."""

    source: list[list[int]]
    target: list[list[int]]

    def __len__(self) -> int:
        return len(self.source)


def read_lines(path: Path) -> list[str]:
    """The lines of a plain or gzip text file.

    Raises CorpusError for a file that is missing, empty, not UTF-8 or not really gzip.
    """
    try:
        raw = path.read_bytes()
        if path.suffix == ".gz":
            raw = gzip.decompress(raw)
        lines = raw.decode("utf-8").removeprefix("\ufeff").split("\n")
    except FileNotFoundError as error:
        raise CorpusError(f"{path}: there is no such file") from error
    except IsADirectoryError as error:
        raise CorpusError(f"{path} is a folder; a text file was expected") from error
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise CorpusError(f"{path}, line {line}: not UTF-8; convert the file, for example with iconv") from error
    except (gzip.BadGzipFile, zlib.error, EOFError, OSError) as error:
        raise CorpusError(f"{path}: cannot be read ({error})") from error
    if lines[-1] == "":
        lines.pop()
    if not lines:
        raise CorpusError(f"{path} is empty; one sentence per line was expected")
    return [line.removesuffix("\r") for line in lines]


def side(prefix: str, lang: str) -> Path:
    """PREFIX.LANG, or PREFIX.LANG.gz where only that exists."""
    plain = Path(f"{prefix}.{lang}")
    packed = Path(f"{prefix}.{lang}.gz")
    return packed if packed.exists() and not plain.exists() else plain


def read_parallel(source: Path, target: Path) -> tuple[list[str], list[str]]:
    """Both sides of a parallel corpus. Raises CorpusError when their numbers of lines differ."""
    sources, targets = read_lines(source), read_lines(target)
    if len(sources) != len(targets):
        raise CorpusError(
            f"{source} has {len(sources)} lines and {target} has {len(targets)}; line i of one must translate line i "
            "of the other"
        )
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
    return Batch(words, source_mask, inputs, outputs, target_mask)


def batches(pairs: Pairs, size: int, seed: int | None = None, epoch: int = 0) -> Iterator[Batch]:
    """The corpus once, in batches of about equal lengths; the order depends on `seed` and `epoch` alone.

    Pairs are shuffled, sorted by length within pools of 150 batches (Bahdanau 2015, B.2, with 20), and the batches
    of the epoch shuffled again. Most batches then hold sources of one length, which an encoder reads without padding.
    Without a seed the corpus is sorted as a whole, for validation.
    """
    for chosen in batch_order(pairs, size, seed, epoch):
        yield make_batch([pairs.source[i] for i in chosen], [pairs.target[i] for i in chosen])


def batch_order(pairs: Pairs, size: int, seed: int | None, epoch: int) -> list[list[int]]:
    """Which pairs go into which batch."""

    def length(i: int) -> tuple[int, int]:
        return len(pairs.source[i]), len(pairs.target[i])

    if seed is None:
        order = sorted(range(len(pairs)), key=length)
        return [order[i : i + size] for i in range(0, len(order), size)]
    dice = torch.Generator().manual_seed(seed * 1_000_003 + epoch)
    shuffled = torch.randperm(len(pairs), generator=dice).tolist()
    chunks: list[list[int]] = []
    for start in range(0, len(shuffled), size * POOL):
        pool = sorted(shuffled[start : start + size * POOL], key=length)
        chunks += [pool[i : i + size] for i in range(0, len(pool), size)]
    return [chunks[i] for i in torch.randperm(len(chunks), generator=dice).tolist()]
