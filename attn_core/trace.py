"""The record: what a model computed while it looked, said and stepped.

One decoded sentence is a `Trace`. Everything on screen, in a file or in a figure is read from it, and it is made
by the same lines that train and translate, so a picture cannot disagree with the model.

    Focus   where the window points
    Look    one query over one memory: scores, align, weights, context
    Step    one decoding step of a batch
    Word    one decoding step of one sentence, with the word that came out of it
    Trace   a decoded sentence: its tokens, the encoder's states, its Words

The same Look serves a batch, a batch with a time axis and a single sentence: `*b` stands for any leading axes.

On disk and on the wire a trace is one JSON object (`dump`, `parse`), schema 1:

    schema    1
    model     name of the model
    settings  what it ran with: score, window, half_width, sigma, order, ... (see `Translator.settings`)
    source    tokens read            unknown   positions of source tokens that the vocabulary lacks
    target    tokens produced, `</s>` included when the model ended the sentence itself
    steps     one object for each target token:
        t         0, 1, 2 ...
        token     the word chosen    log_prob  its log probability (natural)
        top       [[word, log probability], ...], the most probable first
        center    p_t, a real position in the source (0-based, as written), or null
        window    [lo, hi], first and last position in view, inclusive, clipped to the sentence, or null: none is
        excluded  positions between these two that are not in view (what a pointer may not choose again); if any
        looks     one object for each layer and head (an RNN has one; a Transformer's are its cross-attention):
            layer, head
            scores, align, gaussian, weights   lists over the source positions
        own       a Transformer's looks at the words said so far (the decoder's masked self-attention): one object for
                  each layer and head, with `layer`, `head`, `scores`, `weights`, lists over <s> and the words before
    encoder   a Transformer's looks at the source by itself (the encoder's self-attention): objects as in `own`, with a
              list for each source position

`own` and `encoder` are there only when the model has such looks; what they lack is as in `looks` without a window.
With `vectors=True` three more entries make the file complete: `memory` {states, keys}, in every step `hidden` and
`attentional`, in every look `query` and `context`. Without them they come back as empty tensors.
"""

import json
import math
from collections.abc import Callable
from dataclasses import Field, dataclass, fields, replace
from functools import cached_property
from typing import Any, ClassVar, Self

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

SCHEMA = 1


class Record:
    """A frozen dataclass of tensors and of records of tensors."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]  # of those that derive from it

    def map(self, change: Callable[[Tensor], Tensor]) -> Self:
        """The same record with `change` applied to every tensor in it."""
        return replace(self, **{f.name: _map(getattr(self, f.name), change) for f in fields(self)})


def _map(value: Any, change: Callable[[Tensor], Tensor]) -> Any:
    if isinstance(value, Tensor):
        return change(value)
    if isinstance(value, Record):
        return value.map(change)
    if isinstance(value, tuple):
        return tuple(_map(item, change) for item in value)
    return value


def wide(values: Tensor) -> Tensor:
    """`values` in float32 at least: what autocast made narrow is widened, float64 stays."""
    return values.to(torch.promote_types(values.dtype, torch.float32))


def cat(records: list, dim: int) -> Any:
    """Records of the same kind as one, every tensor concatenated along `dim`."""
    first = records[0]
    if len(records) == 1:
        return first
    if isinstance(first, Tensor):
        return torch.cat(records, dim)
    if isinstance(first, Record):
        return type(first)(**{f.name: cat([getattr(r, f.name) for r in records], dim) for f in fields(first)})
    if isinstance(first, tuple):
        return tuple(cat(list(items), dim) for items in zip(*records, strict=True))
    return first


@dataclass(frozen=True)
class Focus(Record):
    """Where the window points."""

    inside: Bool[Tensor, "*b src"]  # True = may be looked at: a real word, inside the window
    gaussian: Float[Tensor, "*b src"]  # ones in view unless the window favours its centre
    center: Float[Tensor, "*b"] | None  # p_t, a real position in the source; the only optional field


@dataclass(frozen=True)
class Look(Record):
    """One query over one memory (Bahdanau 2015 eq. 5-6; Luong 2015 eq. 7 and 10)."""

    query: Float[Tensor, "*b q"]
    scores: Float[Tensor, "*b src"]  # raw, for every real source position, also those outside the window
    focus: Focus
    alignment: Float[Tensor, "*b src"]  # softmax of the scores inside the window; sums to 1, less with unmasked_fixed
    # What was read: align * gaussian, which sums below 1 when the Gaussian removes mass; of a hard read 1 at one place.
    weights: Float[Tensor, "*b src"]
    context: Float[Tensor, "*b mem"]
    layer: int = 0
    head: int = 0


@dataclass(frozen=True)
class Step(Record):
    """One decoding step of a batch, or all steps of a batch when `*b` is (batch, time)."""

    looks: tuple[Look, ...]  # RNN: one, or none without attention; Transformer: cross-attention, each layer and head
    hidden: Float[Tensor, "*b hidden"]  # h_t or s_i
    attentional: Float[Tensor, "*b attentional"]  # what the output layer reads
    own: tuple[Look, ...] = ()  # Transformer: masked self-attention, the looks at <s> and the words said so far


@dataclass(frozen=True)
class Memory(Record):
    """What a decoder may look at."""

    # The values that are averaged: the encoder's annotations, or W_v of them; those of several heads side by side.
    states: Float[Tensor, "*b src mem"]
    keys: Float[Tensor, "*b src k"]  # what the query is compared with, projected once for a sentence; as `states`
    src_mask: Bool[Tensor, "*b src"]  # True = a real word
    looks: tuple[Look, ...] = ()  # Transformer: the encoder's self-attention, for each layer and head

    @cached_property
    def lengths(self) -> Int[Tensor, "*b"]:
        """S, the real words of each sentence; counted when first asked for, not again at each step."""
        return self.src_mask.sum(-1)


@dataclass(frozen=True)
class Word:
    """One decoding step of one sentence, and the word that came out of it. No batch axis."""

    t: int
    token: str
    log_prob: float
    top: tuple[tuple[str, float], ...]
    step: Step


@dataclass(frozen=True)
class Trace:
    """One decoded sentence: no batch axis, detached, in float32 on the CPU."""

    model: str
    settings: dict[str, Any]
    source: tuple[str, ...]
    unknown: tuple[int, ...]
    memory: Memory
    words: tuple[Word, ...]

    @property
    def target(self) -> tuple[str, ...]:
        return tuple(word.token for word in self.words)

    @property
    def log_prob(self) -> float:
        """log p(target | source), natural."""
        return sum(word.log_prob for word in self.words)

    def weights(self, look: int | None = None) -> Float[Tensor, "tgt src"]:
        """The alignment matrix of one look, or the mean of all looks of a step; no rows of a model that does not look.

        An RNN has one look, a Transformer one for each layer and head, in this order.
        """
        steps = [word.step.looks if look is None else word.step.looks[look:][:1] for word in self.words]
        rows = [torch.stack([one.weights for one in looks]).mean(0) for looks in steps if looks]
        return torch.stack(rows) if rows else torch.zeros(0, len(self.source))


def summary(model: str, settings: dict[str, Any]) -> str:
    """One line on how a trace came about: the model, its mechanism and search, and what it was not trained for."""
    parts = [model]
    if settings.get("score"):
        parts += [f"score {settings['score']}", str(settings["window"])]
    if settings.get("heads", 1) > 1:
        parts.append(f"{settings['heads']} {'looks' if 'ensemble' in settings else 'heads'}")
    if settings.get("attention_type", "soft") != settings.get("trained_attention_type", "soft"):
        parts.append(f"read {settings['attention_type']}, trained with {settings['trained_attention_type']}")
    elif settings.get("attention_type", "soft") != "soft":
        parts.append(f"read {settings['attention_type']}")
    if settings.get("half_width") is not None:
        parts.append(f"D = {settings['half_width']}")
    if settings.get("sigma") is not None:
        parts.append(f"σ = {settings['sigma']:g}")
    if settings.get("search"):
        parts.append(f"{settings['search']}" + (f" {settings['beam']}" if settings["search"] == "beam" else ""))
    if settings.get("intervention"):
        trained = settings["trained_window"]
        width = "" if trained["half_width"] is None else f", D = {trained['half_width']}"
        parts.append(f"an intervention: trained with window {trained['window']}{width}")
    return " · ".join(parts)


def dump(trace: Trace, vectors: bool = False) -> str:
    """`trace` as one line of JSON (schema 1). Numbers are float32 and survive the round trip."""
    record = {
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
    return json.dumps(record, ensure_ascii=False, allow_nan=False)


def parse(text: str) -> Trace:
    """The trace that `dump` wrote.

    Raises ValueError when `text` is not JSON, has another schema version, or a field is missing, of another type or
    shape, or names a position outside the source.
    """
    try:
        record = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"not a trace: {error}") from error
    if not isinstance(record, dict) or "schema" not in record:
        raise ValueError("not a trace: a JSON object with a schema was expected")
    if record["schema"] != SCHEMA:
        raise ValueError(f"this trace has schema {record['schema']}; this version reads schema {SCHEMA}")
    try:
        source = _words(record, "source")
        n = len(source)
        unknown = tuple(_whole(place, "unknown", n) for place in _typed(record, "unknown", list))
        if _words(record, "target") != tuple(_typed(step, "token", str) for step in _typed(record, "steps", list)):
            raise ValueError("target must be the tokens of the steps")
        memory = record.get("memory", {"states": [[]] * n, "keys": [[]] * n})
        return Trace(
            model=_typed(record, "model", str),
            settings=_typed(record, "settings", dict),
            source=source,
            unknown=unknown,
            memory=Memory(
                states=torch.tensor(memory["states"], dtype=torch.float32).reshape(n, -1 if n else 0),
                keys=torch.tensor(memory["keys"], dtype=torch.float32).reshape(n, -1 if n else 0),
                src_mask=torch.ones(n, dtype=torch.bool),
                looks=tuple(_parse_own(look, n, n) for look in record.get("encoder", [])),
            ),
            words=tuple(_parse_word(step, t, n) for t, step in enumerate(record["steps"])),
        )
    except (KeyError, TypeError, ValueError, AttributeError, RuntimeError) as error:
        raise ValueError(f"not a trace of schema {SCHEMA}: missing or mistyped field ({error})") from error


def _numbers(values: Tensor) -> list:
    """Nested lists of decimals rounded to nine digits, enough to give the same float32 again."""
    return json.loads(json.dumps(values.tolist()), parse_float=lambda digits: float(f"{float(digits):.9g}"))


def _dump_word(word: Word, vectors: bool) -> dict:
    step = word.step
    focus = step.looks[0].focus if step.looks else None
    seen = focus.inside.nonzero().flatten().tolist() if focus else []
    record = {
        "t": word.t,
        "token": word.token,
        "log_prob": _number(word.log_prob),
        "top": [[token, _number(log_prob)] for token, log_prob in word.top],
        "center": _number(focus.center.item()) if focus and focus.center is not None else None,
        "window": [seen[0], seen[-1]] if seen else None,
        "looks": [
            _dump_look(look, ("scores", "alignment", "weights"), vectors) | {"gaussian": _numbers(look.focus.gaussian)}
            for look in step.looks
        ],
    }
    if excluded := sorted({*range(seen[0], seen[-1])} - {*seen}) if seen else []:
        record["excluded"] = excluded
    if step.own:
        record["own"] = [_dump_look(look, _ESSENTIAL, vectors) for look in step.own]
    if vectors:
        record |= {"hidden": _numbers(step.hidden), "attentional": _numbers(step.attentional)}
    return record


_ESSENTIAL = ("scores", "weights")  # of a look without a window


def _dump_look(look: Look, names: tuple[str, ...], vectors: bool) -> dict:
    names += ("query", "context") if vectors else ()
    return {"layer": look.layer, "head": look.head} | {name: _numbers(getattr(look, name)) for name in names}


def _number(value: float) -> float:
    return float(f"{value:.9g}")


def _vector(values: Any, *shape: int) -> Float[Tensor, "*shape"]:
    vector = torch.tensor(values, dtype=torch.float32)
    if vector.shape != shape:
        wanted = " x ".join(map(str, shape))
        raise ValueError(f"{wanted} numbers expected, one for each source word, not {list(vector.shape)}")
    if not vector.isfinite().all():
        raise ValueError("a number is not finite")
    return vector


def _typed(record: Any, name: str, kind: type) -> Any:
    """The field `name` of a JSON object; ValueError unless it is of type `kind`."""
    if not isinstance(record, dict) or name not in record:
        raise ValueError(f"{name} is missing")
    if not isinstance(record[name], kind):
        raise ValueError(f"{name} must be a {_KINDS[kind]}, not {record[name]!r:.60}")
    return record[name]


_KINDS: dict[type, str] = {str: "text", dict: "JSON object", list: "list"}


def _words(record: dict, name: str) -> tuple[str, ...]:
    words = _typed(record, name, list)
    if not all(isinstance(word, str) for word in words):
        raise ValueError(f"{name} must be a list of words")
    return tuple(words)


def _whole(value: Any, name: str, below: float = math.inf) -> int:
    """A whole number from 0 up to, not including, `below`."""
    if type(value) is not int or not 0 <= value < below:
        most = "on" if below == math.inf else f"to {below - 1}"
        raise ValueError(f"{name} must hold whole numbers from 0 {most}, not {value!r:.60}")
    return value


def _real(value: Any, name: str) -> float:
    if type(value) not in (int, float) or not math.isfinite(value):
        raise ValueError(f"{name} must be a number, not {value!r:.60}")
    return value


def _parse_word(record: dict, t: int, n: int) -> Word:
    if type(record["t"]) is not int or record["t"] != t:
        raise ValueError(f"the steps must be numbered 0, 1, 2 ...; number {t} says {record['t']!r:.60}")
    inside = torch.zeros(n, dtype=torch.bool)
    if record["window"] is not None:
        lo, hi = (_whole(place, "window", n) for place in _typed(record, "window", list))
        if lo > hi:
            raise ValueError(f"window must be [first, last], not {[lo, hi]}")
        inside[lo : hi + 1] = True
        inside[[_whole(place, "excluded", n) for place in record.get("excluded", [])]] = False
    place = record["center"]
    center = None if place is None else torch.tensor(_real(place, "center"), dtype=torch.float32)
    looks = tuple(
        _parse_look(look, Focus(inside, _vector(look["gaussian"], n), center), look["alignment"], n)
        for look in _typed(record, "looks", list)
    )
    step = Step(
        looks=looks,
        own=tuple(_parse_own(look, t + 1) for look in record.get("own", [])),
        hidden=torch.tensor(record.get("hidden", []), dtype=torch.float32),
        attentional=torch.tensor(record.get("attentional", []), dtype=torch.float32),
    )
    top = tuple((token, _real(log_prob, "top")) for token, log_prob in _typed(record, "top", list))
    if not all(isinstance(token, str) for token, _ in top):
        raise ValueError("top must be a list of [word, log probability]")
    return Word(t, record["token"], _real(record["log_prob"], "log_prob"), top, step)


def _parse_own(record: dict, *shape: int) -> Look:
    """A look without a window; it aligns as it weighs."""
    everywhere = torch.ones(shape, dtype=torch.bool)
    return _parse_look(record, Focus(everywhere, everywhere.float(), None), record["weights"], *shape)


def _parse_look(record: dict, focus: Focus, alignment: Any, *shape: int) -> Look:
    query, context = (_rows(record.get(name), *shape[:-1]) for name in ("query", "context"))
    return Look(
        query=query,
        scores=_vector(record["scores"], *shape),
        focus=focus,
        alignment=_vector(alignment, *shape),
        weights=_vector(record["weights"], *shape),
        context=context,
        layer=_whole(record["layer"], "layer"),
        head=_whole(record["head"], "head"),
    )


def _rows(values: Any, *shape: int) -> Float[Tensor, "*shape n"]:
    """A vector of each of so many places; empty ones where the file has none."""
    return torch.zeros(*shape, 0) if values is None else torch.tensor(values, dtype=torch.float32)
