"""What a request may ask for: the numbers of engine/limits.js, for a server that translates in place of a browser."""

import json
import re
from pathlib import Path

_SCRIPT = (Path(__file__).parent / "engine" / "limits.js").read_text("utf-8")
_LINES = re.findall(r"^export const (\w+) = ([^;]+);", _SCRIPT, re.MULTILINE)
_GIVEN = {name: json.loads(value) for name, value in _LINES}

MOST_WORDS: int = _GIVEN["MOST_WORDS"]  # of a sentence
MOST_PIECES: int = _GIVEN["MOST_PIECES"]  # of a sentence that is split into word pieces
MOST_LETTERS: int = _GIVEN["MOST_LETTERS"]
BEAMS: tuple[int, ...] = tuple(_GIVEN["BEAMS"])
