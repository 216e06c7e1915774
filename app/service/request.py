"""A sentence that the server translates where a browser cannot run the model itself."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from attn_core.attention.settings import WINDOWS
from attn_core.browser.limits import BEAMS, MOST_LETTERS, MOST_PIECES, MOST_STEPS
from attn_core.messages import _

Value = TypeVar("Value")


@dataclass(frozen=True)
class Request:
    """How to translate a text; see browser/engine/types.d.ts. What is None is as in the trained model."""

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
    def of(cls, body: Any) -> "Request":
        """The request of a page, as parsed JSON. Raises ValueError where it is none, or beyond the page's limits."""
        try:
            request = cls(
                text=as_unicode(body["text"])[:MOST_LETTERS],
                beam=int(body.get("beam") or 1),
                normalise=str(body.get("normalise") or "length"),
                replace_unk=bool(body.get("replace_unk")),
                draw=int(body.get("draw") or 0),
                live=tuple(_live(body)),
                centers=tuple(sorted((int(t), float(p)) for t, p in (body.get("centers") or {}).items())),
                type=_unless_none(as_unicode, body.get("type")),
                window=_unless_none(as_unicode, body.get("window")),
            )
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
            raise ValueError(_("This is not a request for a translation: {reason}").format(reason=error)) from error
        for name, value, least, most in (
            ("beam", request.beam, 1, BEAMS[-1]),
            ("draw", request.draw, 0, 2**31 - 1),
            *((name, value, -MOST_STEPS, MOST_STEPS) for name, value in request.live),  # and see the window's settings
            *(("centers", step, 0, MOST_STEPS) for step, _center in request.centers),
            *(("centers", center, 0, MOST_PIECES) for _step, center in request.centers),
        ):
            if not least <= value <= most:  # true of NaN
                limits = _("{name} must be from {least} to {most}, not {value}")
                raise ValueError(limits.format(name=name, least=least, most=most, value=value))
        return request


def _live(body: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    """The live settings of windows in a request. Raises TypeError for one that is not a number."""
    for name in dict.fromkeys(name for window in WINDOWS for name in WINDOWS.settings_class(window).live()):
        value = body.get(name)
        if value is None:
            continue
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise TypeError(_("{value} is not a number").format(value=f"{value!r:.60}"))
        yield name, value


def _unless_none(convert: Callable[[Any], Value], value: Any) -> Value | None:
    return None if value is None else convert(value)


def as_unicode(text: Any) -> str:
    """A text of JavaScript, whose halves of surrogate pairs become U+FFFD. Raises TypeError for anything else."""
    if not isinstance(text, str):
        raise TypeError(_("{value} is not text").format(value=f"{text!r:.60}"))
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
