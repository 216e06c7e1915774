"""The rules of Moses as JSON for the page; `tests/browser/test_tokenizer.py` compares the engine that reads them."""

import json
import re
import sys
import unicodedata
from itertools import accumulate

import pytest

from attn_core.data.moses import scripts
from attn_core.data.moses_rules import rules
from attn_core.data.tokenizer import NO_LANGUAGE
from tests.helpers.engine import unchecked

EVERY = "".join(map(chr, range(sys.maxunicode + 1)))


@pytest.fixture(scope="module")
def german():
    with unchecked():  # a million characters are looked at, one by one
        return rules("de")


def members(found: dict, pattern: str) -> str:
    """The characters of the class that is this whole pattern, in the order of their code points."""
    name = re.fullmatch(r"\\p\{(\d+)\}", pattern)
    assert name is not None
    edges = list(accumulate(found["classes"][int(name[1])]))
    return "".join(EVERY[start:end] for start, end in zip(edges[::2], edges[1::2], strict=True))


@pytest.mark.parametrize(
    ("name", "chooses"),
    [
        ("space", str.isspace),
        ("alphanumeric", str.isalnum),
        ("assigned", lambda character: unicodedata.category(character) != "Cn"),
        ("line_end", lambda character: len(f"a{character}b".splitlines()) == 2),
    ],
)
def test_a_class_holds_the_characters_that_this_python_chooses(name, chooses, german):
    assert members(german, german["text"][name]) == "".join(filter(chooses, EVERY))


def test_sets_of_a_pattern_mean_what_they_mean_to_python(german):
    (junk, gone), (symbol, padded) = german["languages"]["de"]["symbols"][1:]
    assert (members(german, junk), gone) == ("".join(map(chr, range(0o40))), "")
    assert padded == " $1 "
    symbols = members(german, symbol.removeprefix("(").removesuffix(")"))
    assert symbols == "".join(re.findall(scripts("de")[1].PAD_NOT_ISALNUM[0], EVERY))
    assert symbols[0] == "\x00"
    assert "!" in symbols
    assert not {"ä", "-", " ", "\xa0"} & set(symbols)


@pytest.mark.slow
def test_letters_of_a_language_are_letters_of_its_rules():
    chinese = rules("zh")
    symbol = chinese["languages"]["zh"]["symbols"][-1][0]  # what is padded with spaces
    symbols = set(members(chinese, symbol.removeprefix("(").removesuffix(")")))
    assert not set("甲a5𠀀") & symbols
    assert set("，!") <= symbols


@pytest.mark.parametrize(
    ("pair", "wanted"),
    [
        ((r"\(", r" ("), [r"\(", " ("]),
        ((r"a{2,}|b+c*$", r""), [r"a{2,}|b+c*(?=\n?$)", ""]),
        ((r"(x)\r(?=y)", r"\1\g<1>$&"), [r"(x)\r(?=y)", "$1$1$$&"]),
        (("]}/%\\-", ""), [r"\]\}\/%-", ""]),
    ],
)
def test_patterns_and_replacements_are_written_for_javascript(pair, wanted, monkeypatch):
    monkeypatch.setattr(scripts("de")[0], "substitutions", [pair])
    assert rules("de")["languages"]["de"]["normalize"] == [wanted]


@pytest.mark.parametrize(
    ("pair", "problem"),
    [
        ((r"(?<=a)b", ""), r"pattern .* from '\(\?<=a\)b' on"),
        ((r"x\b", ""), r"pattern .* from '\\\\b' on"),
        ((r"(a)\1", ""), r"pattern .* from '\\\\1' on"),
        ((r"a.b", ""), r"pattern .* from '.b' on"),
        ((re.compile("a", re.IGNORECASE), ""), r"flags of re\.compile"),
        ((r"a", r"\n"), r"replacement '\\\\n'"),
    ],
)
def test_syntax_that_is_not_translated_is_an_error(pair, problem, monkeypatch):
    monkeypatch.setattr(scripts("de")[0], "substitutions", [pair])
    with pytest.raises(ValueError, match=problem):
        rules("de")


def test_languages_share_their_classes(german):
    both = rules("de", "en", NO_LANGUAGE)
    assert list(both["languages"]) == ["de", "en"]
    assert len(both["classes"]) < len(german["classes"]) + len(rules("en")["classes"])
    assert len(set(map(tuple, both["classes"]))) == len(both["classes"])
    assert len(json.dumps(both, separators=(",", ":"))) < 40_000
