"""The record: JSON round trips, all documented fields, and one clear error for other JSON."""

import json
import math
import random
import subprocess
import sys
from dataclasses import fields, replace
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from attn_core.browser import html
from attn_core.trace import Focus, Look, Memory, Record, Step, Trace, Word, dump, summary
from attn_core.trace.reading import parse
from attn_core.trace.tensors import cat, wide
from tests.helpers.serving import ROOT

numbers = st.floats(width=32, allow_nan=False, allow_infinity=False)
EXTREMES = (0.0, -0.0, 1e-45, -1e-40, 3.4e38, 16777217.0, 1 / 3)


@st.composite
def traces(draw):
    """Any trace that a model could produce: contiguous or empty windows; one look per layer, or none."""
    n, query, mem, hidden = (draw(st.integers(1, 5)) for _ in range(4))
    dice = random.Random(draw(st.integers(0, 2**32)))

    def numbers_of(*shape):
        """Numbers of all magnitudes from one seed; hypothesis would need minutes to draw them one by one."""
        values = [
            dice.choice((dice.gauss(0, 1), 10 ** dice.uniform(-40, 38), *EXTREMES)) for _ in range(math.prod(shape))
        ]
        return torch.tensor(values, dtype=torch.float32).reshape(shape)

    attends = draw(st.booleans())
    words = []
    for t in range(draw(st.integers(0, 3))):
        inside = torch.zeros(n, dtype=torch.bool)
        lo = draw(st.integers(0, n - 1))
        inside[lo : draw(st.integers(lo, n))] = True
        focus = Focus(inside, numbers_of(n), numbers_of() if draw(st.booleans()) else None)
        look = Look(numbers_of(query), numbers_of(n), focus, numbers_of(n), numbers_of(n), numbers_of(mem))
        step = Step((look,) if attends else (), numbers_of(hidden), numbers_of(2))
        top = tuple((draw(st.text()), numbers_of().item()) for _ in range(draw(st.integers(0, 3))))
        words.append(Word(t, draw(st.text()), draw(numbers), top, step))
    return Trace(
        model=draw(st.text()),
        settings=draw(st.dictionaries(st.text(), st.none() | st.booleans() | st.integers() | st.text() | numbers)),
        source=tuple(draw(st.lists(st.text(), min_size=n, max_size=n))),
        unknown=tuple(draw(st.lists(st.integers(0, n - 1), unique=True))),
        memory=Memory(numbers_of(n, mem), numbers_of(n, query), torch.ones(n, dtype=torch.bool)),
        words=tuple(words),
    )


def equal(one, other):
    """Deep equality, bit for bit as float32."""
    if isinstance(one, torch.Tensor):
        return isinstance(other, torch.Tensor) and one.dtype == other.dtype and torch.equal(one, other)
    if isinstance(one, float):
        return isinstance(other, float) and torch.equal(torch.tensor(one), torch.tensor(other))
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(equal, one, other))
    if isinstance(one, Trace | Word | Record):
        return type(one) is type(other) and all(
            equal(getattr(one, f.name), getattr(other, f.name)) for f in fields(one)
        )
    return type(one) is type(other) and one == other


def without_vectors(trace):
    """The trace without queries, contexts, states and memory."""
    n, nothing = len(trace.source), torch.zeros(0)
    words = []
    for word in trace.words:
        kept = tuple(Look(nothing, x.scores, x.focus, x.alignment, x.weights, nothing) for x in word.step.looks)
        words.append(Word(word.t, word.token, word.log_prob, word.top, Step(kept, nothing, nothing)))
    memory = Memory(torch.zeros(n, 0), torch.zeros(n, 0), trace.memory.src_mask)
    return Trace(trace.model, trace.settings, trace.source, trace.unknown, memory, tuple(words))


@settings(max_examples=50)
@given(traces())
def test_a_trace_comes_back_as_it_was(trace):
    text = dump(trace, vectors=True)
    assert "\n" not in text
    assert equal(parse(text), trace)
    assert dump(parse(text), vectors=True) == text


@settings(max_examples=50)
@given(traces())
def test_without_vectors_all_else_comes_back(trace):
    found = parse(dump(trace))
    assert equal(found, without_vectors(trace))
    assert equal(parse(dump(found, vectors=True)), found)


def by_hand():
    """Three source words, two target words, D = 0 local-m, of a layer's only head."""
    steps = []
    for t in range(2):
        unit = torch.eye(3)[t]
        focus = Focus(unit.bool(), unit, torch.tensor(float(t)))
        look = Look(torch.zeros(5), torch.tensor([0.5, -0.25, 3.0]), focus, unit, unit / 2, torch.zeros(7))
        top = (("ein", -0.5), ("der", -1.25))
        steps.append(Word(t, ("ein", "</s>")[t], -0.5, top, Step((look,), torch.zeros(5), torch.zeros(2))))
    memory = Memory(torch.zeros(3, 7), torch.zeros(3, 5), torch.ones(3, dtype=torch.bool))
    return Trace("m", {"window": "local-m"}, ("a", "b", "c"), (1,), memory, tuple(steps))


def test_the_schema_by_hand():
    record = json.loads(dump(by_hand()))
    look = {"layer": 0, "head": 0, "scores": [0.5, -0.25, 3], "alignment": [0, 1, 0], "weights": [0, 0.5, 0]}
    step = {
        "t": 1,
        "token": "</s>",
        "log_prob": -0.5,
        "top": [["ein", -0.5], ["der", -1.25]],
        "center": 1,
        "window": [1, 1],
        "looks": [look | {"gaussian": [0, 1, 0]}],
    }
    assert record["steps"][1] == step
    steps = record.pop("steps")
    assert len(steps) == 2
    assert record == {
        "schema": 2,
        "model": "m",
        "settings": {"window": "local-m"},
        "source": ["a", "b", "c"],
        "unknown": [1],
        "target": ["ein", "</s>"],
    }


def test_vectors_add_the_documented_entries():
    plain, full = json.loads(dump(by_hand())), json.loads(dump(by_hand(), vectors=True))
    assert full.keys() - plain.keys() == {"memory"}
    assert full["memory"] == {"states": [[0] * 7] * 3, "keys": [[0] * 5] * 3}
    assert full["steps"][0].keys() - plain["steps"][0].keys() == {"hidden", "attentional"}
    assert full["steps"][0]["looks"][0].keys() - plain["steps"][0]["looks"][0].keys() == {"query", "context"}


def test_numbers_are_written_short():
    """One third in float32 is 0.3333333432674408; nine digits restore it and make a smaller file."""
    trace = by_hand()
    trace.words[0].step.looks[0].scores[0] = 1 / 3
    assert '"scores": [0.333333343, -0.25, 3.0]' in dump(trace)


def test_the_summary_of_a_trace():
    trace = by_hand()
    assert trace.target == ("ein", "</s>")
    assert trace.log_prob == -1.0
    assert trace.weights().tolist() == [[0.5, 0, 0], [0, 0.5, 0]]
    edits = {"edits": [{"kind": "off", "layer": 0, "head": 0}]}
    assert summary("m", {"search": "greedy"} | edits) == "m · greedy · edits by hand: 1"
    kept = {"keep_states": True}
    assert summary("m", {"search": "greedy"} | kept) == "m · greedy · words and states of the trained model"
    blind = Trace("m", {}, ("a", "b"), (), trace.memory, ())
    assert blind.weights().shape == (0, 2)
    with pytest.raises(IndexError):
        trace.weights(1)  # there is one head


def test_map_and_cat_reach_every_tensor():
    step = by_hand().words[0].step

    def later(x):
        return x.unsqueeze(0) if x.dtype == torch.bool else x.double().unsqueeze(0) + 10

    rows = [
        step.map(lambda x: x.unsqueeze(0)),
        step.map(later).map(lambda x: x if x.dtype == torch.bool else x.float()),
    ]
    both = cat(rows, 0)
    (look,) = both.looks
    assert look.focus.center.tolist() == [0, 10]
    assert look.scores.tolist() == [[0.5, -0.25, 3], [10.5, 9.75, 13]]
    assert look.focus.inside.tolist() == [[True, False, False]] * 2
    assert look.context[:, 0].tolist() == both.attentional[:, 0].tolist() == [0, 10]


def test_a_record_checks_shapes_and_dtypes():
    """The record does not import torch; its annotations are checked in tests only."""
    inside, gaussian = torch.ones(2, 3, dtype=torch.bool), torch.ones(2, 3)
    Focus(inside, gaussian, torch.zeros(2))
    for wrong in (
        (inside, gaussian[:, :2], None),  # a different number of positions
        (inside, gaussian, torch.zeros(3)),  # a different batch size
        (gaussian, gaussian, None),  # not booleans
        (inside, inside, None),  # not numbers
        (inside, [[1.0] * 3] * 2, None),  # not a tensor
    ):
        with pytest.raises(TypeError, match="Focus"):
            Focus(*wrong)


def test_the_record_is_there_without_torch():
    code = "import sys, attn_core.trace; from attn_core import Trace, dump; assert 'torch' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)


def test_an_absent_centre_stays_absent():
    focus = Focus(torch.ones(1, 3, dtype=torch.bool), torch.ones(1, 3), None)
    assert cat([focus, focus], 0).center is None
    assert focus.map(torch.clone).center is None


def test_wide_is_float32_at_least():
    kinds = (torch.float16, torch.bfloat16, torch.float32, torch.float64)
    assert [wide(torch.ones(1, dtype=kind)).dtype for kind in kinds] == [torch.float32] * 3 + [torch.float64]


def changed(path, value):
    """The dump by hand with one thing replaced, or left out where the value is `...`."""
    record = json.loads(dump(by_hand(), vectors=True))
    *way, last = path
    place = record
    for key in way:
        place = place[key]
    if value is ...:
        del place[last]
    else:
        place[last] = value
    return json.dumps(record)


LOOK = ("steps", 0, "looks", 0)
FOREIGN = {
    "text": ("once upon a time", "not a trace: Expecting value"),
    "nothing": ("", "not a trace: Expecting value"),
    "half": (dump(by_hand())[:100], "not a trace"),
    "list": ("[]", "expected a JSON object with the field schema"),
    "number": ("1", "expected a JSON object with the field schema"),
    "other": ('{"a": 1}', "expected a JSON object with the field schema"),
    "deep": ("[" * 100_000, "not a trace"),
    "newer": (changed(("schema",), 3), "this trace has schema 3; this version reads schema 2"),
    **{f"no-{k}": (changed((k,), ...), k) for k in ("model", "settings", "source", "unknown", "steps")},
    **{
        f"no-{k}": (changed(("steps", 0, k), ...), k)
        for k in ("t", "token", "log_prob", "top", "center", "window", "looks")
    },
    **{f"no-{k}": (changed((*LOOK, k), ...), k) for k in ("scores", "alignment", "gaussian", "weights")},
    "short-weights": (changed((*LOOK, "weights"), [0.5]), "weights must hold 3 numbers, one for each word attended"),
    "deep-weights": (changed((*LOOK, "weights"), [[0.5], [0.5], [0]]), "weights must hold 3 numbers"),
    "word-weights": (changed((*LOOK, "weights"), ["a", "b", "c"]), "not a trace of schema 2"),
    "nan-weights": (changed((*LOOK, "weights"), [0, float("nan"), 0]), "weights must hold finite numbers only"),
    "half-window": (changed(("steps", 0, "window"), [1]), "not a trace of schema 2"),
    "word-center": (changed(("steps", 0, "center"), "left"), "not a trace of schema 2"),
    "list-look": (changed(("steps", 0, "looks"), [[]]), "not a trace of schema 2"),
    "flat-memory": (changed(("memory",), {"states": [1, 2], "keys": [1, 2, 3]}), "not a trace of schema 2"),
    "number-source": (changed(("source",), 3), "source must be a list"),
    "text-source": (changed(("source",), "abc"), "source must be a list, not 'abc'"),
    "mixed-source": (changed(("source",), ["a", 2, "c"]), "source must be a list of words"),
    "list-settings": (changed(("settings",), []), r"settings must be a JSON object, not \[\]"),
    "text-settings": (changed(("settings",), "global"), "settings must be a JSON object"),
    "number-model": (changed(("model",), 1), "model must be a string"),
    "object-steps": (changed(("steps",), {"t": 0}), "steps must be a list"),
    "list-step": (changed(("steps", 0), []), "token is missing"),
    "other-target": (changed(("target",), ["ein", "der"]), "target must equal the tokens of the steps"),
    "far-unknown": (changed(("unknown",), [3]), "unknown must hold integers from 0 to 2, not 3"),
    "wide-window": (changed(("steps", 0, "window"), [-5, 99]), "window must hold integers from 0 to 2, not -5"),
    "long-window": (changed(("steps", 0, "window"), [0, 3]), "window must hold integers from 0 to 2, not 3"),
    "turned-window": (changed(("steps", 0, "window"), [2, 1]), r"window must be \[first, last\], not \[2, 1\]"),
    "real-window": (changed(("steps", 0, "window"), [0, 1.5]), "window must hold integers from 0 to 2, not 1.5"),
    "true-window": (changed(("steps", 0, "window"), [False, True]), "window must hold integers"),
    "far-excluded": (changed(("steps", 0, "excluded"), [3]), "excluded must hold integers from 0 to 2, not 3"),
    "number-excluded": (changed(("steps", 0, "excluded"), 1), "not a trace of schema 2"),
    "list-center": (changed(("steps", 0, "center"), [1]), "center must be a number"),
    "number-token": (changed(("steps", 0, "token"), 5), "token must be a string"),
    "text-log-prob": (changed(("steps", 0, "log_prob"), "-1"), "log_prob must be a number"),
    "nan-log-prob": (changed(("steps", 0, "log_prob"), float("nan")), "log_prob must be a number"),
    "text-top": (changed(("steps", 0, "top"), ["ab"]), "top must be a number"),
    "number-top": (changed(("steps", 0, "top"), [[1, -1.0]]), "top must be a list of"),
    "older": (changed(("schema",), 1), "this trace has schema 1; this version reads schema 2"),
    "huge-log-prob": (changed(("steps", 0, "log_prob"), 10**400), "not a trace of schema 2"),
    "huge-weight": (changed((*LOOK, "weights"), [10**400, 0, 0]), "not a trace of schema 2"),
    "nan-context": (changed((*LOOK, "context"), [float("nan")] * 7), "context must hold finite numbers only"),
    "deep-context": (changed((*LOOK, "context"), [[1.0, 2.0]] * 2), "context must hold one vector, not numbers of"),
    "number-hidden": (changed(("steps", 0, "hidden"), 0.5), "hidden must hold one vector, not numbers of"),
    "nan-state": (changed(("memory", "states"), [[float("nan")] * 7] * 3), "memory.states must hold finite numbers"),
    "few-states": (changed(("memory", "states"), [[1.0] * 7] * 2), "memory.states must hold vectors at 3 places, not"),
    "few-values": (
        changed(("memory",), {"states": [[]] * 3, "keys": [[]] * 3, "values": []}),
        "memory.values must have a matrix for each of the 1 looks, not 0",
    ),
    "ragged-own": (
        changed(("steps", 1, "own"), [{"layer": 0, "head": 0, "scores": [0, 0], "weights": [1, 0], "value": [1]}]),
        "not a trace of schema 2",
    ),
    "late-step": (changed(("steps", 0, "t"), 4), "the steps must have t = 0, 1, 2"),
}


@pytest.mark.parametrize("name", FOREIGN)
def test_foreign_json_gets_one_clear_error(name):
    text, message = FOREIGN[name]
    with pytest.raises(ValueError, match=message):
        parse(text)


def test_values_that_json_cannot_represent_are_not_written():
    trace = by_hand()
    trace.words[0].step.looks[0].scores[0] = float("nan")
    with pytest.raises(ValueError, match="JSON"):
        dump(trace)


DEEP: Any = []
for _ in range(900):
    DEEP = [DEEP]
WRONG = (7, -1.5, True, [], [1], {}, {"a": []}, "", "x", None, float("nan"), 10**400, "\ud800", DEEP)
SHOWN_SETTINGS = (
    *("score", "window", "half_width", "sigma", "heads", "search", "beam", "trained_window", "edits", "centers"),
    *("attention_type", "trained_attention_type", "ensemble", "order", "normalise", "alpha"),
    "keep_states",
)


WINDOW = {"window": "local-p", "half_width": 2, "sigma": 1.0}
MADE_WITH = WINDOW | {
    "score": "general",
    "heads": 1,
    "order": "update-then-attend",
    "encoder": "lstm",
    "gaussian": "after_softmax",
    "attention_type": "soft",
    "trained_attention_type": "soft",
    "trained_window": WINDOW,
    "intervention": False,
    "search": "greedy",
    "beam": 1,
}


def written_trace() -> dict[str, Any]:
    """The JSON of a trace with the settings that pages and figures use."""
    return json.loads(dump(replace(by_hand(), settings=MADE_WITH)))


@pytest.mark.parametrize("name", SHOWN_SETTINGS)
def test_a_trace_with_any_setting_is_shown_or_refused_with_the_name_of_the_field(name):
    record = written_trace()
    missing = {key: value for key, value in record["settings"].items() if key != name}
    for changed in (missing, *(record["settings"] | {name: value} for value in WRONG)):
        reason = ""
        try:
            html(json.dumps(record | {"settings": changed})).encode()
        except ValueError as error:
            reason = str(error)
        assert reason == "" or ("not a trace" in reason and ("settings" in reason or "nested too deeply" in reason))


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"search": 7}, "settings.search must be a string or null, not 7"),
        ({"search": ["beam"]}, r"settings.search must be a string or null, not \['beam'\]"),
        ({"sigma": [1]}, r"settings.sigma must be a number or null, not \[1\]"),
        ({"trained_window": {"window": "local-p", "sigma": 1}}, "settings.trained_window.half_width is missing"),
        (
            {"trained_window": {"window": "own", "left": [1]}},
            r"trained_window.left must be a number or null, not \[1\]",
        ),
        (
            {"trained_window": {"window": "own", "left": 1}, "left": "2"},
            "settings.left must be a number or null, not '2'",
        ),
        ({"trained_window": []}, r"settings.trained_window must be a JSON object, not \[\]"),
        ({"heads": "4"}, "settings.heads must be a whole number, not '4'"),
    ],
)
def test_a_setting_that_cannot_be_shown_is_named(settings, reason):
    record = written_trace()
    with pytest.raises(ValueError, match=reason):
        parse(json.dumps(record | {"settings": record["settings"] | settings}))


def test_a_missing_width_of_the_window_is_named():
    record = written_trace()
    del record["settings"]["sigma"]
    with pytest.raises(ValueError, match=r"settings\.sigma is missing"):
        html(json.dumps(record))


@pytest.mark.parametrize("field", ["model", "source", "target"])
def test_half_of_a_surrogate_pair_in_a_trace_is_refused(field):
    record = written_trace()
    record[field] = "\ud800" if field == "model" else ["\ud800", *record[field][1:]]
    if field == "target":
        record["steps"][0]["token"] = "\ud800"
    with pytest.raises(ValueError, match=f"{field} must be text in Unicode"):
        parse(json.dumps(record))
