"""Messages for people in the reader's language, by gettext. English is the source language and needs no catalogue.

    _("Choose a model")                              a message; written out, so that it can be extracted
    _("There is no model {name}.").format(name=...)  with values: an f-string cannot be extracted
    ngettext("{n} head", "{n} heads", n).format(n=n)
    TITLE = N_("Explorer")                           a constant: marked here, translated where it is shown, _(TITLE)

JavaScript has the same as `t` and `tn` in web/player/core/messages.js. `make messages` extracts all messages into
locale/messages.pot. A language is a file locale/<language>/LC_MESSAGES/messages.mo, made from that template.
"""

import gettext
import os
from functools import cache
from pathlib import Path

DOMAIN = "messages"
FOLDER = Path(__file__).parent / "locale"


def language() -> str:
    """The language of messages now: the environment's ATTN_LANGUAGE, or English."""
    return os.environ.get("ATTN_LANGUAGE") or "en"


def translations() -> gettext.NullTranslations:
    """The catalogue of the language now; one that returns messages unchanged where there is no such language.

    Catalogues are in attn_core/locale, or in the folder that the environment's ATTN_LOCALE names.
    """
    return _read(os.environ.get("ATTN_LOCALE") or str(FOLDER), language())


def _(message: str) -> str:
    """`message` in the language now."""
    return translations().gettext(message)


def ngettext(one: str, many: str, n: int) -> str:
    """The message for the number `n` in the language now; in English `one` for 1, otherwise `many`."""
    return translations().ngettext(one, many, n)


def N_(message: str) -> str:
    """`message` itself, marked to be extracted."""
    return message


@cache
def _read(folder: str, name: str) -> gettext.NullTranslations:
    return gettext.translation(DOMAIN, folder, [name], fallback=True)
