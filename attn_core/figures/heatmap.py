"""The attention weights of a Trace as an Altair heatmap."""

import json
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Literal

import altair as alt

from attn_core.data.subwords import readable, spelled
from attn_core.figures.cells import cells, steps
from attn_core.figures.words import joined_cells, joined_steps
from attn_core.messages import N_, _
from attn_core.palette import DARK, LIGHT
from attn_core.trace import Trace, summary

COLUMN, ROW = 38, 27  # pixels of a cell
SMALL = 22  # of both sides in `heatmaps`
SHOWN = (N_("weight"), N_("alignment"), N_("score"), N_("gaussian"))


def heatmap(
    trace: Trace,
    look: int | None = None,
    show: str = "weight",
    dark: bool = False,
    by_words: bool = False,
    positions: bool = True,
) -> alt.LayerChart:
    """Target words (down) by source words (across); the colour is `show`: "weight", "alignment", "score" or "gaussian".

    Labels include positions, unless `positions` is false; a pointer's inputs already have numbers as names.
    Cells outside a local window are grey, and a line follows p_t. If steps have several looks (a Transformer's), `look`
    selects one by index; by default the heatmap shows their mean; the title names the choice. With `by_words`, word
    pieces are joined: the weights of a source word's pieces are summed, those of a target word's averaged. Raises
    ValueError for a trace without attention, for another `show`, for a score or Gaussian by words, and for a look that
    the trace does not have.
    """
    if show not in SHOWN:
        raise ValueError(f"show must be one of {', '.join(SHOWN)}, not {show!r}")
    if by_words and show not in ("weight", "alignment"):
        raise ValueError(f"by words, show must be weight or alignment, not {show!r}")
    rows, path = cells(trace, look), steps(trace, look)
    if not rows:
        raise ValueError(f"{trace.model} has no attention, so its trace has no heatmap: use a model with attention")
    colors = DARK if dark else LIGHT
    source, target = readable(trace.source), readable(trace.target)
    words = spelled(trace.source), spelled(trace.target)
    if by_words and words != (source, target):
        rows = joined_cells(rows, trace.source, trace.target)
        path = joined_steps(path, trace.source, trace.target)
        source, target = words
    data = alt.Data(values=[_placed(row, source, target) for row in rows])
    numbered = positions and "pointed" not in trace.settings
    axis = partial(_axis, numbered=numbered, colors=colors)
    across: dict[str, Any] = {"title": None, "scale": _span(len(source)), "axis": axis(source, "top")}
    down: dict[str, Any] = {
        "title": None,
        "scale": _span(len(target), down=True),
        "axis": axis(target, "left"),
    }
    x, y = alt.X("left:Q", **across), alt.Y("top:Q", **down)
    base = alt.Chart(data).mark_rect(stroke=colors["background"], strokeWidth=1)
    base = base.encode(x, y, alt.X2("right"), alt.Y2("bottom"), tooltip=_tooltip())
    inside = base.encode(color(show, colors)).transform_filter("datum.in_window")
    layers = [inside]
    if not all(row["in_window"] for row in rows):
        outside = base.mark_rect(color=colors["outside"], stroke=colors["background"], strokeWidth=1)
        layers.insert(0, outside.transform_filter("!datum.in_window"))
    if any(step["center"] is not None for step in path):
        x, y = alt.X("center:Q", **across), alt.Y("target_position:Q", **down)
        layers.append(_path(path, colors).encode(x, y))
    title = alt.TitleParams(
        _settings(trace, look), anchor="start", fontSize=14, fontWeight="normal", color=colors["dim"]
    )
    chart = alt.layer(*layers).properties(title=title, width=COLUMN * len(source), height=ROW * len(target))
    return chart.properties(background=colors["background"]).configure_view(stroke=None)


def caption(trace: Trace, look: int | None = None) -> str:
    """The caption of a heatmap: the model, its settings, the head (as for `heatmap`), the sentence and its translation.

    Raises ValueError for a trace without attention and for a look that the trace does not have.
    """
    if not cells(trace, look):
        raise ValueError(f"{trace.model} has no attention, so its trace has no heatmap: use a model with attention")
    source, target = (
        " ".join(word for word in spelled(tokens) if word != "</s>") for tokens in (trace.source, trace.target)
    )
    settings = _settings(trace, look)
    return _("Attention weights ({settings}): “{source}” → “{target}”.").format(
        settings=settings, source=source, target=target
    )


def _settings(trace: Trace, look: int | None) -> str:
    looks = trace.words[0].step.looks
    parts = [summary(trace.model, trace.settings)]
    if len(looks) > 1 and look is None:
        parts.append(_("mean of {n} heads").format(n=len(looks)))
    elif len(looks) > 1:
        one = looks[look or 0]
        parts.append(_("layer {layer}, head {head}").format(layer=one.layer, head=one.head))
    return " · ".join(parts)


def heatmaps(
    traces: Mapping[str, Trace], look: int | Sequence[int] = 0, columns: int = 3, positions: bool = True
) -> alt.ConcatChart:
    """The weights of several traces as small heatmaps side by side, each with its name in `traces` as title.

    `look` is the index of a look, for all traces or one for each; `positions` is as for `heatmap`. Raises
    ValueError if `traces` is empty, if the number of indices differs from that of traces, and for a trace that does not
    have the look.
    """
    if not traces:
        raise ValueError("traces must not be empty")
    looks = [look] * len(traces) if isinstance(look, int) else list(look)
    if len(looks) != len(traces):
        raise ValueError(f"look must be one index, or one for each of {len(traces)} traces, not {len(looks)}")
    charts = [_small(name, trace, one, positions) for (name, trace), one in zip(traces.items(), looks, strict=True)]
    chart = alt.concat(*charts, columns=columns, spacing=26).configure_view(stroke=None)
    return chart.properties(background=LIGHT["background"])


def _small(name: str, trace: Trace, look: int, positions: bool) -> alt.Chart:
    rows = cells(trace, look)
    if not rows:
        raise ValueError(f"{trace.model} has no attention, so its trace has no heatmap: use a model with attention")
    source, target = readable(trace.source), readable(trace.target)
    data = alt.Data(values=[_placed(row, source, target) for row in rows])
    axis = partial(_axis, numbered=positions and "pointed" not in trace.settings, colors=LIGHT, size=12)
    x = alt.X("left:Q", title=None, scale=_span(len(trace.source)), axis=axis(source, "top"))
    y = alt.Y("top:Q", title=None, scale=_span(len(trace.target), down=True), axis=axis(target, "left"))
    chart = alt.Chart(data).mark_rect(stroke=LIGHT["background"], strokeWidth=1)
    chart = chart.encode(x, y, alt.X2("right"), alt.Y2("bottom"), color("weight", LIGHT), tooltip=_tooltip())
    title = alt.TitleParams(name, anchor="start", fontSize=14, fontWeight="normal", color=LIGHT["dim"])
    return chart.properties(title=title, width=SMALL * len(trace.source), height=SMALL * len(trace.target))


def _tooltip() -> list[alt.Tooltip]:
    return [
        alt.Tooltip("target:N", title=_("target")),
        alt.Tooltip("target_position:Q", title=_("target position")),
        alt.Tooltip("source:N", title=_("source")),
        alt.Tooltip("source_position:Q", title=_("source position")),
        alt.Tooltip("score:Q", title=_("score"), format=".6g"),
        alt.Tooltip("alignment:Q", title=_("alignment weight"), format=".6g"),
        alt.Tooltip("gaussian:Q", title=_("Gaussian"), format=".6g"),
        alt.Tooltip("weight:Q", title=_("attention weight"), format=".6g"),
        alt.Tooltip("in_window:N", title=_("in the window")),
    ]


def _placed(row: dict[str, Any], source: Sequence[str], target: Sequence[str]) -> dict[str, Any]:
    """A row of `cells` with the corners of its cell, and its words in readable form."""
    s, t = row["source_position"], row["target_position"]
    corners = {"left": s - 0.5, "right": s + 0.5, "top": t - 0.5, "bottom": t + 0.5}
    return row | corners | {"source": source[s], "target": target[t]}


def _span(n: int, down: bool = False) -> alt.Scale:
    """A continuous scale, for p_t, with positions 0 to n - 1 in the centres of the cells."""
    return alt.Scale(domain=[-0.5, n - 0.5], nice=False, zero=False, clamp=True, reverse=down)


def _axis(
    words: Sequence[str], orient: Literal["top", "left"], numbered: bool, colors: dict[str, Any], size: int = 14
) -> alt.Axis:
    named = [f"{i} {word}" for i, word in enumerate(words)] if numbered else words
    labels = json.dumps(list(named), ensure_ascii=False)
    return alt.Axis(
        values=list(range(len(words))),
        labelExpr=f"{labels}[datum.value]",
        orient=orient,
        labelAngle=-40 if orient == "top" else 0,
        labelAlign="left" if orient == "top" else "right",
        labelOverlap=False,
        labelLimit=300,
        labelFontSize=size,
        labelColor=colors["ink"],
        domain=False,
        ticks=False,
        grid=False,
        labelPadding=6,
    )


def color(show: str, colors: dict[str, Any]) -> alt.Color:
    """The colour encoding of the field `show`; weights have the same colours in all figures.

    A "share" is between -1 and 1, and 0 has the colour of the paper.
    """
    legend = alt.Legend(title=_(show), labelColor=colors["dim"], titleColor=colors["ink"], gradientLength=120)
    if show == "score":
        scale = alt.Scale(range=colors["ramp"])  # scores have no fixed range
    elif show == "share":
        scale = alt.Scale(domain=[-1, 0, 1], range=colors["signed"], interpolate="rgb")
    else:
        scale = alt.Scale(domain=[0, 0.35, 0.75, 1], range=colors["ramp"], clamp=True)
    return alt.Color(f"{show}:Q", scale=scale, legend=legend)


def _path(centers: list[dict[str, Any]], colors: dict[str, Any]) -> alt.LayerChart:
    """A line through p_t of all steps."""
    data = alt.Data(values=[step for step in centers if step["center"] is not None])
    base = alt.Chart(data).encode(alt.Order("target_position:Q"))
    tips = [
        alt.Tooltip("center:Q", title="pₜ", format=".6g"),
        alt.Tooltip("first:Q", title=_("first")),
        alt.Tooltip("last:Q", title=_("last")),
    ]
    line = base.mark_line(color=colors["window"], strokeWidth=2)
    dots = base.mark_point(color=colors["window"], fill=colors["window"], size=34, opacity=1).encode(tooltip=tips)
    return line + dots
