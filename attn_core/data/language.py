"""What a model's vocabularies reveal about a sentence: which words are known, and whether the language is wrong."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from attn_core.data.function_words import is_in_other_language
from attn_core.data.subwords import unescaped
from attn_core.data.tokenizer import NO_LANGUAGE, UNK, Tokenizer
from attn_core.messages import N_, _, ngettext

LANGUAGES = {
    "de": N_("German"),
    "en": N_("English"),
    "fr": N_("French"),
    "zh": N_("Chinese"),
    "cs": N_("Czech"),
    "vi": N_("Vietnamese"),
}
SURE = 0.8  # nats per word by which the other language must be more likely
LEAST = 4.0  # and nats for the whole sentence: a single word is weak evidence
LONGEST = 40  # characters of a word that is named


@dataclass(frozen=True)
class Reading:
    """The known and unknown words of a sentence; tokens without a letter or digit do not count."""

    known: tuple[str, ...]
    unknown: tuple[str, ...]
    swapped: bool  # the sentence seems to be in the target language

    @property
    def foreign(self) -> bool:
        """Fewer than half of the words are known."""
        return len(self.known) < len(self.unknown)


def language(tokenizer: Tokenizer) -> str:
    """The name of the vocabulary's language; see `language_name`."""
    return language_name(tokenizer.lang)


def language_name(code: str) -> str:
    """The name of a language, its code if LANGUAGES has no name, or "symbols" for synthetic tasks."""
    return _("symbols") if code == NO_LANGUAGE else _(LANGUAGES.get(code, code))


def read(typed: Sequence[str], source: Tokenizer, target: Tokenizer) -> Reading:
    """Which words of a sentence are known, and whether it seems to be in the target language.

    A word is known if all its pieces are.

    Vocabularies of words are sorted by frequency, and frequency falls as 1 / rank (Zipf), so log rank is a word's cost
    in nats; the language with the lower cost is more likely. The ranks of word pieces, which both languages may share,
    are weak evidence: a model with pieces compares function words.
    """
    words = [word for word in typed if any(map(str.isalnum, unescaped(word)))]
    strange = [UNK in source.ids(source.tokens(word, tokenized=True)) for word in words]
    known = tuple(unescaped(word) for word, odd in zip(words, strange, strict=True) if not odd)
    unknown = tuple(unescaped(word) for word, odd in zip(words, strange, strict=True) if odd)
    if "bpe" in (source.kind, target.kind):
        return Reading(known, unknown, is_in_other_language(map(unescaped, words), source.lang, target.lang))
    here, there = source.ids(words), target.ids(words)
    gain = sum(_cost(i, source) - _cost(j, target) for i, j in zip(here, there, strict=True))
    return Reading(known, unknown, gain > max(SURE * len(words), LEAST))


def doubt(reading: Reading, source: Tokenizer, target: Tokenizer, learned_from: str = "") -> str:
    """A warning that the translation may be nonsense; empty if there is no reason for one, and for synthetic tasks.

    `learned_from` names the text of the model's vocabulary.
    """
    if source.lang == NO_LANGUAGE:
        return ""
    if reading.swapped:
        message = _("This looks like {target}. The model translates {source} into {target}, so expect nonsense.")
        return message.format(source=language(source), target=language(target))
    if reading.foreign:
        total = len(reading.known) + len(reading.unknown)
        return ngettext(
            "{unknown} of {n} word is outside the vocabulary that the model learned from {text}: {words}. It becomes "
            "<unk>, so expect a poor translation.",
            "{unknown} of {n} words are outside the vocabulary that the model learned from {text}: {words}. They "
            "become <unk>, so expect a poor translation.",
            total,
        ).format(
            unknown=len(reading.unknown),
            n=total,
            text=learned_from or _("its training text"),
            words=named(reading.unknown),
        )
    return ""


def doubt_of(tokens: Sequence[str], source: Tokenizer, target: Tokenizer) -> str:
    """The warning of `doubt` for a sentence given as tokens of `source`; empty if there is none."""
    return doubt(read(source.text(tokens).split(), source, target), source, target)


def _cost(id: int, tokenizer: Tokenizer) -> float:
    return math.log(2 * len(tokenizer) if id == UNK else id)


def named(words: Sequence[str], most: int = 8) -> str:
    """The words in quotation marks, at most `most` of them: “a”, “b” and 3 more."""
    once = list(dict.fromkeys(words))
    shown = ", ".join(f"“{word if len(word) <= LONGEST else word[: LONGEST - 1] + '…'}”" for word in once[:most])
    if len(once) <= most:
        return shown
    return _("{words} and {n} more").format(words=shown, n=len(once) - most)
