"""Translation of messages by gettext, hints in errors, and printing to a terminal.

The source language, English, has no catalogue.

    _("Choose a model")                              a message; a string literal, so that it can be extracted
    _("There is no model {name}.").format(name=...)  with values; f-strings cannot be extracted
    ngettext("{n} head", "{n} heads", n).format(n=n)
    TITLE = N_("Explorer")                           a constant, marked here and translated on display with _(TITLE)

`print_message`, `print_warning`, `print_error` and `print_text` are the one way of a message to a terminal. Names of
files, sentences and models come from others, and their escape sequences could change the terminal's title or hide a
line, so all characters without a shape of their own are printed as escapes, such as \\x1b.

The JavaScript equivalents are `t` and `tn` in browser/player/core/messages.js. `python -m tests.helpers.messages`
extracts all messages into locale/messages.pot. A translation is compiled from that template to
locale/<language>/LC_MESSAGES/messages.mo.
"""

import gettext
import os
import re
import sys
import unicodedata
from collections.abc import Iterable
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any

DOMAIN = "messages"
FOLDER = Path(__file__).parent / "locale"
ERROR, WARNING = "error: ", "warning: "  # the starts of messages
_JOINERS = "\u200c\u200d"
_ESCAPED = "Cc", "Cf", "Cs", "Zl", "Zp"  # controls, format characters, surrogates, line and paragraph separators


def language() -> str:
    """The current language of messages: that of the environment variable ATTN_LANGUAGE, or English."""
    return os.environ.get("ATTN_LANGUAGE") or "en"


def translations() -> gettext.NullTranslations:
    """The catalogue of the current language; if there is none, a catalogue that returns messages unchanged.

    Catalogues are in attn_core/locale, or in the folder named by the environment variable ATTN_LOCALE.
    """
    return _read(os.environ.get("ATTN_LOCALE") or str(FOLDER), language())


def _(message: str) -> str:
    """`message` in the current language; `format` isolates values that are written from right to left."""
    return _Message(translations().gettext(message))


def ngettext(one: str, many: str, n: int) -> str:
    """The message for the number `n` in the current language; in English, `one` for 1 and `many` otherwise."""
    return _Message(translations().ngettext(one, many, n))


_RIGHT_TO_LEFT = re.compile(
    "[\u0590-\u08ff\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc"
    "\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
_ISOLATE, _END = "\u2068", "\u2069"  # what is between them has a direction of its own


def isolated(text: str) -> str:
    """A text from outside for a place in a sentence, with its own direction if it is written from right to left.

    Otherwise it would run together with its neighbours and turn the quotation marks around it. In JavaScript:
    `isolated` in browser/player/core/messages.js.
    """
    if not _RIGHT_TO_LEFT.search(text):
        return text
    open_isolates = 0
    kept = []
    for character in text:
        if character == _END and not open_isolates:
            continue  # it would end the isolate around the text
        open_isolates += ("\u2066" <= character <= _ISOLATE) - (character == _END)
        kept.append(character)
    return _ISOLATE + "".join(kept) + _END * (open_isolates + 1)


class _Isolating(Formatter):
    def format_field(self, value: Any, format_spec: str) -> Any:
        written = super().format_field(value, format_spec)
        return written if isinstance(value, int | float) else isolated(written)


class _Message(str):
    """A message whose `format` isolates values that are written from right to left."""

    __slots__ = ()

    def format(self, *values: Any, **named: Any) -> str:
        return _Isolating().vformat(self, values, named)


def N_(message: str) -> str:
    """`message` itself, marked for extraction."""
    return message


def meant(name: str, names: Iterable[str]) -> str:
    """The hint ` (did you mean ...?)` for an error message if one of `names` is similar to `name`, otherwise empty."""
    near = get_close_matches(name, list(names), n=1, cutoff=0.7)
    return _(" (did you mean {name!r}?)").format(name=near[0]) if near else ""


def offered(name: str, names: Iterable[str]) -> str:
    """The hint for an error message about an unknown `name`: the most similar of `names`, otherwise all of them."""
    names = list(names)
    return meant(name, names) or _("; choose one of: {values}").format(values=", ".join(names))


@cache
def _read(folder: str, name: str) -> gettext.NullTranslations:
    return gettext.translation(DOMAIN, folder, [name], fallback=True)


def visible(text: str) -> str:
    """`text` with control characters (\\x1b), line ends included, and surrogates escaped.

    Surrogates stand for the bytes of a file name that is not UTF-8. Joiners, which spell words of some scripts, stay.
    Isolates are left out: a message has them around names that are written from right to left, for pages.
    """
    if text.isascii() and text.isprintable():
        return text
    text = text.replace(_ISOLATE, "").replace(_END, "")
    return "".join(repr(one)[1:-1] if _is_escaped(one) else one for one in text)


def _is_escaped(character: str) -> bool:
    return unicodedata.category(character) in _ESCAPED and character not in _JOINERS


def visible_lines(text: str) -> str:
    """`text` of several lines, with everything but its line ends and tabs made visible."""
    return "\n".join("\t".join(map(visible, line.split("\t"))) for line in text.split("\n"))


def print_message(message: str) -> None:
    """Print a message to standard error, as one line."""
    _print(sys.stderr, f"{visible(message)}\n")


def print_warning(message: str) -> None:
    """Print a warning to standard error, as one line."""
    print_message(f"{WARNING}{message}")


def print_error(message: str) -> None:
    """Print an error message to standard error, as one line."""
    print_message(f"{ERROR}{' '.join(message.split())}")


def print_text(text: str, *, to_error: bool = False) -> None:
    """Print text of several lines to standard output, or to standard error; nothing if that is closed."""
    _print(sys.stderr if to_error else sys.stdout, visible_lines(text))


def _print(stream: Any, text: str) -> None:  # a TextIO or None; one in memory has no `mode`, as TextIO has
    if stream is None:  # closed
        return
    encoding = stream.encoding or "utf-8"
    stream.write(text.encode(encoding, "backslashreplace").decode(encoding))
    stream.flush()
