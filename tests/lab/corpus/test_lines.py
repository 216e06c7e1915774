"""A line, and text, are the same for files, gzip files, columns, standard input and the Corpus page."""

import gzip
import io
import sys
from pathlib import Path

import pytest

from attn_core.cli.streams import chunks
from attn_core.data.corpus import CorpusError, read_lines
from attn_core.data.text_files import Columns

TEXTS = {  # the lines that have words, with their numbers; None: this is no text
    "LF": (b"a\nb c\nd\n", [(1, "a"), (2, "b c"), (3, "d")]),
    "no LF at the end": (b"a\nb", [(1, "a"), (2, "b")]),
    "CR LF": (b"a\r\nb\r\n", [(1, "a"), (2, "b")]),
    "CR alone": (b"a\rb\rc\r", [(1, "a\rb\rc")]),
    "CR within a line": (b"a\rb\nc\n", [(1, "a\rb"), (2, "c")]),
    "LF CR": (b"a\n\rb\n", [(1, "a"), (2, "b")]),
    "CR CR LF": (b"a\r\r\nb", [(1, "a"), (2, "b")]),
    "other ends of lines": (
        "a\x0bb\x0cc\x1cd\x85e\u2028f\u2029g\nh".encode(),
        [(1, "a\x0bb\x0cc\x1cd\x85e\u2028f\u2029g"), (2, "h")],
    ),
    "empty lines": (b"\n\na\n \t\n\r\nb\n\n", [(3, "a"), (6, "b")]),
    "lines of odd whitespace": ("\x1c\x85\n\u3000a\u2003\n".encode(), [(2, "a")]),
    "byte order mark": ("\ufeffa\n\ufeffb".encode(), [(1, "a"), (2, "\ufeffb")]),
    "control characters": (b"a\x01b\x1b\nc", [(1, "a\x01b\x1b"), (2, "c")]),
    "NUL": (b"a\nb\0c\n", None),
    "UTF-16": ("ab\n".encode("utf-16"), None),
    "UTF-16 without a mark": ("ab\n".encode("utf-16-le"), None),
    "latin-1": ("ä\n".encode("latin-1"), None),
    "a surrogate": (b"\xed\xa0\x80\n", None),
}


def with_words(lines: list[str]) -> list[tuple[int, str]]:
    return [(number, line.strip()) for number, line in enumerate(lines, 1) if line.strip()]


def of_file(content: bytes, folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    (folder / "text").write_bytes(content)
    return read_lines(folder / "text")


def of_gzip(content: bytes, folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    (folder / "text.gz").write_bytes(gzip.compress(content))
    return read_lines(folder / "text.gz")


def of_column(content: bytes, folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    (folder / "text").write_bytes(content.replace(b"\t", b" "))
    return list(Columns(folder / "text", 0, 0).lines(0))


def of_input(content: bytes, folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    return [line for block in chunks() for line in block]


@pytest.mark.parametrize("read", [of_file, of_gzip, of_column, of_input])
@pytest.mark.parametrize("text", TEXTS)
def test_a_line_is_the_same_wherever_text_is_read(text, read, tmp_path, monkeypatch):
    content, wanted = TEXTS[text]
    if wanted is None:
        with pytest.raises((CorpusError, ValueError), match=r"line \d+: .*convert it to UTF-8"):
            read(content, tmp_path, monkeypatch)
    else:
        assert with_words(read(content, tmp_path, monkeypatch)) == wanted


def test_a_line_is_the_same_on_the_corpus_page(lab_probe):
    found = lab_probe("numberedLines", [list(content) for content, _ in TEXTS.values()])
    wanted = [lines and [list(line) for line in lines] for _, lines in TEXTS.values()]
    assert dict(zip(TEXTS, found, strict=True)) == dict(zip(TEXTS, wanted, strict=True))
