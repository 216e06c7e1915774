"""A chart as SVG, PDF or PNG, as large as on the screen; paper.py makes files of a chosen width."""

import io

import altair as alt
import vl_convert

Chart = alt.Chart | alt.LayerChart | alt.FacetChart | alt.HConcatChart | alt.VConcatChart | alt.ConcatChart


def svg(chart: Chart) -> str:
    """The chart as an SVG document, rendered without a browser or network."""
    page = io.StringIO()
    chart.save(page, format="svg")
    return page.getvalue()


def pdf(chart: Chart) -> bytes:
    """The chart as a PDF with its font embedded; a pixel of the chart is a point of the page."""
    return vl_convert.svg_to_pdf(svg(chart))


def png(chart: Chart, scale: int | float = 3) -> bytes:
    """The chart as a PNG, with `scale` pixels per pixel of the chart; 3 is sharp on a projector and on paper."""
    page = io.BytesIO()
    chart.save(page, format="png", scale_factor=scale)
    return page.getvalue()
