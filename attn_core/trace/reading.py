"""Load a trace from JSON."""

import json
import math
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from attn_core.trace.records import Focus, Look, Memory, Step, Trace, Word
from attn_core.trace.writing import SCHEMA


def parse(text: str) -> Trace:
    """The trace that `dump` wrote.

    Raises ValueError if `text` is not JSON or has another schema, and if a field is missing, has the wrong type or
    shape, or holds a position outside the source.
    """
    try:
        record = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"not a trace: {error}") from error
    if not isinstance(record, dict) or "schema" not in record:
        raise ValueError("not a trace: expected a JSON object with the field schema")
    if record["schema"] != SCHEMA:
        raise ValueError(f"this trace has schema {record['schema']}; this version reads schema {SCHEMA}")
    try:
        source = _words(record, "source")
        n = len(source)
        unknown = tuple(_whole(place, "unknown", n) for place in _typed(record, "unknown", list))
        if _words(record, "target") != tuple(_typed(step, "token", str) for step in _typed(record, "steps", list)):
            raise ValueError("target must equal the tokens of the steps")
        memory = record.get("memory", {"states": [[]] * n, "keys": [[]] * n})
        words = [_parse_word(step, t, n, memory.get("values")) for t, step in enumerate(record["steps"])]
        return Trace(
            model=_typed(record, "model", str),
            settings=_settings(_typed(record, "settings", dict)),
            source=source,
            unknown=unknown,
            memory=Memory(
                states=_rows(memory["states"], "memory.states", n),
                keys=_rows(memory["keys"], "memory.keys", n),
                src_mask=torch.ones(n, dtype=torch.bool),
                looks=tuple(_parse_own(look, look.get("values"), n, n) for look in record.get("encoder", [])),
            ),
            words=tuple(_with_own_values(words, record["steps"])),
        )
    except RecursionError:
        raise ValueError(f"not a trace of schema {SCHEMA}: a field is nested too deeply") from None
    except (LookupError, TypeError, ValueError, AttributeError, RuntimeError, OverflowError) as error:
        raise ValueError(f"not a trace of schema {SCHEMA}: missing or invalid field ({error})") from error


_NUMBER_OR_NULL = ("a number or null", lambda value: value is None or _is_real(value))
_TEXT_OR_NULL = ("a string or null", lambda value: value is None or isinstance(value, str))
_COUNT = ("a whole number", lambda value: type(value) is int and 0 <= value <= 10**9)
_LIST = ("a list or null", lambda value: value is None or isinstance(value, list))
_OBJECT = ("a JSON object", lambda value: isinstance(value, dict))
_WINDOW: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "window": _TEXT_OR_NULL,
    "half_width": _NUMBER_OR_NULL,
    "sigma": _NUMBER_OR_NULL,
}
# The settings that a figure or a page uses, with what they must be.
_SETTINGS: dict[str, tuple[str, Callable[[Any], bool]]] = _WINDOW | {
    **dict.fromkeys(("text", "score", "order", "encoder", "attention_type", "trained_attention_type"), _TEXT_OR_NULL),
    **dict.fromkeys(("search", "normalise", "gaussian", "center", "local_m"), _TEXT_OR_NULL),
    **dict.fromkeys(("heads", "beam"), _COUNT),
    **dict.fromkeys(("edits", "ensemble"), _LIST),
    "keep_states": ("true or false", lambda value: isinstance(value, bool)),
    "alpha": _NUMBER_OR_NULL,
    "trained_window": _OBJECT,
    "centers": ("a JSON object or null", lambda value: value is None or isinstance(value, dict)),
}


def _settings(settings: dict[str, Any]) -> dict[str, Any]:
    """`settings` themselves. Raises ValueError, naming the setting, for a value that cannot be shown."""
    _check_settings(settings, _SETTINGS, "settings")
    if "trained_window" in settings:
        for part, name in ((settings, "settings"), (settings["trained_window"], "settings.trained_window")):
            local = part.keys() & (_WINDOW.keys() - {"window"})  # a window without D has no Gaussian either
            if missing := [key for key in (_WINDOW if local else ("window",)) if key not in part]:
                raise ValueError(f"{name}.{missing[0]} is missing")
        live = dict.fromkeys(settings["trained_window"].keys() - {"window"}, _NUMBER_OR_NULL)
        _check_settings(settings["trained_window"], _WINDOW | live, "settings.trained_window")
        _check_settings(settings, live, "settings")
    if settings.get("search") == "beam" and "beam" not in settings:
        raise ValueError("settings.beam is missing")
    try:
        json.dumps(settings, ensure_ascii=False, allow_nan=False).encode()
    except ValueError as error:
        raise ValueError(f"settings cannot be written: {error}") from error
    return settings


def _check_settings(settings: dict[str, Any], fields: dict[str, tuple[str, Callable[[Any], bool]]], name: str) -> None:
    for field, (wanted, fits) in fields.items():
        if field in settings and not fits(settings[field]):
            raise ValueError(f"{name}.{field} must be {wanted}, not {settings[field]!r:.60}")


def _vector(values: Any, name: str, *shape: int) -> Float[Tensor, "*shape"]:
    vector = torch.tensor(values, dtype=torch.float32)
    if vector.shape != shape:
        wanted = " x ".join(map(str, shape))
        raise ValueError(f"{name} must hold {wanted} numbers, one for each word attended to, not {list(vector.shape)}")
    return _finite(vector, name)


def _finite(numbers: Float[Tensor, "*shape"], name: str) -> Float[Tensor, "*shape"]:
    if not numbers.isfinite().all():
        raise ValueError(f"{name} must hold finite numbers only")
    return numbers


def _typed(record: Any, name: str, kind: type) -> Any:
    """The field `name` of a JSON object. Raises ValueError unless it is of type `kind`."""
    if not isinstance(record, dict) or name not in record:
        raise ValueError(f"{name} is missing")
    if not isinstance(record[name], kind):
        raise ValueError(f"{name} must be a {_KINDS[kind]}, not {record[name]!r:.60}")
    return _text(record[name], name) if kind is str else record[name]


def _text(value: str, name: str) -> str:
    """`value` itself. Raises ValueError for half of a surrogate pair, which no file can contain."""
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise ValueError(f"{name} must be text in Unicode, not {value!r:.60}") from error
    return value


_KINDS: dict[type, str] = {str: "string", dict: "JSON object", list: "list"}


def _words(record: dict, name: str) -> tuple[str, ...]:
    words = _typed(record, name, list)
    if not all(isinstance(word, str) for word in words):
        raise ValueError(f"{name} must be a list of words")
    return tuple(_text(word, name) for word in words)


def _whole(value: Any, name: str, below: float = math.inf) -> int:
    """`value` itself. Raises ValueError unless it is an int, at least 0 and less than `below`."""
    if type(value) is not int or not 0 <= value < below:
        most = "up" if below == math.inf else f"to {below - 1}"
        raise ValueError(f"{name} must hold integers from 0 {most}, not {value!r:.60}")
    return value


def _real(value: Any, name: str) -> float:
    if not _is_real(value):
        raise ValueError(f"{name} must be a number, not {value!r:.60}")
    return value


def _is_real(value: Any) -> bool:
    return type(value) in (int, float) and abs(value) <= sys.float_info.max


def _with_own_values(words: list[Word], steps: list[dict]) -> list[Word]:
    """`words` with the values of all positions so far in their self-attention, if the file has them."""
    if not all("value" in look for step in steps for look in step.get("own", [])):
        return words
    found = []
    for t, word in enumerate(words):
        values = [[step["own"][i]["value"] for step in steps[: t + 1]] for i in range(len(word.step.own))]
        own = tuple(
            replace(look, values=_rows(rows, "value", t + 1)) for look, rows in zip(word.step.own, values, strict=True)
        )
        found.append(replace(word, step=replace(word.step, own=own)))
    return found


def _parse_word(record: dict, t: int, n: int, values: list | None) -> Word:
    if type(record["t"]) is not int or record["t"] != t:
        raise ValueError(f"the steps must have t = 0, 1, 2 ...; step {t} has t = {record['t']!r:.60}")
    shared = _parse_focus(record, n)
    looks, own = _typed(record, "looks", list), record.get("own", [])
    if values is not None and len(values) != len(looks):
        raise ValueError(f"memory.values must have a matrix for each of the {len(looks)} looks, not {len(values)}")
    focuses = []
    for look in looks:
        inside, center = _parse_focus(look, n) if "window" in look else shared
        focuses.append(Focus(inside, _vector(look["gaussian"], "gaussian", n), center))
    step = Step(
        looks=tuple(
            _parse_look(look, focus, look["alignment"], rows, n)
            for look, focus, rows in zip(looks, focuses, values or [None] * len(looks), strict=True)
        ),
        own=tuple(_parse_own(look, None, t + 1) for look in own),
        hidden=_rows(record.get("hidden"), "hidden"),
        attentional=_rows(record.get("attentional"), "attentional"),
    )
    top = tuple((token, _real(log_prob, "top")) for token, log_prob in _typed(record, "top", list))
    if not all(isinstance(token, str) for token, _ in top):
        raise ValueError("top must be a list of [word, log probability]")
    for token, _ in top:
        _text(token, "top")
    return Word(t, record["token"], _real(record["log_prob"], "log_prob"), top, step)


def _parse_focus(record: dict, n: int) -> tuple[Bool[Tensor, "src"], Float[Tensor, ""] | None]:
    """The positions in view, and p_t if there is one."""
    inside = torch.zeros(n, dtype=torch.bool)
    if record["window"] is not None:
        lo, hi = (_whole(place, "window", n) for place in _typed(record, "window", list))
        if lo > hi:
            raise ValueError(f"window must be [first, last], not {[lo, hi]}")
        inside[lo : hi + 1] = True
        inside[[_whole(place, "excluded", n) for place in record.get("excluded", [])]] = False
    place = record["center"]
    return inside, None if place is None else torch.tensor(_real(place, "center"), dtype=torch.float32)


def _parse_own(record: dict, values: list | None, *shape: int) -> Look:
    """A look without a window; its alignment weights are its attention weights."""
    everywhere = torch.ones(shape, dtype=torch.bool)
    return _parse_look(record, Focus(everywhere, everywhere.float(), None), record["weights"], values, *shape)


def _parse_look(record: dict, focus: Focus, alignment: Any, values: list | None, *shape: int) -> Look:
    query, context = (_rows(record.get(name), name, *shape[:-1]) for name in ("query", "context"))
    return Look(
        query=query,
        scores=_vector(record["scores"], "scores", *shape),
        focus=focus,
        alignment=_vector(alignment, "alignment", *shape),
        weights=_vector(record["weights"], "weights", *shape),
        context=context,
        layer=_whole(record["layer"], "layer"),
        head=_whole(record["head"], "head"),
        values=None if values is None else _rows(values, "values", shape[-1]).expand(*shape, -1),
    )


def _rows(values: Any, name: str, *shape: int) -> Float[Tensor, "*shape n"]:
    """The vectors of a `*shape n` tensor; empty vectors if `values` is None or has no numbers."""
    rows = torch.tensor([] if values is None else values, dtype=torch.float32)
    if not rows.numel():
        return torch.zeros(*shape, 0)
    if rows.dim() != len(shape) + 1 or rows.shape[:-1] != shape:
        places = " x ".join(map(str, shape))
        wanted = f"vectors at {places} places" if shape else "one vector"
        raise ValueError(f"{name} must hold {wanted}, not numbers of shape {list(rows.shape)}")
    return _finite(rows, name)
