"""Numbers set by hand in the page are used as torch uses them: the rest of the sentence is decoded with them."""

import json
from itertools import zip_longest

import pytest
import torch
from torch import Tensor

from attn_core import translate
from attn_core.models.translator import Translator
from attn_core.trace import dump
from tests.helpers.edited import search_with_edits, unchanged, with_row
from tests.helpers.engine import files_of
from tests.helpers.support import BAHDANAU, LUONG, TRANSFORMER, tiny

TEXT = "A b c, d e a z!"
MODELS = {
    "attend-then-update": BAHDANAU,
    "printed": BAHDANAU | {"update": "printed"},
    "update-then-attend": LUONG,
    "local-p": LUONG | {"window": "local-p"},
    "hard": LUONG | {"type": "hard-argmax"},
    "heads": LUONG | {"heads": 2, "head_size": 3},
    "transformer": TRANSFORMER,
}


def check(trace: dict, wanted: list[dict]) -> None:
    for step, other in zip_longest(trace["steps"], wanted):
        assert step["token"] == other["token"], step["t"]
        assert step["log_prob"] == pytest.approx(other["log_prob"], abs=1e-4)
        weights = [look["weights"] for look in step["looks"]]
        torch.testing.assert_close(torch.tensor(weights).float(), torch.tensor(other["weights"]), atol=1e-4, rtol=0)


def translated(probe, settings: dict, **request) -> tuple[Translator, dict, dict]:
    """A model, its files, and its translation without edits."""
    model = tiny(dtype=torch.float32, **settings)
    files = files_of(model)
    (plain,) = probe("traces", {"files": files, "requests": [{"text": TEXT} | request]})
    return model, files, plain


def as_checked(step: dict) -> dict:
    """A step of a trace as `check` takes it."""
    return step | {"weights": [look["weights"] for look in step["looks"]]}


def answers(probe, files: dict, *edits: list[dict], **request) -> list[dict]:
    requests = [{"text": TEXT, "edits": one} | request for one in edits]
    return probe("answers", {"files": files, "requests": requests})


@pytest.mark.quick(1)
@pytest.mark.parametrize("name", MODELS)
def test_the_rest_of_the_sentence_is_decoded_with_what_is_set(probe, name):
    model, files, plain = translated(probe, MODELS[name])
    n, steps, heads = len(plain["source"]), len(plain["steps"]), len(plain["steps"][0]["looks"])
    alone = search_with_edits(model, TEXT, unchanged, {}, steps)
    check(plain, alone)
    last = heads - 1
    place = plain["steps"][0]["looks"][-1]
    chosen = {name: None if heads == 1 else place[name] for name in ("layer", "head")}
    row = [round((s + 1) / 50, 4) for s in range(n)][::-1]
    contexts = [one["contexts"][last] for one in alone]
    origin = next(t for t in reversed(range(steps)) if not torch.equal(contexts[t], contexts[1]))
    other = next(token for token, _ in plain["steps"][2]["top"] if token not in (plain["target"][2], "</s>"))
    edits = {
        "weights": {"kind": "weights", "step": 1, **chosen, "weights": row},
        "context": {"kind": "context", "step": 1, **chosen, "from": origin},
        "word": {"kind": "word", "step": 2, "word": other},
    }

    def foreign(now: int, one: int, weights: Tensor, states: Tensor) -> tuple[Tensor, Tensor]:
        return weights, contexts[origin] if now == 1 and one == last else weights @ states

    at = {"weights": with_row(1, last, row), "context": foreign, "word": unchanged}
    if heads > 1:
        edits["off"] = {"kind": "off", **chosen}
        at["off"] = lambda _t, one, weights, states: (weights, (weights @ states) * (one != last))
        edits["all"] = {"kind": "weights", "step": 1, "layer": None, "head": None, "weights": row}
        at["all"] = with_row(1, None, row)
    for kind, answer in zip(edits, answers(probe, files, *([edit] for edit in edits.values())), strict=True):
        assert answer["unfit"] == []
        assert answer["unedited"] == plain
        assert answer["trace"]["settings"]["edits"] == [edits[kind]]
        words = {2: other} if kind == "word" else {}
        check(answer["trace"], search_with_edits(model, TEXT, at[kind], words, len(answer["trace"]["steps"])))
        in_python = json.loads(dump(translate(model, TEXT, edits=[edits[kind]])))
        check(answer["trace"], [as_checked(step) for step in in_python["steps"]])
        assert in_python["settings"]["edits"] == [edits[kind]]
        assert answer["trace"]["steps"] != plain["steps"], kind


@pytest.mark.slow
def test_an_edit_of_one_word_at_every_step_is_the_translation_of_that_word(probe):
    """All weight on one position: the context is its state, whatever the query (hard attention on it, by hand)."""
    _, files, plain = translated(probe, LUONG)
    n = len(plain["source"])
    row = [float(s == 2) for s in range(n)]
    edits = [{"kind": "weights", "step": t, "layer": None, "head": None, "weights": row} for t in range(3 * n + 10)]
    (answer,) = answers(probe, files, edits)
    assert all(step["looks"][0]["weights"] == row for step in answer["trace"]["steps"])


@pytest.mark.slow
def test_every_hypothesis_of_a_beam_gets_the_edits(probe):
    model, files, plain = translated(probe, LUONG | {"std": 0.3}, beam=3)
    n = len(plain["source"])
    row = [0.5, *[0.5 / (n - 1)] * (n - 1)]
    word = plain["steps"][1]["top"][-1][0]
    edits = [
        {"kind": "weights", "step": 0, "layer": None, "head": None, "weights": row},
        {"kind": "word", "step": 1, "word": word},
    ]
    (answer,) = answers(probe, files, edits, beam=3)
    in_python = json.loads(dump(translate(model, TEXT, beam=3, edits=edits)))
    check(answer["trace"], [as_checked(step) for step in in_python["steps"]])
    first, second, *_ = answer["tree"]["steps"]
    assert len(first["nodes"]) > 1
    for node in first["nodes"]:
        assert node["weights"] == pytest.approx(row, abs=1e-6)
    assert {node["token"] for node in second["nodes"]} == {word}
    assert answer["trace"]["target"][1] == word


def test_what_does_not_fit_is_left_out_and_said(probe):
    _, files, plain = translated(probe, LUONG)
    n = len(plain["source"])
    unfit = {
        "length": {"kind": "weights", "step": 0, "layer": None, "head": None, "weights": [1.0] * (n + 1)},
        "head": {"kind": "off", "layer": 0, "head": 1},
        "step": {"kind": "context", "step": 0, "layer": None, "head": None, "from": len(plain["steps"])},
        "word": {"kind": "word", "step": 0, "word": "zebra"},
    }
    late = {"kind": "word", "step": 500, "word": "n"}  # a step that is not reached changes nothing
    alone, with_late = answers(probe, files, [*unfit.values()], [*unfit.values(), late])
    for answer in (alone, with_late):
        assert {one["why"]: one["edit"] for one in answer["unfit"]} == unfit
        assert answer["trace"]["steps"] == plain["steps"]
    assert alone["unedited"] is None
    assert "edits" not in alone["trace"]["settings"]
    assert with_late["trace"]["settings"]["edits"] == [late]


@pytest.mark.parametrize("name", ["local-p", "transformer"])
def test_a_number_that_was_set_says_so_and_the_others_follow_from_it(probe, name):
    _, files, plain = translated(probe, MODELS[name])
    n = len(plain["source"])
    row = [round(1 / n, 4)] * n
    edit = {"kind": "weights", "step": 1, "layer": 0, "head": 0, "weights": row}
    starts = [
        {"step": t, "output": f"looks.0.{what}", "place": 0} for t in (0, 1, 2) for what in ("weights", "context")
    ]
    request = {"text": TEXT, "edits": [edit]}
    given = {"files": files, "request": request, "asked": starts, "most": len(starts), "seed": 0}
    found = {json.dumps(one["asked"]): one["origin"] for one in probe("origins", given)["found"]}
    kinds = {key: origin["kind"] for key, origin in found.items()}
    assert [kinds[json.dumps(start)] == "edited" for start in starts] == [False, False, True, False, False, False]
    set_by_hand = found[json.dumps(starts[2])]["number"]
    assert (set_by_hand["value"], set_by_hand["edit"]) == (pytest.approx(row[0]), edit)
    context = found[json.dumps(starts[3])]
    assert context["left"]["values"] == pytest.approx(row)
    assert all(part["leaves"][0]["edit"] == edit for part in context["largest"])
    total = sum(a * b for a, b in zip(context["left"]["values"], context["right"]["values"], strict=True))
    assert context["number"]["value"] == pytest.approx(total, abs=1e-5)
