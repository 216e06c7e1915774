"""`handout` refuses a sentence that its page would refuse, and text arguments are what was typed in any locale."""

import os
import subprocess
import sys

import pytest

from attn_core.browser.limits import MOST_LETTERS, MOST_PIECES, MOST_WORDS
from attn_core.cli import handout as command
from tests.helpers.serving import ROOT
from tests.helpers.terminal import run

C_LOCALE = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONPATH": str(ROOT)}


class Pieces:
    """A vocabulary whose words, separated by spaces, are split into letters if `split`."""

    of_characters = False

    def __init__(self, split: bool):
        self.split = split

    def tokens(self, text: str) -> list[str]:
        return list(text.replace(" ", "")) if self.split else text.split()

    def text(self, tokens: list[str]) -> str:
        return "one-word" if self.split else " ".join(tokens)


class Model:
    def __init__(self, split: bool):
        self.source = Pieces(split)


@pytest.mark.parametrize(
    ("split", "text", "reason"),
    [
        (False, "a " * MOST_WORDS, None),
        (False, "a " * (MOST_WORDS + 1), "--text has 61 words; a page translates at most 60, so shorten it"),
        (True, "a" * MOST_PIECES, None),
        (True, "a" * (MOST_PIECES + 1), "--text has 121 word pieces; a page translates at most 120, so shorten it"),
        (False, "a" * MOST_LETTERS, None),
        (False, "a" * (MOST_LETTERS + 1), "--text has 1001 characters; a page translates at most 1000, so shorten it"),
    ],
)
def test_a_text_beyond_a_limit_of_the_page_is_refused(split, text, reason):
    if reason is None:
        command._check_length(Model(split), text)
        return
    with pytest.raises(command.typer.BadParameter, match=reason):
        command._check_length(Model(split), text)


def test_a_page_is_not_written_for_a_sentence_that_it_refuses(tmp_path):
    for name in ("bahdanau", "bahdanau-bpe"):
        found = run("handout", name, "--text", "ein hund " * 60, "--out", tmp_path / "page.html")
        assert (found.status, found.out) == (2, "")
        assert found.err.startswith("error: Invalid value: --text has 120 words; a page translates at most 60, so")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="only there can a locale be unable to decode arguments")
def test_text_and_file_names_are_what_was_typed_under_the_c_locale(tmp_path):
    """Also for the names of models and of files to write."""
    text, out = "Ein Kind läuft über die Straße.", tmp_path / "Übung.html"
    words = ["handout", "bahdanau", "--text", text, "--title", "Übung", "--out", str(out)]
    done = subprocess.run(
        [sys.executable, "-m", "attn_core", *words],
        env=os.environ | C_LOCALE,
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    assert done.stdout.decode().startswith(f"wrote {out} (")
    page = out.read_text("utf-8")
    assert "<h1>Übung</h1>" in page
    assert text in page

    words = ["translate", "größer", "--tokenized"]
    call = [sys.executable, "-m", "attn_core", *words]
    done = subprocess.run(call, env=os.environ | C_LOCALE, cwd=ROOT, input=b"", capture_output=True, check=False)
    assert "größer" in done.stderr.decode()


@pytest.mark.parametrize(
    "words",
    [
        *(["handout", "bahdanau", "--out", "x.html", option] for option in ("--text", "--title", "--address")),
        *(["card", "bahdanau", option] for option in ("--note", "--data", "--hardware", "--test-set")),
        *(["train", "bahdanau", "--task", "copy", "--out", "x", option] for option in ("--name", "--data")),
    ],
)
def test_text_with_other_bytes_than_utf8_is_one_error(words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = run(*words, "ein \udcff")
    assert (found.status, found.out) == (2, "")
    assert found.err.startswith(f"error: Invalid value for '{words[-1]}': 'ein \\udcff' is not UTF-8")
    assert list(tmp_path.iterdir()) == []
