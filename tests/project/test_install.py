"""Installation with uv under pip's configuration, with pip as the fallback; the environment finds the project."""

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def install():
    """The module .ci/install.py, which is not part of a package."""
    specification = importlib.util.spec_from_file_location("install", ROOT / ".ci" / "install.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def called(install, pip=None, words=(), environment=None, system="Linux") -> tuple[str, dict[str, str]]:
    """The words after `uv pip install --python PYTHON`, and the environment."""
    command, variables = install.uv_call(pip or {}, words, environment or {}, system)
    assert command[:7] == [sys.executable, "-m", "uv", "pip", "install", "--python", sys.executable]
    return " ".join(command[7:]), variables


BEST = "--index-strategy unsafe-best-match"  # what pip does


def test_uv_chooses_the_torch_build_if_no_index_is_configured(install):
    assert called(install, words=["-r", "x.txt"]) == (f"{BEST} --torch-backend auto -r x.txt", {})
    assert called(install, words=["-r", "x.txt"], system="Darwin") == (f"{BEST} -r x.txt", {})


@pytest.mark.parametrize(
    ("pip", "words", "environment"),
    [
        ({"index-url": "https://a.example"}, [], {}),
        ({"extra-index-url": "https://a.example"}, [], {}),
        ({"find-links": "wheels"}, [], {}),
        ({}, ["--extra-index-url", "https://a.example"], {}),
        ({}, ["--index-url=https://a.example"], {}),
        ({}, ["-i", "https://a.example"], {}),
        ({}, ["-f", "wheels"], {}),
        ({}, [], {"UV_DEFAULT_INDEX": "https://a.example"}),
        ({}, [], {"UV_TORCH_BACKEND": "cu130"}),
    ],
)
def test_a_configured_source_or_build_is_kept(install, pip, words, environment):
    assert "--torch-backend" not in called(install, pip, words, environment)[0]


def test_settings_of_pip_are_passed_to_uv(install):
    listed = """global.cert='certificates.pem'
global.extra-index-url='https://one.example\\nhttps://two.example'
global.find-links='here there'
global.no-index='false'
global.trusted-host='one.example'
install.constraint='old.txt'
install.index-url='https://me:secret@zero.example'
:env:.constraint='new.txt'
:env:.disable-pip-version-check='1'
:env:.default-timeout='180'
:env:.proxy=''
freeze.timeout='1'
"""
    words, variables = called(install, install.settings(listed), ["-r", "x.txt"])
    assert words == (
        f"{BEST} --find-links here --find-links there --allow-insecure-host one.example --constraint new.txt -r x.txt"
    )
    assert variables == {
        "SSL_CERT_FILE": "certificates.pem",
        "UV_INDEX_URL": "https://me:secret@zero.example",
        "UV_INDEX": "https://one.example https://two.example",
        "UV_HTTP_TIMEOUT": "180",
    }


def test_certificates_of_pip_replace_others_but_variables_of_uv_take_precedence(install):
    pip = {"cert": "pip.pem", "index-url": "https://pip.example"}
    environment = {"SSL_CERT_FILE": "other.pem", "UV_INDEX_URL": "https://uv.example", "HOME": "home"}
    assert called(install, pip, environment=environment)[1] == environment | {"SSL_CERT_FILE": "pip.pem"}


def test_an_unsupported_setting_is_named(install):
    with pytest.raises(ValueError, match=r"^target$"):
        install.uv_call({"target": "somewhere"}, [], {}, "Linux")


# The exit status of each step that fails, the environment, the steps that were run, and the line that was printed.
SETUPS = [
    ({}, {}, ["pip uv", "uv"], ""),
    ({"uv": 2}, {}, ["pip uv", "uv", "pip"], "uv could not install the packages (see above); continuing with pip."),
    ({"pip uv": 1}, {}, ["pip uv", "pip"], "uv could not be installed; continuing with pip."),
    ({"uv": 2, "pip": 1}, {}, ["pip uv", "uv", "pip"], "uv could not install the packages"),
    ({}, {"INSTALLER": "pip"}, ["pip"], ""),
    (
        {},
        {"PIP_TARGET": "somewhere"},
        ["pip"],
        "pip is configured with `target`, which uv does not support; installing with pip.",
    ),
]


@pytest.mark.parametrize(("statuses", "variables", "expected", "line"), SETUPS)
def test_pip_is_the_fallback_with_one_line(install, monkeypatch, capsys, statuses, variables, expected, line):
    calls = []

    def call(command, env=None):
        program = "uv" if command[2] == "uv" else "pip uv" if install.UV in command else "pip"
        calls.append(program)
        assert command[-2:] == ["--index-url", "https://a.example"]
        assert program == "pip uv" or command[-4:-2] == ["-r", "x.txt"]
        return statuses.get(program, 0)

    listed = "".join(f":env:.{name.removeprefix('PIP_').lower()}={value!r}\n" for name, value in variables.items())
    monkeypatch.setattr(install.subprocess, "call", call)
    monkeypatch.setattr(
        install.subprocess, "run", lambda command, **_: subprocess.CompletedProcess(command, 0, stdout=listed)
    )
    monkeypatch.delenv("INSTALLER", raising=False)
    monkeypatch.setenv("PIP_ARGS", "--index-url https://a.example")
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert install.main(["-r", "x.txt"]) == statuses.get(expected[-1], 0)
    assert calls == expected
    said = capsys.readouterr().out
    assert said.startswith(line)
    assert len(said.splitlines()) == bool(line)


def test_the_output_of_pip_config_list_is_parsed(install, monkeypatch):
    """With the installed version of pip."""
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    monkeypatch.setenv("PIP_INDEX_URL", "https://a.example/it's")
    run = subprocess.run([*install.PIP[:3], "config", "list"], capture_output=True, text=True, check=True)
    assert install.settings(run.stdout)["index-url"] == "https://a.example/it's"


@pytest.fixture
def project(tmp_path) -> Path:
    """A folder with the setup script, an installer that installs nothing, and a package of the same name."""
    folder = tmp_path / "ein Ordner für Übungen"
    for name in (".ci", "attn_core"):
        (folder / name).mkdir(parents=True)
    shutil.copy(ROOT / ".ci" / "setup.sh", folder / ".ci")
    (folder / ".ci" / "install.py").touch()
    (folder / "attn_core" / "__init__.py").touch()
    (folder / "requirements.txt").touch()
    return folder


def set_up(project: Path) -> str:
    """The output of the setup script."""
    command = ["sh", project / ".ci" / "setup.sh"]
    environment = os.environ | {"PYTHON": sys.executable}
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout


def found(project: Path) -> Path:
    """The package that the environment's Python imports in another folder."""
    command = [project / ".venv" / "bin" / "python", "-c", "import attn_core; print(attn_core.__file__)"]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    run = subprocess.run(command, cwd=project.parent, env=environment, capture_output=True, text=True, check=True)
    return Path(run.stdout.strip())


@pytest.mark.slow
def test_the_environment_imports_the_package_in_any_folder_also_after_a_move(project):
    assert set_up(project).endswith("Installed.\n")
    assert found(project) == project / "attn_core" / "__init__.py"
    moved = project.rename(project.parent / "moved")
    assert set_up(moved) == ""  # nothing to install
    assert found(moved) == moved / "attn_core" / "__init__.py"


@pytest.mark.slow
def test_an_environment_that_cannot_be_written_is_still_ready(project):
    set_up(project)
    (link,) = project.glob(".venv/lib/*/site-packages/attn_core.pth")
    link.unlink()
    link.mkdir()  # even for root, no file can be written here
    assert set_up(project) == ""
