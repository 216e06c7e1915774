"""The type check of the JavaScript in `make lint`, which needs node: no module is excluded, no error ignored."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import playwright
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


@pytest.mark.parametrize(
    ("template", "calls"),
    [
        ("<p class=${a}>${b}</p>", "html(/** @type {any} */ ([]), (a), (b))"),
        (
            """<${Chip} name=${a} title="of ${b}"\nhidden ...${c}>${d}<//>""",
            """html(/** @type {any} */ ([]), propsOf((Chip), {"name": (a), "title": `of ${(b)}`, \n"hidden": true, """
            "...(c), }), (d))",
        ),
        (
            "<${Part} of=${Chip} name=${html`<${Menu} />`} />",
            "html(/** @type {any} */ ([]), Part, propsOf((Chip), "
            '{"name": (html(/** @type {any} */ ([]), propsOf((Menu), {}))), }))',
        ),
    ],
    ids=["elements", "component", "component of Part"],
)
def test_template_is_checked_as_calls(tmp_path, template, calls):
    for room in ("app", "attn_core", "copy"):
        (tmp_path / room).mkdir()
    (tmp_path / "app" / "page.js").write_text(f"export const page = html`{template}`;\n")
    node = Path(playwright.__file__).parent / "driver" / "node"
    script = ROOT / ".ci" / "typed-templates.cjs"
    subprocess.run([node, "--expose-internals", script, "copy"], cwd=tmp_path, check=True)
    assert (tmp_path / "copy" / "app" / "page.js").read_text() == f"export const page = {calls};\n"
