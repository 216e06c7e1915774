"""Every number of a translation is what the page says it was computed from."""

import math
from operator import add, eq, ge, gt, le, lt, mul, ne, sub, truediv

import pytest
import torch

from tests.browser.test_engine_models import CASES
from tests.helpers.engine import files_of
from tests.helpers.support import LUONG, tiny

TEXT = "A b c, d e a z!"
MOST = 300  # numbers that are taken apart in each model
FORMULAS = {
    "abs": abs,
    "add": add,
    "bitwise_and": lambda a, b: float(bool(a) and bool(b)),
    "bitwise_not": lambda a: float(not a),
    "clamp": lambda a, least, most=math.inf: min(max(a, least), most),
    "cos": math.cos,
    "div": truediv,
    "eq": eq,
    "exp": math.exp,
    "floor": math.floor,
    "ge": ge,
    "gt": gt,
    "le": le,
    "log": math.log,
    "lt": lt,
    "maximum": max,
    "minimum": min,
    "mul": mul,
    "ne": ne,
    "neg": lambda a: -a,
    "pow": pow,
    "relu": lambda a: max(a, 0.0),
    "sigmoid": lambda a: 1 / (1 + math.exp(-a)),
    "sin": math.sin,
    "sub": sub,
    "sym.add": add,
    "sym.mul": mul,
    "sym.sub": sub,
    "tanh": math.tanh,
    "trunc": math.trunc,
}


def number(found) -> float:
    """A number of an answer; JSON has no infinity."""
    return float(found)


def formula(term) -> float:
    if "leaf" in term:
        return number(term["leaf"]["value"])
    if "terms" not in term:
        return number(term["value"])
    return float(FORMULAS[term["op"]](*map(formula, term["terms"])))


def products(origin) -> float:
    pairs = zip(origin["left"]["values"], origin["right"]["values"], strict=True)
    return math.fsum(number(a) * number(b) for a, b in pairs) + number(origin.get("bias", {"value": 0})["value"])


def of_a_row(origin) -> float:
    """The number that a row and a place in it say."""
    row, place = torch.tensor([number(one) for one in origin["row"]["values"]], dtype=torch.float64), origin["place"]
    if origin["kind"] == "norm":
        weight, bias = (number(one["value"]) for one in origin["scale"])
        return float(torch.layer_norm(row, row.shape, eps=origin["eps"])[place] * weight + bias)
    return float(
        {
            "softmax": lambda: row.softmax(0)[place],
            "log_softmax": lambda: row.log_softmax(0)[place],
            "sum": row.sum,
            "max": row.max,
            "place": row.argmax,
            "choice": lambda: row.argmax() == place,
            "embedding": lambda: row[place],
        }[origin["kind"]]()
    )


KINDS = {"formula": lambda origin: formula(origin["term"]), "products": products}
LEFT = {"given", "weight", "constant", "drawn", "whole"}  # no number behind these, or no formula
WHOLE = {"convolution", "cumsum", "linalg_vector_norm", "sort"}


def check(found) -> set[str]:
    """Check each number against those it was computed from; returns the kinds of origin."""
    for one in found:
        origin, value = one["origin"], number(one["origin"]["number"]["value"])
        assert origin["kind"] != "other", one
        assert origin.get("via") in {None, *WHOLE}, one
        if origin["kind"] not in LEFT:
            wanted = KINDS.get(origin["kind"], of_a_row)(origin)
            assert math.isclose(value, wanted, rel_tol=1e-4, abs_tol=2e-6), (
                one["asked"],
                origin["kind"],
                value,
                wanted,
            )
    return {one["origin"]["kind"] for one in found}


@pytest.mark.quick(1)
@pytest.mark.parametrize("name", CASES)
def test_every_number_follows_from_those_it_was_computed_from(probe, name):
    """From the probabilities of the next words down to embeddings, through every operation of every kind of model."""
    files = files_of(tiny(dtype=torch.float32, **CASES[name]))
    starts = [{"step": 1, "rank": rank} for rank in range(3)]
    given = {"files": files, "request": {"text": TEXT}, "asked": starts, "most": MOST, "seed": 7}
    found = probe("origins", given)["found"]
    assert {"products", "log_softmax", "weight"} <= check(found)


WAYS = ({}, {"half_width": 2, "sigma": 0.7}, {"centers": {"1": 2.5}}, {"window": "global"}, {"beam": 3})
SAMPLED = LUONG | {"type": "hard-sample"}


@pytest.mark.slow
@pytest.mark.parametrize(("settings", "ways"), [(LUONG | {"window": "local-p"}, WAYS), (SAMPLED, ({"draw": 2},))])
def test_the_numbers_are_those_of_the_trace(probe, settings, ways):
    """Also with a window and p_t of one's own, by a beam, and of positions that were sampled."""
    files = files_of(tiny(dtype=torch.float32, **settings), as_built=False)
    names = ("scores", "alignment", "weights")
    starts = [
        {"step": t, "output": f"looks.0.{name}", "place": s} for t in range(2) for s in range(6) for name in names
    ]
    starts.append({"step": 1, "output": "looks.0.weights", "rank": 0})
    for request in ({"text": TEXT} | way for way in ways):
        given = {"files": files, "request": request, "asked": starts, "most": len(starts), "seed": 0}
        answer = probe("origins", given)
        check(answer["found"])
        for one, origin in ((found["asked"], found["origin"]) for found in answer["found"]):
            (look,) = answer["trace"]["steps"][one["step"]]["looks"]
            numbers = look[one["output"].rpartition(".")[2]]
            wanted = numbers[one["place"]] if "place" in one else max(numbers)
            assert number(origin["number"]["value"]) == wanted, (request, one)


@pytest.mark.slow
def test_the_numbers_behind_the_weights_of_each_head_have_the_name_of_its_scores(probe):
    """The graph computes the scores of all heads in one tensor, of which each output is a part."""
    files = files_of(tiny(dtype=torch.float32, **CASES["transformer"]))
    starts = [{"step": 1, "output": f"looks.{head}.weights", "place": 2} for head in range(2)]
    given = {"files": files, "request": {"text": TEXT}, "asked": starts, "most": 2, "seed": 0}
    for head, found in enumerate(probe("origins", given)["found"]):
        names = [[one["name"] for one in end["names"]] for end in found["origin"]["row"]["ends"]]
        assert names == [[f"looks.{head}.scores"]] * 2


@pytest.mark.slow
def test_a_number_without_a_name_is_spelt_by_those_that_have_one(probe):
    """The additive score: v_a times tanh(W_a s + U_a h)."""
    files = files_of(tiny(dtype=torch.float32, order="attend-then-update", **{"encoder.cell": "gru"}, score="additive"))
    asked = [{"step": 1, "output": "looks.0.scores", "place": 2}]
    given = {"files": files, "request": {"text": TEXT}, "asked": asked, "most": 1, "seed": 0}
    (found,) = probe("origins", given)["found"]
    spelt = found["origin"]["left"]["ends"][0]["spelt"]
    (total,) = spelt["terms"]
    assert (spelt["op"], total["op"]) == ("tanh", "add")
    assert [term["weight"].split(".")[-2] for term in _products(total)] == ["W_a", "U_a"]


def _products(spelt) -> list[dict]:
    """The products with a matrix in the name of a number."""
    if spelt.get("op") == "linear":
        return [spelt]
    inside = [*spelt.get("terms", []), *(end["spelt"] for end in spelt.get("ends", [])[:1] if "spelt" in end)]
    return [one for term in inside for one in _products(term)]
