"""Moses: raw text to tokenised text, and back.

Lowercase, normalise punctuation, tokenise, in that order, which is how the `lc.norm.tok` files of Multi30k and the
papers' corpora were made. Importing this takes ten times as long as importing the vocabularies, which ask for it when
they first meet raw text (`Tokenizer.moses`).
"""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from sacremoses import MosesDetokenizer, MosesPunctNormalizer, MosesTokenizer

from attn_core.data.subwords import SPECIALS
from attn_core.data.tokenizer import NO_LANGUAGE, encodable


@dataclass(frozen=True)
class Moses:
    """Moses preprocessing of one language (a two-letter code), equal to the Perl scripts that made `lc.norm.tok`.

    Text of NO_LANGUAGE is split at spaces and otherwise left as it is.
    """

    lang: str

    def __call__(self, text: str) -> str:
        """`text` lowercased, punctuation normalised and tokenised, with Moses' escapes (`&apos;`); one line."""
        if self.lang == NO_LANGUAGE:
            return " ".join(_readable(text).split())
        normalizer, tokenizer, _ = _moses(self.lang)
        line = " ".join(_readable(text).splitlines()).lower()
        # The Perl normaliser sees the line with its newline, and its rule for a full stop inside a final quotation
        # mark (German, French, Spanish) needs a character after the mark: without this newline it never applies.
        return tokenizer.tokenize(normalizer.normalize(line + "\n"), return_str=True)

    def detokenize(self, tokens: Sequence[str]) -> str:
        """Running text: spaces as in print, entities unescaped, a capital where a sentence starts.

        Only sentence starts are capitalised: lowercased tokens do not say where a name or a German noun was.
        """
        if self.lang == NO_LANGUAGE:
            return " ".join(tokens)
        return _moses(self.lang)[2].detokenize(_capitalised(tokens))


@cache
def _moses(lang: str) -> tuple[Any, Any, Any]:
    # The three objects are only read, so all threads may share them.
    # perl_parity: a lone closing quote becomes a double quotation mark, as the files have it
    return MosesPunctNormalizer(lang, perl_parity=True), MosesTokenizer(lang), MosesDetokenizer(lang)


def _readable(text: str) -> str:
    """`text` composed (NFC) and without characters that print nothing, which would become tokens nobody can see."""
    text = unicodedata.normalize("NFC", encodable(text))
    return text if text.isascii() and text.isprintable() else "".join(filter(_visible, text))


def _visible(character: str) -> bool:
    if character.isspace():
        return True
    if "\ufe00" <= character <= "\ufe0f":  # variation selectors: "the emoji before me in colour"
        return False
    return unicodedata.category(character) not in ("Cc", "Cf")


def _capitalised(tokens: Sequence[str]) -> list[str]:
    words, start = [], True
    for token in tokens:
        entity = token.startswith("&") and token.endswith(";")
        place = next((i for i, character in enumerate(token) if character.isalnum()), None)
        if token in (".", "!", "?"):
            start = True
        elif start and place is not None and not entity and token not in SPECIALS:
            capital = token[place].upper()
            token = token[:place] + (capital if len(capital) == 1 else token[place]) + token[place + 1 :]
            start = False
        words.append(token)
    return words
