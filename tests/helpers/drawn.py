"""What a chart of boxes and arrows says: its marks, and the words on it."""

import html
import re

from attn_core.figures import svg


def rows(chart) -> list[dict]:
    """All marks of a chart, of every step."""
    return [row for layer in chart.to_dict()["layer"] for row in layer["data"].get("values", [])]


def tips(chart) -> set[str]:
    return {row["tip"] for row in rows(chart)}


def texts(chart) -> list[str]:
    """What is written, at the step that the slider is at."""
    return [html.unescape(text) for text in re.findall(r"<text[^>]*>([^<]*)</text>", svg(chart))]
