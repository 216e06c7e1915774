"""Chinese, which is written without spaces between words: its characters and its punctuation, one by one."""

import re
from collections import Counter
from collections.abc import Mapping
from functools import cache

UNSPACED = ("zh",)
# Radicals, punctuation, kana and ideographs; compatibility forms; vertical forms; the ideographs of planes 2 and 3.
HAN = "\u2e80-\u9fff\uf900-\ufaff\ufe30-\ufe4f\U00020000-\U0003fffd"
_CHARACTER = re.compile(f"[{HAN}]")


@cache
def marks() -> str:
    """A pattern for the punctuation among these characters, such as 。 and 《, with one group."""
    han = filter(_CHARACTER.match, map(chr, range(0x2E80, 0x10000)))
    return f"([{''.join(one for one in han if not one.isalnum())}])"


def marks_apart(text: str) -> str:
    """`text` with spaces around its marks, which Moses keeps with the characters beside them."""
    return re.sub(marks(), r" \1 ", text)


def characters_apart(text: str) -> str:
    """`text` with spaces around each character, so that each can be an entry of a vocabulary."""
    return _CHARACTER.sub(r" \g<0> ", text)


def counts_of_characters(counts: Mapping[str, int]) -> Counter[str]:
    """The counts of characters, and of what else is between spaces, in a text with these counts of words."""
    found: Counter[str] = Counter()
    for word, count in counts.items():
        for entry in characters_apart(word).split():
            found[entry] += count
    return found
