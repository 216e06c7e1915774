"""The marks and texts of a chart of boxes and arrows."""

import html
import re

from attn_core.figures import svg


def rows(chart) -> list[dict]:
    """All marks of a chart, for all steps."""
    return [row for layer in chart.to_dict()["layer"] for row in layer["data"].get("values", [])]


def tips(chart) -> set[str]:
    return {row["tip"] for row in rows(chart)}


def texts(chart) -> list[str]:
    """The texts drawn at the slider's step."""
    return [html.unescape(text) for text in re.findall(r"<text[^>]*>([^<]*)</text>", svg(chart))]
