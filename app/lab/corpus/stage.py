"""The data of the Corpus page that do not depend on the reader."""

from typing import Any

from attn_core.data.captions import captions, gold
from attn_core.data.function_words import LANGUAGES, function_words


def texts() -> dict[str, Any]:
    """The data of corpus.js: our sentences with their translations and gold alignments, and lists of function words."""
    pairs = []
    for caption in captions():
        sure, possible = gold(caption)
        pairs.append({"text": caption.de, "reference": caption.en, "sure": _links(sure), "possible": _links(possible)})
    return {"pairs": pairs, "function_words": {language: list(function_words(language)) for language in LANGUAGES}}


def _links(links: frozenset[tuple[int, int]]) -> list[list[int]]:
    return [list(link) for link in sorted(links)]
