"""Every message of the interface can be extracted, translated, and filled in."""

import ast
import re
import string
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_file
from babel.messages.mofile import write_mo

from attn_core import messages, translate
from attn_core.browser import bundle
from attn_core.explain import paths
from attn_core.models import folders
from attn_core.models.about import check_about
from attn_core.models.by_name import AXES, every_name
from attn_core.models.config import ModelConfig
from tests.helpers.javascript import Script
from tests.helpers.messages import KEYWORDS, ROOMS, ROOT, SNAPSHOT, extracted, pseudo, snapshot, write_pseudo
from tests.helpers.support import tiny

PYTHON = sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py"))
JAVASCRIPT = sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.js") if not bundle.vendored(path))
MARKS = {"_", "N_", "ngettext"}
MARKER = bundle.PLAYER / "core" / "messages.js"


@pytest.fixture
def polish(tmp_path, monkeypatch):
    """A catalogue with three plural forms, as the current language."""
    found = Catalog(locale="pl")
    found.add("Layer and head", "Warstwa i głowica")
    found.add(("{n} word", "{n} words"), ("{n} słowo", "{n} słowa", "{n} słów"))
    folder = tmp_path / "pl" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    with (folder / "messages.mo").open("wb") as file:
        write_mo(file, found)
    monkeypatch.setenv("ATTN_LOCALE", str(tmp_path))
    monkeypatch.setenv("ATTN_LANGUAGE", "pl")


def test_english_needs_no_catalogue(monkeypatch):
    monkeypatch.delenv("ATTN_LANGUAGE", raising=False)
    assert messages._("Layer and head") == "Layer and head"
    assert [messages.ngettext("{n} word", "{n} words", n) for n in (0, 1, 2)] == ["{n} words", "{n} word", "{n} words"]
    assert "CATALOGUE = {};" in bundle.module(bundle.PLAYER / "player.js")


def test_the_texts_of_the_interface_are_those_of_the_snapshot():
    """A changed text shows in the diff of the snapshot, which `python -m tests.helpers.messages` writes."""
    assert snapshot(extracted()).splitlines() == SNAPSHOT.read_text("utf-8").splitlines()


def test_an_unknown_language_falls_back_to_english(monkeypatch):
    monkeypatch.setenv("ATTN_LANGUAGE", "no-such-language")
    assert messages._("Layer and head") == "Layer and head"


@pytest.mark.usefixtures("polish")
def test_the_language_is_chosen_when_a_message_is_shown(monkeypatch):
    assert messages._("Layer and head") == "Warstwa i głowica"
    assert [messages.ngettext("{n} word", "{n} words", n).format(n=n) for n in (1, 3, 5)] == [
        *("1 słowo", "3 słowa", "5 słów")
    ]
    monkeypatch.setenv("ATTN_LANGUAGE", "en")
    assert messages._("Layer and head") == "Layer and head"


@pytest.mark.usefixtures("polish")
def test_javascript_has_the_plural_forms_of_the_language(tmp_path, node):
    (tmp_path / "marked.mjs").write_text(bundle.module(Path(__file__).with_name("marked.js")), "utf-8")
    marked = Script(node, tmp_path, tmp_path / "marked.mjs")
    assert marked.each("words", [[1], [3], [5]]) == ["1 słowo", "3 słowa", "5 słów"]
    assert marked("texts") == ["Warstwa i głowica", "step 2 of {steps}"]


def test_the_bundler_finds_every_message_that_babels_own_extractor_finds():
    for path in JAVASCRIPT:
        found = {
            one if isinstance(one, tuple) else (one,) for _, one, *_ in extract_from_file("javascript", path, KEYWORDS)
        }
        assert found <= set(bundle.written(path.read_text("utf-8"))), path


def test_every_marked_text_can_be_extracted():
    """f-strings and concatenated texts are in no catalogue."""
    wrong = []
    for path in PYTHON:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in MARKS:
                texts = node.args[: 2 if node.func.id == "ngettext" else 1]
                if any(
                    isinstance(text, ast.JoinedStr | ast.BinOp) or ".format(" in ast.unparse(text) for text in texts
                ):
                    wrong.append(f"{path.relative_to(ROOT)}:{node.lineno}: {ast.unparse(node)}")
    for path in set(JAVASCRIPT) - {MARKER}:
        found = re.findall(r"\btn?\((?!\s*\")[^)]*", path.read_text("utf-8"))
        wrong += [f"{path.relative_to(ROOT)}: {call}" for call in found]
    assert wrong == []


def placeholders(message: str) -> list[str]:
    """The placeholders of a message, sorted; for a text that is not a format string, such as LaTeX, those in braces."""
    try:
        return sorted(f"{name}:{spec}" for _, name, spec, _ in string.Formatter().parse(message) if name is not None)
    except ValueError:
        return sorted(re.findall(r"\{[^{}]*\}", message))


def test_placeholders_formulas_and_markup_survive_the_pseudo_locale():
    catalogue = extracted()
    assert len(catalogue) > 100
    for message in catalogue:
        for form in [message.id] if isinstance(message.id, str) else message.id:
            made = pseudo(form)
            assert placeholders(made) == placeholders(form)
            for kept in (r"\$[^$]+\$", r"`[^`]+`", r"</?\w[^<>]*>", r"\]\([^)]*\)", r":material/\w+:"):
                assert re.findall(kept, made) == re.findall(kept, form)
    assert pseudo("**Read** {n:.2f} of `code` in $a_t$, [here](http://x) </s>") == (
        "**Řéåđ** {n:.2f} öƒ `code` îñ $a_t$, [ĥéřé](http://x) </s>"
    )


def test_the_pseudo_locale_is_loaded_like_any_language(tmp_path, monkeypatch):
    write_pseudo(tmp_path, extracted())
    monkeypatch.setenv("ATTN_LOCALE", str(tmp_path))
    monkeypatch.setenv("ATTN_LANGUAGE", "xx")
    assert messages._("Layer and head") == pseudo("Layer and head") != "Layer and head"
    assert messages._("not a message of ours") == "not a message of ours"


# Errors of the core that a page shows, in a notice or as the reason why something cannot be shown.
ERRORS = {
    "score": lambda: ModelConfig.of(score="dott"),
    "name": lambda: ModelConfig.of(nosuch=1),
    "similar name": lambda: ModelConfig.of(hiden=1),
    "choice": lambda: ModelConfig.of(combine="tan"),
    "type": lambda: ModelConfig.of(**{"decoder.hidden": "nosuch"}),
    "least": lambda: ModelConfig.of(**{"decoder.hidden": 0}),
    "most": lambda: ModelConfig.of(half_width=5000, window="local-p"),
    "range": lambda: ModelConfig.of(dropout=2),
    "conflict": lambda: ModelConfig.of(order="transformer", encoder="transformer", score="general"),
    "start": lambda: ModelConfig.of(**{"decoder.hidden": 5}),
    "tied": lambda: ModelConfig.of(tied=True, attentional=3),
    "part": lambda: ModelConfig.of(directions="sum", bidirectional=False),
    "attention": lambda: ModelConfig.of(window="local-p", type="hard-sample"),
    "settings": lambda: ModelConfig.from_json({"decoder": 1}),
    "other part": lambda: ModelConfig.of(half_width=2, window="global"),
    "folder": lambda: folders.find("nosuch"),
    "card": lambda: check_about({"note": 1}),
    "source": lambda: translate(tiny(), ""),
    "p_t": lambda: tiny().with_window("local-p"),
    "global": lambda: tiny().with_window("global", 2),
    "diagram": lambda: paths.path(ModelConfig.of(heads=2)),
}


@pytest.fixture(scope="module")
def made_up(tmp_path_factory):
    folder = tmp_path_factory.mktemp("locale")
    write_pseudo(folder, extracted())
    return folder


@pytest.mark.parametrize("error", ERRORS)
def test_errors_that_reach_a_page_are_marked(error, made_up, monkeypatch):
    """In the made-up language plain letters are left in names and values only."""
    monkeypatch.setenv("ATTN_LOCALE", str(made_up))
    monkeypatch.setenv("ATTN_LANGUAGE", "xx")
    with pytest.raises(ValueError) as raised:
        ERRORS[error]()
    data = {*every_name(), *ModelConfig.names(), *folders.shipped(None), tiny().name, "int", "about.note"}
    data |= {name for axis in AXES.values() for name in axis}
    data |= {"nosuch", "hiden", "dott", "tan", "tanh", "relu", "state", "linear", "both-ends", "update-then-attend"}
    words = {word for name in data for word in re.findall(r"[^\W\d_]+", name)}
    said = str(raised.value)
    assert {word for word in re.findall(r"[^\W\d_]+", said) if word.isascii() and len(word) > 1} <= words, said
    assert any(not letter.isascii() for letter in said)
