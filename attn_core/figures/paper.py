"""Figures for a paper: files of a width in millimetres, with the font, the size of the text and the palette chosen."""

import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import altair as alt
import vl_convert

from attn_core.figures.export import Chart
from attn_core.figures.fonts import check_letters, family_of, outline
from attn_core.figures.layout import LEGENDS, POINTS, SIZE, laid_out
from attn_core.files import replacing
from attn_core.palette import LIGHT, PALETTES, SERIES

FORMATS = (".pdf", ".svg", ".png")
_LIGHTNESS = 0.2126, 0.7152, 0.0722  # of red, green and blue (Rec. 709)
_SVG = "http://www.w3.org/2000/svg"


def save(
    chart: Chart,
    path: str | Path,
    width_mm: float,
    *,
    font: str | None = None,
    size: float | None = None,
    title: bool = False,
    legend: str = "bottom",
    palette: str = "screen",
    dpi: int = 600,
) -> None:
    """Write a chart to a PDF, SVG or PNG file (by the ending of `path`) that is `width_mm` wide.

    `font` is an installed font (by default a sans-serif one), and `size` that of all text in points, 8 by default; the
    cells and bars take the rest of the width. The drawings `network` and `weighing` are scaled as a whole: their text
    has no `size` of its own. PDF files have the font embedded, SVG files have outlines instead of text, and PNG files
    have `dpi` pixels per inch. The chart's title is left out unless `title` is true: a paper has captions (see
    `caption`). `legend` is "bottom", "right" or "none", and `palette` one of palette.PALETTES: "screen" (the chart's
    own colours), "colour-blind" or "grey".

    Raises ValueError for a font that is not installed, for labels that do not fit and for other arguments out of range,
    and Unreplaceable if `path` is a folder or a link; then nothing is written.
    """
    path = Path(path)
    kind = path.suffix.lower()
    if kind not in FORMATS:
        raise ValueError(f"{path.name} must end in {', '.join(FORMATS[:-1])} or {FORMATS[-1]}")
    if not isinstance(chart, alt.TopLevelMixin):
        raise TypeError(f"save expects a chart of Altair, such as figures.heatmap(trace), not {type(chart).__name__}")
    _check_range("width_mm", width_mm, 10, 1000)
    _check_range("size", SIZE if size is None else size, 3, 72)
    _check_range("dpi", dpi, 72, 2400)
    for name, value, known in (("legend", legend, LEGENDS), ("palette", palette, tuple(PALETTES))):
        if value not in known:
            raise ValueError(f"{name} must be one of {', '.join(known)}, not {value!r}")
    family = family_of(font)
    spec = _recoloured(chart.to_dict(), palette)
    if not title:
        spec.pop("title", None)
    page, scale = laid_out(spec, width_mm * POINTS, size, family, legend)
    data = _file(ET.fromstring(page), kind, scale, family, dpi)
    with replacing(path) as part:
        part.write_bytes(data)


def _file(page: ET.Element, kind: str, scale: float, family: str, dpi: float) -> bytes:
    """The contents of a file of this kind, in which a pixel of the page has `scale` points."""
    check_letters(["".join(text.itertext()) for text in _texts(page)])
    if kind == ".svg":
        _outline(page, family)
        return _sized(page, scale / POINTS, "mm").encode()
    in_points = _sized(page, scale, "")  # vl-convert makes a point of a pixel
    return vl_convert.svg_to_pdf(in_points) if kind == ".pdf" else vl_convert.svg_to_png(in_points, ppi=dpi)


def _recoloured(figure: Any, palette: str) -> Any:
    """The JSON of a chart in the colours of one of PALETTES."""
    new = PALETTES[palette]
    if not new:
        return figure
    lists = [*((LIGHT[name], new[name]) for name in ("ramp", "signed")), (list(SERIES), new["series"])]
    single = dict(zip(SERIES, new["series"], strict=True)) | {
        LIGHT[name]: new[name] for name in ("window", "outside") if name in new
    }

    def changed(part: Any) -> Any:
        if isinstance(part, dict):
            straight = {"interpolate": "rgb"} if part.get("range") == LIGHT["ramp"] else {}
            return {key: changed(value) for key, value in part.items()} | straight
        if isinstance(part, list):
            return next((other for one, other in lists if part == one), None) or [changed(value) for value in part]
        if not isinstance(part, str) or part in single:
            return single.get(part, part)
        return _grey(part) if palette == "grey" and re.fullmatch("#[0-9a-f]{6}", part) else part

    return changed(figure)


def _grey(color: str) -> str:
    """The grey of about a colour's lightness."""
    parts = (int(color[place : place + 2], 16) for place in (1, 3, 5))
    return "#" + 3 * f"{round(sum(share * part for share, part in zip(_LIGHTNESS, parts, strict=True))):02x}"


def _check_range(name: str, value: Any, low: float, high: float) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        raise ValueError(f"{name} must be a number from {low:g} to {high:g}, not {value!r}")


def _texts(root: ET.Element) -> list[ET.Element]:
    return list(root.iter(f"{{{_SVG}}}text"))


def _sized(root: ET.Element, scale: float, unit: str) -> str:
    """The page with its width and height in a unit of which a pixel has `scale`."""
    wide, high = (float(number) for number in root.attrib["viewBox"].split()[2:])
    for name, pixels in (("width", wide), ("height", high)):
        root.set(name, f"{pixels * scale:.6g}{unit}")
    ET.register_namespace("", _SVG)
    return ET.tostring(root, encoding="unicode")


def _outline(root: ET.Element, family: str) -> None:
    """Replace each text of the page by its outlines. A title of several lines has a tspan for each."""
    for text in _texts(root):
        lines = list(text) or [text]
        paths = []
        for line in lines:
            bold = text.get("font-weight") in ("bold", "700")
            path, width = outline(line.text or "", family, _pixels(text, "font-size"), bold)
            start = {"middle": -width / 2, "end": -width}.get(text.get("text-anchor", ""), 0.0)
            start, down = start + _pixels(line, "x"), _pixels(line, "y") + _pixels(line, "dy") * lines.index(line)
            paths.append(ET.Element(f"{{{_SVG}}}path", {"d": path, "transform": f"translate({start:.3f},{down:.3f})"}))
        kept = {name: text.attrib[name] for name in ("transform", "fill", "opacity") if name in text.attrib}
        label = " ".join(line.text or "" for line in lines)
        text.clear()
        text.tag = f"{{{_SVG}}}g"
        text.attrib.update(kept | {"role": "img", "aria-label": label})
        text.extend(paths)


def _pixels(element: ET.Element, name: str) -> float:
    return float(element.get(name, "0").removesuffix("px"))
