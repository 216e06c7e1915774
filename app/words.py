"""Words on a page."""

import re


def escaped(text: str) -> str:
    """Text as it is on a page that reads Markdown."""
    return re.sub(r"([\\`*_{}\[\]()<>#+\-.!|$~:^])", r"\\\1", text)
