"""Files for download: a chart as SVG or PNG, a trace's numbers as CSV."""

import io

import altair as alt

from attn_core.figures.cells import cells, steps
from attn_core.figures.spreadsheet import Cell, csv_text
from attn_core.trace import Trace

Chart = alt.Chart | alt.LayerChart | alt.FacetChart | alt.HConcatChart | alt.VConcatChart | alt.ConcatChart


def svg(chart: Chart) -> str:
    """The chart as an SVG document, rendered without a browser or network."""
    page = io.StringIO()
    chart.save(page, format="svg")
    return page.getvalue()


def png(chart: Chart, scale: int | float = 3) -> bytes:
    """The chart as a PNG, with `scale` pixels per pixel of the chart; 3 is sharp on a projector and on paper."""
    page = io.BytesIO()
    chart.save(page, format="png", scale_factor=scale)
    return page.getvalue()


def table(trace: Trace) -> str:
    """CSV with one line for each target and source position; numbers have 9 digits, the precision of float32.

    `center` is p_t, empty for windows without a centre. A model without attention gives only the header. If a step has
    several looks, each has its own lines, which start with its layer and head, counted from 0. A word that a
    spreadsheet would run as a formula gets a leading apostrophe.
    """
    names = ["target_position", "target", "source_position", "source"]
    numbers = ["score", "alignment", "gaussian", "weight"]
    looks = trace.words[0].step.looks if trace.words else ()
    several = len(looks) > 1
    rows: list[list[Cell]] = [[*["layer", "head"] * several, *names, *numbers, "in_window", "center"]]
    for number, look in enumerate(looks):
        centers = {step["target_position"]: step["center"] for step in steps(trace, number)}
        rows += [
            [
                *[look.layer, look.head] * several,
                *(row[name] for name in (*names, *numbers)),
                row["in_window"],
                centers[row["target_position"]],
            ]
            for row in cells(trace, number)
        ]
    return csv_text(rows)
