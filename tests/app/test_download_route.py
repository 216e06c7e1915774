"""POST /download: the files that the server makes of what a page shows, and the line of each refusal."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from app.explorer import downloads, exports
from attn_core import figures, load, translate
from attn_core.trace import Trace, dump
from attn_core.trace.reading import parse
from tests.app.test_translation_route import ADDRESS, refusal, visitor
from tests.browser import traces

TEXT = "Ein Hund läuft."
HEADS, NONE, LIVE = "transformer", "fixed-vector", "luong-general-local-p"


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with visitor(downloads.routes()) as opened:
        yield opened


@pytest.fixture
def trace(models) -> Trace:
    """A translation by a model with two layers of two heads."""
    return translate(load(models[HEADS].folder).float(), TEXT)


def body(made: Trace, **changes) -> dict:
    shown = {"model": made.model, "text": TEXT, "trace": json.loads(dump(made)), "step": 1}
    return shown | {"layer": None, "head": None} | changes


@pytest.mark.parametrize(
    ("head", "place"),
    [({"layer": 1, "head": 0}, 2), ({"head": "mean"}, None), ({}, None), ({"layer": 8, "head": 8}, None)],
)
def test_the_files_are_the_heatmap_of_the_head_or_the_mean(client, trace, head, place):
    wanted = figures.heatmap(parse(dump(trace)), place)
    response = client.post("/download/pdf", json=body(trace, **head))
    assert response.headers["content-type"] == "application/pdf"
    assert parts(response.content) == parts(figures.pdf(wanted))
    assert parts(response.content) != parts(figures.pdf(figures.heatmap(parse(dump(trace)), 1)))
    assert b"/FontFile" in response.content
    assert client.post("/download/png", json=body(trace, **head)).content == figures.png(wanted)


def test_the_pictures_join_word_pieces_where_the_page_does(client):
    pieces = traces.make(words=(["▁kirch", "platz", "</s>"], ["▁church", "</s>"]))
    made = replace(pieces, model=HEADS)
    for by_words in (True, False):
        drawn = client.post("/download/pdf", json=body(made, byWords=by_words)).content
        assert parts(drawn) == parts(figures.pdf(figures.heatmap(parse(dump(made)), by_words=by_words)))
        assert parts(drawn) != parts(figures.pdf(figures.heatmap(parse(dump(made)), by_words=not by_words)))


def parts(pdf: bytes) -> list[bytes]:
    """The size of the page, and its drawing."""
    streams = re.findall(rb"stream\n(.*?)\nendstream", pdf, re.DOTALL)
    return [*re.findall(rb"/MediaBox \[[^]]*\]", pdf), *streams[:1]]


def test_the_png_is_an_image_to_be_saved(client, trace):
    response = client.post("/download/png", json=body(trace))
    assert response.content[:4] == b"\x89PNG"
    assert response.headers["content-disposition"] == "attachment"
    assert response.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("head", [{"layer": 1, "head": 0}, {"layer": None, "head": "mean"}, {}])
def test_the_handout_opens_at_the_step_and_head(client, trace, head):
    page = client.post("/download/handout", json=body(trace, **head)).text
    wanted = {"step": 1, "layer": None, "head": None} | head
    assert {name: read(page, "options")[name] for name in wanted} == wanted
    assert read(page, "trace") == json.loads(dump(parse(dump(trace))))
    assert "<title>Ein Hund läuft.</title>" in page
    assert 'id="models"' not in page  # it is not exported for the browser


@pytest.mark.slow
def test_the_handout_of_an_exported_model_contains_it(client, live_models, monkeypatch):
    monkeypatch.setenv("ATTN_PRETRAINED", str(live_models))
    shown = translate(load(live_models / LIVE), TEXT)
    page = client.post("/download/handout", json=body(shown, address="https://example.org/?model=a")).text
    assert read(page, "models")[0]["graphs"]["name"] == LIVE
    assert read(page, "options")["text"] == TEXT
    assert "https://example.org/?model=a" in page


@pytest.mark.parametrize("address", ["javascript:alert(1)", "https://" + "a" * 1000, 5, None])
def test_an_address_that_others_cannot_open_is_left_out(client, trace, address):
    assert 'class="code"' not in client.post("/download/handout", json=body(trace, address=address)).text


def read(page: str, name: str):
    return json.loads(re.search(rf'id="{name}">(.*?)</script>', page, re.DOTALL)[1])


@pytest.mark.parametrize(
    ("kind", "changes", "status", "line"),
    [
        ("csv", {}, 404, "There is no such file."),
        ("__class__", {}, 404, "There is no such file."),
        ("png", {"model": "nothing"}, 404, "There is no model “nothing” here."),
        ("png", {"trace": None}, 400, "not a trace"),
        ("pdf", {"trace": {"schema": 2}}, 400, "not a trace of schema 2"),
        ("handout", {"trace": "<script>"}, 400, "not a trace"),
        ("handout", {"step": "x"}, 400, "The request does not describe a translation"),
        ("handout", {"step": -1}, 400, "The request does not describe a translation: step -1"),
        ("png", {"layer": 0.5}, 400, "The request does not describe a translation"),
        ("png", {"head": "clearest"}, 400, "The request does not describe a translation"),
        ("png", {"text": None}, 400, "The request does not describe a translation"),
    ],
)
def test_what_is_not_shown_by_a_page_is_refused_in_one_line(client, trace, kind, changes, status, line):
    found = refusal(client.post(f"/download/{kind}", json=body(trace, **changes)))
    assert found[0] == status
    assert line in found[1]


def test_a_model_without_attention_has_a_handout_but_no_picture(client, models):
    shown = translate(load(models[NONE].folder), TEXT)
    status, line = refusal(client.post("/download/png", json=body(shown)))
    assert (status, "has no attention" in line) == (400, True)
    assert client.post("/download/handout", json=body(shown)).status_code == 200


def test_a_trace_that_is_too_large_is_refused(client, monkeypatch, models):
    monkeypatch.setattr(downloads, "MOST_BYTES", 1000)
    small = TestClient(Starlette(routes=downloads.routes()), base_url=ADDRESS)
    assert refusal(small.post("/download/png", content=b"x" * 1001)) == (413, "The request is too long.")


def test_a_page_of_another_site_gets_no_file(client, trace):
    headers = {"origin": "http://evil.example"}
    status, _line = refusal(client.post("/download/pdf", json=body(trace), headers=headers))
    assert status == 421


def test_a_trace_without_a_word_has_no_picture(trace):
    empty = json.loads(dump(trace)) | {"steps": [], "target": []}
    with pytest.raises(ValueError, match="has no attention"):
        exports.pdf(json.dumps(empty), None, False)
