"""The state of the Explorer as one value that a link can hold."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any
from urllib.parse import urlencode

from app.service.answer import MOST_WORDS
from app.service.catalogue import Shipped, first
from attn_core.aliases import renamed
from attn_core.attention.settings import ATTENTION_TYPES, WINDOWS
from attn_core.messages import N_, _

BEAMS = (1, 2, 3, 5, 8, 12)  # 1 is greedy
MOST_DRAWS = 999
MEAN = "mean"  # the name of the mean over all heads
# The names of attention types on the page.
WORDS = {"soft": N_("soft"), "hard-argmax": N_("hard (argmax)"), "hard-sample": N_("hard (sampled)")}


@dataclass(frozen=True)
class Window:
    """The window in use, as keywords of `translate`; all None: as the model was trained."""

    window: str | None = None
    half_width: int | None = None
    sigma: float | None = None


AS_TRAINED = Window()


@dataclass(frozen=True)
class View:
    """A sentence, a model, its search, window and attention type, and the step and head to start at."""

    text: str
    model: str
    beam: int = 1
    replace_unk: bool = False
    window: Window = AS_TRAINED
    step: int = 0
    attention_type: str | None = None  # None: as the model was trained
    draw: int = 0  # the number of the sample, for hard-sample
    look: str | None = None  # layer and head, counted from 1, as in "2.3", or MEAN; None: the clearest one


def write(view: View) -> str:
    """The view as a query string.

    The step, the head and the version of the link are added by the page's own script, which knows where the reader is.
    """
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
    """The view of a query string, and a line about each value that was ignored because it cannot be used."""
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
        notices.append(_left_out(name, wanted, query[name]))
        return None

    name = query.get("model") or first(models)
    if name not in models:
        notices.append(
            _("There is no model “{name}” here; {other} is shown instead.").format(
                name=_short(name), other=first(models)
            )
        )
        name = first(models)
    beam = number("beam", int, lambda k: k in BEAMS, _one_of(BEAMS)) or 1
    unk = query.get("unk", "")
    if unk not in ("", "replace"):
        notices.append(_left_out("unk", "“replace”", unk))
    window = query.get("window") or None
    if window is not None and window not in WINDOWS:
        notices.append(_left_out("window", _one_of(WINDOWS), window))
        window = None
    half_width = number("D", int, lambda d: 0 <= d <= MOST_WORDS, _whole(0, MOST_WORDS))
    above_zero = _("a number above 0, at most {most}").format(most=MOST_WORDS)
    sigma = number("sigma", float, lambda s: 0 < s <= MOST_WORDS, above_zero)
    base = 0 if "v" in query else 1  # links without a version count steps from 1
    whole = _("a whole number from {least}").format(least=base)
    step = (number("step", int, lambda t: base <= t < 10_000, whole) or base) - base
    wanted, reason = fitting(Window(window, half_width, sigma), models[name])
    notices += [reason] if reason else []
    kind = query.get("attention_type") or None
    if kind is not None and kind not in ATTENTION_TYPES:
        notices.append(_left_out("attention_type", _one_of(ATTENTION_TYPES), kind))
        kind = None
    kind, reason = fitting_type(kind, wanted, models[name])
    notices += [reason] if reason else []
    draw = number("draw", int, lambda n: 0 <= n <= MOST_DRAWS, _whole(0, MOST_DRAWS)) or 0
    look, reason = fitting_look(query.get("look") or None, models[name])
    notices += [reason] if reason else []
    text = query.get("text", example)
    return View(text, name, beam, unk == "replace", wanted, step, kind, draw, look), notices


def fitting(window: Window, model: Shipped) -> tuple[Window, str]:
    """`window` where the model can use it; otherwise the trained window, and the reason."""
    try:
        model.config.with_window(**asdict(window), model=model.name)
    except ValueError as error:
        return AS_TRAINED, _("The window in the link was ignored: {reason}.").format(reason=error)
    return window, ""


def fitting_type(kind: str | None, window: Window, model: Shipped) -> tuple[str | None, str]:
    """`kind` where the model can have that attention type with `window`, which fits; otherwise None, and the reason.

    The settings decide which values go together.
    """
    attention = model.config.attention
    if kind is None or (attention and kind == attention.type):
        return None, ""
    if attention is None:
        return None, _("{model} has no attention, so there is no attention type to choose.").format(model=model.name)
    if model.config.decoder.name == "transformer":
        reason = _("{model} has soft attention in every head, so there is no attention type to choose.")
        return None, reason.format(model=model.name)
    gaussian = False
    try:
        now = model.config.with_window(**asdict(window))
        gaussian = bool(now.attention and now.attention.gaussian)
        now.set({"attention_type": kind})
    except ValueError as error:
        if kind == "hard-sample" and gaussian:
            return None, _(
                "Sampling needs weights that sum to 1, and the window's Gaussian reduces them: {model} keeps the "
                "attention type it was trained with. Hard attention to the largest weight works in any window."
            ).format(model=model.name)
        return None, _("{model} keeps the attention type it was trained with: {reason}.").format(
            model=model.name, reason=error
        )
    return kind, ""


def fitting_look(look: str | None, model: Shipped) -> tuple[str | None, str]:
    """`look` where the model has that layer and head, or several to average; otherwise None and the reason."""
    if look is None:
        return None, ""
    heads = model.config.attention.heads if model.config.attention else 1
    if heads < 2:
        reason = _("{model} has a single head, so the layer and head in the link were ignored.")
        return None, reason.format(model=model.name)
    layers = model.config.decoder.attention_layers
    if look == MEAN or look in (f"{layer}.{head}" for layer in range(1, layers + 1) for head in range(1, heads + 1)):
        return look, ""
    wanted = _("a layer and a head of {model}, from 1.1 to {last}").format(model=model.name, last=f"{layers}.{heads}")
    return None, _left_out("look", wanted, look)


def attention_types(window: Window, model: Shipped) -> list[str]:
    """The attention types that the model can have with that window; none for a model without attention."""
    attention = model.config.attention
    if attention is None:
        return []
    return [kind for kind in ATTENTION_TYPES if kind == attention.type or fitting_type(kind, window, model)[0]]


def word(attention_type: str) -> str:
    """The name of an attention type on the page."""
    return _(WORDS.get(attention_type, attention_type))


def _left_out(name: str, wanted: str, value: str) -> str:
    return _("{name} in the link must be {wanted}, not “{value}”; it was ignored.").format(
        name=name, wanted=wanted, value=_short(value)
    )


def _one_of(values: Iterable[Any]) -> str:
    return _("one of {values}").format(values=", ".join(map(str, values)))


def _whole(low: int, high: int) -> str:
    return _("a whole number from {low} to {high}").format(low=low, high=high)


def _short(text: str) -> str:
    return text if len(text) <= 40 else text[:40] + "…"
