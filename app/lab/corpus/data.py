"""The data of the Corpus page that do not depend on the reader."""

from typing import Any

from attn_core.data.examples import PAIRS, Example, examples
from attn_core.data.function_words import LANGUAGES, function_words


def texts() -> dict[str, Any]:
    """The data of corpus.js: by languages our sentences with their gold alignments, and lists of function words."""
    return {
        "pairs": {f"{source}-{target}": [_pair(one) for one in examples(source, target)] for source, target in PAIRS},
        "function_words": {language: list(function_words(language)) for language in LANGUAGES},
    }


def _pair(example: Example) -> dict[str, Any]:
    sides = example.source_tokens, example.target_tokens
    sure, possible = ([list(link) for link in sorted(links)] for links in example.links(*sides))
    words = [len(side) for side in sides]
    return {"text": example.source, "reference": example.target, "words": words, "sure": sure, "possible": possible}
