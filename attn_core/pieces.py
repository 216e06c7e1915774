"""The marks of a vocabulary of word pieces, and tokens as people read them."""

import re
from collections.abc import Sequence

SPECIALS = ("<pad>", "<unk>", "<s>", "</s>")
WORD_START = "▁"  # marks the first piece of a word (BPE); sentence-piece's sign

# What the tokenizer of Moses writes for characters that mean something to it.
_MEANT = {
    "&amp;": "&",
    "&#124;": "|",
    "&lt;": "<",
    "&gt;": ">",
    "&apos;": "'",
    "&quot;": '"',
    "&#91;": "[",
    "&#93;": "]",
}
_ESCAPED = re.compile("|".join(map(re.escape, _MEANT)))


def readable(tokens: Sequence[str]) -> list[str]:
    """Tokens as they are shown: no mark before a word, a dot before a piece that goes on with one, nothing escaped."""
    tokens = [_ESCAPED.sub(lambda found: _MEANT[found[0]], token) for token in tokens]
    if not any(token.startswith(WORD_START) for token in tokens):  # words
        return list(tokens)
    whole = {*SPECIALS, WORD_START}
    return [token if token in whole else token[1:] if token.startswith(WORD_START) else f"·{token}" for token in tokens]
