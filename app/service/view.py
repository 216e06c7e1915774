"""What the page shows, as one value that a URL can hold: a link reopens the same view."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any
from urllib.parse import urlencode

from app.service.answer import MOST_WORDS
from app.service.catalogue import Shipped, first
from attn_core.aliases import renamed
from attn_core.attention.settings import ATTENTION_TYPES, WINDOWS

BEAMS = (1, 2, 3, 5, 8, 12)  # 1 is greedy
MOST_DRAWS = 999
WORDS = {"hard-argmax": "hard (argmax)", "hard-sample": "hard (sampled)"}  # what attention types are called on the page


@dataclass(frozen=True)
class Window:
    """The window in force; all None means "as the model was trained". The keywords of `translate`."""

    window: str | None = None
    half_width: int | None = None
    sigma: float | None = None


AS_TRAINED = Window()


@dataclass(frozen=True)
class View:
    """A sentence, a model, how it searches, its window and attention type; the step and the look to start at."""

    text: str
    model: str
    beam: int = 1
    replace_unk: bool = False
    window: Window = AS_TRAINED
    step: int = 0
    attention_type: str | None = None  # None: as the model was trained
    draw: int = 0  # which of the draws of an attention type that draws
    look: str | None = None  # layer and head from 1, "2.3"; None: the mean of a step's looks, or its only one


def write(view: View) -> str:
    """The view as a query string. `step` and `look` are left to the page's own script: it knows where the reader is."""
    parts: dict[str, Any] = {"text": view.text, "model": view.model}
    if view.beam != 1:
        parts["beam"] = view.beam
    if view.replace_unk:
        parts["unk"] = "replace"
    if view.window.window is not None:
        parts["window"] = view.window.window
    if view.window.half_width is not None:
        parts["D"] = view.window.half_width
    if view.window.sigma is not None:
        parts["sigma"] = f"{view.window.sigma:g}"
    if view.attention_type is not None:
        parts["attention_type"] = view.attention_type
    if view.draw:
        parts["draw"] = view.draw
    return urlencode(parts)


def read(query: Mapping[str, str], models: dict[str, Shipped], example: str) -> tuple[View, list[str]]:
    """The view of a query string, and a line about each value that could not be used and was left out."""
    notices: list[str] = []
    query = renamed(query)

    def number(name: str, kind: type, fits: Any, wanted: str) -> Any:
        if name not in query:
            return None
        try:
            value = kind(query[name])
            if fits(value):
                return value
        except (ValueError, OverflowError):
            pass
        notices.append(f"{name} in the link must be {wanted}, not “{_short(query[name])}”; it was left out.")
        return None

    name = query.get("model") or first(models)
    if name not in models:
        notices.append(f"There is no model “{_short(name)}” here; {first(models)} is shown instead.")
        name = first(models)
    beam = number("beam", int, lambda k: k in BEAMS, f"one of {', '.join(map(str, BEAMS))}") or 1
    unk = query.get("unk", "")
    if unk not in ("", "replace"):
        notices.append(f"unk in the link must be “replace”, not “{_short(unk)}”; it was left out.")
    window = query.get("window") or None
    if window is not None and window not in WINDOWS:
        notices.append(f"window in the link must be one of {', '.join(WINDOWS)}, not “{_short(window)}”.")
        window = None
    half_width = number("D", int, lambda d: 0 <= d <= MOST_WORDS, f"a whole number from 0 to {MOST_WORDS}")
    sigma = number("sigma", float, lambda s: 0 < s <= MOST_WORDS, f"a number above 0, at most {MOST_WORDS}")
    step = (number("step", int, lambda t: 0 < t < 10_000, "a whole number from 1") or 1) - 1  # readers count from 1
    wanted, reason = fitting(Window(window, half_width, sigma), models[name])
    notices += [reason] if reason else []
    kind = query.get("attention_type") or None
    if kind is not None and kind not in ATTENTION_TYPES:
        named = ", ".join(ATTENTION_TYPES)
        notices.append(f"attention_type in the link must be one of {named}, not “{_short(kind)}”.")
        kind = None
    kind, reason = fitting_type(kind, wanted, models[name])
    notices += [reason] if reason else []
    draw = number("draw", int, lambda n: 0 <= n <= MOST_DRAWS, f"a whole number from 0 to {MOST_DRAWS}") or 0
    look, reason = fitting_look(query.get("look") or None, models[name])
    notices += [reason] if reason else []
    text = query.get("text", example)
    return View(text, name, beam, unk == "replace", wanted, step, kind, draw, look), notices


def fitting(window: Window, model: Shipped) -> tuple[Window, str]:
    """`window` when the model can look through it; otherwise as trained, and why."""
    if window == AS_TRAINED:
        return AS_TRAINED, ""
    attention = model.config.attention
    if attention is None:
        return AS_TRAINED, f"{model.name} has no attention, so the window in the link was left out."
    if model.config.decoder.name == "transformer":
        return AS_TRAINED, f"{model.name} looks at all words with every head, so the window in the link was left out."
    trained = attention.window.name
    kind = window.window or trained
    if kind == "local-p" and trained != "local-p":
        return AS_TRAINED, f"{model.name} was not trained to predict p_t, so the window in the link was left out."
    if kind == "global" and (window.half_width is not None or window.sigma is not None):
        return AS_TRAINED, f"{model.name} looks at all words, so D and sigma need a window; they were left out."
    return window, ""


def fitting_type(kind: str | None, window: Window, model: Shipped) -> tuple[str | None, str]:
    """`kind` when the model can have that attention type with a window that fits; otherwise None, as trained, and why.

    What goes together is for the settings to say.
    """
    attention = model.config.attention
    if kind is None or (attention and kind == attention.type):
        return None, ""
    if attention is None:
        return None, f"{model.name} has no attention, so there is no attention type to choose."
    if model.config.decoder.name == "transformer":
        return None, f"{model.name} has soft attention in every head, so there is no attention type to choose."
    kept = f"{model.name} has the attention type it was trained with"
    gaussian = False
    try:
        now = model.config.with_window(**asdict(window))
        gaussian = bool(now.attention and now.attention.gaussian)
        now.set({"attention_type": kind})
    except ValueError as error:
        if kind == "hard-sample" and gaussian:
            return None, (
                f"Drawing needs weights that sum to 1, and the window's Gaussian takes some of them away: {kept}. "
                "The largest weight can be taken in any window."
            )
        return None, f"{kept}: {error}."
    return kind, ""


def fitting_look(look: str | None, model: Shipped) -> tuple[str | None, str]:
    """`look` when the model has such a layer and head; otherwise None, the mean of its looks, and why."""
    if look is None:
        return None, ""
    heads = model.config.attention.heads if model.config.attention else 1
    if heads < 2:
        return None, f"{model.name} has no layers and heads to choose from, so the look in the link was left out."
    layers = model.config["decoder.layers"] if model.config.decoder.name == "transformer" else 1
    if look in (f"{layer}.{head}" for layer in range(1, layers + 1) for head in range(1, heads + 1)):
        return look, ""
    return None, (
        f"look in the link must be a layer and a head of {model.name}, from 1.1 to {layers}.{heads}, "
        f"not “{_short(look)}”; it was left out."
    )


def attention_types(window: Window, model: Shipped) -> list[str]:
    """The attention types that the model can have with that window; none without attention."""
    attention = model.config.attention
    if attention is None:
        return []
    return [kind for kind in ATTENTION_TYPES if kind == attention.type or fitting_type(kind, window, model)[0]]


def word(attention_type: str) -> str:
    """What an attention type is called on the page."""
    return WORDS.get(attention_type, attention_type)


def _short(text: str) -> str:
    return text if len(text) <= 40 else text[:40] + "…"
