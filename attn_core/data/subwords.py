"""Subword markers, and tokens in readable form."""

import re
from collections.abc import Sequence

SPECIALS = ("<pad>", "<unk>", "<s>", "</s>")
WORD_START = "▁"  # marks the first piece of a word (BPE), as in SentencePiece

# Escapes of the Moses tokenizer for its special characters.
_UNESCAPED = {
    "&amp;": "&",
    "&#124;": "|",
    "&lt;": "<",
    "&gt;": ">",
    "&apos;": "'",
    "&quot;": '"',
    "&#91;": "[",
    "&#93;": "]",
}
_ESCAPED = re.compile("|".join(map(re.escape, _UNESCAPED)))


def readable(tokens: Sequence[str]) -> list[str]:
    """Tokens for display: unescaped, without word-start markers, and with a dot before pieces inside a word."""
    tokens = [unescaped(token) for token in tokens]
    if not any(token.startswith(WORD_START) for token in tokens):  # words
        return tokens
    whole = {*SPECIALS, WORD_START}
    return [token if token in whole else token[1:] if token.startswith(WORD_START) else f"·{token}" for token in tokens]


def unescaped(token: str) -> str:
    """A token with Moses' escapes replaced by the characters."""
    return _ESCAPED.sub(lambda found: _UNESCAPED[found[0]], token)


def word_numbers(tokens: Sequence[str]) -> list[int]:
    """The index, from 0, of each token's word; in a vocabulary of whole words, each token is a word."""
    pieces = any(token.startswith(WORD_START) for token in tokens)
    word, words = -1, []
    for token in tokens:
        word += not pieces or word < 0 or token in SPECIALS or token.startswith(WORD_START)
        words.append(word)
    return words


def spelled(tokens: Sequence[str]) -> list[str]:
    """The words of `tokens` for display, with pieces joined; the indices are those of `word_numbers`."""
    words: list[str] = []
    for token, number in zip(tokens, word_numbers(tokens), strict=True):
        if number == len(words):
            words.append("")
        words[number] += token
    return readable(words)
