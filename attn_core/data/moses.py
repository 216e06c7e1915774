"""Moses preprocessing: raw text to tokenised text, and back.

Text is lowercased, its punctuation normalised, and then tokenised, as in the `lc.norm.tok` files of Multi30k and in the
papers' corpora. Importing this module takes ten times as long as importing the tokenizer, so the tokenizer imports it
only when it first tokenises raw text (`Tokenizer.moses`).

The tokeniser is sacremoses', with two more rules. The last full stop of a line is separated from any word, as today's
`tokenizer.perl` does ("... Käse usw ."); the version that made the files of Multi30k kept an abbreviation there, which
differs in 19 of its 87,000 training lines. Joiners stay inside words, which the script makes words of their own (see
`attn_core.data.form`). Rules that sacremoses lacks are those for colons in Finnish and Swedish, for the middle dot of
Catalan and for apostrophes in Catalan, Irish, Somali and Tetun.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from typing import Any

from sacremoses import MosesDetokenizer, MosesPunctNormalizer, MosesTokenizer

from attn_core.data.form import JOINERS, LOWER, Form, without_invisible
from attn_core.data.tokenizer import NO_LANGUAGE
from attn_core.data.truecase import sentence_starts
from attn_core.data.unspaced import UNSPACED, marks_apart


@dataclass(frozen=True)
class Moses:
    """Moses preprocessing of one language (a two-letter code), as by the Perl scripts that make `lc.norm.tok` files.

    Text of NO_LANGUAGE is only split at spaces. With `sentences`, each sentence of a text is tokenised separately, so
    that the full stop of each becomes a token; the scripts expect one sentence a line and split off its last full stop.
    `form` is the form of the result: a model whose text has capitals keeps those of raw text too.
    """

    lang: str
    sentences: bool = False
    form: Form = LOWER

    def __call__(self, text: str) -> str:
        """`text` as one line in `form`, with normalised punctuation, tokenised, with Moses' escapes (`&apos;`)."""
        if self.lang == NO_LANGUAGE:
            return " ".join(without_invisible(text).split())
        line = " ".join(without_invisible(text).splitlines())
        return " ".join(map(self._tokenized, self._sentences(line) if self.sentences else [line]))

    def _tokenized(self, line: str) -> str:
        normalizer, tokenizer, _ = scripts(self.lang)
        # The Perl normaliser gets the line with its newline, and its rule for a full stop before a final quotation
        # mark (German, French, Spanish) needs a character after the mark: without the newline it never applies.
        line = normalizer.normalize(replace(self.form, unicode="NFC").of(line) + "\n")  # letters apart would be split
        line = tokenizer.tokenize(marks_apart(line) if self.lang in UNSPACED else line, return_str=True)
        return self.form.of(line) if self.form.unicode == "NFD" else line

    def _sentences(self, line: str) -> Iterator[str]:
        """The sentences of a line: each ends with `.`, `!` or `?` before a capital letter, or at the end of the line.

        None ends with an abbreviation, and none before a digit, a quotation mark or a small letter.
        """
        prefixes = set(scripts(self.lang)[1].NONBREAKING_PREFIXES)
        sentence: list[str] = []
        for word, following in pairwise([*filter(None, line.split(" ")), ""]):
            sentence.append(word)
            capital = following[:1].lower() != following[:1]
            abbreviated = word.endswith(".") and ("." in word[:-1] or word[:-1] in prefixes)
            if word.endswith((".", "!", "?")) and capital and not abbreviated:
                yield " ".join(sentence)
                sentence.clear()
        yield " ".join(sentence)

    def detokenize(self, tokens: Sequence[str]) -> str:
        """Running text: spaces as in print, entities unescaped, sentences of lowercased text capitalised.

        Other capitals, as of names and German nouns, are those of the tokens (see `attn_core.data.truecase`).
        """
        if self.lang == NO_LANGUAGE:
            return " ".join(tokens)
        return scripts(self.lang)[2].detokenize(_capitalised(tokens) if self.form.lower else tokens)


class _Tokenizer(MosesTokenizer):
    """sacremoses' tokeniser with the rule of `tokenizer.perl` for the last full stop, and joiners in words."""

    def __init__(self, lang: str):
        super().__init__(lang)
        self.IsAlnum += "".join(JOINERS)
        self.PAD_NOT_ISALNUM = re.compile(rf"([^{self.IsAlnum}\s\.'\`\,\-])"), r" \1 "

    def handles_nonbreaking_prefixes(self, text: str) -> str:
        return re.sub(r"(?<=\S)\.$", " .", super().handles_nonbreaking_prefixes(text))


@cache
def scripts(lang: str) -> tuple[Any, Any, Any]:
    """The punctuation normaliser, tokeniser and detokeniser of a language."""
    # Threads can share the three objects, which are never modified.
    # perl_parity: a single closing quote becomes a double quotation mark, as in the files.
    return MosesPunctNormalizer(lang, perl_parity=True), _Tokenizer(lang), MosesDetokenizer(lang)


def _capitalised(tokens: Sequence[str]) -> list[str]:
    words = list(tokens)
    for i, place in sentence_starts(tokens):
        capital = words[i][place].upper()
        if len(capital) == 1:
            words[i] = words[i][:place] + capital + words[i][place + 1 :]
    return words
