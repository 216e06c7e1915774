"""Our own sentence pairs for each pair of languages, written for this project and aligned by hand, with glosses.

German-English pairs are those of captions.py, under its guidelines, and English-German ones are the same pairs the
other way: a word alignment has no direction. `en-fr.jsonl` and `zh-en.jsonl` have the others, one pair per line, the
best introductory examples first.

Guidelines for French. Sure: an adjective with its adjective wherever it stands; both parts of "ne ... pas" with "not";
"'s" with "de"; "le long de" with "along". Possible: "is" of a progressive with the French verb; an article or a
preposition without a counterpart ("des", the "en" of "en bois") with the word that it belongs to.

Guidelines for Chinese, whose links are between words of a segmentation. Sure: a localiser with the English preposition
("on" with the last word of 在床上), or 在 where there is no localiser; 的 with "that" or "'s"; 正在 with "is" of a
progressive. Possible: a measure word with the article or number; another 的 with the word that joins the modifier; an
English article, "of" or "to" without a counterpart with the word that it belongs to.

Tags are those of captions.py and, for the causes of word order, `adjective`, `noun-noun`, `possessive`, `clitic`,
`localiser`, `existential`, `ba`, `passive`, `comparison` and `question`.
"""

import json
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import accumulate

from attn_core.data.captions import Links, captions
from attn_core.data.glosses import glosses_of
from attn_core.data.subwords import WORD_START
from attn_core.data.unspaced import UNSPACED, characters_apart

_STORED = (("en", "fr"), ("zh", "en"))  # in files of their own
PAIRS = (("de", "en"), ("en", "de"), *_STORED)  # the pairs of languages that have examples


@dataclass(frozen=True)
class Example:
    """One sentence pair; links are (position in `words`, position in `target_words`), counted from 0."""

    id: str
    langs: tuple[str, str]
    source: str
    target: str
    words: tuple[str, ...]  # lowercased Moses tokens, in Chinese the words of a segmentation
    target_words: tuple[str, ...]
    sure: Links
    possible: Links  # only links that are not sure
    tags: tuple[str, ...]
    glosses: dict[str, tuple[str, ...]]  # by language: the meaning of each of `words`, empty for punctuation
    note: str = ""  # a hint for learners

    @property
    def source_tokens(self) -> tuple[str, ...]:
        """The tokens of a vocabulary of words: `words`, in Chinese their characters."""
        return _tokens(self.words, self.langs[0])

    @property
    def target_tokens(self) -> tuple[str, ...]:
        """The tokens of the target: `target_words`, in Chinese their characters."""
        return _tokens(self.target_words, self.langs[1])

    def links(self, source_tokens: Sequence[str], target_tokens: Sequence[str]) -> tuple[Links, Links]:
        """(sure, possible) between tokens that spell the same sentences, characters or pieces; sure ones are possible.

        A link of two words links each token of one with each token of the other.
        """
        places = word_of_each(source_tokens, self.words), word_of_each(target_tokens, self.target_words)

        def between(links: Links) -> Links:
            return frozenset(
                (i, j) for i, k in enumerate(places[0]) for j, m in enumerate(places[1]) if (k, m) in links
            )

        return between(self.sure), between(self.sure | self.possible)

    def token_glosses(self, language: str) -> tuple[str, ...]:
        """The glosses of `source_tokens`: that of a word is at its first token."""
        places = word_of_each(self.source_tokens, self.words)
        firsts = [not i or places[i - 1] != place for i, place in enumerate(places)]
        return tuple(self.glosses[language][k] if begins else "" for k, begins in zip(places, firsts, strict=True))


def word_of_each(tokens: Sequence[str], words: Sequence[str]) -> list[int]:
    """The index of the word in which each token begins. Raises ValueError if tokens and words spell different texts."""
    spelled = [token.removeprefix(WORD_START) for token in tokens]
    if "".join(spelled) != "".join(words):
        raise ValueError(f"tokens {' '.join(tokens)!r} and words {' '.join(words)!r} spell different texts")
    ends = list(accumulate(map(len, words)))
    return [
        bisect_right(ends, end - len(token)) for token, end in zip(spelled, accumulate(map(len, spelled)), strict=True)
    ]


@cache
def examples(source: str, target: str) -> tuple[Example, ...]:
    """The pairs of two languages (codes), in display order; none if they are not in PAIRS."""
    if {source, target} == {"de", "en"}:
        return tuple(_of_captions(source, target))
    if (source, target) not in _STORED:
        return ()
    text = files("attn_core.data").joinpath(f"{source}-{target}.jsonl").read_text(encoding="utf-8")
    return tuple(_example(json.loads(line), (source, target)) for line in text.splitlines())


def _of_captions(source: str, target: str) -> list[Example]:
    turned = source == "en"
    return [
        _example(
            {name: getattr(one, name) for name in ("id", "de", "en", "de_tokens", "en_tokens", "tags")}
            | {name: [link[::-1] if turned else link for link in getattr(one, name)] for name in ("sure", "possible")}
            | {"note": "" if turned else one.note},  # notes are about reading German
            (source, target),
        )
        for one in captions()
    ]


def _example(record: dict, langs: tuple[str, str]) -> Example:
    words, target_words = (tuple(record[f"{lang}_tokens"]) for lang in langs)
    glosses = {"en": tuple(record["glosses"])} if "glosses" in record else glosses_of(record["id"], words, langs[0])
    sure, possible = (frozenset((i, j) for i, j in record[name]) for name in ("sure", "possible"))
    return Example(
        id=record["id"],
        langs=langs,
        source=record[langs[0]],
        target=record[langs[1]],
        words=words,
        target_words=target_words,
        sure=sure,
        possible=possible,
        tags=tuple(record["tags"]),
        glosses=glosses,
        note=record.get("note", ""),
    )


def _tokens(words: Sequence[str], lang: str) -> tuple[str, ...]:
    return tuple(characters_apart(" ".join(words)).split()) if lang in UNSPACED else tuple(words)
