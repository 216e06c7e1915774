"""Function words of German, English and French: closed classes, listed by hand for this project.

`function_words.json` has a text of words for each class. A word with several uses (German "sein", English "that")
stands where it is most frequent, but counts as a function word in all of them; a separable particle that is also a
preposition ("auf") does too. Words are lowercase, as the models read them.
"""

import json
from functools import cache
from importlib.resources import files

LANGUAGES = ("de", "en", "fr")


@cache
def function_words(language: str) -> tuple[str, ...]:
    """The function words of a language, sorted; none for a language without a list."""
    classes = json.loads(files("attn_core.data").joinpath("function_words.json").read_text("utf-8")).get(language, {})
    return tuple(sorted({word for words in classes.values() for word in words.split()}))
