"""Output of names that are not UTF-8, in which Python has surrogates for the bytes, and options that fit no model."""

import ast
import io
import json
import logging
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from app.shell.log import log_visibly
from attn_core.cli import COMMANDS
from attn_core.cli.streams import print_status, write
from attn_core.messages import _, print_error, visible
from tests.helpers.serving import ROOT
from tests.helpers.shipped import rewritten
from tests.helpers.terminal import files_under, run, saved

NAME = "new\udcff"  # as Python reads the bytes "new\xff"


@pytest.mark.parametrize(("printed", "stream"), [(print_status, "stdout"), (print_error, "stderr")])
def test_a_name_that_is_not_utf8_is_printed_with_its_bytes_escaped(printed, stream, monkeypatch):
    found = io.TextIOWrapper(io.BytesIO(), "utf-8", errors="strict")
    monkeypatch.setattr(sys, stream, found)
    printed(f"saved in {NAME}")
    found.flush()
    assert found.buffer.getvalue().endswith(b"saved in new\\udcff\n")


def test_control_characters_and_surrogates_are_escaped():
    assert visible(f"ä\x1b\u200b{NAME}") == r"ä\x1b\u200bnew\udcff"


def test_words_of_other_scripts_are_printed_as_they_are():
    word = "می\u200cخواهم"
    assert visible(word) == word
    assert visible(_("{name} is missing").format(name=word)) == f"{word} is missing"  # isolates are for pages


def test_a_model_of_a_synthetic_task_has_no_corpus(tmp_path):
    """Its card would state a command that `train` refuses."""
    folder = saved(tmp_path / "reverse")
    data = {"task": "reverse", "examples": 9, "length": [3, 4]}
    rewritten(folder, lambda record: record["about"].update(data=data))
    before = files_under(folder)
    found = run("card", folder, "--data", "multi30k")
    assert (found.status, "reverse was trained on a synthetic task; omit --data" in found.err) == (2, True)
    assert files_under(folder) == before


def test_a_terminal_gets_visible_data_and_a_pipe_exact_data(monkeypatch):
    for terminal, expected in ((True, b"a\\x1b]0;x\\x07\tb\nc\n"), (False, b"a\x1b]0;x\x07\tb\nc\n")):
        stream = io.TextIOWrapper(io.BytesIO(), "utf-8")
        stream.isatty = lambda terminal=terminal: terminal
        monkeypatch.setattr(sys, "stdout", stream)
        write("a\x1b]0;x\x07\tb\nc\n")
        assert stream.buffer.getvalue() == expected


HOSTILE = "x\x1b]0;pwn\x07\x9b31m\u202e[red]y[/]"


def printed_directly(path: Path) -> list[str]:
    """The calls in a module that print without the functions of attn_core.messages and streams.py."""
    calls = [node.func for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Call)]
    names = [ast.unparse(function) for function in calls]
    direct = re.compile(
        r"(typer|click)\.(echo|secho|echo_via_pager)|print|pprint|sys\.\w+\.write|sys\.\w+\.buffer\.write"
    )
    return [name for name in names if direct.fullmatch(name)]


@pytest.mark.parametrize("folder", ["attn_core/cli", "app", "notebooks"])
def test_messages_are_printed_by_one_module_alone(folder):
    paths = [path for path in sorted((ROOT / folder).rglob("*.py")) if path != ROOT / "attn_core/cli/streams.py"]
    found = {path.name: names for path in paths if (names := printed_directly(path))}
    assert paths
    assert found == {}


def test_the_log_of_the_dashboard_shows_control_characters(monkeypatch):
    logger, stream = logging.getLogger("app"), io.StringIO()
    monkeypatch.setattr(logger, "handlers", [])
    monkeypatch.setattr(sys, "stderr", stream)
    log_visibly()
    logging.getLogger("app.shell.hosts").warning("%s", HOSTILE)
    try:
        raise ValueError(HOSTILE)
    except ValueError:
        logging.getLogger("app.lab").exception("failed")
    assert stream.getvalue().count(r"x\x1b]0;pwn\x07\x9b31m\u202e[red]y[/]") == 2
    assert harmless(stream.getvalue())


def harmless(text: str) -> bool:
    """Whether a terminal shows all of `text` as it is: no character but line ends controls it."""
    return all(visible(part) == part for part in text.split("\n"))


def calls(tmp_path: Path) -> dict[str, list[Any]]:
    """A call of every command with a hostile name or text, most of them errors; those of build and evaluate succeed."""
    model = saved(tmp_path / HOSTILE)
    text, plan = tmp_path / f"{HOSTILE}.txt", tmp_path / "plan.toml"
    text.write_text(f"{HOSTILE}\n", "utf-8")
    plan.write_text(f'[models.{json.dumps(HOSTILE)}]\npreset = "bahdanau"\n', "utf-8")
    sides = ["--source", text, "--reference", text]
    return {
        "models": ["models", HOSTILE],
        "translate": ["translate", model, "--tokenized"],
        "translate --window": ["translate", model, "--window", HOSTILE],
        "align": ["align", model, "--source", text, "--target", text, "--gold", text],
        "attribute": ["attribute", model, "--source", text],
        "faithfulness": ["faithfulness", model, "--source", text],
        "evaluate": ["evaluate", model, *sides],
        "quantize": ["quantize", HOSTILE, "--out", tmp_path / "small", *sides],
        "truecase": ["truecase", model, "--text", text],
        "train": ["train", HOSTILE, "--task", "copy", "--out", tmp_path / "out"],
        "train --set": ["train", "bahdanau", "--set", HOSTILE, "--task", "copy", "--out", tmp_path / "out"],
        "build": ["build", plan, HOSTILE],
        "build --dry-run": ["build", plan, "--dry-run"],
        "measure": ["measure", HOSTILE],
        "settings": ["settings", HOSTILE],
        "card": ["card", model, "--note", HOSTILE],
        "export": ["export", HOSTILE, "--to", "browser"],
        "export --to": ["export", "bahdanau", "--to", HOSTILE],
        "handout": ["handout", HOSTILE, "--out", tmp_path / "page.html"],
        "app": ["app", f"--{HOSTILE}"],
        "no command": [HOSTILE],
        "no option": ["models", f"--{HOSTILE}"],
    }


def test_no_command_sends_control_characters_to_a_terminal(tmp_path, monkeypatch):
    """Not in its messages; and data, such as translations, not if standard output is a terminal."""
    asked = calls(tmp_path)
    assert {name.split()[0] for name in asked} >= {command.name for command in COMMANDS}
    for name, words in asked.items():
        found = run(*words, text=f"{HOSTILE}\n".encode() * 3)
        assert harmless(found.err), name
        assert harmless(found.out) or name.startswith(("translate", "attribute")), name
        if name not in ("card", "translate", "attribute", "evaluate"):
            assert "\\x1b]0;pwn" in found.out + found.err, (name, found)
