"""The marks of a vocabulary of word pieces, and tokens as people read them."""

from collections.abc import Sequence

SPECIALS = ("<pad>", "<unk>", "<s>", "</s>")
WORD_START = "▁"  # marks the first piece of a word (BPE); sentence-piece's sign


def readable(tokens: Sequence[str]) -> list[str]:
    """Tokens as they are shown: no mark before a word, and a dot before a piece that goes on with one."""
    if not any(token.startswith(WORD_START) for token in tokens):  # words
        return list(tokens)
    whole = {*SPECIALS, WORD_START}
    return [token if token in whole else token[1:] if token.startswith(WORD_START) else f"·{token}" for token in tokens]
