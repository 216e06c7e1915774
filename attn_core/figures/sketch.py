"""Boxes, arrows and texts at pixel positions as an Altair chart; some are visible only at one step of a slider."""

import math
from dataclasses import dataclass, field
from typing import Any

import altair as alt

from attn_core.palette import INK, PAPER


@dataclass(frozen=True)
class Mark:
    """Base class of marks: `tip` is the tooltip, `step` the slider value at which the mark is visible (None: always).

    At the slider value `but` it is hidden.
    """

    step: int | None = field(default=None, kw_only=True)
    but: int | None = field(default=None, kw_only=True)
    tip: str = field(default="", kw_only=True)
    color: str = field(default=INK, kw_only=True)


@dataclass(frozen=True)
class Box(Mark):
    x: float  # of its centre
    y: float
    width: float = 40.0
    height: float = 28.0
    fill: str = field(default=PAPER, kw_only=True)
    sharp: bool = field(default=False, kw_only=True)  # without border and rounded corners, for the cell of a strip


@dataclass(frozen=True)
class Text(Mark):
    x: float
    y: float
    text: str = ""
    size: int = 13
    bold: bool = False
    align: str = "center"  # or "left", "right": which end of the text is at x


@dataclass(frozen=True)
class Arrow(Mark):
    x: float
    y: float
    x2: float
    y2: float
    width: float = 1.5
    dashed: bool = False
    head: bool = field(default=True, kw_only=True)


def sketch(marks: list[Mark], width: float, height: float, steps: int, first: int = 0) -> alt.LayerChart:
    """`marks` in the order boxes, arrows, texts; a slider from 0 to `steps` - 1 selects the step, initially `first`.

    y grows downwards. With one step there is no slider. Raises ValueError if there is no step `first`.
    """
    if not 0 <= first < steps:
        raise ValueError(f"first must be a step from 0 to {steps - 1}, not {first}")
    slider: dict[str, Any] = {"bind": alt.binding_range(min=0, max=steps - 1, step=1, name="t ")} if steps > 1 else {}
    step = alt.param("step", value=first, **slider)
    across, down = (alt.Scale(domain=[0, size], nice=False, zero=False) for size in (width, height))
    down.reverse = True
    x, y = alt.X("x:Q", scale=across, axis=None), alt.Y("y:Q", scale=down, axis=None)

    def layer(rows: list[dict], mark: str, **style: object) -> alt.Chart:
        chart = getattr(alt.Chart(alt.Data(values=rows)), f"mark_{mark}")(**style)
        seen = chart.transform_filter("(datum.step === null || datum.step === step) && datum.but !== step")
        return seen.encode(x, y, color=alt.Color("color:N", scale=None), tooltip=alt.Tooltip("tip:N", title=" "))

    layers = []
    style: dict[str, Any]
    for sharp, style in ((False, {"cornerRadius": 5, "strokeWidth": 1.5}), (True, {"strokeWidth": 0})):
        rows = [_box(mark) for mark in marks if isinstance(mark, Box) and mark.sharp == sharp]
        fill, stroke = alt.Color("fill:N", scale=None), alt.Stroke("color:N", scale=None)
        layers.append(layer(rows, "rect", **style).encode(alt.X2("x2"), alt.Y2("y2"), color=fill, stroke=stroke))
    arrows = [mark for mark in marks if isinstance(mark, Arrow)]
    for dashed, style in ((False, {}), (True, {"strokeDash": [5, 4]})):
        rows = [_line(mark) for mark in arrows if mark.dashed == dashed]
        rule = layer(rows, "rule", **style).encode(alt.X2("x2"), alt.Y2("y2"))
        layers.append(rule.encode(strokeWidth=alt.StrokeWidth("width:Q", scale=None)))
    tips = layer([_head(mark) for mark in arrows if mark.head], "point", shape="triangle", filled=True, opacity=1)
    angle, size = alt.Angle("angle:Q", scale=None), alt.Size("size:Q", scale=None)
    layers.append(tips.encode(angle, size))
    texts = [mark for mark in marks if isinstance(mark, Text)]
    for kind in sorted({(mark.size, mark.bold, mark.align) for mark in texts}):
        rows = [_text(mark) for mark in texts if (mark.size, mark.bold, mark.align) == kind]
        style = {"fontSize": kind[0], "fontWeight": "bold" if kind[1] else "normal", "align": kind[2]}
        layers.append(layer(rows, "text", baseline="middle", **style).encode(text="text:N"))
    chart = alt.layer(*layers).add_params(step).properties(width=width, height=height, background=PAPER)
    return chart.configure_view(stroke=None)


def _row(mark: Box | Text | Arrow, **more: object) -> dict[str, object]:
    place = {"x": mark.x, "y": mark.y, "step": mark.step, "but": mark.but}
    return place | {"tip": mark.tip, "color": mark.color, **more}


def _box(mark: Box) -> dict[str, object]:
    left, top = mark.x - mark.width / 2, mark.y - mark.height / 2
    return _row(mark) | {"x": left, "y": top, "x2": left + mark.width, "y2": top + mark.height, "fill": mark.fill}


def _line(mark: Arrow) -> dict[str, object]:
    """The line of an arrow, up to its head."""
    x2, y2 = _before_end(mark, 2 * _half(mark) - 1) if mark.head else (mark.x2, mark.y2)
    return _row(mark, x2=x2, y2=y2, width=mark.width)


def _head(mark: Arrow) -> dict[str, object]:
    x, y = _before_end(mark, _half(mark))
    turn = math.degrees(math.atan2(mark.x2 - mark.x, mark.y - mark.y2))  # clockwise, from a triangle that points up
    return _row(mark) | {"x": x, "y": y, "angle": turn, "size": _size(mark)}


def _size(mark: Arrow) -> float:
    return 34 + 22 * mark.width  # the area in pixels


def _half(mark: Arrow) -> float:
    """Half the height of the head; the width of Vega's triangle is the square root of its size."""
    return math.sqrt(_size(mark)) * math.sqrt(3) / 4


def _before_end(mark: Arrow, pixels: float) -> tuple[float, float]:
    dx, dy = mark.x2 - mark.x, mark.y2 - mark.y
    back = min(1.0, pixels / (math.hypot(dx, dy) or pixels))
    return mark.x2 - back * dx, mark.y2 - back * dy


def _text(mark: Text) -> dict[str, object]:
    return _row(mark, text=mark.text)


def short(word: str, pixels: float) -> str:
    """The word, shortened to fit into this many pixels."""
    most = max(2, int(pixels / 7.2))
    return word if len(word) <= most else word[: most - 1] + "…"
