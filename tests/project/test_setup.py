"""The habits of the project, checked: what is pinned, what goes into the package, and what no file may hold."""

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

ROOT = Path(__file__).parents[2]
CORE = ROOT / "attn_core"


@cache
def our_files() -> tuple[Path, ...]:
    """Everything that is or would be committed; in a copy without git, everything but what .gitignore names."""
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
    return [path for path in our_files() if path.suffix in suffixes]


def text_of(path: Path) -> str | None:
    """None for a binary file."""
    try:
        return path.read_bytes().decode()
    except UnicodeDecodeError:
        return None


def code_of(path: Path) -> str:
    """Python as text; a notebook's cells, one after another."""
    if path.suffix != ".ipynb":
        return path.read_text()
    cells = json.loads(path.read_text())["cells"]
    return "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")


def imported(path: Path) -> set[str]:
    """Dotted names that a file imports anywhere in it, lazily too; `from a import b` yields a.b."""
    names = set()
    for node in ast.walk(ast.parse(code_of(path))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            folder = path.relative_to(ROOT).parent.parts
            base = [*folder[: len(folder) - node.level + 1]] if node.level else []
            names |= {".".join([*base, *filter(None, [node.module]), alias.name]) for alias in node.names}
    return names


def pins() -> dict[str, str]:
    lines = [line.split("#")[0].strip() for line in (ROOT / "requirements.txt").read_text().splitlines()]
    return {name: version for name, _, version in (line.partition("==") for line in lines if line)}


def test_requirements_are_pinned_and_installed():
    """One exact version each, and the environment has that version (of torch perhaps a build such as +cpu)."""
    assert pins()["torch"] == "2.13.0"
    assert all(re.fullmatch(r"\d+(\.\w+)+", version) for version in pins().values())
    assert {name: metadata.version(name).split("+")[0] for name in pins()} == pins()


def test_requirements_name_all_that_is_imported():
    """What only comes along with another package today may be gone tomorrow."""
    own = {"attn_core", "app", "notebooks", "tests", *sys.stdlib_module_names} | {path.stem for path in ours(".py")}
    homes = metadata.packages_distributions()
    names = {name.split(".")[0] for path in ours(".py", ".ipynb") for name in imported(path)} - own
    pinned = {name.lower().replace("_", "-") for name in pins()}
    missing = {name for name in names if not {home.lower().replace("_", "-") for home in homes.get(name, [])} & pinned}
    assert missing == set()


def test_no_file_names_a_machine_or_a_registry():
    """Our own paths mean nothing on another machine, and which registry to use is the reader's choice."""
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


def test_no_file_is_longer_than_a_reader_likes():
    long = {path.name: n for path in ours(".py", ".js", ".css") if (n := len(path.read_text().splitlines())) > 400}
    assert long == {}


def test_names_are_defined():
    """ruff's F821 is off since a shape such as Float[Tensor, "src"] looks like a name; all others are seen here."""
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
    """Where the string literals of a file begin and end, as (row, column)."""
    nodes = [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Constant)]
    return [
        ((node.lineno, node.col_offset), (node.end_lineno or node.lineno, node.end_col_offset or 0))
        for node in nodes
        if isinstance(node.value, str)
    ]


def pickled(path: Path) -> bool:
    """By content: a pickle of protocol 2 or later, or a zip with one inside (what torch.save writes)."""
    if zipfile.is_zipfile(path):
        return any(name.endswith(".pkl") for name in zipfile.ZipFile(path).namelist())
    return re.match(rb"\x80[\x02-\x05]", path.read_bytes()[:2]) is not None


def test_pretrained_is_small_and_safe_to_open():
    files = [path for path in our_files() if path.is_relative_to(ROOT / "pretrained")]
    assert sum(path.stat().st_size for path in files) < 64_000_000
    assert [path.name for path in files if path.suffix in {".pt", ".pth", ".pkl", ".pickle", ".ckpt", ".bin"}] == []
    assert [path.name for path in files if pickled(path)] == []


def test_package_holds_every_file_of_attn_core():
    """Installed with pip, the player has its script and the examples are there."""
    tool = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]
    patterns = tool["package-data"]["*"]
    data = [path for path in our_files() if path.is_relative_to(CORE) and path.suffix not in (".py", ".md")]
    assert [path.name for path in data if not any(path.match(pattern) for pattern in patterns)] == []


def test_the_readmes_score_function_is_all_that_is_needed(tmp_path):
    """A copy of attn_core with the README's class and line in it: the score is known everywhere, without torch too."""
    shutil.copytree(CORE, tmp_path / "attn_core", ignore=shutil.ignore_patterns("__pycache__"))
    section = (ROOT / "README.md").read_text().split("## How to add a score function")[1].split("\n## ")[0]
    example, line = re.findall(r"```python\n(.*?)```", section, re.DOTALL)
    for name, added in (("scores", example), ("settings", line)):
        with (tmp_path / f"attn_core/attention/{name}.py").open("a") as file:
            file.write(added)
    code = """
import sys
from attn_core.models.presets import PRESETS
model, _ = PRESETS["luong-cosine-local-p"]
print("torch" not in sys.modules)
import torch
from attn_core.explain.step_graph import formulas
from attn_core.attention.scores import SCORES
score = SCORES.build("cosine", 3, 3)
states = torch.randn(2, 5, 3)
print(score(3 * states, score.keys(states)).diagonal(dim1=1, dim2=2).allclose(torch.ones(())))
print("|h_t|" in formulas(model)["score"][0])
"""
    run = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.stdout.split() == ["True"] * 3, run.stderr


def test_at_run_time_the_readmes_class_is_enough():
    section = (ROOT / "README.md").read_text().split("## How to add a score function")[1].split("\n## ")[0]
    example = re.findall(r"```python\n(.*?)```", section, re.DOTALL)[0]
    code = f"""
from attn_core.attention.scores import *
from attn_core.attention.scores import Any, Float, Tensor
{example}
from attn_core.explain.step_graph import formulas
from attn_core.models.config import ModelConfig
print("|h_t|" in formulas(ModelConfig.of(score="cosine"))["score"][0])
"""
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.stdout.split() == ["True"], run.stderr
