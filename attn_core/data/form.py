"""The form of a text: its case, its Unicode normalisation, and which invisible characters belong to its words."""

import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, Literal, Self

from attn_core.messages import _

Normalization = Literal["NFC", "NFD"]
SHARE = 0.999  # of the words of a text, which its form fits
NORMALIZATIONS: tuple[Normalization, ...] = ("NFC", "NFD")


@dataclass(frozen=True)
class Form:
    """The form of the text of a vocabulary. Text in another form has words that the vocabulary lacks."""

    lower: bool  # whether the text has no capitals
    unicode: Normalization | None  # None: the text mixes them

    def of(self, text: str) -> str:
        """`text` in this form, without invisible characters. It has the same words, with the same whitespace."""
        text = visible_words(text)
        text = text.lower() if self.lower else text
        return unicodedata.normalize(self.unicode, text) if self.unicode else text

    def joint(self, other: Self) -> Self:
        """A form in which texts of both forms can be compared: without capitals if one of them has none."""
        return type(self)(self.lower or other.lower, self.unicode)

    def __str__(self) -> str:
        """Such as "lower-cased text in NFC", for messages."""
        case = _("lower-cased text") if self.lower else _("text with capitals")
        return _("{text} in {unicode}").format(text=case, unicode=self.unicode) if self.unicode else case

    def to_json(self) -> dict[str, Any]:
        return {"lower": self.lower, "unicode": self.unicode}

    @classmethod
    def from_json(cls, record: Any) -> Self:
        """The form that `to_json` wrote. Raises ValueError for other values."""
        if not (
            isinstance(record, dict)
            and record.keys() == {"lower", "unicode"}
            and isinstance(record["lower"], bool)
            and record["unicode"] in (*NORMALIZATIONS, None)
        ):
            message = _("form must have lower (true or false) and unicode (NFC, NFD or null), not {found!r}")
            raise ValueError(message.format(found=record))
        return cls(**record)


LOWER = Form(lower=True, unicode="NFC")  # what Moses preprocessing makes of raw text
AS_WRITTEN = Form(lower=False, unicode=None)


def form_of(counts: Mapping[str, int]) -> Form:
    """The form of a text with these words, each with how often it occurs; a few words in another form are strays."""

    def holds(fits: Callable[[str], bool]) -> bool:
        return sum(n for word, n in counts.items() if fits(word)) >= SHARE * sum(counts.values())

    lower = holds(lambda word: word == word.lower())
    return Form(lower, next((name for name in NORMALIZATIONS if holds(partial(unicodedata.is_normalized, name))), None))


def encodable(text: str) -> str:
    """`text` with lone surrogates (which UTF-8 cannot encode) replaced by U+FFFD."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


# Invisible characters. Joiners spell words of some scripts (Persian "می‌خواهم"); elsewhere they are noise.
JOINERS = ("\u200c", "\u200d", "\u180e")  # zero-width non-joiner and joiner, Mongolian vowel separator
_JOIN = f"[{''.join(JOINERS)}]"
_SELECTORS = frozenset(map(chr, range(0xFE00, 0xFE10)))  # variation selectors: "the emoji before me in colour"
_SIGNS = frozenset("\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd")  # visible
_BLOCKS = (  # of the scripts whose words have joiners
    (0x0600, 0x0DFF),  # Arabic, Syriac, N'Ko, Mandaic; the scripts of India, and Sinhala
    (0x1000, 0x109F),  # Myanmar
    (0x1700, 0x18AF),  # the Philippine scripts, Khmer, Mongolian
    (0x1A20, 0x1C4F),  # Tai Tham, Balinese, Sundanese, Batak, Lepcha
    (0x1CD0, 0x1CFF),  # Vedic signs
    (0xA800, 0xABFF),  # Syloti Nagri, Phags-pa, Saurashtra, Javanese, Cham, Meetei Mayek and others
    (0xFB50, 0xFDFF),  # presentation forms of Arabic
    (0xFE70, 0xFEFC),
    (0x10A00, 0x10AFF),  # Kharoshthi, Manichaean
    (0x10B80, 0x10BAF),  # Psalter Pahlavi
    (0x10D00, 0x10D3F),  # Hanifi Rohingya
    (0x10F30, 0x10FDF),  # Sogdian, Old Uyghur, Chorasmian
    (0x11000, 0x11FFF),  # Brahmi and its descendants
    (0x1E900, 0x1E95F),  # Adlam
)


@cache
def joining_letters() -> frozenset[str]:
    """The letters and marks of the scripts whose words have joiners."""
    every = (chr(code) for first, last in _BLOCKS for code in range(first, last + 1))
    return frozenset(character for character in every if unicodedata.category(character)[0] in "LM")


def is_visible(character: str) -> bool:
    """Whether a character is whitespace or has a shape; joiners depend on their neighbours (`without_invisible`)."""
    if character.isspace() or character in _SIGNS:
        return True
    return unicodedata.category(character) not in ("Cc", "Cf") and character not in _SELECTORS


def without_invisible(text: str) -> str:
    """`text` in NFC, without invisible characters, which would become invisible tokens.

    A joiner stays after a letter of a script that has joiners, and a non-joiner only between two of them; of several
    in a row, the first stays.
    """
    return _visible(unicodedata.normalize("NFC", encodable(text)))


def visible_words(text: str) -> str:
    """`text` without invisible characters, as `without_invisible`; a word of nothing else stays as it is."""
    return text if _is_plain(text) else _WORDS.sub(lambda word: _visible(word[0]) or word[0], text)


def _visible(text: str) -> str:
    if _is_plain(text):
        return text
    text = "".join(one for one in text if is_visible(one) or one in JOINERS)
    return _noise().sub("", _RUNS.sub(r"\1", text)) if _ANY.search(text) else text


def _is_plain(text: str) -> bool:
    return text.isascii() and text.isprintable()


_WORDS = re.compile(r"\S+")
_ANY = re.compile(_JOIN)
_RUNS = re.compile(f"({_JOIN}){_JOIN}+")


@cache
def _noise() -> re.Pattern:
    """Joiners that no word needs."""
    letter = f"[{''.join(sorted(joining_letters()))}]"
    return re.compile(f"(?<!{letter}){_JOIN}|[\u200c\u180e](?!{letter})")
