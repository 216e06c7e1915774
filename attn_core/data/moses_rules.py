"""The rules of Moses preprocessing as JSON for the engine in the page, made from the objects that `Moses` uses.

Python's regular expressions, whitespace and Unicode version differ from those of browsers. Therefore each character
class is written as the code points that it has in this Python, and each pattern as JavaScript with the flag `u`.
"""

import re
import unicodedata
from collections.abc import Iterable
from functools import cache
from itertools import pairwise
from typing import Any

from sacremoses.util import is_cjk

from attn_core.data.form import JOINERS, is_visible, joining_letters
from attn_core.data.moses import scripts
from attn_core.data.tokenizer import NO_LANGUAGE
from attn_core.data.unspaced import HAN, UNSPACED, marks

FORMAT = "attn_core.moses"
VERSION = 1

Rule = tuple[str | re.Pattern, str]  # pattern and replacement, as for re.sub

_APOSTROPHES = {  # of the tokenizer; other languages have one rule
    "en": "ENGLISH_SPECIFIC_APOSTROPHE",
    "fr": "FR_IT_SPECIFIC_APOSTROPHE",
    "it": "FR_IT_SPECIFIC_APOSTROPHE",
}
_PART = re.compile(
    r"""(?P<set>\[\^?\]?(?:\\.|[^\]\\])*\]|\\[dDsSwW])
    |(?P<same>\(\?[=:]|\((?!\?)|[)|^*+?]|\{\d+,?\d*\})
    |(?P<end>\$)
    |\\(?P<control>[nrt])
    |\\(?P<escaped>[^0-9A-Za-z])
    |(?P<plain>[^\\.(\[{])""",
    re.VERBOSE | re.DOTALL,
)
_REFERENCE = re.compile(r"\\(?:(\d)|g<(\d)>)")
_MANY = 20_000  # characters in a set, which `re` then compares one by one if some are outside the BMP
_LISTED = re.compile(r"(?<![\\-])[^\x00-\x7f](?!-)")


def rules(*langs: str) -> dict[str, Any]:
    """The rules of the languages with these codes, as `attn_core/browser/engine/tokenizer` reads them.

    In patterns, `\\p{n}` is the nth of `classes`. A class is the number of code points from U+0000 on that are not in
    it, the number of the next ones that are, the number of the next ones that are not, and so on. Raises ValueError if
    a pattern of Moses has syntax that is not translated here.
    """
    script = _Script()
    text = {name: script.chosen(characters) for name, characters in _characters().items()}
    languages = {lang: _language(lang, script) for lang in langs if lang != NO_LANGUAGE}
    return {"format": FORMAT, "version": VERSION, "text": text, "languages": languages, "classes": script.classes}


@cache
def _every() -> str:
    return "".join(map(chr, range(0x110000)))


@cache
def _characters() -> dict[str, frozenset[str]]:
    """Sets of characters on which Python and a browser may differ."""
    every = _every()
    chosen: dict[str, Iterable[str]] = {
        "assigned": (one for one in every if unicodedata.category(one) != "Cn"),
        "visible": filter(is_visible, every),
        "joiner": JOINERS,
        "joined": joining_letters(),
        "space": filter(str.isspace, every),
        "line_end": (line[-1] for line in every.splitlines(keepends=True)[:-1]),
        "alphanumeric": filter(str.isalnum, every),
        "cjk": filter(is_cjk, every),
    }
    return {name: frozenset(characters) for name, characters in chosen.items()}


def _language(lang: str, script: "_Script") -> dict[str, Any]:
    """The rules of one language, in the order of the methods of sacremoses that apply them."""
    normalizer, tokenizer, detokenizer = scripts(lang)
    name = _APOSTROPHES.get(lang)
    apostrophes = getattr(tokenizer, name) if name else [tokenizer.NON_SPECIFIC_APOSTROPHE]
    symbols = [tokenizer.DEDUPLICATE_SPACE, tokenizer.ASCII_JUNK, tokenizer.PAD_NOT_ISALNUM]
    apart = [(marks(), r" \1 ")] if lang in UNSPACED else []
    entries = {"characters": script.pattern(f"[{HAN}]")} if lang in UNSPACED else {}
    commas = [tokenizer.COMMA_SEPARATE_1, tokenizer.COMMA_SEPARATE_2, tokenizer.COMMA_SEPARATE_3]
    return {
        "normalize": script.substitutions(normalizer.substitutions),
        "symbols": script.substitutions([*apart, *symbols]),
        "dots": script.pattern(tokenizer.MULTIDOT_RUN),
        "dots_marker": script.pattern(tokenizer.MULTIDOT_MARKER),
        "commas": script.substitutions([*commas, *apostrophes]),
        "prefixes": tokenizer.NONBREAKING_PREFIXES,
        "numeric_prefixes": tokenizer.NUMERIC_ONLY_PREFIXES,
        "lowercase": script.chosen(tokenizer.IsLower),
        "alphabetic": script.chosen(tokenizer.IsAlpha),
        "final": script.substitutions([tokenizer.TRAILING_DOT_APOSTROPHE]),
        "escape": script.substitutions(tokenizer.MOSES_ESCAPE_XML_REGEXES),
        "hyphens": script.substitutions([detokenizer.AGGRESSIVE_HYPHEN_SPLIT]),
        "unescape": script.substitutions(detokenizer.MOSES_UNESCAPE_XML_REGEXES),
        "currency": script.pattern(detokenizer.IS_CURRENCY_SYMBOL),
        "punctuation": script.pattern(detokenizer.IS_PUNCT),
        "contraction": script.pattern(detokenizer.IS_ENGLISH_CONTRACTION),
        "elision": script.pattern(detokenizer.IS_FRENCH_CONRTACTION),
        "word": script.pattern(detokenizer.STARTS_WITH_ALPHA),
        "quote": script.pattern(detokenizer.IS_OPEN_QUOTE),
    } | entries


class _Script:
    """Translates Python's patterns to JavaScript and numbers the character classes in them."""

    def __init__(self) -> None:
        self.classes: list[list[int]] = []
        self._places: dict[tuple[int, ...], int] = {}

    def substitutions(self, pairs: Iterable[Rule]) -> list[list[str]]:
        """Pairs of a pattern and a replacement for JavaScript's `replace`."""
        return [[self.pattern(pattern), _replacement(replacement)] for pattern, replacement in pairs]

    def pattern(self, pattern: str | re.Pattern) -> str:
        """A pattern for `new RegExp`. Raises ValueError if it has flags, or syntax that is not translated here."""
        compiled = re.compile(pattern)
        if compiled.flags != re.UNICODE:
            raise ValueError(f"cannot translate the flags of {compiled}")
        text = compiled.pattern
        found, place = [], 0
        while place < len(text):
            part = _PART.match(text, place)
            if part is None:
                raise ValueError(f"cannot translate the pattern {text!r} from {text[place : place + 20]!r} on")
            found.append(self._translated(part))
            place = part.end()
        return "".join(found)

    def chosen(self, characters: Iterable[str]) -> str:
        """The name of the class of these characters."""
        flags = bytearray(len(_every()))
        for character in characters:
            flags[ord(character)] = 1
        return self._name(found.span() for found in re.finditer(b"\x01+", flags))

    def _translated(self, part: re.Match) -> str:
        if part["set"]:
            return self._name(_spans(part["set"]))
        if part["end"]:
            return r"(?=\n?$)"  # Python's $ also matches before a final newline
        if part["control"]:
            return part[0]
        literal = part["escaped"] or part["plain"]
        return part["same"] or (f"\\{literal}" if literal in r"\^$.*+?()[]{}|/" else literal)

    def _name(self, spans: Iterable[tuple[int, int]]) -> str:
        edges = [0, *(code for span in spans for code in span)]
        runs = tuple(after - before for before, after in pairwise(edges))
        if runs not in self._places:
            self._places[runs] = len(self.classes)
            self.classes.append(list(runs))
        return rf"\p{{{self._places[runs]}}}"


@cache
def _spans(text: str) -> tuple[tuple[int, int], ...]:
    """The code points, as ranges without their ends, that Python matches with a set such as `[^a-z]`."""
    if len(text) < _MANY:
        return tuple(found.span() for found in re.finditer(f"{text}+", _every()))
    listed = {ord(character) for character in _LISTED.findall(text)}
    flags = bytearray(len(_every()))
    for start, end in _spans(_LISTED.sub("", text)):
        flags[start:end] = b"\x01" * (end - start)
    for code in listed:
        flags[code] = not text.startswith("[^")
    return tuple(found.span() for found in re.finditer(b"\x01+", flags))


def _replacement(text: str) -> str:
    written = _REFERENCE.sub(lambda found: f"${found[1] or found[2]}", text.replace("$", "$$"))
    if "\\" in written:
        raise ValueError(f"cannot translate the replacement {text!r}")
    return written
