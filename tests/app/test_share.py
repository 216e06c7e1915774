"""The Share panel, and what the server adds when others can reach it."""

import pytest
import streamlit as st
from playwright.sync_api import Route, expect
from starlette.applications import Starlette
from starlette.testclient import TestClient

from app.shell import shared
from app.shell.hosts import HOSTS

SERVED = {"origin": "http://192.0.2.7:8501", "pages": ["", "heads"]}


@pytest.fixture
def listening(monkeypatch):
    """Set the address at which Streamlit listens, at port 8501."""

    def listen(address):
        options = {"server.address": address, "server.port": 8501}
        monkeypatch.setattr(st, "get_option", options.__getitem__)

    monkeypatch.delenv(HOSTS, raising=False)
    return listen


@pytest.fixture
def site(monkeypatch, tmp_path):
    """A folder in place of the site."""
    monkeypatch.setattr(shared, "SITE", tmp_path / "site")
    (tmp_path / "site").mkdir()
    for name in ("index.html", "heads.html"):
        (tmp_path / "site" / name).write_text(f"<title>{name}</title>", "utf-8")
    return tmp_path / "site"


@pytest.mark.parametrize("address", ["127.0.0.1", "localhost", "::1", "127.8.0.1"])
def test_for_this_machine_alone_nothing_is_added(listening, site, address):
    listening(address)
    assert shared.routes() == []


@pytest.mark.parametrize(
    ("address", "names", "origin"),
    [
        ("192.0.2.7", "", "http://192.0.2.7:8501"),
        ("2001:db8::7", "", "http://[2001:db8::7]:8501"),
        ("0.0.0.0", "lecture, other", "http://lecture:8501"),
        ("lecture.invalid", "", "http://lecture.invalid:8501"),
    ],
)
def test_the_address_for_others_is_the_first_name_or_the_servers_own(listening, monkeypatch, address, names, origin):
    listening(address)
    monkeypatch.setenv(HOSTS, names)
    assert shared.open_to_others()
    assert shared.origin() == origin


@pytest.mark.parametrize("address", ["0.0.0.0", "::", None])
def test_a_server_that_listens_everywhere_names_no_address_that_means_everywhere(listening, address):
    listening(address)
    assert shared.origin() not in ("http://0.0.0.0:8501", "http://[::]:8501", "http://None:8501")


def test_others_get_the_site_its_pages_and_codes(listening, site):
    listening("192.0.2.7")
    visitor = TestClient(Starlette(routes=shared.routes()))
    assert visitor.get("/site/").text == "<title>index.html</title>"
    assert visitor.get("/share.json").json() == SERVED
    short, long = (visitor.get("/share.svg", params={"to": f"http://192.0.2.7/{'x' * n}"}) for n in (1, 300))
    assert short.headers["content-type"] == "image/svg+xml"
    assert short.text.startswith('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 33 33"')  # 25 modules and a rim
    assert len(long.text) > 3 * len(short.text)


def test_without_a_site_others_are_sent_to_the_dashboard(listening, monkeypatch, tmp_path):
    listening("192.0.2.7")
    monkeypatch.setattr(shared, "SITE", tmp_path / "none")
    visitor = TestClient(Starlette(routes=shared.routes()))
    assert visitor.get("/share.json").json() == SERVED | {"pages": []}
    assert visitor.get("/site/").status_code == 404


@pytest.mark.parametrize("to", ["", "javascript:alert(1)", "http://" + "x" * 1000, "http://x/\N{GRINNING FACE}"])
def test_only_an_address_becomes_a_code(listening, site, to):
    listening("192.0.2.7")
    answer = TestClient(Starlette(routes=shared.routes())).get("/share.svg", params={"to": to})
    assert answer.status_code == 400
    assert "`to` must be an http(s) address" in answer.text


def test_the_start_is_announced_with_the_address(listening, site, capsys):
    listening("192.0.2.7")
    with TestClient(Starlette(lifespan=shared.announced)):
        assert capsys.readouterr().out == "Others can open http://192.0.2.7:8501/site/\n"
    listening("127.0.0.1")
    with TestClient(Starlette(lifespan=shared.announced)):
        assert capsys.readouterr().out == ""


def test_for_this_machine_alone_the_panel_says_how_to_open_it_to_others(visit):
    page = visit()
    page.get_by_role("button", name="Share").click()
    panel = page.get_by_role("dialog", name="Share this view")
    expect(panel).to_contain_text("make app HOST=0.0.0.0")
    expect(panel.get_by_role("img")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(panel).to_have_count(0)


def test_where_others_can_reach_the_server_the_panel_has_a_code(visit):
    page = visit(width=390, height=844)
    page.route("**/share.json", lambda route: route.fulfill(json=SERVED))
    asked = []

    def code(route: Route) -> None:
        asked.append(route.request.url)
        route.fulfill(body='<svg xmlns="http://www.w3.org/2000/svg"/>', content_type="image/svg+xml")

    page.route("**/share.svg*", code)
    page.get_by_role("button", name="Share").click()
    panel = page.get_by_role("dialog", name="Share this view")
    expect(panel).to_contain_text("http://192.0.2.7:8501/site/?text=")
    expect(panel.get_by_role("img", name="QR code")).to_be_attached()
    assert "to=http%3A%2F%2F192.0.2.7" in asked[0]
    box = panel.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390


def test_the_models_of_the_site_are_sent_as_they_are_and_kept(listening, site):
    """Else each reader's copy would be compressed anew."""
    listening("0.0.0.0")
    (site / "models").mkdir()
    (site / "models/m-0.safetensors").write_bytes(b"weights")
    client = TestClient(Starlette(routes=shared.routes()))
    headers = client.get("/site/models/m-0.safetensors").headers
    assert headers["content-encoding"] == "identity"
    assert "immutable" in headers["cache-control"]
    assert "cache-control" not in client.get("/site/heads.html").headers
    assert client.get("/site/models/other.safetensors").status_code == 404
