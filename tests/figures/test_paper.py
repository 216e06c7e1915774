"""Figures for a paper: physical size, fonts, palettes, captions, and arguments that are refused."""

import itertools
import re
import struct
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from attn_core import figures
from attn_core.figures import fonts
from attn_core.figures.layout import SIZE, laid_out
from attn_core.figures.paper import _recoloured
from attn_core.files import Unreplaceable
from attn_core.models.config import ModelConfig
from attn_core.palette import LIGHT, PALETTES, SERIES
from attn_core.trace import Trace
from tests.browser import traces
from tests.helpers.engine import unchecked

POINT = 25.4 / 72  # mm


def plain(trace: Trace) -> Trace:
    """The trace as one of a model without input feeding."""
    return replace(trace, settings=trace.settings | {"feeding": False})


ROWS = [{"n": n, "BLEU": n + place, "model": name} for n in (1, 2, 3) for place, name in enumerate("ab")]
GRADIENT = {when: {"word": {"mean": 1.0, "deviation": 2.0}} for when in ("start", "end")}
EACH = [{"name": "one", "mean": 0.5, "low": -0.1, "high": 1.1, "each": [0.4, 0.6]}]
CHARTS = {
    "heatmap": lambda: figures.heatmap(traces.make()),
    "heatmap of one head": lambda: figures.heatmap(traces.make("global", looks=3), 1),
    "heatmaps": lambda: figures.heatmaps({"one": traces.make(), "two": traces.make("global")}),
    "grid": lambda: figures.grid({"a": torch.rand(2, 3), "b": torch.rand(2, 3)}, ["x", "y"], ["u", "v", "w"]),
    "curves": lambda: figures.curves(ROWS, "n", "BLEU", "model"),
    "bars": lambda: figures.bars(ROWS, "n", "BLEU", "model"),
    "intervals": lambda: figures.intervals(EACH, "difference"),
    "gradient noise": lambda: figures.gradient_noise(GRADIENT),
    "network": lambda: figures.network(plain(traces.make()), ModelConfig()),
}
DRAWINGS = ("network",)


def millimetres(file: Path) -> tuple[float, float]:
    """The width and height that a program which opens the file reads in it."""
    data = file.read_bytes()
    if file.suffix == ".pdf":
        (box,) = set(re.findall(rb"/MediaBox \[([\d. ]+)\]", data))
        left, bottom, right, top = map(float, box.split())
        return (right - left) * POINT, (top - bottom) * POINT
    if file.suffix == ".svg":
        wide, high = re.findall(r'(?:width|height)="([\d.]+)mm"', data.decode()[:400])
        return float(wide), float(high)
    wide, high = struct.unpack(">II", data[16:24])
    across, down, unit = struct.unpack(">IIB", data[data.index(b"pHYs") + 4 :][:9])
    assert unit == 1  # pixels per metre
    return 1000 * wide / across, 1000 * high / down


def words_of(file: Path) -> list[str]:
    """The texts of an SVG file with outlines."""
    return re.findall(r'<g [^>]*role="img" aria-label="([^"]*)"', file.read_text("utf-8"))


@pytest.mark.parametrize("ending", ["pdf", "svg", "png"])
@pytest.mark.parametrize("width", [84, 120.5])
def test_a_file_has_the_width_that_was_asked_for(tmp_path, ending, width):
    for name, make in {"map": CHARTS["heatmap"], "drawing": CHARTS["network"]}.items():
        file = tmp_path / f"{name}.{ending}"
        figures.save(make(), file, width_mm=width)
        assert millimetres(file)[0] == pytest.approx(width, abs=0.03 if ending == "png" else 0.002)


@pytest.mark.parametrize("dpi", [600, 150])
def test_a_png_has_the_resolution_that_was_asked_for(tmp_path, dpi):
    figures.save(figures.heatmap(traces.make()), tmp_path / "a.png", 84, **({} if dpi == 600 else {"dpi": dpi}))
    assert struct.unpack(">I", (tmp_path / "a.png").read_bytes()[16:20])[0] == pytest.approx(84 / 25.4 * dpi, abs=1)


@pytest.mark.parametrize("name", CHARTS)
def test_every_chart_can_be_saved_and_keeps_its_look_elsewhere(tmp_path, name):
    chart = CHARTS[name]()
    before = chart.to_json()
    figures.save(chart, tmp_path / "a.svg", 170, title=True)
    assert millimetres(tmp_path / "a.svg")[0] == pytest.approx(170, abs=0.002)
    assert chart.to_json() == before


@pytest.mark.parametrize("size", [SIZE, 6, 9.5])
@pytest.mark.parametrize("name", sorted(CHARTS.keys() - {*DRAWINGS}))
def test_all_text_has_the_size_that_was_asked_for(name, size):
    page, scale = laid_out(CHARTS[name]().to_dict(), 170 / POINT, size, "Liberation Sans", "bottom")
    sizes = {float(pixels) * scale for pixels in re.findall(r'font-size="([\d.]+)px"', page)}
    assert sizes
    assert all(one == pytest.approx(size, rel=0.012) for one in sizes)
    assert set(re.findall(r'font-family="([^"]*)"', page)) == {"Liberation Sans"}


def test_a_pdf_has_its_font_embedded_and_no_other(tmp_path):
    figures.save(figures.heatmap(traces.make()), tmp_path / "a.pdf", 84, font="liberation serif")
    data = (tmp_path / "a.pdf").read_bytes()
    names = set(re.findall(rb"/BaseFont /\w+\+(\S+)", data))
    descriptors = re.findall(rb"/Type /FontDescriptor.*?endobj", data, re.DOTALL)
    assert names == {b"LiberationSerif"}
    assert descriptors
    assert all(b"/FontFile" in one for one in descriptors)


def test_an_svg_needs_no_font(tmp_path):
    figures.save(figures.heatmap(traces.make()), tmp_path / "a.svg", 84)
    page = (tmp_path / "a.svg").read_text("utf-8")
    assert "<text" not in page
    assert "font-family" not in page
    assert words_of(tmp_path / "a.svg")[:6] == ["0 ein", "1 hund", "2 läuft", "3 durch", "4 den", "5 schnee"]


@pytest.mark.browser
@pytest.mark.parametrize(("text", "bold"), [("AVfi, Straße", False), ("0 gehört", True)])
def test_outlines_are_those_that_a_browser_draws(browser, text, bold):
    page = browser.new_page()
    path, width = fonts.outline(text, "Liberation Serif", 100, bold)
    page.set_content(f'<svg><path d="{path}"></svg>')
    drawn = page.evaluate(
        """([text, weight]) => {
            const ctx = document.createElement("canvas").getContext("2d");
            ctx.font = `${weight} 100px "Liberation Serif"`;
            const ink = ctx.measureText(text);
            const box = document.querySelector("path").getBBox();
            return {
                ink: [-ink.actualBoundingBoxLeft, -ink.actualBoundingBoxAscent, ink.actualBoundingBoxRight,
                      ink.actualBoundingBoxDescent, ink.width],
                outline: [box.x, box.y, box.x + box.width, box.y + box.height],
            };
        }""",
        [text, 700 if bold else 400],
    )
    assert [*drawn["outline"], width] == pytest.approx(drawn["ink"], abs=1.1)  # the browser rounds to whole pixels


def test_a_letter_with_its_mark_is_drawn_in_one_font():
    path, _ = fonts.outline("h\u0303", "Liberation Sans", 10)  # without a glyph for the mark
    (face,) = {fonts._face_for(one, "Liberation Sans", False) for one in fonts._CLUSTERS.findall("h\u0303")}
    assert face.has("h\u0303")
    assert path == face.outline("h\u0303", 10, 0.0)[0]


def test_a_title_is_drawn_on_request_in_as_many_lines_as_it_needs(tmp_path):
    chart = figures.heatmap(traces.make(trained={"window": "global", "half_width": None, "sigma": None}))
    title = chart.to_dict()["title"]["text"]
    for name, wanted in (("with", True), ("without", False)):
        figures.save(chart, tmp_path / f"{name}.svg", 84, title=wanted)
    assert title in words_of(tmp_path / "with.svg")
    assert not any(title[:12] in one for one in words_of(tmp_path / "without.svg"))
    page = (tmp_path / "with.svg").read_text("utf-8")
    assert len(re.findall("<path", page[page.index(f'aria-label="{title}"') :].split("</g>")[0])) > 1


def test_labels_without_positions_are_the_words_alone(tmp_path):
    trace = traces.make(words=(["den", "den"], ["a", "a", "</s>"]))
    figures.save(figures.heatmap(trace, positions=False), tmp_path / "a.svg", 84)
    assert words_of(tmp_path / "a.svg")[:5] == ["den", "den", "a", "a", "&lt;/s&gt;"]
    assert len(re.findall('aria-roledescription="rect mark"', (tmp_path / "a.svg").read_text("utf-8"))) == 6
    maps = figures.grid({"a": torch.rand(2, 2)}, ["1 2", "den"], ["den", "den"], positions=False)
    figures.save(maps, tmp_path / "b.svg", 84)
    assert sorted(words_of(tmp_path / "b.svg"))[-4:] == ["a", "den", "den", "den"] or "1 2" in words_of(
        tmp_path / "b.svg"
    )
    several = figures.heatmaps({"one": trace}, positions=False).to_json()
    assert '[\\"den\\", \\"den\\"]' in several


def test_labels_beside_each_other_turn_upright_and_legends_move(tmp_path):
    sentence = traces.make(
        words=(
            ["ein", "junger", "hund", "läuft", "durch", "den", "tiefen", "weißen", "schnee", "im", "wald", "."],
            ["a", "</s>"],
        )
    )
    angles = []
    for width in (60, 170):
        figures.save(figures.heatmap(sentence), tmp_path / "a.svg", width)
        angles.append(set(re.findall(r"rotate\((\d+)\)", (tmp_path / "a.svg").read_text("utf-8"))))
    assert angles == [{"270"}, {"320"}]
    for legend, shown in (("bottom", True), ("right", True), ("none", False)):
        figures.save(figures.heatmap(traces.make()), tmp_path / f"{legend}.svg", 84, legend=legend)
        assert ("weight" in words_of(tmp_path / f"{legend}.svg")) is shown
    assert millimetres(tmp_path / "bottom.svg")[1] > millimetres(tmp_path / "right.svg")[1]


def colors_of(file: Path) -> set[str]:
    """The colours of an SVG file as six hexadecimal digits, white and black included."""
    page = file.read_text("utf-8")
    mixed = re.findall(r'"rgb\((\d+), (\d+), (\d+)\)"', page)
    return set(re.findall(r'"#([0-9a-f]{6})"', page)) | {"".join(f"{int(part):02x}" for part in one) for one in mixed}


@pytest.mark.parametrize("name", ["heatmap", "curves", "network", "intervals"])
def test_a_grey_figure_has_greys_only(tmp_path, name):
    figures.save(CHARTS[name](), tmp_path / "grey.svg", 170, palette="grey")
    figures.save(CHARTS[name](), tmp_path / "screen.svg", 170)
    grey = colors_of(tmp_path / "grey.svg")
    assert len(grey) > 1
    assert all(color[:2] == color[2:4] == color[4:] for color in grey)
    assert any(color[:2] != color[4:] for color in colors_of(tmp_path / "screen.svg"))


# Machado, Oliveira and Fernandes 2009: what is seen without cones for long, middle and short waves (linear RGB).
BLINDNESS = {
    "protan": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deutan": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritan": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}
LMS = torch.tensor(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
LAB = torch.tensor(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)


def seen(color: str, blindness: str | None = None) -> torch.Tensor:
    """A colour in OKLab (Ottosson 2020): lightness, green to red, blue to yellow."""
    parts = torch.tensor([int(color[place : place + 2], 16) / 255 for place in (1, 3, 5)])
    linear = torch.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    if blindness:
        linear = (torch.tensor(BLINDNESS[blindness]) @ linear).clamp(0, 1)
    return LAB @ (LMS @ linear).pow(1 / 3)


@pytest.mark.parametrize("name", PALETTES)
def test_a_larger_weight_is_darker_for_every_eye(name):
    ramp = PALETTES[name].get("ramp", LIGHT["ramp"])
    for blindness in (None, *BLINDNESS):
        lightness = [seen(color, blindness)[0].item() for color in ramp]
        assert all(one - next_one > 0.12 for one, next_one in itertools.pairwise(lightness)), (blindness, lightness)


def test_series_for_the_colour_blind_differ_for_every_eye():
    for blindness in BLINDNESS:
        colors = [seen(color, blindness) for color in PALETTES["colour-blind"]["series"]]
        nearest = min((one - other).norm().item() for one, other in itertools.combinations(colors, 2))
        assert nearest > 0.06, (blindness, nearest)


def test_the_path_of_p_t_stands_out_from_the_cells_it_crosses():
    for name, palette in PALETTES.items():
        colors = LIGHT | palette
        path = seen(colors["window"])
        for blindness in (None, *BLINDNESS):
            path = seen(colors["window"], blindness)
            gaps = [(path - seen(color, blindness)).norm().item() for color in colors["ramp"]]
            assert min(gaps) > 0.12, (name, blindness, gaps)


def test_recolouring_replaces_whole_ramps_and_series():
    chart = {"scale": {"range": LIGHT["ramp"]}, "other": {"range": list(SERIES)}, "mark": {"color": LIGHT["window"]}}
    new = PALETTES["colour-blind"]
    assert _recoloured(chart, "screen") == chart
    assert _recoloured(chart, "colour-blind") == {
        "scale": {"range": new["ramp"], "interpolate": "rgb"},
        "other": {"range": new["series"]},
        "mark": {"color": new["window"]},
    }


REFUSED = {
    "ending": ({"path": "map.eps"}, "map.eps must end in .pdf, .svg or .png"),
    "no ending": ({"path": "map"}, "map must end in"),
    "font": ({"font": "Comic Papyrus"}, r"the font 'Comic Papyrus' is not installed; installed: .*Liberation Sans"),
    "empty font": ({"font": ""}, "the font '' is not installed"),
    "width": ({"width_mm": 0}, "width_mm must be a number from 10 to 1000, not 0"),
    "infinite width": ({"width_mm": float("inf")}, "width_mm must be a number from 10 to 1000, not inf"),
    "nan": ({"size": float("nan")}, "size must be a number from 3 to 72, not nan"),
    "dpi": ({"dpi": 10}, "dpi must be a number from 72 to 2400, not 10"),
    "legend": ({"legend": "left"}, "legend must be one of right, bottom, none, not 'left'"),
    "palette": ({"palette": "gray"}, "palette must be one of screen, colour-blind, grey, not 'gray'"),
    "words": ({"width_mm": 38}, r"6 labels side by side need about \d\d mm at 8 pt: choose a larger width_mm or a"),
    "room": ({"width_mm": 10, "size": 20}, r"labels and legend alone need \d+ mm at 20 pt: choose a larger width_mm"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_saved_is_refused_in_one_line_and_not_written(tmp_path, case):
    options, message = REFUSED[case]
    given = {"path": "map.pdf", "width_mm": 84} | options
    with pytest.raises(ValueError, match=message) as refused:
        figures.save(figures.heatmap(traces.make()), tmp_path / given.pop("path"), **given)
    assert "\n" not in str(refused.value)
    assert list(tmp_path.iterdir()) == []


def test_a_drawing_has_no_text_size_of_its_own(tmp_path):
    with pytest.raises(ValueError, match="this drawing is scaled as a whole, and its text with it: omit size"):
        figures.save(CHARTS["network"](), tmp_path / "a.pdf", 170, size=8)


def test_a_letter_that_no_font_has_is_named(tmp_path):
    known = frozenset().union(*(face.letters for faces in fonts.installed().values() for face in faces))
    letter = next(c for c in map(chr, range(0x10000, sys.maxunicode)) if c.isprintable() and ord(c) not in known)
    trace = traces.make(words=(["ein", letter], ["a", "</s>"]))
    for ending in ("svg", "pdf"):
        with pytest.raises(ValueError, match=f"no installed font has the letter '{letter}'"):
            figures.save(figures.heatmap(trace), tmp_path / f"a.{ending}", 84)
    assert list(tmp_path.iterdir()) == []


def test_what_is_no_chart_and_what_is_no_file_is_refused(tmp_path):
    with (
        unchecked(),
        pytest.raises(TypeError, match=r"save expects a chart of Altair, such as figures.heatmap\(trace\), not Trace"),
    ):
        figures.save(traces.make(), tmp_path / "a.pdf", 84)
    (tmp_path / "link.pdf").symlink_to(tmp_path / "a.pdf")
    with pytest.raises(Unreplaceable, match=r"link.pdf is a symbolic link"):
        figures.save(CHARTS["heatmap"](), tmp_path / "link.pdf", 84)


def test_a_caption_names_model_settings_head_and_sentence():
    trace = traces.make("global", looks=3)
    assert figures.caption(trace) == (
        "Attention weights (luong-general-global · score general · global · greedy · mean of 3 heads): “ein hund läuft "
        "durch den schnee” → “a dog runs through the snow”."
    )
    assert "layer 0, head 2" in figures.caption(trace, 2)
    with pytest.raises(ValueError, match="has no attention"):
        figures.caption(traces.make(window=None))
    with pytest.raises(ValueError, match="look must be an index from 0 to 2"):
        figures.caption(trace, 3)


def test_words_of_a_caption_are_joined_from_their_pieces():
    trace = traces.make(words=(["▁schnee", "ball", "▁."], ["▁snow", "ball", "</s>"]))
    assert "“schneeball .” → “snowball”" in figures.caption(trace)
