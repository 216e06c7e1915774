"""A page refuses a sentence of too many word pieces as the server does: one limit, stated once."""

import base64

import pytest

from app.service.decode import load_model, translate_request
from app.service.request import Request
from attn_core.browser.limits import MOST_PIECES
from attn_core.export.model_files import model_files
from attn_core.models.folders import find

NAME = "best-de-en"  # reads word pieces; "x" is a piece of its own, as is the mark of the word's start
LENGTH = ("words", "most", "unit")


@pytest.fixture(scope="module")
def files():
    found = model_files(find(NAME))
    return found.record | {"weights": base64.b64encode(found.weights).decode()}


@pytest.mark.parametrize("letters", [MOST_PIECES, 900])
def test_page_and_server_refuse_a_word_of_too_many_pieces_alike(letters, files, probe):
    text = "x" * letters
    in_page = probe("answers", {"files": files, "requests": [{"text": text, "beam": 1}]})[0]
    on_server = translate_request(load_model(find(NAME)), Request(text))
    assert in_page["trace"] is None
    assert on_server["trace"] is None
    wanted = (letters + 1, MOST_PIECES, "pieces")
    assert tuple(in_page[name] for name in LENGTH) == tuple(on_server[name] for name in LENGTH) == wanted


@pytest.mark.slow
def test_page_translates_a_word_of_as_many_pieces_as_are_allowed(files, probe):
    found = probe("answers", {"files": files, "requests": [{"text": "x" * (MOST_PIECES - 1), "beam": 1}]})[0]
    assert len(found["trace"]["source"]) >= MOST_PIECES
    assert (found["words"], found["unit"]) == (1, "words")


@pytest.mark.slow
def test_a_line_and_a_reference_of_too_many_pieces_are_not_measured(files, probe):
    """As on the Corpus page, whose note gives the same reason."""
    long = "x" * MOST_PIECES
    lines = probe("linesRead", {"files": files, "texts": [long, "ein Hund"]})
    assert [line["fits"] for line in lines] == [False, True]
    assert tuple(lines[0][name] for name in LENGTH) == (MOST_PIECES + 1, MOST_PIECES, "pieces")
    asked = {"files": files, "asked": [{"text": long}, {"text": "ein Hund", "reference": long}]}
    assert probe("weighed", asked) == [None, None]
