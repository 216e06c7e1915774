"""Name the line that a model cannot process: a batch fails as a whole because of one of its sentences."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from attn_core.data.corpus import CorpusError
from attn_core.decoding.memory import within_memory
from attn_core.decoding.translate import force
from attn_core.models.translator import Translator


def first_failing(work: Callable[[int, int], Any], start: int, end: int) -> tuple[int, ValueError] | None:
    """The first line from `start` to before `end` for which `work` fails alone, with its error; None if there is none.

    `work(start, end)` processes these lines; it is called for halves of what has failed.
    """
    try:
        with within_memory():
            work(start, end)
    except ValueError as error:
        if end - start == 1:
            return start, error
        middle = (start + end) // 2
        return first_failing(work, start, middle) or first_failing(work, middle, end)
    return None


def force_pairs(model: Translator, sources: Sequence[str], targets: Sequence[str], tokenized: bool) -> Any:
    """The traces of forced decoding of the pairs that have a word on both sides, and the indices of these pairs."""
    full = [
        i
        for i, (source, target) in enumerate(zip(sources, targets, strict=True))
        if model.source.tokens(source, tokenized) and model.target.tokens(target, tokenized)
    ]
    chosen = [[side[i] for i in full] for side in (sources, targets)]
    return force(model, *chosen, tokenized=tokenized, top=1), full


def pair_error(files: tuple[Path, Path], number: int, error: ValueError, joined: int = 1) -> CorpusError:
    """An error in a pair of lines, counted from 1, or in a group of `joined` lines."""
    unit = "line" if joined == 1 else "group of joined lines"
    return CorpusError(f"{files[0]}, {unit} {number} (with {files[1]}): {error}")


@contextmanager
def naming_bad_pair(
    model: Translator,
    files: tuple[Path, Path],
    texts: tuple[Sequence[str], Sequence[str]],
    tokenized: bool,
    joined: int,
) -> Iterator[None]:
    """Add the files and the line to a ValueError in the block that one pair of lines in `texts` causes.

    Raises CorpusError for such a pair, and other errors as they are.
    """
    try:
        with within_memory():
            yield
    except ValueError as error:
        sources, targets = texts
        found = first_failing(
            lambda start, end: force_pairs(model, sources[start:end], targets[start:end], tokenized), 0, len(sources)
        )
        if found is None:
            raise
        raise pair_error(files, found[0] + 1, found[1], joined) from error
