"""The messages of the project, extracted by Babel, and a pseudo-locale that shows which texts are not translated.

`python -m tests.helpers.messages` writes attn_core/locale/messages.pot, the template for translations, and the
pseudo-locale; start the dashboard with ATTN_LANGUAGE=xx to see it. Neither is committed, since both are generated from
the code. It also writes the snapshot of all messages, which is committed: it pins the texts of the interface, so that
tests of pages need not.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import write_po

from attn_core.browser.bundle import vendored, written
from attn_core.messages import DOMAIN, FOLDER

ROOT = Path(__file__).parents[2]
PSEUDO = "xx"
SNAPSHOT = ROOT / "tests" / "project" / "messages.jsonl"
ROOMS = ("attn_core", "app")
METHODS = [("**.py", "python"), ("**.js", f"{__name__}:javascript")]
KEYWORDS = {"_": None, "N_": None, "t": None, "ngettext": (1, 2), "tn": (1, 2)}

_ACCENTED = str.maketrans(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", "åƀçđéƒĝĥîĵķļɱñöþǫřšţûṽŵẋýžÅƁÇĐÉƑĜĤÎĴĶĻṀÑÖÞǪŘŠŢÛṼŴẊÝŽ"
)
# Not translated: placeholders, formulas, code, tags and entities, Markdown's addresses, icons and colours.
_KEPT = re.compile(
    r"(\{[^{}]*\}|\$\$?[^$]+\$\$?|`[^`]+`|</?[a-zA-Z][^<>]*>|&\w+;|\]\([^)]*\)|:material/\w+:|:[a-z]+(?:-\w+)?(?=\[))"
)


def javascript(file: BinaryIO, *_others: Any, **_options: Any) -> Iterator[tuple[int, str, Any, list[str]]]:
    """The messages that the bundler translates, for Babel, whose own extractor ignores template literals."""
    for texts in written(file.read().decode()):
        yield 0, "tn" if len(texts) > 1 else "t", texts if len(texts) > 1 else texts[0], []


def extracted(root: Path = ROOT) -> Catalog:
    """All messages of the interface, with the files that use them."""
    catalogue = Catalog(project="attn_core")
    for room in ROOMS:
        found = extract_from_dir(root / room, METHODS, keywords=KEYWORDS, directory_filter=_is_ours)
        for name, _line, message, comments, context in found:
            catalogue.add(message, None, [(f"{room}/{name}", None)], auto_comments=comments, context=context)
    return catalogue


def snapshot(catalogue: Catalog) -> str:
    """All messages, sorted, one a line: a text, or the list of its forms for one and for many."""
    return "".join(sorted(f"{json.dumps(message.id, ensure_ascii=False)}\n" for message in catalogue if message.id))


def _is_ours(folder: str) -> bool:
    return not vendored(Path(folder))


def pseudo(text: str) -> str:
    """`text` with an accent on every letter, except in the parts that must not be translated."""
    parts = _KEPT.split(text)
    return "".join(part if place % 2 else part.translate(_ACCENTED) for place, part in enumerate(parts))


def write_pseudo(folder: Path, catalogue: Catalog) -> None:
    """Write the pseudo-locale to `folder`, which ATTN_LOCALE may name."""
    made = Catalog()
    for message in catalogue:
        if message.id:
            forms = (message.id,) if isinstance(message.id, str) else message.id
            accented = tuple(pseudo(form) for form in forms)
            made.add(message.id, accented[0] if isinstance(message.id, str) else accented)
    path = folder / PSEUDO / "LC_MESSAGES" / f"{DOMAIN}.mo"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        write_mo(file, made)


def main() -> None:
    found = extracted()
    FOLDER.mkdir(exist_ok=True)
    with (FOLDER / f"{DOMAIN}.pot").open("wb") as file:
        write_po(file, found, omit_header=False, sort_by_file=True)
    write_pseudo(FOLDER, found)
    SNAPSHOT.write_text(snapshot(found), "utf-8")
    print(f"{len(found)} messages in {FOLDER / DOMAIN}.pot, and in the pseudo-locale {PSEUDO}")


if __name__ == "__main__":
    main()
