"""The type check of the JavaScript in `make lint`, which needs node: no module is excluded, no error ignored."""

import os
import re
import shutil
import subprocess

import pytest

from tests.browser.test_bundle import OURS, ROOT

MODULES = [path for path in OURS if path.suffix == ".js"]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_module_is_left_out_of_the_check(path):
    text = path.read_text(encoding="utf-8")
    assert "@ts-nocheck" not in text
    assert "@ts-ignore" not in text
    assert not re.search(r"@ts-expect-error[ \t]*(?:\*/)?$", text, re.MULTILINE), "without a reason"


def test_without_node_the_check_is_skipped_in_one_line(tmp_path):
    (tmp_path / "dirname").symlink_to(shutil.which("dirname"))
    done = subprocess.run(
        ["/bin/sh", ".ci/javascript.sh", "check"],
        cwd=ROOT,
        env={"PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "node or npm not found: skipping the JavaScript's format and types.\n"
    assert done.stderr == ""


@pytest.mark.parametrize("required", [0, 1])
def test_where_npm_cannot_install_the_check_says_so(tmp_path, required):
    """Also the state of a fresh machine: neither command is installed yet."""
    (tmp_path / ".ci").mkdir()
    shutil.copy(ROOT / ".ci" / "javascript.sh", tmp_path / ".ci")
    programs = tmp_path / "programs"
    programs.mkdir()
    for name in ("node", "npm"):
        (programs / name).write_text("#!/bin/sh\nexit 1\n")
        (programs / name).chmod(0o755)
    done = subprocess.run(
        ["/bin/sh", ".ci/javascript.sh", "check"],
        cwd=tmp_path,
        env={"PATH": f"{programs}:{os.environ['PATH']}", "REQUIRE_NPM": str(required)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == required
    assert "could not be installed" in done.stderr
