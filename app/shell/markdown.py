"""Markdown, which most texts on a page are read as."""

import re


def escaped(text: str) -> str:
    """Text as it is on a page that reads Markdown."""
    return re.sub(r"([\\`*_{}\[\]()<>#+\-.!|$~:^])", r"\\\1", text)
