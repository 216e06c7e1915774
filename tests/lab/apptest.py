"""Run lab pages without a browser."""

import json
from html.parser import HTMLParser

from streamlit.testing.v1 import AppTest

from app.lab.kit.described import page_of
from app.shell.pages import MenuItem, labs

VISIT = "import {module} as module; from app.lab.kit.dashboard import draw; draw(module.PAGE)"


def pages_with_cards() -> list[MenuItem]:
    """The lab pages that have quiz cards."""
    return [place for place in labs() if page_of(place).cards]


def visit(module: str, **query: str) -> AppTest:
    """Run the page of a module, such as "app.lab.window.page", at a link; fails on an exception."""
    app = AppTest.from_string(VISIT.format(module=module), default_timeout=120)
    for name, value in query.items():
        app.query_params[name] = value
    return run(app)


def run(app: AppTest) -> AppTest:
    """Run the page again after an interaction; fails on an exception."""
    app.run()
    assert not app.exception
    assert not app.error
    return app


def sent(app: AppTest, name: str) -> dict | None:
    """The data of a component of the page; None if it is not on the page."""
    found = [one.proto for one in app.get("bidi_component") if one.proto.component_name.endswith(name)]
    assert len(found) <= 1
    return json.loads(found[0].bytes) if found else None


class _Tables(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[list[list[str]]] = []
        self.inside = False

    def handle_starttag(self, tag: str, attrs: list) -> None:
        if tag == "table":
            self.found.append([])
        elif tag == "tr":
            self.found[-1].append([])
        elif tag in ("th", "td"):
            self.found[-1][-1].append("")
            self.inside = True

    def handle_endtag(self, tag: str) -> None:
        self.inside = self.inside and tag not in ("th", "td")

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.found[-1][-1][-1] += data


def tables(part: AppTest) -> list[dict[str, list[str]]]:
    """The tables of a page or a block: the cells of each column by its heading."""
    reader = _Tables()
    for one in part.get("html"):
        reader.feed(one.proto.body)
    return [dict(zip(head, map(list, zip(*rows, strict=True)), strict=True)) for head, *rows in reader.found]
