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
    tokens = [unescaped(token) for token in tokens]
    if not any(token.startswith(WORD_START) for token in tokens):  # words
        return tokens
    whole = {*SPECIALS, WORD_START}
    return [token if token in whole else token[1:] if token.startswith(WORD_START) else f"·{token}" for token in tokens]


def unescaped(token: str) -> str:
    """A token as people write it: what Moses escaped is again the character that it stands for."""
    return _ESCAPED.sub(lambda found: _MEANT[found[0]], token)


def word_numbers(tokens: Sequence[str]) -> list[int]:
    """Which word each token belongs to, counted from 0; every token of a vocabulary of whole words is one."""
    pieces = any(token.startswith(WORD_START) for token in tokens)
    word, words = -1, []
    for token in tokens:
        word += not pieces or word < 0 or token in SPECIALS or token.startswith(WORD_START)
        words.append(word)
    return words


def spelled(tokens: Sequence[str]) -> list[str]:
    """The words of `tokens` as they are shown, pieces put together; as many as `word_numbers` counts."""
    words: list[str] = []
    for token, number in zip(tokens, word_numbers(tokens), strict=True):
        if number == len(words):
            words.append("")
        words[number] += token
    return readable(words)
