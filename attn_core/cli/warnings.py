"""Warnings that several commands print."""

from collections.abc import Sequence
from pathlib import Path

from attn_core.data.language import doubt_of
from attn_core.messages import print_warning
from attn_core.models.translator import Translator


def warn_of_language(model: Translator, file: Path, lines: Sequence[str], tokenized: bool) -> None:
    """Print a warning if most `lines` of `file` do not seem to be in the model's source language."""
    found = (doubt_of(model.source.tokens(line, tokenized), model.source, model.target) for line in lines)
    doubts = list(filter(None, found))
    if 2 * len(doubts) > len(lines):
        count = f"{len(doubts)} of the {len(lines)} lines of {file}"
        print_warning(f"{model.name} may translate {count} poorly. The first: {doubts[0]}")
