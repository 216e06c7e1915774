"""Truecasing (Lita 2003): the capitals of words, restored in the output of a model of lower-cased text."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any, Self

from attn_core.data.subwords import SPECIALS
from attn_core.messages import _

VERSION = 1
LEAST = 2  # times that a spelling occurs
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True)
class Truecaser:
    """The commonest spelling of each word that is mostly written with capitals, by the word in lower case.

    A word gets its spelling whatever the words around it. Words that are mostly in lower case are left out.
    """

    spellings: Mapping[str, str]

    @classmethod
    def of_lines(cls, lines: Iterable[str]) -> Self:
        """From tokenised `lines` with their capitals. The first word of a sentence does not count.

        A spelling counts from its second occurrence on. Of two that are equally common, the one in lower case is taken.
        """
        counts: Counter[str] = Counter()
        for line in lines:
            words = line.split()
            first = dict(sentence_starts(words))
            counts.update(word for i, word in enumerate(words) if i not in first)
        spellings: dict[str, str] = {}
        for word in sorted(counts, key=lambda word: (counts[word], word == word.lower(), word)):
            spellings[word.lower()] = word  # the commonest comes last
        cased = (word for lower, word in spellings.items() if word != lower and counts[word] >= LEAST)
        return cls({word.lower(): word for word in sorted(cased)})

    def restored(self, words: Sequence[str]) -> list[str]:
        """Words in lower case with their usual capitals."""
        return [self.spellings.get(word, word) for word in words]

    def to_json(self) -> dict[str, Any]:
        """The spellings in alphabetical order, each without the letters that it shares with the one before.

        The number of these letters precedes the others as a digit in base 36: "0Hund 4e 1aus" is Hund, Hunde, Haus.
        """
        parts, before = [], ""
        for word in sorted(self.spellings.values()):
            letters = zip(before[: len(DIGITS) - 1], word, strict=False)
            shared = sum(1 for _pair in takewhile(lambda pair: pair[0] == pair[1], letters))
            parts.append(DIGITS[shared] + word[shared:])
            before = word
        return {"version": VERSION, "spellings": " ".join(parts)}

    @classmethod
    def from_json(cls, record: Any) -> Self:
        """The table that `to_json` wrote. Raises ValueError for other values."""
        if not isinstance(record, dict) or not isinstance(record.get("spellings"), str):
            message = _("truecase must have a version and spellings, not {found!r:.80}")
            raise ValueError(message.format(found=record))
        if record.get("version") != VERSION:
            message = _("expected version {version} of truecase, not {found!r}")
            raise ValueError(message.format(version=VERSION, found=record.get("version")))
        spellings: dict[str, str] = {}
        word = ""
        for part in record["spellings"].split(" "):
            shared = DIGITS.find(part[:1]) if part else -1
            before, word = word, word[:shared] + part[1:]
            lower = word.lower()
            if not 0 <= shared <= len(before) or len(word.split()) != 1 or word == lower or lower in spellings:
                message = _("truecase is damaged at {part!r:.80}")
                raise ValueError(message.format(part=part))
            spellings[lower] = word
        return cls(spellings)


NO_TRUECASER = Truecaser({})


def sentence_starts(tokens: Sequence[str]) -> Iterator[tuple[int, int]]:
    """For each sentence, the index of the token with its first letter or digit, and the place of that in the token.

    A sentence in which <unk> comes before them has none: it stands for a word.
    """
    start = True
    for i, token in enumerate(tokens):
        if token in (".", "!", "?", "<unk>"):
            start = token != "<unk>"
        elif start and token not in SPECIALS:
            after = (
                token.find(";") + 1 if token.startswith("&") else 0
            )  # an entity: a mark, or one with letters (&apos;s)
            place = next((k for k in range(after, len(token)) if token[k].isalnum()), None)
            if place is not None:
                yield i, place
                start = False
