"""German-English sentence pairs in the style of image captions, written for this project and aligned by hand.

They are the dashboard's examples, and a gold standard for alignment error rate (Och & Ney 2003). `captions.jsonl` has
one pair per line, the best introductory examples first.

Alignment guidelines. Sure: words that translate each other in any context; a German compound with each of its English
words; article with article; a preposition with its counterpart (`im` with "in"); both parts of a separable verb with
the English verb, or the particle with the English particle if there is one; punctuation with the same punctuation.
Possible: "is" of a progressive with the German verb; "the" with `im`, `am`, `zum`; an article with a possessive; a
reflexive pronoun with the verb; all words of an idiom with all words of its translation. A German comma without an
English counterpart has no link.

Tags. Word order: `reordered` (sure links cross) or `monotone`; its cause: `fronted`, `fronted-object`,
`separable-verb`, `participle-bracket`, `infinitive-clause`, `relative-clause`, `subordinate-clause`, `postposition`.
Words: `compound`, `negation`, `idiom`, `reflexive`, `unknown-word` (a name too rare for the models' vocabulary).
Use: `starter`, `short`, `long`.
"""

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from attn_core.data.alignments import Alignment

Links = frozenset[tuple[int, int]]


@dataclass(frozen=True)
class Caption:
    """One sentence pair; links are (position in `de_tokens`, position in `en_tokens`), counted from 0."""

    id: str
    de: str
    en: str
    de_tokens: tuple[str, ...]  # lowercased Moses tokens, the input of a model
    en_tokens: tuple[str, ...]
    sure: Links
    possible: Links  # only links that are not sure
    tags: tuple[str, ...]
    note: str = ""  # a hint for learners


@cache
def captions() -> tuple[Caption, ...]:
    """All pairs, in display order."""
    lines = files("attn_core.data").joinpath("captions.jsonl").read_text(encoding="utf-8").splitlines()
    return tuple(_caption(json.loads(line)) for line in lines)


def gold(caption: Caption) -> Alignment:
    """The links for alignment error rate, where sure links are possible too (Och & Ney 2003)."""
    return Alignment(caption.sure, caption.sure | caption.possible)


def _caption(record: dict) -> Caption:
    for name in ("de_tokens", "en_tokens", "tags"):
        record[name] = tuple(record[name])
    for name in ("sure", "possible"):
        record[name] = frozenset((i, j) for i, j in record[name])
    return Caption(**record)
