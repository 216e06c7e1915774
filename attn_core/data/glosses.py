"""Glosses of our own German sentences, word by word in English and Chinese, for readers who know no German.

`glosses.tsv` has a line for each word: the word, its gloss in English and in Chinese. Where a word means something else
in one sentence, the line begins with the id of the sentence, and with a number if only one of several occurrences is
meant (from 1): "dog-ball-thrown den 2". A gloss is the meaning in the sentence, not a translation of it; that of
punctuation is empty.
"""

from collections import Counter
from functools import cache
from importlib.resources import files

from attn_core.data.captions import Caption

LANGUAGES = ("en", "zh")


def glosses(caption: Caption, language: str) -> tuple[str, ...]:
    """A gloss for each of the caption's `de_tokens`, in one of LANGUAGES. Raises KeyError for another language."""
    column = {name: place for place, name in enumerate(LANGUAGES)}[language]
    seen: Counter[str] = Counter()
    found = []
    for word in caption.de_tokens:
        seen[word] += 1
        entries = (f"{caption.id} {word} {seen[word]}", f"{caption.id} {word}", word)
        found.append(next(_table()[entry] for entry in entries if entry in _table())[column])
    return tuple(found)


@cache
def _table() -> dict[str, tuple[str, ...]]:
    lines = files("attn_core.data").joinpath("glosses.tsv").read_text("utf-8").splitlines()
    return {entry: tuple(words) for entry, *words in (line.split("\t") for line in lines)}
