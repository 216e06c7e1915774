"""Rules of the repository: pinned requirements, contents of the package, and content that no file may have."""

import ast
import json
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from functools import cache
from importlib import metadata
from pathlib import Path

import pytest

from attn_core.browser.bundle import vendored
from tests.helpers.scripts import COSINE, OWN_PARTS
from tests.helpers.terminal import make

ROOT = Path(__file__).parents[2]
CORE = ROOT / "attn_core"


@cache
def our_files() -> tuple[Path, ...]:
    """All files that are or would be committed; in a copy without git, all files except those in .gitignore."""
    if (ROOT / ".git").exists() and shutil.which("git"):
        command = ["git", "-c", "safe.directory=*", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, text=True).stdout.split("\0")
        paths = [ROOT / name for name in listed if name]
    else:
        lines = (ROOT / ".gitignore").read_text().split()
        ignored = {line.strip("/") for line in lines if "*" not in line}
        paths = [path for path in ROOT.rglob("*") if not ignored & set(path.relative_to(ROOT).parts)]
    return tuple(sorted(path for path in paths if path.is_file()))


def ours(*suffixes: str) -> list[Path]:
    """The files with these suffixes that are written here: not those of libraries."""
    return [path for path in our_files() if path.suffix in suffixes and not vendored(path)]


def packaged() -> list[Path]:
    """The files of attn_core that belong in the wheel: all but notes for those who work on it."""
    paths = [path for path in our_files() if path.is_relative_to(CORE)]
    return [path for path in paths if path.suffix != ".md" or vendored(path)]


def text_of(path: Path) -> str | None:
    """None for a binary file."""
    try:
        return path.read_bytes().decode()
    except UnicodeDecodeError:
        return None


def code_of(path: Path) -> str:
    """The code of a Python file, or the joined code cells of a notebook."""
    if path.suffix != ".ipynb":
        return path.read_text()
    cells = json.loads(path.read_text())["cells"]
    return "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")


def imported(path: Path) -> set[str]:
    """The dotted names that a file imports anywhere, also lazily; `from a import b` yields a.b."""
    names = set()
    for node in ast.walk(ast.parse(code_of(path))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            folder = path.relative_to(ROOT).parent.parts
            base = [*folder[: len(folder) - node.level + 1]] if node.level else []
            names |= {".".join([*base, *filter(None, [node.module]), alias.name]) for alias in node.names}
    return names


def pins(path: str = "requirements.txt") -> dict[str, str]:
    lines = [line.split("#")[0].strip() for line in (ROOT / path).read_text().splitlines()]
    return {name: version for name, _, version in (line.partition("==") for line in lines if line)}


def test_requirements_are_pinned_and_installed():
    """Each has one exact version, which is installed (torch possibly as a build such as +cpu)."""
    assert pins()["torch"] == "2.13.0"
    assert all(re.fullmatch(r"\d+(\.\w+)+", version) for version in pins().values())
    assert {name: metadata.version(name).split("+")[0] for name in pins()} == pins()


@pytest.mark.extras
def test_what_only_tests_on_the_build_machine_need_is_pinned_and_installed():
    wanted = pins(".ci/requirements.txt")
    assert wanted
    assert wanted.keys().isdisjoint(pins())
    found = {one.name.lower(): one.version for one in metadata.distributions()}
    if absent := wanted.keys() - found.keys():
        pytest.skip(f"not installed: {', '.join(sorted(absent))}")
    assert {name: found[name] for name in wanted} == wanted


def test_requirements_name_all_that_is_imported():
    """A package that is only an indirect dependency may disappear with the next update."""
    own = {"attn_core", "app", "notebooks", "tests", *sys.stdlib_module_names} | {path.stem for path in ours(".py")}
    homes = metadata.packages_distributions()
    names = {name.split(".")[0] for path in ours(".py", ".ipynb") for name in imported(path)} - own
    pinned = {name.lower().replace("_", "-") for name in pins()}
    missing = {name for name in names if not {home.lower().replace("_", "-") for home in homes.get(name, [])} & pinned}
    assert missing == set()


def test_no_file_names_a_machine_or_a_registry():
    """Local paths do not exist on other machines, and users choose their own package registry."""
    places = r"(?<![\w.<])/(work|root|tmp|farm|home|Users)/[\w.]"
    hosts = [
        ("pypi", "org"),
        ("pythonhosted", "org"),
        ("download", "pytorch", "org"),
        ("npmjs", "org"),
        ("npmjs", "com"),
    ]
    hosts += [("anaconda", "org"), ("unpkg", "com"), ("jsdelivr", "net")]
    forbidden = re.compile("|".join([places, *(re.escape(".".join(host)) for host in hosts)]))
    found = [
        f"{path.relative_to(ROOT)}: {match.group()}"
        for path in our_files()
        if (text := text_of(path)) is not None and (match := forbidden.search(text))
    ]
    assert found == []


def test_no_file_is_longer_than_400_lines():
    long = {path.name: n for path in ours(".py", ".js", ".css") if (n := len(path.read_text().splitlines())) > 400}
    assert long == {}


def test_no_line_of_javascript_is_longer_than_120_columns():
    """Prettier breaks code, but neither comments, texts nor templates."""
    lines = {path: path.read_text("utf-8").splitlines() for path in ours(".js", ".mjs", ".ts")}
    assert [f"{path}:{n}" for path in lines for n, line in enumerate(lines[path], 1) if len(line) > 120] == []


def test_names_are_defined():
    """ruff's F821 is off because it takes shapes such as Float[Tensor, "src"] for names; this test skips strings."""
    command = [sys.executable, "-m", "ruff", "check", "--isolated", "--select", "F821", "--output-format", "json"]
    run = subprocess.run([*command, *ours(".py")], cwd=ROOT, capture_output=True, text=True, check=False)
    undefined = []
    for problem in json.loads(run.stdout):
        place = problem["location"]["row"], problem["location"]["column"] - 1
        if not any(start <= place < end for start, end in strings(Path(problem["filename"]))):
            undefined.append(f"{problem['filename']}:{place[0]}: {problem['message']}")
    assert undefined == []


@cache
def strings(path: Path) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Start and end of the string literals of a file, as (row, column)."""
    nodes = [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Constant)]
    return [
        ((node.lineno, node.col_offset), (node.end_lineno or node.lineno, node.end_col_offset or 0))
        for node in nodes
        if isinstance(node.value, str)
    ]


def pickled(path: Path) -> bool:
    """Whether a file is a pickle of protocol 2 or later, or a zip with a pickle in it (as torch.save writes)."""
    if zipfile.is_zipfile(path):
        return any(name.endswith(".pkl") for name in zipfile.ZipFile(path).namelist())
    return re.match(rb"\x80[\x02-\x05]", path.read_bytes()[:2]) is not None


def test_pretrained_is_small_and_safe_to_open():
    files = [path for path in our_files() if path.is_relative_to(ROOT / "pretrained")]
    assert sum(path.stat().st_size for path in files) < 200_000_000
    assert [path.name for path in files if path.suffix in {".pt", ".pth", ".pkl", ".pickle", ".ckpt", ".bin"}] == []
    assert [path.name for path in files if pickled(path)] == []


def test_package_holds_every_file_of_attn_core():
    """The installed package contains the player's scripts and the example data."""
    tool = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]
    patterns = tool["package-data"]["*"]
    data = [path for path in packaged() if path.suffix != ".py"]
    assert [path.name for path in data if not any(path.match(pattern) for pattern in patterns)] == []


def readme_scripts() -> tuple[str, str, str, str]:
    """A score, a window and settings of a window of one's own, and the line that registers the score in the package."""
    score, window, live_settings, line = re.findall(r"```python\n(.*?)```", OWN_PARTS, re.DOTALL)
    return score, window, live_settings, line


def cosine() -> tuple[str, str]:
    """The class in that script, and the line that registers it."""
    script, *_, line = readme_scripts()
    return re.search(r"class Cosine.*?(?=\n\n\n)", script, re.DOTALL)[0] + "\n", line


def printed(code: str, folder: Path) -> list[str]:
    run = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return run.stdout.split()


@pytest.mark.slow
def test_the_readmes_score_function_needs_no_other_change(tmp_path):
    """In a copy of attn_core, the README's class and line make the score available everywhere."""
    shutil.copytree(CORE, tmp_path / "attn_core", ignore=shutil.ignore_patterns("__pycache__"))
    for name, lines in zip(("scores", "settings"), cosine(), strict=True):
        with (tmp_path / f"attn_core/attention/{name}.py").open("a") as file:
            file.write(lines)
    code = """
import torch
from attn_core.explain.step_graph import formulas
from attn_core.models.presets import PRESETS
from attn_core.attention.settings import SCORES
score = SCORES.build("cosine", 3, 3)
states = torch.randn(2, 5, 3)
print(score(3 * states, score.keys(states)).diagonal(dim1=1, dim2=2).allclose(torch.ones(())))
model, _ = PRESETS["luong-cosine-local-p"]
print("|h_t|" in formulas(model)["score"][0])
"""
    assert printed(code, tmp_path) == ["True", "True"]


@pytest.mark.slow
def test_the_readmes_score_function_works_in_a_script():
    code = (
        COSINE
        + """

from attn_core.models.config import ModelConfig
print(ModelConfig.of(score="cosine").attention.score.name, SCORES["cosine"] is Cosine)
"""
    )
    assert printed(code, ROOT) == ["cosine", "True"]


def test_the_settings_of_the_readmes_window_are_live():
    code = """

centers = Steady(8, SteadySettings(speed=0.5)).center(torch.zeros(1, 4, 8), torch.tensor([2]), 1)
print(*SteadySettings().live(), *centers.flatten().tolist())
"""
    assert printed(readme_scripts()[2] + code, ROOT) == ["half_width", "sigma", "speed", "0.5", "1.0", "1.0", "1.0"]


@pytest.mark.slow
def test_the_readmes_score_function_learns_a_task(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("OMP_NUM_THREADS", "1")  # two threads wait for each other on a busy machine
    code = (
        readme_scripts()[0]
        + """
from attn_core import load, text_of, translate
model = load("runs/cosine")
print(text_of(model, translate(model, "a b c d"), True))
"""
    )
    *scores, d, c, b, a = printed(code, tmp_path)
    assert (d, c, b, a) == ("d", "c", "b", "a")
    assert scores.count("'epoch':") == 8


@pytest.mark.slow
def test_the_readmes_window_learns_a_task(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    (tmp_path / "backwards.py").write_text(readme_scripts()[1])
    (commands,) = re.findall(r"```sh\n(.*?)```", OWN_PARTS, re.DOTALL)
    *terminal, make_app = commands.replace(".venv/bin/python", sys.executable).splitlines()
    lines = [
        subprocess.run(line, shell=True, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
        for line in terminal
    ]
    assert lines[-1] == "d c b a\n"
    assert make_app == "make app LOAD=backwards.py MODEL=runs/backwards"
    code = """
from attn_core import load, translate
import backwards
trace = translate(load("runs/backwards"), "a b c d")
print(*(int(word.step.looks[0].focus.center) for word in trace.words))
"""
    assert printed(code, tmp_path) == ["3", "2", "1", "0", "0"]


@pytest.mark.skipif(not shutil.which("make"), reason="make not found")
def test_make_train_does_not_write_where_a_shipped_model_is():
    """The help's own example names a shipped model, whose folder `train` would refuse."""
    words = ("train", "NAME=bahdanau", "TRAIN=a", "VALID=b")
    assert "--out runs/bahdanau " in make(*words)
    assert "--out pretrained/mine " in make(*words, "OUT=pretrained/mine")
