"""The libraries in attn_core/browser/vendor: what was published, what pages load, and what our code may use of it."""

import os
import re
import shutil
import subprocess

import pytest

from attn_core.browser import bundle
from attn_core.browser.bundle import VENDOR
from tests.browser.test_bundle import NAMESPACE
from tests.helpers import vendor
from tests.helpers.messages import extracted

SCRIPTS = sorted(VENDOR.glob("*.js"))


def by_name(path):
    return path.name


def table() -> dict[str, str]:
    """The digest in THIRD_PARTY.md of each file."""
    text = (VENDOR / "THIRD_PARTY.md").read_text("utf-8")
    return dict(re.findall(r"^\| (\S+\.(?:js|woff2)) \| .* \| [0-9a-f]{64} \| ([0-9a-f]{64}) \|$", text, re.MULTILINE))


def exported(script: str) -> set[str]:
    (names,) = re.findall(r"^export \{ (.*) \};\n", script, re.MULTILINE)
    return {name.split(" as ")[-1] for name in names.split(", ")}


def test_every_script_and_the_font_have_the_digest_in_the_table_of_third_parties():
    assert table() == {path.name: vendor.sha256(path.read_bytes()) for path in [*SCRIPTS, bundle.FONT]}
    assert {module.name for module in vendor.MODULES} == {path.name for path in SCRIPTS}


def test_the_font_has_at_most_40_kb():
    assert bundle.FONT.stat().st_size <= 40_000


def test_the_table_of_third_parties_names_versions_and_licences_beside_it():
    text = (VENDOR / "THIRD_PARTY.md").read_text("utf-8")
    rows = re.findall(r"^\| (\S+) \| ([\d.]+) \| \[(?:MIT|Apache-2\.0|OFL-1\.1)\]\((\S+)\) \|$", text, re.MULTILINE)
    assert {name: version for name, version, _ in rows} == vendor.VERSIONS
    assert {file for *_, file in rows} == {path.name for path in VENDOR.glob("LICENSE-*.txt")}


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("npm"), reason="npm not found")
def test_the_committed_files_are_those_that_make_vendor_writes():
    try:
        files = vendor.files()
    except subprocess.CalledProcessError as failed:
        if os.environ.get("REQUIRE_NPM") == "1":  # as for Prettier and TypeScript: npm must have its registry
            raise
        pytest.skip(f"npm cannot fetch the packages: {failed.stderr.strip()}")
    committed = {
        path.name: path.read_text("utf-8") for path in VENDOR.iterdir() if not path.name.endswith((".d.ts", ".woff2"))
    }
    assert committed == files


def test_imports_and_exports_are_rewritten_and_nothing_else():
    published = (
        'import{a as b,c}from"x";import{d}from"@y/z";export{e,f}from"@y/z";'
        'var g="import {a}";function h(){}export{g as i,h};\n//# sourceMappingURL=x.js.map\n'
    )
    assert vendor.rewritten(published.replace("import {a}", "imports"), "x", {"x": "./x.js", "@y/z": "./z.js"}) == (
        'import { a as b, c } from "./x.js";\nimport { d, e, f } from "./z.js";\n'
        'var g="imports";function h(){}\nexport { e, f, g as i, h };\n'
    )
    assert vendor.rewritten("var n=1;export default function(s){}", "htm", {}) == (
        "var n=1;function htm(s){}\nexport { htm };\n"
    )
    for unknown in ('import a from"x";', 'import*as a from"x";', "export var a=1;", 'var a=import("x");', published):
        with pytest.raises(ValueError, match="z: cannot rewrite"):
            vendor.rewritten(unknown, "z", {"x": "./x.js", "@y/z": "./z.js"})


@pytest.mark.parametrize("path", SCRIPTS, ids=by_name)
def test_the_bundler_leaves_a_librarys_code_and_its_notice_as_they_are(path, tmp_path):
    text = path.read_text("utf-8")
    name = sorted(exported(text))[0]
    entry = tmp_path / "entry.js"
    entry.write_text(f'import {{ {name} }} from "{path.as_posix()}";\nconsole.log({name});\n')
    notice, *statements, code, exports = text.splitlines()
    assert re.fullmatch(r"/\*! \S+ [\d.]+, (MIT|Apache-2\.0), Copyright .*; imports and exports rewritten \*/", notice)
    assert all(line.startswith("import { ") for line in statements)
    assert exports.startswith("export { ")
    script = bundle.module(entry)
    assert f"\n{notice}\n" in script
    assert f"\n{code}\n" in script


def test_comments_and_indentation_are_only_stripped_from_our_code(monkeypatch, tmp_path):
    code = "var a=`\n  // kept\n\n/** kept */\n  `;\n"
    monkeypatch.setattr(bundle, "VENDOR", tmp_path / "library")
    for folder, kept in (("library", True), ("ours", False)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.js").write_text(f"{code}export {{ a }};\n")
        entry = tmp_path / f"{folder}.js"
        entry.write_text(f'import {{ a }} from "./{folder}/a.js";\nconsole.log(a);\n')
        assert (code in bundle.module(entry)) == kept


@pytest.mark.parametrize("path", SCRIPTS, ids=by_name)
def test_a_library_names_no_address_and_runs_no_text(path):
    text = NAMESPACE.sub("", path.read_text("utf-8"))
    for banned in ("http:", "https:", "fetch(", "XMLHttpRequest", "eval(", "Function(", "import(", "</script", "<!--"):
        assert banned not in text, banned


@pytest.mark.parametrize("path", SCRIPTS, ids=by_name)
def test_declarations_name_only_what_a_library_exports(path):
    text = path.with_suffix(".d.ts").read_text("utf-8")
    declared = set(re.findall(r"^export (?:abstract )?(?:class|const|function) (\w+)", text, re.MULTILINE))
    for names in re.findall(r"^export \{ (.*) \} from", text, re.MULTILINE):
        declared |= set(names.split(", "))
    assert declared
    assert declared <= exported(path.read_text("utf-8"))


def test_signals_work_in_node_without_a_page(node, tmp_path):
    entry = tmp_path / "entry.js"
    entry.write_text(
        f'import {{ batch, computed, effect, signal, untracked }} from "{(VENDOR / "signals-core.js").as_posix()}";\n'
        "const a = signal(1);\nconst b = signal(2);\nconst sum = computed(() => a.value + untracked(() => b.value));\n"
        "const seen = [];\nconst stop = effect(() => { seen.push(sum.value); });\n"
        "batch(() => { a.value = 5; a.value = 6; });\nb.value = 9;\nstop();\na.value = 7;\nconsole.log(seen.join());\n"
    )
    script = tmp_path / "script.mjs"
    script.write_text(bundle.module(entry), "utf-8")
    done = subprocess.run([node, script], capture_output=True, text=True, check=True)
    assert done.stdout == "3,8\n"


def test_a_librarys_code_has_no_messages(monkeypatch, tmp_path):
    """Minified code has functions named t and tn, too."""
    library, used = tmp_path / "app" / "library" / "t.js", []
    library.parent.mkdir(parents=True)
    library.write_text('function t(n){}t("Layer and head");\nexport { t };\n')
    for name in ("ours.js", "other.js"):  # the bundler keeps what it made of a file
        (tmp_path / "app" / name).write_text('import { t } from "./library/t.js";\nt("Window");\n')
    monkeypatch.setattr(bundle, "_catalogue", lambda messages: used.extend(messages) or "")
    bundle.module(tmp_path / "app" / "ours.js")
    assert used == [("Layer and head",), ("Window",)]
    assert [message.id for message in extracted(tmp_path) if message.id] == ["Window", "Layer and head"]
    used.clear()
    monkeypatch.setattr(bundle, "VENDOR", library.parent)
    bundle.module(tmp_path / "app" / "other.js")
    assert used == [("Window",)]
    assert [message.id for message in extracted(tmp_path) if message.id] == ["Window"]
