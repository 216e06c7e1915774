"""A chart as SVG or PNG."""

import io

import altair as alt

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
