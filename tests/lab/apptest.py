"""Run lab pages without a browser."""

import json

from streamlit.testing.v1 import AppTest


def visit(module: str, **query: str) -> AppTest:
    """Run the page of a module, such as "app.lab.window.page", at a link; fails on an exception."""
    app = AppTest.from_string(f"import {module} as module; module.page()", default_timeout=120)
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
