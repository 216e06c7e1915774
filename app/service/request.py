"""A sentence that the server translates where a browser cannot run the model itself."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from attn_core.attention.settings import WINDOWS
from attn_core.web.limits import BEAMS, MOST_LETTERS


@dataclass(frozen=True)
class Request:
    """How to translate a text; see web/engine/types.d.ts. What is None is as in the trained model."""

    text: str
    beam: int = 1
    replace_unk: bool = False
    draw: int = 0
    type: str | None = None
    window: str | None = None
    live: tuple[tuple[str, float], ...] = ()  # live settings of the window, such as half_width
    centers: tuple[tuple[int, float], ...] = ()
    normalise: str = "length"

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> "Request":
        """The request of a browser's message. Raises ValueError where it is none."""
        try:
            found = cls(
                text=str(given["text"])[:MOST_LETTERS],
                beam=int(given.get("beam") or 1),
                normalise=str(given.get("normalise") or "length"),
                replace_unk=bool(given.get("replace_unk")),
                draw=int(given.get("draw") or 0),
                live=tuple((name, given[name]) for name in _live() if given.get(name) is not None),
                centers=tuple(sorted((int(t), float(p)) for t, p in (given.get("centers") or {}).items())),
                **{name: given.get(name) for name in ("type", "window")},
            )
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise ValueError(f"not a request: {error}") from error
        if not 1 <= found.beam <= BEAMS[-1] or not 0 <= found.draw < 2**31:
            raise ValueError("not a request: beam or draw is out of range")
        return found


def _live() -> list[str]:
    """The names of the live settings of all windows."""
    return [*dict.fromkeys(name for window in WINDOWS for name in WINDOWS.settings_class(window).live())]
