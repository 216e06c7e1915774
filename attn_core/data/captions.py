"""Our own German-English sentence pairs in the style of image captions, with word alignments made by hand.

They are the dashboard's examples and a gold standard for alignment error rate (Och & Ney 2003): `captions.jsonl`,
one pair a line, the good first examples first.

How they were aligned. Sure: words that translate each other whatever the reading; a German compound with each of its
English words; the article with the article; a preposition with its counterpart (`im` with "in"); the two halves of a
separable verb with the English verb, or the particle with the English particle when there is one; punctuation with
the same punctuation. Possible: "is" of a progressive with the German verb; "the" with `im`, `am`, `zum`; an article
with a possessive; a reflexive pronoun with the verb; the words of an idiom, all with all. A comma that English does
not have stays alone.

Tags. Word order: `reordered` (sure links cross) or `monotone`, and why: `fronted`, `fronted-object`,
`separable-verb`, `participle-bracket`, `infinitive-clause`, `relative-clause`, `subordinate-clause`, `postposition`.
Words: `compound`, `negation`, `idiom`, `reflexive`, `unknown-word` (a name too rare for the models' vocabulary).
Use: `starter`, `short`, `long`.
"""

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

Links = frozenset[tuple[int, int]]


@dataclass(frozen=True)
class Caption:
    """One sentence pair; links are (position in `de_tokens`, position in `en_tokens`), 0-based."""

    id: str
    de: str
    en: str
    de_tokens: tuple[str, ...]  # lowercased Moses tokens: what a model reads
    en_tokens: tuple[str, ...]
    sure: Links
    possible: Links  # only links that are not sure
    tags: tuple[str, ...]
    note: str = ""  # what to watch here, for learners


@cache
def captions() -> tuple[Caption, ...]:
    """All pairs, in the order in which to show them."""
    lines = files("attn_core.data").joinpath("captions.jsonl").read_text(encoding="utf-8").splitlines()
    return tuple(_caption(json.loads(line)) for line in lines)


def gold(caption: Caption) -> tuple[Links, Links]:
    """(sure, possible) as alignment error rate wants them: sure links are possible too (Och & Ney 2003)."""
    return caption.sure, caption.sure | caption.possible


def _caption(record: dict) -> Caption:
    for name in ("de_tokens", "en_tokens", "tags"):
        record[name] = tuple(record[name])
    for name in ("sure", "possible"):
        record[name] = frozenset((i, j) for i, j in record[name])
    return Caption(**record)
