"""Imports have a direction: what may import what, and what waits until it is needed. `make rooms` prints the rooms."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from tests.project import rooms
from tests.project.rooms import ROOT, circles, house, longest

HEAVY = {"streamlit", "altair", "plotly", "anywidget", "datasets", "IPython", "matplotlib", "playwright"}

# Rooms that are made of few others, whatever the floors allow. A Gaussian or a palette needs no translator.
ONLY = {
    "attn_core.registry": set(),
    "attn_core.aliases": set(),
    "attn_core.trace": {"attn_core.aliases"},
    "attn_core.palette": set(),
    "attn_core.devices": set(),
    "attn_core.attention": {f"attn_core.{name}" for name in ("registry", "settings", "tensors", "trace")},
    "attn_core.web": {"attn_core.palette", "attn_core.registry", "attn_core.trace"},
}

# Values, records and names are read by people who wait for a page, a prompt or `--help`.
LIGHT = (
    *("attn_core", "attn_core.trace", "attn_core.models.config", "attn_core.models.presets", "attn_core.cli"),
    *("app.service.catalogue", "app.service.view"),
)

# Imports inside functions, by file: what is imported, and why it waits. There is one loader, in attn_core/registry.py.
DEFERRED: dict[str, dict[str, str]] = {}

# Modules that are loaded by `registry.load` alone, for the sake of what they import.
LOADED = {
    "attn_core.data.hub": "datasets takes seconds, and only public corpora need it",
}


def ours() -> list[Path]:
    return [path for package in rooms.PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def inner_imports(path: Path) -> set[str]:
    """What is imported inside functions and classes."""
    tree = ast.parse(path.read_text("utf-8"))
    scopes = [
        node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    ]
    inside = {node for scope in scopes for node in ast.walk(scope)}
    names = {alias.name for node in inside if isinstance(node, ast.Import) for alias in node.names}
    return names | {node.module or "." for node in inside if isinstance(node, ast.ImportFrom)}


def loaded(modules: str, among: set[str]) -> list[str]:
    """Which of `among` are there once the modules have been imported, in a process of their own."""
    code = f"import sys, {modules}; print(*sorted({among!r} & set(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    return run.stdout.split()


def test_rooms_have_no_circle():
    assert circles(house().rooms) == []


def test_modules_have_no_circle():
    assert circles(house().modules) == []


def test_there_are_at_most_30_rooms_on_10_floors():
    chain = max(longest(house().rooms).values(), key=len)
    assert len(house().rooms) <= 30
    assert len(chain) <= 10, chain


def test_nobody_imports_the_app():
    found = [
        f"{one} -> {other}" for one, targets in house().rooms.items() for other in targets if other.startswith("app")
    ]
    assert [arrow for arrow in found if arrow.startswith("attn_core")] == []


@pytest.mark.parametrize("room", ONLY)
def test_room_imports_only_what_it_is_made_of(room):
    assert house().rooms[room] <= ONLY[room]


def test_the_training_loop_knows_nothing_of_attention():
    mechanisms = ("attention.", *(f"models.{name}" for name in ("decoders", "encoders", "gnmt", "transformer")))
    forbidden = tuple(f"attn_core.{name}" for name in mechanisms)
    assert [name for name in house().modules["attn_core.training.loop"] if name.startswith(forbidden)] == []


def test_modules_are_imported_at_the_top():
    found = {f"{name_of(path)}: {name}" for path in ours() for name in inner_imports(path)}
    allowed = {f"{file}: {name}" for file, names in DEFERRED.items() for name in names}
    assert found <= allowed, "\n".join(["imported inside a function:", *sorted(found - allowed)])
    assert allowed <= found, "no longer there: take it out of DEFERRED"


def test_there_is_one_loader_of_modules_by_name():
    assert [name_of(path) for path in ours() if "import_module(" in path.read_text("utf-8")] == [
        "attn_core/registry.py"
    ]


@pytest.mark.parametrize("module", LIGHT)
def test_values_and_records_need_no_torch(module):
    assert loaded(module, {"torch"}) == []


def test_core_imports_nothing_that_only_some_callers_need():
    """A terminal, a notebook and a training machine share attn_core; drawing and corpora are loaded on use."""
    drawing = ("attn_core.__main__", "attn_core.figures", "attn_core.web")
    every = [name for name in house().modules if name.startswith("attn_core") and not name.startswith(drawing)]
    every = [name for name in every if name not in LOADED]
    assert loaded(", ".join(every), HEAVY) == []


# The rooms themselves are found in a small house.


@pytest.fixture
def small(tmp_path, monkeypatch) -> rooms.House:
    files = {
        "attn_core/__init__.py": "HOMES = {'load': 'models.store'}\ndef __getattr__(name): ...\n",
        "attn_core/trace.py": "import json\n",
        "attn_core/models/__init__.py": '"""Nothing but words."""\n',
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
    return house(tmp_path)


def test_arrows_are_all_imports_whenever_they_happen(small):
    assert small.rooms == {
        "attn_core": {"attn_core.models"},
        "attn_core.trace": set(),
        "attn_core.registry": set(),
        "attn_core.models": {"attn_core.trace", "attn_core.figures", "attn_core.registry"},
        "attn_core.figures": {"attn_core.models"},  # not attn_core: it is there that `load` lives
        "app.page": {"attn_core.figures", "attn_core.models", "attn_core.trace"},
    }
    assert small.why("attn_core.models", "attn_core.trace") == [
        "attn_core.models.lazy -> attn_core.trace",
        "attn_core.models.store -> attn_core.trace",
    ]


def test_circles_are_found_and_count_as_one_room(small):
    assert circles(small.rooms) == ["attn_core.figures -> attn_core.models -> attn_core.figures"]
    assert circles(small.modules) == [], "one of the three is for the type checker"
    assert circles(small.every) == [
        "attn_core.figures -> attn_core.models.store -> attn_core.models.config -> attn_core.figures"
    ]
    assert len(longest(small.rooms)["app.page"]) == 3
