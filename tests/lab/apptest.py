"""A lab page run without a browser."""

import json

from streamlit.testing.v1 import AppTest


def visit(module: str, **query: str) -> AppTest:
    """The page of a module of app.lab, such as "app.lab.window.page", at a link; it must have run without an error."""
    app = AppTest.from_string(f"import {module} as module; module.page()", default_timeout=120)
    for name, value in query.items():
        app.query_params[name] = value
    return run(app)


def run(app: AppTest) -> AppTest:
    """The page after what was done to it, which must have gone without an error."""
    app.run()
    assert not app.exception
    assert not app.error
    return app


def sent(app: AppTest, name: str) -> dict | None:
    """What a component of the page was given; None where it is not on the page."""
    found = [one.proto for one in app.get("bidi_component") if one.proto.component_name.endswith(name)]
    assert len(found) <= 1
    return json.loads(found[0].json) if found else None
