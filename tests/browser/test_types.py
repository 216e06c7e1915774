"""The type check of the JavaScript in `make lint`, which needs node: no module is excluded, no error ignored."""

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
