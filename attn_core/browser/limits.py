"""What a request may ask for: the numbers of engine/limits.js, for a server that translates in place of a browser."""

import json
import re
from pathlib import Path
from typing import Any

_SCRIPT = (Path(__file__).parent / "engine" / "limits.js").read_text("utf-8")
_LINES = re.findall(r"^export const (\w+) = ([^;]+);", _SCRIPT, re.MULTILINE)
_LIMITS = {name: json.loads(value) for name, value in _LINES}

MOST_WORDS: int = _LIMITS["MOST_WORDS"]  # of a sentence
MOST_PIECES: int = _LIMITS["MOST_PIECES"]  # of a sentence that is split into word pieces
MOST_LETTERS: int = _LIMITS["MOST_LETTERS"]
BEAMS: tuple[int, ...] = tuple(_LIMITS["BEAMS"])
MOST_STEPS: int = _LIMITS["MOST_STEPS"]  # the last step that a link can name


def sentence_length(words: int, pieces: int, *, of_characters: bool) -> dict[str, Any]:
    """The length of a sentence, its limit, and their unit, which is word pieces only if there are too many of them.

    `words` are characters in a language without spaces. The sentence is too long if the result's `words` exceed `most`.
    """
    if words <= MOST_WORDS and pieces > MOST_PIECES:
        return {"words": pieces, "most": MOST_PIECES, "unit": "pieces"}
    return {"words": words, "most": MOST_WORDS, "unit": "characters" if of_characters else "words"}
