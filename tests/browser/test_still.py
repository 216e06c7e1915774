"""A player in a notebook that is rendered without widgets: its heatmap as SVG, and its sentences as text."""

import re
from base64 import b64encode
from dataclasses import replace
from xml.etree import ElementTree

import nbformat
import pytest
import torch
from nbconvert import HTMLExporter, MarkdownExporter

from attn_core import translate
from attn_core.browser import html, widget
from attn_core.browser.still import _color, sentences, svg
from attn_core.palette import LIGHT
from tests.helpers.support import tiny

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def trace():

    return translate(tiny(2, 1.5, dtype=torch.float32), "a b c d", tokenized=True, max_length=3)


def bundle(player) -> dict:
    made = player._repr_mimebundle_()
    return made[0] if isinstance(made, tuple) else made


def test_a_picture_has_a_cell_of_each_weight_with_its_number(trace):
    picture = ElementTree.fromstring(svg(trace))
    cells = [rect for rect in picture.iter(f"{SVG}rect") if rect.find(f"{SVG}title") is not None]
    weights = trace.weights().flatten().tolist()
    assert [cell.find(f"{SVG}title").text.rpartition(": ")[2] for cell in cells] == [f"{w:.3g}" for w in weights]
    assert [cell.get("fill") for cell in cells] == [_color(w) for w in weights]
    words = [text.text for text in picture.iter(f"{SVG}text")][1:]
    assert words == [*trace.source, *trace.target]


def test_colours_are_those_of_the_figures_at_their_stops():
    assert [_color(value) for value in (0, 0.35, 0.75, 1)] == [color.lower() for color in LIGHT["ramp"]]


def test_an_output_without_widgets_shows_the_picture_and_the_sentences(trace):
    data = bundle(widget(trace))
    assert data["text/plain"] == sentences(trace) == f"{' '.join(trace.source)}\n{' '.join(trace.target)}"
    output = nbformat.v4.new_output("display_data", data)
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("player", outputs=[output])])
    body, _ = HTMLExporter(template_name="lab").from_notebook_node(notebook)
    assert body.count(b64encode(data["image/svg+xml"].encode()).decode()) == 1
    _, resources = MarkdownExporter().from_notebook_node(notebook)
    assert [name for name in resources["outputs"] if name.endswith(".svg")]


def test_a_page_without_scripts_shows_the_picture(trace):
    page = html(trace)
    assert page.count("<noscript><svg ") == 1
    assert re.search(r"<noscript><svg .*</svg></noscript>", page, re.DOTALL)


def test_words_that_are_markup_or_control_characters_stay_text(trace):

    hostile = replace(trace, source=("<script>", "\x1b", '"&', "d"))
    picture = ElementTree.fromstring(svg(hostile))
    assert [text.text for text in picture.iter(f"{SVG}text")][1:5] == ["<script>", "\ufffd", '"&', "d"]
