"""A parallel corpus as token ids in a memory-mapped Arrow file: as large as the disk allows.

The file is a stream of record batches with columns `source` and `target`: lists of the smallest integer type that holds
all ids of the vocabulary. `datasets.Dataset.from_file` can open it too.
"""

import mmap
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from jaxtyping import Bool, Integer

from attn_core.data.corpus import Batch, CorpusError, Text, blocks_of, digest_of, make_batch, none_left
from attn_core.data.subwords import WORD_START
from attn_core.data.tokenizer import Tokenizer
from attn_core.files import replacing

FORGET = 4  # batches after which the mapped pages (some megabytes) are released

Ids = Integer[np.ndarray, "_"]


class Store:
    """A memory-mapped Corpus (see corpus.py). Only sentence lengths are kept in memory."""

    def __init__(self, path: Path):
        """Open the corpus that `write` made at `path`. Raises CorpusError if it is missing or damaged."""
        try:
            with path.open("rb") as file:
                self._file = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            chunks = list(pa.ipc.open_stream(pa.py_buffer(self._file)))
            if not chunks:
                raise ValueError("it has no sentence pairs")
            # For each side and record batch: all ids concatenated, and the offset of each sentence.
            self._ids = [[chunk[side].values.to_numpy() for chunk in chunks] for side in ("source", "target")]
            self._starts = [[chunk[side].offsets.to_numpy() for chunk in chunks] for side in ("source", "target")]
        except (OSError, ValueError, KeyError, pa.ArrowException) as error:
            raise CorpusError(f"{path}: cannot be read ({error}); delete its folder to rebuild it") from error
        narrow = np.min_scalar_type(max(int(np.diff(starts).max()) for starts in chain(*self._starts)))
        source, target = (np.concatenate([np.diff(starts).astype(narrow) for starts in side]) for side in self._starts)
        self.lengths: tuple[Ids, Ids] = (source, target)
        self._firsts = np.cumsum([0, *(len(starts) - 1 for starts in self._starts[0][:-1])])
        self._reads = 0
        self._forget()

    def __len__(self) -> int:
        return len(self.lengths[0])

    def batch(self, chosen: Ids) -> Batch:
        """A batch of the pairs with these indices, read from the file."""
        chunks = np.searchsorted(self._firsts, chosen, "right") - 1
        places = list(zip(chunks.tolist(), (chosen - self._firsts[chunks]).tolist(), strict=True))
        source, target = (
            [ids[chunk][starts[chunk][row] : starts[chunk][row + 1]].tolist() for chunk, row in places]
            for ids, starts in zip(self._ids, self._starts, strict=True)
        )
        self._reads += 1
        if self._reads % FORGET == 0:
            self._forget()
        return make_batch(source, target)

    def digest(self) -> str:
        """See `digest_of`; the file is read once."""

        def parts() -> Iterator[Ids]:
            for ids in chain.from_iterable(self._ids):
                yield ids
                self._forget()

        return digest_of(self.lengths, parts())

    def _forget(self) -> None:
        """Release the pages read so far. The system could evict them, but until then they count as process memory."""
        if hasattr(mmap, "MADV_DONTNEED"):
            self._file.madvise(mmap.MADV_DONTNEED)


def write(
    path: Path,
    text: Text,
    vocabularies: tuple[Tokenizer, Tokenizer],
    max_length: int | None = None,
    source_eos: bool = False,
    on_progress: Callable[[int], None] = lambda lines: None,
) -> int:
    """Encode tokenised `text` into a file at `path`; returns the number of lines read. Options as in `encode_pairs`.

    `on_progress(lines)` is called periodically. Raises CorpusError if the sides have different numbers of lines, or if
    no pair is left.
    """
    kinds = [pa.from_numpy_dtype(np.min_scalar_type(len(vocabulary) - 1)) for vocabulary in vocabularies]
    schema = pa.schema([(side, pa.list_(kind)) for side, kind in zip(("source", "target"), kinds, strict=True)])
    lines = pairs = 0
    with replacing(path) as part, part.open("wb") as file, pa.ipc.new_stream(file, schema) as stream:
        for block in blocks_of(text):
            sides = [ids_of(vocabulary, side) for vocabulary, side in zip(vocabularies, block, strict=True)]
            lengths = np.stack([side[1] for side in sides])
            kept = (lengths.min(0) > 0) & (lengths.max(0) <= (max_length or lengths.max()))
            lines += len(kept)
            pairs += int(kept.sum())
            if kept.any():
                ends: tuple[list[int], list[int]] = ([Tokenizer.eos] if source_eos else [], [])
                columns = [_column(*side, kept, end, kind) for side, end, kind in zip(sides, ends, kinds, strict=True)]
                stream.write_batch(pa.record_batch(columns, schema=schema))
            on_progress(lines)
        if not pairs:
            raise CorpusError(none_left(max_length))
    return lines


def _column(ids: Ids, lengths: Ids, kept: Bool[np.ndarray, "_"], end: list[int], kind: pa.DataType) -> pa.ListArray:
    """The kept sentences of one side, each followed by `end`."""
    ids, lengths = ids[np.repeat(kept, lengths)], lengths[kept]
    if end:
        ids, lengths = np.insert(ids, np.cumsum(lengths), end), lengths + 1
    starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
    return pa.ListArray.from_arrays(starts, pa.array(ids.astype(kind.to_pandas_dtype())))


def ids_of(vocabulary: Tokenizer, lines: list[str]) -> tuple[Ids, Ids]:
    """The concatenated ids of tokenised lines, and the number of ids per line. Each distinct word is encoded once."""
    words, places, lengths = distinct_words([vocabulary.separated(line) for line in lines])
    pieces = vocabulary.tokens(" ".join(words), tokenized=True)
    ids = np.array(vocabulary.ids(pieces), dtype=np.int64)
    if vocabulary.kind == "word":
        return ids[places], lengths
    firsts = np.array([i for i, piece in enumerate(pieces) if piece.startswith(WORD_START)], dtype=np.int64)
    sizes = np.diff(firsts, append=len(pieces))
    many = sizes[places]  # pieces of each word of the text
    ends = np.cumsum(many)
    found = ids[np.repeat(firsts[places] - (ends - many), many) + np.arange(many.sum())]
    totals = np.concatenate([[0], ends])
    borders = np.concatenate([[0], np.cumsum(lengths)])
    return found, np.diff(totals[borders])


def distinct_words(lines: list[str]) -> tuple[list[str], Ids, Ids]:
    """The distinct words of tokenised lines, the index of each word among them, and the number of words in each line.

    Arrow does this four times as fast as `line.split()` and a dict, but does not strip lines.
    """
    stripped = [line.strip() for line in lines]
    full = np.fromiter(map(bool, stripped), bool, len(lines))
    split = pc.utf8_split_whitespace(pa.array(list(filter(None, stripped)), pa.string()))
    lengths = np.zeros(len(lines), np.int64)
    lengths[full] = np.diff(split.offsets.to_numpy())
    words = split.values.dictionary_encode()
    return words.dictionary.to_pylist(), words.indices.to_numpy(), lengths
