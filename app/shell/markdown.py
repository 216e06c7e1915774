"""Markdown, which most texts on a page are read as."""

import re

_JOINER = "\N{WORD JOINER}"  # has no width
# What becomes a link, an icon or an emoji even where its punctuation is escaped: Streamlit looks for these in the text
# that is left when Markdown has been read (http://a, www.a, a@b, :smile:, :material/home:).
_LATER = re.compile(r"(:(?=[\w/+\-])|www(?=\.)|@)", re.IGNORECASE)


def escaped(text: str) -> str:
    """Text from outside (a link, a model's files, a reader) in one line that Streamlit shows as it is.

    No link, image, element, formula or icon comes of it.
    """
    line = re.sub(r"\s*[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]\s*", " ", text)
    return re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", _LATER.sub(rf"\1{_JOINER}", line))
