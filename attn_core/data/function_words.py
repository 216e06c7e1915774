"""Function words of German, English and French: closed classes, listed by hand for this project.

`function_words.json` has a text of words for each class. A word with several uses (German "sein", English "that")
stands where it is most frequent, but counts as a function word in all of them; a separable particle that is also a
preposition ("auf") does too. Words are lowercase, as the models read them.
"""

import json
from collections.abc import Iterable
from functools import cache
from importlib.resources import files

LANGUAGES = ("de", "en", "fr")


@cache
def function_words(language: str) -> tuple[str, ...]:
    """The function words of a language, sorted; none for a language without a list."""
    classes = json.loads(files("attn_core.data").joinpath("function_words.json").read_text("utf-8")).get(language, {})
    return tuple(sorted({word for words in classes.values() for word in words.split()}))


def is_in_other_language(words: Iterable[str], own: str, other: str) -> bool:
    """Whether function words show that a sentence is in the other language; False if one of the two has no list.

    Those of the other language alone must be more than twice as many as those of its own language alone: titles and
    names have some. No third language may have as many. One function word among fewer than three words is too little.
    """
    if own == other or not {own, other} <= set(LANGUAGES):
        return False
    plain = [_plain(word.lower()) for word in words]
    lists = {language: set(map(_plain, function_words(language))) for language in LANGUAGES}
    ours, theirs = lists.pop(own), lists.pop(other)

    def count(chosen: set[str]) -> int:
        return sum(word in chosen for word in plain)

    return (
        count(theirs - ours) > 2 * count(ours - theirs)
        and count(theirs) > max(map(count, lists.values()))
        and (count(theirs) > 1 or len(plain) > 2)
    )


def _plain(word: str) -> str:
    """The word without apostrophes: the tokenizers of two languages may split it at them differently."""
    return word.replace("'", "")
