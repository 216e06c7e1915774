"""The player as one script, one page and one widget: complete, safe, without a network."""

import json
import re
import subprocess
import sys
import tomllib
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from app.lab.kit.described import page_of, stages
from app.shell.pages import labs
from attn_core import palette
from attn_core.browser import bundle, embedded, html
from attn_core.trace import dump
from attn_core.trace.reading import parse
from tests.browser import traces

ROOT = Path(bundle.__file__).parents[2]
FOLDERS = (ROOT / "attn_core", ROOT / "app")
FILES = [path for room in FOLDERS for path in room.rglob("*.*") if path.suffix in (".js", ".css")]
HEAT = bundle.PLAYER / "core" / "heat.js"
OURS = sorted(path for path in FILES if not bundle.vendored(path))
ENTRIES = {  # with the number of their own exports; the stages of the labs come from their pages
    "attn_core/browser/hosts": {"page": 0, "handout": 0, "jupyter": 1, "streamlit": 1},
    "attn_core/browser/player": {"player": 1},
    "attn_core/browser/player/dom": {"html": 3},
    "attn_core/browser/engine": {"engine": 1, "service": 2, "decoder": 2},
    "attn_core/browser/engine/tokenizer": {"tokenizer": 1},
    "app/explorer": {"component": 1},
    "app/site": {"lab": 0, "site": 0, "sw": 0},
    "app/shell": {"share-button": 1, "lecture-button": 1, "notes-page": 1},
    "app/lab/kit": {"card-arrival": 1},
    "app/lab/variants": {"variants": 1},
}
STAGES = {stage.script for place in labs() for stage in stages(page_of(place))}
EXPORTS = {ROOT / room / f"{name}.js": n for room, names in ENTRIES.items() for name, n in names.items()}
EXPORTS |= {path: len(re.findall(r"^export ", path.read_text("utf-8"), re.MULTILINE)) for path in sorted(STAGES)}
FETCHING = ("model-files.js", "gloss.js", "server.js", "share.js", "sw.js")  # from their own server
NAMESPACE = re.compile(r"http://www\.w3\.org/(?:2000/svg|1998/Math/MathML|1999/xhtml)\b")  # which no browser fetches
HOSTILE = ["</script><script>alert(1)</script>", "<!--", "<script", "&amp;", "{braces}", "日本語", "\u2028", "'\"\\"]


@pytest.fixture
def written(tmp_path):
    """Write modules by name and return the path of the first."""

    def write(**texts: str) -> Path:
        for name, text in texts.items():
            path = tmp_path / f"{name.replace('__', '/')}.js"
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return tmp_path / f"{next(iter(texts))}.js"

    return write


def run(node: str, path: Path) -> str:
    script = path.with_suffix(".mjs")
    script.write_text(bundle.module(path), encoding="utf-8")
    return subprocess.run([node, script], capture_output=True, text=True, check=True).stdout.strip()


@pytest.mark.parametrize("entry", EXPORTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_bundle_is_one_script(entry, node, tmp_path):
    script = bundle.module(entry)
    assert not re.search(r"^\s*import\b", script, re.MULTILINE)
    assert script.count("import(") == (entry == ROOT / "app" / "site" / "lab.js")  # the stages of its page
    assert len(re.findall(r"^export ", script, re.MULTILINE)) == EXPORTS[entry]
    path = tmp_path / "bundle.mjs"
    path.write_text(script, encoding="utf-8")
    done = subprocess.run([node, "--check", path], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_engine_is_in_the_script_or_in_a_file_beside_it(node, tmp_path):
    decoder = bundle.CODE.with_name("decoder.js")
    files = '{ graphs: { format: 0 }, weights: "" }'
    asks = f"openDecoder({files}, {{ worker: false }}).catch((problem) => console.log(problem.message));\n"

    def printed(script: str) -> str:
        (tmp_path / "page.mjs").write_text(script + asks, "utf-8")
        done = subprocess.run([node, tmp_path / "page.mjs"], capture_output=True, text=True, check=True)
        return done.stdout.strip()

    inside, beside = bundle.module(decoder), bundle.module(decoder, engine="./engine.mjs")
    assert len(inside) - len(beside) == pytest.approx(len(bundle.engine_code()), rel=0.01)
    assert "Cannot find module" in printed(beside)
    (tmp_path / "engine.mjs").write_text(bundle.engine_code(), "utf-8")
    assert printed(inside).startswith("browser.json has format 0;")
    assert printed(beside) == printed(inside)


def test_two_modules_may_use_the_same_name(written, node):
    entry = written(
        entry='import { one } from "./a.js";\nimport {\n  one as other, Two,\n} from "./deep/b.js";\n'
        "const name = 3;\nconsole.log(one(), other(), name, new Two().name);\n",
        a='import { shared } from "./deep/c.js";\nconst name = 1;\nexport function one() { return name + shared; }\n',
        deep__b='import { shared } from "./c.js";\nconst name = 2;\nexport const one = () => name + shared;\n'
        "export class Two {\n  name = name;\n}\n",
        deep__c="console.log('once');\nexport const shared = 10;\n",
    )
    assert run(node, entry) == "once\n11 12 3 2"


def test_a_module_exports_a_list_under_other_names(written, node):
    entry = written(
        entry='import { two as three, one, Three } from "./a.js";\nconsole.log(one, three, new Three().name);\n'
        "const four = 4;\nexport { four as five, three };\n",
        a="const one = 1,\n  x = 2;\nclass Y {\n  name = 3;\n}\nexport { one, x as two, Y as Three };\n",
    )
    assert run(node, entry) == "1 2 3"
    assert bundle.module(entry).endswith("export { four as five, three };\n")
    entry = written(other='import { x } from "./a.js";\n', a="const x = 2;\nexport { x as two };\n")
    with pytest.raises(ValueError, match=r"imports x, which .*a\.js does not export"):
        bundle.module(entry)


def test_file_names_may_have_hyphens(written, node):
    entry = written(
        entry='import { one } from "./model-menu.js";\nimport { two } from "./2.step-1.js";\nconsole.log(one, two);\n',
        **{"model-menu": "export const one = 1;\n", "2.step-1": "export const two = 2;\n"},
    )
    assert run(node, entry) == "1 2"


def test_an_entry_keeps_its_exports_and_loses_its_documentation(written):
    entry = written(entry="/** Text\n * for readers. */\nexport function one() {}\nexport default one;\n")
    assert bundle.module(entry) == "export function one() {}\nexport default one;\n"


def test_modules_that_import_each_other_are_named(written):
    entry = written(
        entry='import { a } from "./a.js";\n',
        a='import { b } from "./b.js";\nexport const a = 1;\n',
        b='import { a } from "./a.js";\nexport const b = 1;\n',
    )
    with pytest.raises(ValueError, match=r"circular imports: a\.js -> b\.js -> a\.js"):
        bundle.module(entry)


def test_an_import_that_is_not_there_is_named_with_its_importer(written):
    entry = written(entry='import { a } from "./gone.js";\n')
    with pytest.raises(ValueError, match=r"module .*gone\.js not found, imported by .*entry\.js"):
        bundle.module(entry)
    with pytest.raises(ValueError, match=r"module .*none\.js not found$"):
        bundle.module(entry.with_name("none.js"))
    entry = written(start='import { a, c } from "./a.js";\n', a="export const a = 1;\nconst c = 2;\n")
    with pytest.raises(ValueError, match=r"start\.js imports c, which .*a\.js does not export"):
        bundle.module(entry)


@pytest.mark.parametrize(
    "line",
    [
        'import "./a.js";',
        'import * as a from "./a.js";',
        'import a from "./a.js";',
        'import{a}from"./a.js";',
        'export { a } from "./a.js";',
        'export * from "./a.js";',
        "export{a};",
        "export let a = 1;",
    ],
)
def test_a_form_that_the_bundler_does_not_know_is_an_error(written, line):
    entry = written(entry=f"{line}\n", a="export const a = 1;\n")
    with pytest.raises(ValueError, match=f"entry.*unsupported form.*{re.escape(line)}"):
        bundle.module(entry)


def test_only_an_entry_has_a_default_export(written):
    entry = written(entry='import { a } from "./a.js";\n', a="export const a = 1;\nexport default a;\n")
    with pytest.raises(ValueError, match=r"a\.js: .*export default"):
        bundle.module(entry)


@pytest.mark.parametrize("path", OURS, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_file_uses_the_network_or_inserts_markup(path):
    text = NAMESPACE.sub("", path.read_text(encoding="utf-8"))
    for banned in (
        "http:",
        "https:",
        "//cdn",
        "@import url",
        "fetch(",
        "innerHTML",
        "InnerHTML",
        "insertAdjacentHTML",
        "eval(",
    ):
        fetches = banned == "fetch(" and path.name in FETCHING
        assert fetches or banned not in text, banned


def test_every_module_is_in_a_bundle_and_attn_core_imports_nothing_of_the_app():
    used = {one for entry in EXPORTS for one in bundle.modules(entry) if not bundle.vendored(one)}
    own = {path for path in OURS if path.suffix == ".js"} - {ROOT / "app/shell/menu.js"}  # which is not a module
    assert own | {bundle.PALETTE, bundle.FUNCTION_WORDS, bundle.CATALOGUE, bundle.CODE} == used
    for path in used:
        if path.is_relative_to(ROOT / "attn_core"):
            assert all(one.is_relative_to(ROOT / "attn_core") for one in bundle.modules(path))


def test_folders_import_each_other_in_one_direction():
    below: dict[Path, set[Path]] = {}
    for path in OURS:
        if path.suffix == ".js":
            others = re.findall(r'^import .* from "([^"]+)";$', path.read_text(encoding="utf-8"), re.MULTILINE)
            folders = {(path.parent / other).resolve().parent for other in others}
            below.setdefault(path.parent, set()).update(folders - {path.parent})
    assert list(TopologicalSorter(below).static_order())  # raises CycleError


def test_the_page_names_no_address():
    page = html(traces.make())
    assert re.findall(r"(?:https?:)?//[\w.-]+\.\w+/?\S*", NAMESPACE.sub("", page)) == []
    assert "src=" not in page
    assert re.findall(r'href="([^"]*)"', page) == ["data:,"]


def test_words_cannot_close_the_script_element():
    made = traces.make(words=(HOSTILE, [*HOSTILE, "</s>"]))
    page = html(made, title="<b>&")
    assert page.count("</script>") == 3  # those of the trace, its options and the player
    assert "<title>&lt;b&gt;&amp;</title>" in page
    record = re.search(r'id="trace">(.*?)</script>', page, re.DOTALL).group(1)
    assert "<" not in record
    assert "\u2028" not in record
    assert parse(record).source == tuple(HOSTILE)
    assert json.loads(record) == json.loads(dump(made))


def test_a_page_can_be_made_from_the_wire_format():
    made = traces.make()
    assert html(dump(made)) == html(made)
    with pytest.raises(ValueError, match="not a trace"):
        html("{}")


def test_embedded_json_is_the_same_json():
    record = {"words": HOSTILE, "number": 0.1}
    assert json.loads(embedded(record)) == record


def test_importing_the_player_imports_no_host():
    code = (
        "import attn_core.browser, sys;"
        "print(sorted({'streamlit', 'altair', 'anywidget', 'traitlets', 'IPython', 'plotly'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_widget_of_a_trace_is_a_recording():
    from attn_core.browser import widget

    shown = widget(traces.make(half_width=2))
    assert shown.models == []
    assert shown.trace.settings["half_width"] == 2
    assert [*shown.known["windows"]] == ["local-p"]
    shown.trace = traces.make("local-m")
    assert [*shown.known["windows"]] == ["local-m"]


@pytest.mark.parametrize("by_name", [True, False])
def test_a_widget_of_a_model_has_its_files_and_a_translation(by_name):
    from attn_core.browser import widget
    from attn_core.models.checkpoint import load

    name = "luong-general-local-p"
    model = load(name)
    shown = widget(name if by_name else model.with_window(half_width=1), "ein hund läuft")
    assert [one["graphs"]["name"] for one in shown.models] == [name]
    assert shown.trace.source[:3] == ("ein", "hund", "läuft")
    assert shown.trace.settings["half_width"] == (4 if by_name else 1)
    assert shown.text == "ein hund läuft"


def test_a_widget_of_something_else_says_what_it_shows():
    from attn_core.browser import widget

    with pytest.raises(ValueError, match="a trace, or a model that was loaded from a folder, not int"):
        widget(7)


@pytest.mark.parametrize("path", OURS, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_colour_is_written_outside_of_the_palette(path):
    text = re.sub(r'"#\d+": "', "", path.read_text(encoding="utf-8"))  # Moses escapes such as &#91;
    assert not re.search(r"#(?:[0-9a-f]{6}|[0-9a-f]{3,4}|[0-9a-f]{8})\b(?![\w-])", text, re.IGNORECASE)
    if path.suffix == ".css":
        assert not re.search(r"\b(?:rgba?|hsla?|oklch|oklab|lab|lch)\(", text)


def test_the_palette_reaches_style_sheets_and_modules(open_script):
    for theme, root in (("light", ".ap-root"), ("dark", '.ap-root[data-theme="dark"]')):
        (rule,) = re.findall(re.escape(root) + r" \{\n  --ap-surface([^}]*)\}", bundle.style())
        for name, value in palette.PLAYER[theme].items():
            assert f"{name}: {value};" in rule or name == "surface"
    assert f"--ap-window: light-dark({palette.ORANGE}, {palette.DARK['window']});" in bundle.colors(".sh")
    assert set(open_script(HEAT)("heat", "light")["ink"]) == set(palette.ON_HEAT.values())


def test_orange_means_the_window_and_nothing_else():
    orange = re.compile(r"--ap-(?:on-)?window|--ap-lost\b|colors\.(?:(?:on)?window|lost\b)", re.IGNORECASE)
    named = {path.relative_to(ROOT).as_posix() for path in OURS if orange.search(path.read_text("utf-8"))}
    assert named == {
        *(f"attn_core/browser/player/draw/{name}.js" for name in ("bars", "heatmap", "names", "ruler")),
        *(f"attn_core/browser/player/styles/{name}.css" for name in ("player", "window-panel")),
        *("app/lab/window/window.css", "app/lab/window/reach.js"),
        *("app/lab/paths/paths.css", "app/lab/training/maps.js"),  # p_t
    }


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_text_has_a_contrast_of_4_5(theme):
    colors = palette.PLAYER[theme]
    text = {colors[name] for name in ("ink", "dim", "weight", "window-text", "negative", "changed", "forecast")}
    assert min(contrast(color, colors["surface"]) for color in text) >= 4.5
    assert min(contrast(color, colors["well"]) for color in (colors["ink"], colors["dim"])) >= 4.5


def contrast(color: str, other: str) -> float:
    """The contrast ratio of WCAG 2: from 1 to 21."""
    dark, light = sorted(map(luminance, (color, other)))
    return (light + 0.05) / (dark + 0.05)


def luminance(color: str) -> float:
    parts = (int(color[place : place + 2], 16) / 255 for place in (1, 3, 5))
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(share * part for share, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def test_streamlits_theme_is_the_palettes():
    theme = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text("utf-8"))["theme"]
    light = {"chartCategoricalColors": theme["chartCategoricalColors"]} | theme["light"]
    assert {"light": light, "dark": theme["dark"]} == palette.DASHBOARD


def test_style_sheets_use_only_existing_properties():
    known = {f"--ap-{name}" for name in palette.PLAYER["light"]}
    for path in OURS:
        if path.suffix == ".css":
            text = path.read_text(encoding="utf-8")
            used = set(re.findall(r"var\((--ap-[\w-]+)\)", text))
            assert used <= known | set(re.findall(r"(--ap-[\w-]+):", text)), path.name


def test_comments_are_left_out(written, node):
    lines = ("// one", "const x = /** @type {two} */ (1); // three", "", "  // four", "/** five", " */")
    path = written(a="\n".join([*lines, "console.log(`${x} // six`);", ""]))
    text = bundle.module(path)
    words = ("one", "two", "three", "four", "five", "six")
    assert [word for word in words if word in text] == ["six"]
    assert "" not in text.splitlines()
    assert run(node, path) == "1 // six"
