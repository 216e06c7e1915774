"""Packaging: the dependencies of each part, the wheel, and the files that other tools read."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from functools import cache
from importlib import metadata
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from attn_core.cli import COMMANDS
from attn_core.models import folders
from tests.benchmarks.__main__ import benchmarks
from tests.project.test_setup import CORE, ROOT, imported, our_files, ours, packaged, pins, text_of

SENTENCE = "Ein Hund läuft durch den Schnee."


@cache
def project() -> dict:
    return tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def ranges(extra: str | None = None) -> dict[str, Requirement]:
    """The dependencies of an extra by name, with those of the extras that it includes; None: the core."""
    lines = project()["dependencies"] if extra is None else project()["optional-dependencies"][extra]
    found = {}
    for requirement in map(Requirement, lines):
        if requirement.name == project()["name"]:
            found |= {name: one for part in requirement.extras for name, one in ranges(part).items()}
        else:
            found[canonicalize_name(requirement.name)] = requirement
    return found


def everything() -> dict[str, Requirement]:
    return ranges() | ranges("test")


def test_requirements_pin_exactly_what_the_ranges_allow():
    pinned = {canonicalize_name(name): version for name, version in pins().items()}
    assert pinned.keys() == everything().keys()
    outside = [str(one) for name, one in everything().items() if not one.specifier.contains(pinned[name])]
    assert outside == []


# Files that may import the dependencies of extras; all extras listed must have them.
OPTIONAL = {
    "attn_core/figures/learning.py": ("lab",),  # imported on first use
    "attn_core/figures/": ("app", "lab"),
    "attn_core/browser/hosts/jupyter.py": ("lab",),
    "attn_core/browser/hosts/streamlit.py": ("app",),
    "app/explorer/picture.py": ("test",),  # creates the README's picture
    "app/": ("app",),
    "notebooks/": ("lab",),
    "tests/": ("test",),
}
PEERS = {"joeynmt", "onmt"}  # installed in their own environments
# Run as commands, or loaded by name: by Jupyter as its kernel, by pytest.
WITHOUT_IMPORT = {"beartype", "ipykernel", "jupyterlab", "mypy", "pytest-xdist", "ruff"}


def parts_of(path: Path) -> tuple[str | None, ...]:
    """The extras whose dependencies a file may import; (None,) for the core."""
    name = path.relative_to(ROOT).as_posix()
    return next((parts for start, parts in OPTIONAL.items() if name.startswith(start)), (None,))


homes = cache(metadata.packages_distributions)


@cache
def packages_of(path: Path) -> set[str]:
    """The packages that a file imports, by the names under which they are installed."""
    own = {"attn_core", "app", "notebooks", "tests", *sys.stdlib_module_names, *PEERS}
    own |= {other.stem for other in ours(".py") if other.parent == path.parent}
    names = {name.split(".")[0] for name in imported(path)} - own
    return {canonicalize_name(home) for name in names for home in homes().get(name, [name])[:1]}


@pytest.mark.slow
def test_each_part_depends_on_what_it_imports():
    missing = {
        f"{path.relative_to(ROOT)}: {package} is not in {part or 'core'}"
        for path in ours(".py", ".ipynb")
        if path.is_relative_to(CORE) or parts_of(path) != (None,)
        for part in parts_of(path)
        for package in packages_of(path) - ranges().keys() - (ranges(part).keys() if part else set())
    }
    assert missing == set()


def test_every_dependency_is_imported_somewhere():
    used = {package for path in ours(".py", ".ipynb") for package in packages_of(path)}
    assert everything().keys() - used == WITHOUT_IMPORT


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    """The wheel, built in a copy of the repository because a build leaves folders behind."""
    copy, out = tmp_path_factory.mktemp("copy"), tmp_path_factory.mktemp("wheel")
    for path in our_files():
        if path.is_relative_to(CORE) or path.is_relative_to(ROOT / "pretrained") or path.parent == ROOT:
            target = copy / path.relative_to(ROOT)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
    (copy / "app").mkdir()
    (copy / "app" / "__init__.py").touch()  # must not be in the wheel
    options = ["--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", str(out)]
    command = [sys.executable, "-m", "pip", "wheel", *options, "."]
    run = subprocess.run(command, cwd=copy, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return next(out.iterdir())


@pytest.mark.slow
def test_a_wheel_holds_attn_core_with_two_models_and_nothing_else(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        settings = {name for name in names if name.endswith("/config.json")}
        shipped = {archive.read(name) == (ROOT / name.removeprefix("attn_core/")).read_bytes() for name in settings}
        scripts = archive.read(next(name for name in names if name.endswith("entry_points.txt"))).decode()
    inside = {name for name in names if name.startswith("attn_core/pretrained/")}
    code = {path.relative_to(ROOT).as_posix() for path in packaged()}
    assert {name.split("/")[0] for name in names} == {"attn_core", f"attn_core-{project()['version']}.dist-info"}
    assert {name for name in names if name.startswith("attn_core/")} - inside == code
    assert len(settings) == 2
    assert shipped == {True}
    assert {Path(name).name for name in inside} >= {"model.safetensors", "source.json", "target.json"}
    assert scripts.split("\n")[:2] == ["[console_scripts]", "attn-core = attn_core.__main__:run"]
    assert wheel.stat().st_size < 20_000_000


@pytest.fixture
def elsewhere(tmp_path) -> Iterator[Path]:
    """A folder outside the repository, removed after the test because an environment is large."""
    yield tmp_path
    shutil.rmtree(tmp_path)


@pytest.mark.slow
def test_an_installed_wheel_translates_with_its_core_dependencies_alone(wheel, elsewhere):
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    subprocess.run([sys.executable, "-m", "venv", str(elsewhere / "venv")], check=True)
    binaries = elsewhere / "venv" / "bin"
    install = [str(binaries / "python"), str(ROOT / ".ci" / "install.py"), str(wheel)]
    subprocess.run(install, env=environment, cwd=elsewhere, check=True)

    def attn_core(*words: str, text: str = "") -> str:
        command = [str(binaries / "attn-core"), *words]
        run = subprocess.run(
            command, cwd=elsewhere, env=environment, input=text, capture_output=True, text=True, check=False
        )
        return run.stdout if run.returncode == 0 else run.stderr

    models = json.loads(attn_core("models", "--json"))
    assert len(models) == 2
    ours_says = [sys.executable, "-m", "attn_core", "translate", models[0]["name"]]
    here = subprocess.run(ours_says, cwd=ROOT, input=SENTENCE, capture_output=True, text=True, check=True)
    assert "dog" in here.stdout
    assert attn_core("translate", models[0]["name"], text=SENTENCE) == here.stdout
    assert attn_core("app").startswith("error: the dashboard is not part of the installed package: clone")
    installed = {path.name.split("-")[0].lower() for path in elsewhere.glob("venv/lib/*/site-packages/*.dist-info")}
    assert installed & {"streamlit", "altair", "jupyterlab", "pytest"} == set()


def test_models_inside_the_package_are_preferred(tmp_path):
    """A folder named pretrained in site-packages may belong to another package."""
    shutil.copytree(CORE, tmp_path / "attn_core", ignore=shutil.ignore_patterns("__pycache__"))
    for place in ("pretrained", "attn_core/pretrained"):
        model = tmp_path / place / f"in-{place.replace('/', '-')}"
        model.mkdir(parents=True)
        (model / "config.json").write_text("{}")
    code = "from attn_core.models.folders import shipped; print(shipped())"
    environment = {name: value for name, value in os.environ.items() if name != "ATTN_PRETRAINED"}

    def seen() -> str:
        command = [sys.executable, "-c", code]
        return subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True).stdout

    assert seen() == "['in-attn_core-pretrained']\n"
    shutil.rmtree(tmp_path / "attn_core" / "pretrained")
    assert seen() == "['in-pretrained']\n"
    assert folders.PRETRAINED == ROOT / "pretrained"


def test_the_version_is_the_same_everywhere():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    changes = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert citation["version"] == changes[0] == project()["version"]


def test_the_citation_has_the_required_keys():
    """The required keys of CFF 1.2.0, of the software and of the papers. The owner has chosen no licence."""
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert citation["cff-version"] == "1.2.0"
    assert {"message", "title", "authors"} <= citation.keys()
    assert all(author.keys() & {"name", "family-names"} for author in citation["authors"])
    assert all(paper.keys() >= {"type", "title", "authors", "year"} for paper in citation["references"])
    assert "license" not in citation
    assert "license" not in project()


def make_targets() -> set[str]:
    return set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))


@pytest.mark.parametrize(
    ("command", "existing"),
    [(r"`make ([a-z-]+)", make_targets()), (r"python -m tests\.benchmarks ([a-z_]+)", {*benchmarks()})],
    ids=["make", "benchmarks"],
)
def test_commands_that_texts_name_exist(command, existing):
    texts = "\n".join(filter(None, map(text_of, ours(".py", ".js", ".md", ".ipynb"))))
    named = set(re.findall(command, texts))
    assert len(named) > 8
    assert named <= existing


def instructions(text: str) -> list[tuple[str, str]]:
    """A Dockerfile's instructions with their arguments; continued lines are one."""
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    joined = "\n".join(lines).replace("\\\n", " ").splitlines()
    return [tuple(line.split(maxsplit=1)) for line in joined]


def test_the_container_runs_the_commands_of_the_makefile():
    steps = instructions((ROOT / "Dockerfile").read_text())
    names = [name for name, _ in steps]
    assert names[0] == "FROM"
    assert set(names) <= {"FROM", "RUN", "WORKDIR", "COPY", "EXPOSE", "CMD"}
    images = [rest for name, rest in steps if name == "FROM"]
    assert images == ["python:3.11-slim AS tools", "tools"]
    assert ("RUN", "make setup") in steps
    command = json.loads(dict(steps)["CMD"])
    assert command[:2] == ["make", "app"]
    assert {"setup", "app", "test"} <= make_targets()
    # Otherwise the environment of the host would be copied into the image.
    assert ".venv" in (ROOT / ".dockerignore").read_text().split()


def test_the_development_container_is_built_on_the_same_tools():
    settings = json.loads((ROOT / ".devcontainer" / "devcontainer.json").read_text())
    build = settings["build"]
    dockerfile = (ROOT / ".devcontainer" / build["dockerfile"]).resolve()
    assert dockerfile == ROOT / "Dockerfile"
    assert f" AS {build['target']}\n" in dockerfile.read_text()
    for hook in ("postCreateCommand", "postAttachCommand"):
        make, target, *_ = settings[hook].split()
        assert make == "make"
        assert target in make_targets()


def test_the_console_script_exists_and_can_start_the_dashboard():
    assert "app" in [command.name for command in COMMANDS]
    module, _, function = project()["scripts"]["attn-core"].partition(":")
    assert f"def {function}(" in text_of(ROOT / f"{module.replace('.', '/')}.py")
