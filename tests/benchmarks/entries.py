"""Record which modules of a bundled script are entered between an event and the paint of its result.

A module is *entered* when another module calls a function that it exports, or a method of an object that such a
function returned, such as the `dispatch` of a store. Event listeners and continuations, which the browser calls, are
not entries, and neither are calls within a module. Classes are not recorded.

Entries are counted as *visits*. Calls with the same chain of running modules, in the same task of the event loop, are
one visit, so a loop over twenty words enters their module once. A module is entered twice if it has two visits: from
two modules, in two tasks, or by two chains. A component is called by the library that draws components, and counts as
entered from the module that asked the library to draw: once in each pass that draws it, however many instances are
drawn.

A module *acts* if it draws, listens, waits or keeps something: it imports from a vendored library or makes elements, or
names what a browser has one of. The other ones are pure functions of their arguments.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

RECORDER = Path(__file__).with_suffix(".js")
_HEAD = re.compile(r"^const \$(\d+)_\w+ = \(\(\) => \{$")
_END = re.compile(r"^return (\{.*\});$")

PURE = "pure functions of their arguments, as any part uses them"
ASIDE = {  # modules that do not count, and why
    "*/vendor/*": "another project's library",
    "*/engine/*": "the engine",
    "*/player/core/catalogue.js": "generated: the messages of a language",
    "*/player/core/palette.js": "generated: the colours",
    "*/player/core/messages.js": PURE,
    "*/player/core/numbers.js": PURE,
    "*/player/core/lookup.js": PURE,
    "*/player/core/heat.js": PURE,
    "*/player/core/vectors.js": PURE,
    "*/player/core/pieces.js": PURE,
    "*/player/draw/*": "drawing on a canvas",
    "*/player/dom/elements.js": "making elements",
    "*/player/dom/html.js": "making elements",
    "*/player/dom/parts.js": "making elements",
}

_ACTS = re.compile(
    r"""^import .* from "[^"]*(?:/vendor/|/html\.js)"""
    r"""|\b(?:document|location|[a-z]+Storage)\.|\bhistory\.[a-z]+State|\bwindow\.[a-z]+\(|\b(?:await|addEventListener|setTimeout)\b""",
    re.MULTILINE,
)


@dataclass(frozen=True)
class Visit:
    """A module whose functions ran within another visit (None: called by the browser), and how often it was entered.

    With 0 calls it ran without being entered: as a listener, a callback or a continuation after `await`.
    """

    place: int  # in the list of all visits
    module: str
    within: int | None
    calls: int


def with_recorder(script: str, paths: Sequence[str]) -> str:
    """A bundled script with a recorder, `entries`, in front; `paths` name its modules, in order.

    Raises ValueError if the script does not consist of these modules.
    """
    recorder = RECORDER.read_text(encoding="utf-8")
    modules = []
    lines = script.split("\n")
    first = 0  # line of the module at hand, from 0
    for place, path in enumerate(paths[:-1]):
        head = _HEAD.match(lines[first])
        if not head or int(head[1]) != place:
            raise ValueError(f"{path} is not module {place} of the script: {lines[first]}")
        last = _last_line(lines, first, place + 1 if place + 2 < len(paths) else None)
        lines[last - 1] = _END.sub(rf"return entries.exported({place}, \1);", lines[last - 1])
        modules.append((first, last))
        first = last + 1
    modules.append((first, len(lines) - 1))
    start = recorder.count("\n") + 1  # lines of a script count from 1
    known = [
        {"path": path, "first": start + begin, "last": start + end, "counted": counted(path)}
        for path, (begin, end) in zip(paths, modules, strict=True)
    ]
    return recorder.replace('"MODULES"', json.dumps(known)) + "\n".join(lines)


def _last_line(lines: list[str], first: int, following: int | None) -> int:
    """The line that closes the module that begins at `first`, before module `following`; None: before the entry."""
    ends = (line for line in range(first + 1, len(lines)) if lines[line] == "})();" and _END.match(lines[line - 1]))
    for end in ends:
        head = _HEAD.match(lines[end + 1]) if following is not None else None
        if following is None or (head and int(head[1]) == following):
            return end
    raise ValueError(f"a module of the script does not end: {lines[first]}")


def counted(path: str) -> bool:
    """Whether a module, by its path from the project's folder, counts as a part of the page."""
    return not any(fnmatch(path, pattern) for pattern in ASIDE)


def acts(text: str) -> bool:
    """Whether a module with this text acts."""
    return bool(_ACTS.search(text))


def visited(visits: Iterable[Visit]) -> list[str]:
    """The modules on the way, each once, in the order in which they ran."""
    return list(dict.fromkeys(visit.module for visit in visits))


def entered_again(visits: Iterable[Visit]) -> dict[str, int]:
    """How often each module that was entered twice or more was entered after its first time."""
    return _again(visit.module for visit in visits if visit.calls)


def ran_again(visits: Iterable[Visit]) -> dict[str, int]:
    """The same with the visits in which a listener, a callback or a continuation of the module ran."""
    return _again(visit.module for visit in visits)


def _again(found: Iterable[str]) -> dict[str, int]:
    return {module: n - 1 for module, n in Counter(found).items() if n > 1}


def tree(visits: Sequence[Visit], within: int | None = None, indent: str = "") -> list[str]:
    """Every visit as an item of a list in Markdown, below the one in which it happened."""
    lines = []
    for visit in visits:
        if visit.within == within:
            entered = {0: "not entered", 1: "1 call"}.get(visit.calls, f"{visit.calls} calls")
            lines.append(f"{indent}- {visit.module} ({entered})")
            lines += tree(visits, visit.place, f"{indent}  ")
    return lines
