"""Glosses of our own German and English sentences, word by word, for readers who do not know the language.

Our sentences are the examples (examples.py) and those of `glossed.jsonl`, which pages, the tour and the README show as
well; these are neither aligned nor offered as examples.

`glosses.tsv` has a line for each German word: the word, its gloss in English and in Chinese; `glosses-en.tsv` one for
each English word, with its gloss in Chinese. Where a word means something else in one sentence, the line begins with
the id of the sentence, and with a number if only one of several occurrences is meant (from 1): "dog-ball-thrown den 2".
A gloss is the meaning in the sentence, not a translation of it; that of punctuation is empty. Those of our Chinese
sentences are beside them, in `zh-en.jsonl`.
"""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

_TABLES = {"de": ("glosses.tsv", ("en", "zh")), "en": ("glosses-en.tsv", ("zh",))}  # and the languages of their columns


@dataclass(frozen=True)
class Glossed:
    """A sentence with the glosses of its tokens (lowercased Moses tokens), by language."""

    text: str
    tokens: tuple[str, ...]
    glosses: dict[str, tuple[str, ...]]


@cache
def glossed() -> tuple[Glossed, ...]:
    """The sentences of `glossed.jsonl`. Raises KeyError if a word has no gloss."""
    lines = files("attn_core.data").joinpath("glossed.jsonl").read_text("utf-8").splitlines()
    return tuple(
        Glossed(one["text"], tuple(one["tokens"]), glosses_of(one["id"], one["tokens"], one["lang"]))
        for one in map(json.loads, lines)
    )


def glosses_of(id: str, words: Sequence[str], lang: str) -> dict[str, tuple[str, ...]]:
    """The glosses of the words of our sentence `id` in the language `lang`, by the language of the glosses.

    Raises KeyError if there are none for sentences in `lang`, or none for one of the words.
    """
    name, columns = _TABLES[lang]
    table = _table(name)
    seen: Counter[str] = Counter()
    found = []
    for word in words:
        seen[word] += 1
        entries = (f"{id} {word} {seen[word]}", f"{id} {word}", word)
        found.append(table[next((entry for entry in entries if entry in table), word)])
    return {language: tuple(row[place] for row in found) for place, language in enumerate(columns)}


@cache
def _table(name: str) -> dict[str, tuple[str, ...]]:
    lines = files("attn_core.data").joinpath(name).read_text("utf-8").splitlines()
    return {entry: tuple(words) for entry, *words in (line.split("\t") for line in lines)}
