"""The `about` object of config.json, facts about a model other than its settings: names and types, checked on loading.

Every entry is optional, and entries that are not listed here are ignored.
"""

import re
from typing import Any

from attn_core.messages import N_, _

LARGEST = 1e15  # largest absolute value of a number; larger ones are mistakes, and some cannot be printed

TEXT, WHOLE, NUMBER, YES_OR_NO = N_("a string"), N_("an integer"), N_("a number"), N_("true or false")
PAIR, SETTINGS = N_("two integers"), N_("an object of strings and numbers")
ROWS = N_("a list of objects with the same names")

TEST: dict[str, Any] = {  # scores on a test set
    **dict.fromkeys(("set", "signature", "normalise", "headline", "constraint"), TEXT),
    **dict.fromkeys(("sentences", "beam", "examples"), WHOLE),
    **dict.fromkeys(("unknown_source_words", "unknown_reference_words", "source_words", "reference_words"), WHOLE),
    **dict.fromkeys(("bleu", "bleu_low", "bleu_high", "greedy_bleu", "perplexity", "brevity_penalty"), NUMBER),
    **dict.fromkeys(("alpha", "mean_source_length", "in_paper_window"), NUMBER),
    **dict.fromkeys(("tokenized", "lowercased"), YES_OR_NO),
    "rows": ROWS,
}

ABOUT: dict[str, Any] = {
    "preset": TEXT,
    "load": [TEXT],
    "settings": SETTINGS,
    "note": TEXT,
    "weights": TEXT,
    "source_lang": TEXT,
    "target_lang": TEXT,
    "data": {
        **dict.fromkeys(("corpus", "hub", "hub_config", "train", "valid", "exclude", "teacher", "task"), TEXT),
        **dict.fromkeys(("pairs", "examples", "seed"), WHOLE),
        "tokenized": YES_OR_NO,
        "length": PAIR,
    },
    "machine": {"hardware": TEXT, "threads": WHOLE, "torch": TEXT, "processes": WHOLE},
    "epoch": WHOLE,
    "train_seconds": NUMBER,
    "examples": WHOLE,
    "valid": {
        **dict.fromkeys(("bleu", "perplexity"), NUMBER),
        **dict.fromkeys(("tokenized", "lowercased"), YES_OR_NO),
        "signature": TEXT,
    },
    "alignment": {"pairs": WHOLE, "aer": NUMBER},
    "test": TEST,
    "more_tests": [TEST],
}


def languages(about: dict[str, Any]) -> tuple[str, str]:
    """The codes of a translator's source and target language, German and English where they are not recorded."""
    return about.get("source_lang", "de"), about.get("target_lang", "en")


# The form of the text of an entry `valid` that does not say it: training once tokenised all text.
VALIDATED = {"tokenized": True}
TOKENIZER = re.compile(r"(?:^|\|)tok:([^|]+)")  # in a sacrebleu signature


def text_form(test: dict[str, Any]) -> str:
    """The form of the text that scores were measured on, such as "tokenised, lower-cased"; empty if not recorded.

    BLEU in one form is several points from BLEU in another, so a score is shown with its form.
    """
    if "tokenized" not in test:
        return ""
    if test["tokenized"]:
        return _("tokenised, lower-cased") if test.get("lowercased") else _("tokenised")
    if tokenizer := TOKENIZER.search(test.get("signature", "")):
        ignored = "case:lc" in test["signature"].split("|")
        wanted = _("raw, {tokenizer}, ignoring case") if ignored else _("raw, {tokenizer}, with case")
        return wanted.format(tokenizer=tokenizer[1])
    return _("raw")


def text_of(test: dict[str, Any]) -> str:
    """The text that scores were measured on, such as "raw text (13a, ignoring case)"; "text" if not recorded."""
    first, *others = text_form(test).split(", ")
    if test.get("tokenized", True):
        return _("{form} text").format(form=text_form(test)) if first else _("text")
    return _("{form} text ({details})").format(form=first, details=", ".join(others)) if others else _("raw text")


def conditions_of(test: dict[str, Any], name: str = "") -> str:
    """What scores were measured on: the test set (or else `name`), the form of its text, and the beam."""
    beam = test.get("beam", 1)
    search = _("greedy search") if beam == 1 else _("beam {size}").format(size=beam)
    return _("{name} ({details})").format(
        name=test.get("set", name), details=_("; ").join(filter(None, (text_form(test), search)))
    )


def tests_of(about: dict[str, Any]) -> list[dict[str, Any]]:
    """The scores of a translator on each of its test sets, those of the pages and tables first."""
    return [test for test in (about.get("test"), *about.get("more_tests", [])) if test]


def with_test(about: dict[str, Any], test: dict[str, Any], also: bool) -> dict[str, Any]:
    """The entries of `about` that hold test scores, with `test` added if `also`, otherwise in place of the first.

    Scores replace earlier scores on the same set in the same form (tokenised or raw).
    """

    def measured_on(one: dict[str, Any]) -> tuple[Any, Any]:
        return one.get("set"), one.get("tokenized")

    first, *others = tests_of(about) or [test]
    if not also or measured_on(first) == measured_on(test):
        return {"test": test, "more_tests": [one for one in others if measured_on(one) != measured_on(test)]}
    return {"test": first, "more_tests": [one for one in others if measured_on(one) != measured_on(test)] + [test]}


def check_about(about: Any, wanted: Any = ABOUT, where: str = "about") -> None:
    """Raise ValueError, naming the entry, if a value in `about` is not of the type in `wanted`."""
    if isinstance(wanted, dict):
        if not isinstance(about, dict):
            raise ValueError(_("{where} must be an object, not {shown}").format(where=where, shown=_shown(about)))
        for name in about.keys() & wanted.keys():
            check_about(about[name], wanted[name], f"{where}.{name}")
    elif isinstance(wanted, list):
        if not isinstance(about, list):
            raise ValueError(_("{where} must be a list, not {shown}").format(where=where, shown=_shown(about)))
        for place, value in enumerate(about):
            check_about(value, wanted[0], f"{where}[{place}]")
    elif not _is(about, wanted):
        raise ValueError(
            _("{where} must be {wanted}, not {shown}").format(where=where, wanted=_(wanted), shown=_shown(about))
        )


def _is(value: Any, wanted: str) -> bool:
    if wanted == TEXT:
        return isinstance(value, str) and not any("\ud800" <= one <= "\udfff" for one in value)  # lone surrogates
    if wanted == YES_OR_NO:
        return isinstance(value, bool)
    if wanted == PAIR:
        return isinstance(value, list) and len(value) == 2 and all(_is(one, WHOLE) for one in value)
    if wanted == SETTINGS:
        return isinstance(value, dict) and all(map(_plain, value.values()))
    if wanted == ROWS:
        rows = isinstance(value, list) and value and all(isinstance(row, dict) for row in value)
        return bool(rows) and all(row.keys() == value[0].keys() and all(map(_plain, row.values())) for row in value)
    number = isinstance(value, int if wanted == WHOLE else int | float) and not isinstance(value, bool)
    return number and abs(value) <= LARGEST  # False for NaN


def _plain(value: Any) -> bool:
    return value is None or isinstance(value, bool | str) or _is(value, NUMBER)


def _shown(value: Any) -> str:
    return f"{value!r:.60}"
