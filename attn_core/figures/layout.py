"""A chart laid out for a width and a font size, as SVG: the views give way, and the text keeps its size.

A chart is drawn in pixels of its own. One of them becomes `size` / `_text_size(spec)` points, so that lines and gaps
shrink with the text, and the widths of the views are changed until labels, legend and views together have the width.
A drawing (`network`, `weighing`), whose boxes and texts stand at fixed pixels, is scaled as a whole.
"""

import math
import re
from collections.abc import Iterator
from typing import Any

import vl_convert

from attn_core.figures.fonts import outline

SIZE = 8.0  # points of text
POINTS = 72 / 25.4  # in a millimetre
LEGENDS = ("right", "bottom", "none")
_VEGA_TEXT = 10  # pixels of a label without a size of its own
_ROW = 1.25, 1.8  # the least and the most height of a row with a label, relative to its text
_COLUMN = 1.1  # the least distance between slanted or upright labels
_NEAR = 0.004  # relative error allowed in the width; the size of the text is off by the same factor
_FACTS = ("data", "datasets")  # parts of a chart without settings

Spec = dict[str, Any]


def laid_out(spec: Spec, width: float, size: float | None, font: str, legend: str) -> tuple[str, float]:
    """The chart as SVG, and the points that a pixel of it must have for `width` points in all.

    Raises ValueError if the labels do not fit at this size, and for a drawing with a `size`.
    """
    spec.setdefault("config", {})["font"] = font
    if _is_drawing(spec):
        page = _svg(spec)
        if size is not None:
            raise ValueError("this drawing is scaled as a whole, and its text with it: omit size")
        return page, width / _width(page)
    size = SIZE if size is None else size
    text = _text_size(spec)
    pixels = width * text / size
    _set_text(spec, text, font, pixels)
    _set_legend(spec, legend, text, pixels)
    page = _fitted(spec, pixels, text, size)
    if _turned(spec, text):  # labels that stand upright need less room at the side
        page = _fitted(spec, pixels, text, size)
    _check_columns(spec, text, size, width)
    return page, width / _width(page)


def _walk(node: Any) -> Iterator[Spec]:
    """All objects of a chart except its data."""
    if isinstance(node, dict):
        yield node
        for key, value in node.items():
            if key not in _FACTS:
                yield from _walk(value)
    elif isinstance(node, list):
        for value in node:
            yield from _walk(value)


def _views(spec: Spec) -> list[Spec]:
    return [view for view in _walk(spec) if isinstance(view.get("width"), int | float) and _channels(view, "x")]


def _channels(view: Spec, name: str) -> list[Spec]:
    """The encodings of a channel in a view and its layers."""
    return [part["encoding"][name] for part in _walk(view) if name in part.get("encoding", {})]


def _is_drawing(spec: Spec) -> bool:
    channels = [channel for name in "xy" for channel in _channels(spec, name)]
    return bool(channels) and all("axis" in channel and channel["axis"] is None for channel in channels)


def _text_size(spec: Spec) -> float:
    """The pixels of the chart's largest labels."""
    return max((part["labelFontSize"] for part in _walk(spec) if "labelFontSize" in part), default=_VEGA_TEXT)


def _set_text(spec: Spec, text: float, font: str, pixels: float) -> None:
    """All text has one size and weight; a title takes as many lines as it needs."""
    for part in _walk(spec):
        for key in part:
            if key.lower().endswith("fontsize"):
                part[key] = text
    axis = {"labelFontSize": text, "titleFontSize": text, "titleFontWeight": "normal"}
    config = spec["config"]
    for name in ("axis", "legend", "header"):
        config[name] = config.get(name, {}) | axis
    config["text"] = config.get("text", {}) | {"fontSize": text}
    config["title"] = config.get("title", {}) | {"fontSize": text, "fontWeight": "normal"}
    if title := spec.get("title"):
        whole = {"text": title} if isinstance(title, str) else title
        spec["title"] = whole | {"text": _lines(str(whole["text"]), font, text, pixels), "anchor": "start"}
        spec["title"]["frame"] = "bounds"


def _lines(words: str, font: str, text: float, pixels: float) -> list[str]:
    lines = [""]
    for word in words.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and outline(longer, font, text)[1] > pixels:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def _set_legend(spec: Spec, legend: str, text: float, pixels: float) -> None:
    for part in _walk(spec):
        for name in ("color", "fill", "stroke"):
            channel = part.get("encoding", {}).get(name, {})
            if legend == "none" and "legend" in channel:
                channel["legend"] = None
            elif isinstance(found := channel.get("legend"), dict):
                found["gradientThickness"] = 0.7 * text
                if legend == "bottom":
                    along = {"orient": "bottom", "direction": "horizontal", "titleOrient": "left", "offset": text}
                    found |= along | {"gradientLength": round(pixels / 3)}


def _fitted(spec: Spec, pixels: float, text: float, size: float) -> str:
    """The SVG after the widths of the views have been changed so that all together has this width, nearly."""
    views = _views(spec)
    first = [(view["width"], view.get("height")) for view in views]
    widest = max(width for width, _ in first)

    def drawn(share: float) -> str:
        for view, (width, height) in zip(views, first, strict=True):
            view["width"] = share * width
            if isinstance(height, int | float):
                least, most = (part * text * _count(view, "y") for part in _ROW)
                view["height"] = min(max(share * height, least), most or math.inf)
        return _svg(spec)

    share, page = 1.0, drawn(1.0)
    before: tuple[float, float] | None = None
    for _ in range(6):
        off = _width(page) - pixels
        if abs(off) < _NEAR * pixels:
            break
        slope = (_width(page) - before[1]) / (share - before[0]) if before and share != before[0] else widest
        before = share, _width(page)
        share = max(share - off / (slope or widest), 0.02)
        page = drawn(share)
    if _width(page) > (1 + 2 * _NEAR) * pixels:
        least = math.ceil(_width(page) * size / text / POINTS)
        raise ValueError(f"labels and legend alone need {least} mm at {size:g} pt: choose a larger width_mm")
    return page


def _count(view: Spec, name: str) -> int:
    """The labels of an axis whose labels are all drawn; 0 if Vega chooses them."""
    counts = [0]
    for channel in _channels(view, name):
        axis, scale = channel.get("axis") or {}, channel.get("scale") or {}
        if channel.get("type") == "nominal":
            counts.append(len(scale.get("domain") or []))
        counts.append(len(axis.get("values") or []))
    return max(counts)


def _turned(spec: Spec, text: float) -> bool:
    """Turn slanted labels that would touch each other upright; whether there were any."""
    turned = False
    for view in _views(spec):
        for channel in _channels(view, "x"):
            axis = channel.get("axis") or {}
            angle, count = axis.get("labelAngle"), _count(view, "x")
            if angle and count and abs(math.sin(math.radians(angle))) * view["width"] / count < _COLUMN * text:
                axis |= {"labelAngle": -90, "labelBaseline": "middle"}
                turned = True
    return turned


def _check_columns(spec: Spec, text: float, size: float, width: float) -> None:
    for view in _views(spec):
        count = _count(view, "x")
        if count and view["width"] / count < _COLUMN * text:
            across = min(spec["columns"], len(spec.get("concat", ())) or math.inf) if "columns" in spec else 1
            more = (_COLUMN * text * count - view["width"]) * size / text * across
            raise ValueError(
                f"{count} labels side by side need about {math.ceil((width + more) / POINTS)} mm at {size:g} pt: "
                "choose a larger width_mm or a smaller size"
            )


def _svg(spec: Spec) -> str:
    return vl_convert.vegalite_to_svg(spec)


def _width(page: str) -> float:
    found = re.search(r'<svg[^>]* width="([\d.]+)"', page)
    assert found
    return float(found[1])
