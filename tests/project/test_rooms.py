"""Import rules: allowed directions, and modules that are imported only when used."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from app.shell.pages import labs
from tests.project import rooms
from tests.project.rooms import ROOT, cycles, import_graph, longest

HEAVY = {"streamlit", "altair", "plotly", "anywidget", "datasets", "IPython", "matplotlib", "playwright"}

# The only rooms that each of these rooms may import: a Gaussian or a palette does not depend on a translator.
ONLY = {
    "attn_core.registry": {"attn_core.messages"},
    "attn_core.trace": {"attn_core.messages"},
    "attn_core.palette": set(),
    "attn_core.messages": set(),
    "attn_core.processor": set(),
    "attn_core.devices": {"attn_core.messages", "attn_core.processor"},
    "attn_core.program": set(),
    "attn_core.attention": {f"attn_core.{name}" for name in ("messages", "registry", "settings", "trace")},
    "attn_core.export": {
        *(f"attn_core.{name}" for name in ("attention", "data", "explain", "files", "messages", "models")),
        *("attn_core.program", "attn_core.registry", "attn_core.trace"),
    },
    "attn_core.browser": {
        *(f"attn_core.{name}" for name in ("export", "messages", "palette", "registry", "trace")),
        # of the widget of a model, which translates its first sentence:
        *(f"attn_core.{name}" for name in ("data", "decoding", "models")),
    },
}

# Modules that must not import torch, so that a page, a prompt or `--help` appears quickly.
LIGHT = (
    *("attn_core", "attn_core.trace", "attn_core.models.config", "attn_core.models.presets", "attn_core.cli"),
    *("app.service.catalogue", "app.service.files", "app.explorer.page"),
    *("attn_core.export.facts", "attn_core.export.model_files", "attn_core.browser"),
    "attn_core.training.course",
    *(place.module for place in labs()),
)

# Imports inside functions, by file, each with its reason. Modules are loaded by name in attn_core/registry.py only.
DEFERRED: dict[str, dict[str, str]] = {}

# Modules that are only loaded by `registry.load`, because of what they import.
LOADED = {
    "attn_core.data.hub": "datasets takes seconds, and only public corpora need it",
}


def ours() -> list[Path]:
    return [path for package in rooms.PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def inner_imports(path: Path) -> set[str]:
    """The modules imported inside functions and classes."""
    tree = ast.parse(path.read_text("utf-8"))
    scopes = [
        node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    ]
    inside = {node for scope in scopes for node in ast.walk(scope)}
    names = {alias.name for node in inside if isinstance(node, ast.Import) for alias in node.names}
    return names | {node.module or "." for node in inside if isinstance(node, ast.ImportFrom)}


def loaded(modules: str, among: set[str]) -> list[str]:
    """The modules of `among` that importing `modules` loads, in a separate process."""
    code = f"import sys, {modules}; print(*sorted({among!r} & set(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    return run.stdout.split()


def test_imports_between_rooms_have_no_cycle():
    assert cycles(import_graph().rooms) == []


def test_imports_between_modules_have_no_cycle():
    assert cycles(import_graph().modules) == []


def test_imports_of_javascript_have_no_cycle():
    modules, script_rooms = rooms.script_graph()
    assert cycles(script_rooms) == []
    assert cycles(modules) == []
    assert script_rooms["attn_core/browser/engine"] == set(), "it runs models without a page"


def test_there_are_at_most_31_rooms_in_10_layers():
    chain = max(longest(import_graph().rooms).values(), key=len)
    assert len(import_graph().rooms) <= 31
    assert len(chain) <= 10, chain


def test_attn_core_does_not_import_the_app():
    found = [
        f"{one} -> {other}"
        for one, targets in import_graph().rooms.items()
        for other in targets
        if other.startswith("app")
    ]
    assert [arrow for arrow in found if arrow.startswith("attn_core")] == []


@pytest.mark.parametrize("room", ONLY)
def test_a_room_imports_only_the_rooms_listed_for_it(room):
    assert import_graph().rooms[room] <= ONLY[room]
    assert ONLY[room] <= import_graph().rooms.keys(), "no such room any more: remove it from ONLY"


def test_only_the_widget_imports_models_into_the_browser():
    modules = import_graph().modules
    rooms = tuple(f"attn_core.{name}" for name in ("browser", "messages", "palette", "registry", "trace"))
    player = {name for name in modules if name.startswith("attn_core.browser")} - {"attn_core.browser.hosts.jupyter"}
    found = {(name, other) for name in player for other in modules[name] if not other.startswith(rooms)}
    light = ("attn_core.export.facts", "attn_core.data.function_words")  # and need no torch
    assert {other for _, other in found} <= {"attn_core", "attn_core.export", "attn_core.data", *light}


def test_the_training_loop_knows_nothing_of_attention():
    mechanisms = ("attention.", *(f"models.{name}" for name in ("decoders", "encoders", "gnmt", "transformer")))
    forbidden = tuple(f"attn_core.{name}" for name in mechanisms)
    assert [name for name in import_graph().modules["attn_core.training.loop"] if name.startswith(forbidden)] == []


def test_what_tunes_training_to_a_machine_knows_nothing_of_training():
    modules, speed = import_graph().modules, "attn_core.training.speed"
    below = {other for name in modules if name.startswith(speed) for other in modules[name]}
    assert [name for name in below if name.startswith("attn_core.training") and not name.startswith(speed)] == []


def test_modules_are_imported_at_the_top():
    found = {f"{name_of(path)}: {name}" for path in ours() for name in inner_imports(path)}
    allowed = {f"{file}: {name}" for file, names in DEFERRED.items() for name in names}
    assert found <= allowed, "\n".join(["imported inside a function:", *sorted(found - allowed)])
    assert allowed <= found, "no such import any more: remove it from DEFERRED"


def test_there_is_one_loader_of_modules_by_name():
    assert [name_of(path) for path in ours() if "import_module(" in path.read_text("utf-8")] == [
        "attn_core/registry.py"
    ]


@pytest.mark.parametrize("module", LIGHT)
def test_values_and_records_need_no_torch(module):
    assert loaded(module, {"torch"}) == []


@pytest.mark.slow
def test_core_imports_nothing_that_only_some_callers_need():
    """Terminals, notebooks and training use attn_core, so plotting and data set libraries are imported lazily."""
    drawing = ("attn_core.__main__", "attn_core.figures", "attn_core.browser")
    every = [name for name in import_graph().modules if name.startswith("attn_core") and not name.startswith(drawing)]
    every = [name for name in every if name not in LOADED]
    assert loaded(", ".join(every), HEAVY) == []


@pytest.mark.slow
def test_the_figures_of_the_dashboard_need_no_plotly():
    assert loaded("attn_core.figures", {"altair", "plotly"}) == ["altair"]


# The import graph of a small example.


@pytest.fixture
def small(tmp_path, monkeypatch) -> rooms.ImportGraph:
    files = {
        "attn_core/__init__.py": "HOMES = {'load': 'models.store'}\ndef __getattr__(name): ...\n",
        "attn_core/trace.py": "import json\n",
        "attn_core/models/__init__.py": '"""Only a docstring."""\n',
        "attn_core/models/store.py": "from attn_core.trace import Trace\nfrom . import config\n",
        "attn_core/models/config.py": "def later():\n    from attn_core.figures import draw\n",
        "attn_core/models/lazy.py": "from attn_core import registry\nregistry.load('attn_core.trace:Trace')\n",
        "attn_core/registry.py": "WHERE = 'attn_core.trace:Trace'\n",
        "attn_core/figures/__init__.py": "import typing\nif typing.TYPE_CHECKING:\n    from attn_core import load\n",
        "app/page.py": "import attn_core.figures\nfrom attn_core import load, trace\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return import_graph(tmp_path)


def test_edges_are_all_imports_whenever_they_happen(small):
    assert small.rooms == {
        "attn_core": {"attn_core.models"},
        "attn_core.trace": set(),
        "attn_core.registry": set(),
        "attn_core.models": {"attn_core.trace", "attn_core.figures", "attn_core.registry"},
        "attn_core.figures": {"attn_core.models"},  # not attn_core: models.store defines `load`
        "app.page": {"attn_core.figures", "attn_core.models", "attn_core.trace"},
    }
    assert small.why("attn_core.models", "attn_core.trace") == [
        "attn_core.models.lazy -> attn_core.trace",
        "attn_core.models.store -> attn_core.trace",
    ]


def test_cycles_are_found_and_count_as_one_room(small):
    assert cycles(small.rooms) == ["attn_core.figures -> attn_core.models -> attn_core.figures"]
    assert cycles(small.modules) == [], "one of the three is for the type checker"
    assert cycles(small.every) == [
        "attn_core.figures -> attn_core.models.store -> attn_core.models.config -> attn_core.figures"
    ]
    assert len(longest(small.rooms)["app.page"]) == 3
