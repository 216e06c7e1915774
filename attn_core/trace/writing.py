"""Write a trace as JSON."""

import json
from typing import Any

from attn_core.trace.records import Focus, Look, Tensor, Trace, Word

SCHEMA = 2  # of the JSON form


def dump(trace: Trace, vectors: bool = False) -> str:
    """`trace` as one line of JSON (schema 2). Numbers are float32 and survive the round trip."""
    record: dict[str, Any] = {
        "schema": SCHEMA,
        "model": trace.model,
        "settings": trace.settings,
        "source": list(trace.source),
        "unknown": list(trace.unknown),
        "target": list(trace.target),
        "steps": [_dump_word(word, vectors) for word in trace.words],
    }
    if trace.memory.looks:
        record["encoder"] = [_dump_look(look, _ESSENTIAL, vectors) for look in trace.memory.looks]
    if vectors:
        record["memory"] = {"states": _numbers(trace.memory.states), "keys": _numbers(trace.memory.keys)}
        looks = trace.words[0].step.looks if trace.words else ()
        if any(look.values is not None for look in looks):  # they are the same at every step
            record["memory"]["values"] = [None if look.values is None else _numbers(look.values) for look in looks]
        for written, look in zip(record.get("encoder", []), trace.memory.looks, strict=True):
            if look.values is not None:
                written["values"] = _numbers(look.values[0])  # the same for each query
    return json.dumps(record, ensure_ascii=False, allow_nan=False)


def _numbers(values: Tensor) -> list:
    """Nested lists of decimals with nine significant digits, enough to restore the same float32."""
    return json.loads(json.dumps(values.tolist()), parse_float=lambda digits: float(f"{float(digits):.9g}"))


def _dump_word(word: Word, vectors: bool) -> dict:
    step = word.step
    shared = _dump_focus(step.looks[0].focus if step.looks else None)
    record: dict[str, Any] = {
        "t": word.t,
        "token": word.token,
        "log_prob": _number(word.log_prob),
        "top": [[token, _number(log_prob)] for token, log_prob in word.top],
        **shared,
        "looks": [
            _dump_look(look, ("scores", "alignment", "weights"), vectors)
            | {"gaussian": _numbers(look.focus.gaussian)}
            | ({} if (own := _dump_focus(look.focus)) == shared else own)
            for look in step.looks
        ],
    }
    if step.own:
        record["own"] = [_dump_look(look, _ESSENTIAL, vectors) for look in step.own]
    if vectors:
        record |= {"hidden": _numbers(step.hidden), "attentional": _numbers(step.attentional)}
        for written, look in zip(record.get("own", []), step.own, strict=True):
            if look.values is not None:
                written["value"] = _numbers(look.values[-1])  # earlier steps have those of the earlier positions
    return record


def _dump_focus(focus: Focus | None) -> dict[str, Any]:
    """p_t and the positions in view."""
    seen = focus.inside.nonzero().flatten().tolist() if focus else []
    center = focus.center if focus else None
    found = {
        "center": None if center is None else _number(center.item()),
        "window": [seen[0], seen[-1]] if seen else None,
    }
    excluded = sorted({*range(seen[0], seen[-1])} - {*seen}) if seen else []
    return found | ({"excluded": excluded} if excluded else {})


_ESSENTIAL = ("scores", "weights")  # fields of a look without a window


def _dump_look(look: Look, names: tuple[str, ...], vectors: bool) -> dict:
    names += ("query", "context") if vectors else ()
    return {"layer": look.layer, "head": look.head} | {name: _numbers(getattr(look, name)) for name in names}


def _number(value: float) -> float:
    return float(f"{value:.9g}")
