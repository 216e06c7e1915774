"""Every registered score function, and one of a script, in the browser's engine: its numbers are those of its class."""

import pytest
import torch

from app.lab.score.data import START, config_of, score_function
from attn_core.attention.build import build_attention
from attn_core.attention.measures import entropy
from attn_core.attention.scores import Dot
from attn_core.attention.settings import SCORES
from attn_core.export.scores import score_document
from attn_core.models import scripts
from attn_core.models.config import ModelConfig
from tests.browser.test_engine_origin import TEXT, check
from tests.helpers.engine import files_of, unchecked
from tests.helpers.scripts import COSINE, forgotten, script
from tests.helpers.support import LUONG, tiny

WEIGHTED = """
import torch
from torch import nn

from attn_core import SCORES
from attn_core.attention.scores import Score


@SCORES.add("weighted")
class Weighted(Score):
    def __init__(self, query, memory, settings):
        super().__init__(query, memory, settings)
        self.g, self.w = nn.Parameter(torch.tensor(2.0)), nn.Parameter(torch.zeros(query))
        self.W_b = nn.Linear(memory, query)

    def keys(self, states):
        return self.W_b(states)

    def forward(self, queries, keys):
        return self.g * ((queries * self.w) @ keys.mT)
"""
NAMES = [*SCORES, "cosine", "weighted"]
FACTORS = {"scaled_dot": 2**-0.5, "weighted": 2}  # of the sum of products
QUERY, HIDDEN, KEYS = 3, 5, 7


@pytest.fixture(scope="module", autouse=True)
def registered(tmp_path_factory):
    with forgotten(), unchecked():
        folder = tmp_path_factory.mktemp("scripts")
        for name, code in (("cosine", COSINE), ("weighted", WEIGHTED)):
            scripts.load_script(script(folder, code, f"{name}.py"))
        yield


@pytest.fixture(scope="module")
def facts(registered):
    """What the page gets of each score function, by name."""
    return {name: score_function(name) for name in NAMES}


def in_torch(name, parameters, query, keys):
    """The scores of the class with these parameters."""
    score = build_attention(config_of(name).attention, len(query), len(keys[0]), len(query)).score
    score.load_state_dict({path: torch.tensor(values) for path, values in parameters.items()})
    with torch.no_grad():
        return score(torch.tensor([query]), score.keys(torch.tensor(keys)))[0].tolist()


def changed(values):
    """Other parameters of the same shape."""
    return [changed(one) for one in values] if isinstance(values, list) else 1.25 - values / 2


@pytest.mark.parametrize("name", SCORES)
def test_scores_weights_and_entropy_are_those_of_torch(lab_probe, name):
    sizes = {"location": {"width": KEYS}, "additive": {"hidden": HIDDEN}, "concat": {"hidden": HIDDEN}}.get(name, {})
    score = SCORES.build(name, QUERY, QUERY, **sizes)
    for parameter in score.parameters():
        torch.nn.init.normal_(parameter)
    query, keys = torch.randn(1, QUERY), torch.randn(KEYS, QUERY)
    config = ModelConfig.of({f"attention.score.{one}": size for one, size in sizes.items()}, score=name)
    document = score_document(config, QUERY, QUERY)
    parameters = {path: value.tolist() for path, value in score.named_parameters()}
    request = {"query": query[0].tolist(), "keys": keys.tolist(), "parameters": parameters}
    [found] = lab_probe("scores", document, [request])
    with torch.inference_mode():
        scores = score.double()(query.double(), score.keys(keys.double()))[0]
    weights = scores.softmax(-1)
    wanted = {"weights": weights, "entropy": entropy(weights), "context": weights @ keys.double()}
    assert found == pytest.approx(scores.tolist(), rel=1e-5, abs=1e-6)
    for part, value in lab_probe("attended", found, request["keys"]).items():
        assert value == pytest.approx(wanted.pop(part).tolist(), rel=1e-5, abs=1e-6), part
    assert wanted == {}


@pytest.mark.parametrize("name", NAMES)
def test_table_and_plane_have_the_numbers_of_the_class(lab_probe, facts, name):
    document, query, keys = facts[name]["document"], START["query"], START["keys"]
    own, other = document["parameters"], {path: changed(one) for path, one in document["parameters"].items()}
    grid = lab_probe("plane")
    edge = 2.4 - 2.4 / 72  # the middle of a cell at the edge of the plane
    assert len(grid) == 72 * 72
    assert [grid[n] for n in (0, 71)] == [pytest.approx([x, edge]) for x in (-edge, edge)]
    asked = [*([(grid, own)] if facts[name]["compares"] else []), (keys, own), (keys, other)]
    requests = [{"query": query, "keys": many} | ({"parameters": other} if now is other else {}) for many, now in asked]
    for (many, parameters), found in zip(asked, lab_probe("scores", document, requests), strict=True):
        assert found == pytest.approx(in_torch(name, parameters, query, many), abs=1e-5 if many is grid else 1e-6)


@pytest.mark.parametrize("name", NAMES)
def test_the_breakdown_ends_in_a_sum_of_products_that_is_the_score(lab_probe, facts, name):
    document = facts[name]["document"]
    chains = lab_probe("breakdowns", document, START["query"], START["keys"])
    wanted = in_torch(name, document["parameters"], START["query"], START["keys"])
    for chain, score in zip(chains, wanted, strict=True):
        first, last = chain[0]["number"], chain[-1]
        assert first["value"] == pytest.approx(score, abs=1e-6)
        assert [one["name"] for one in first["names"]] == ["looks.0.scores"]
        assert last["kind"] == "products"
        products = [a * b for a, b in zip(last["left"]["values"], last["right"]["values"], strict=True)]
        assert sum(products) * FACTORS.get(name, 1) == pytest.approx(score, abs=1e-6)


def test_parameters_of_an_unknown_score_start_with_its_shapes_and_none_at_zero(facts):
    assert facts["weighted"]["document"]["parameters"] == {
        "g": 2.0,
        "w": [0.8, -0.5],
        "W_b.weight": [[0.3, 0.9], [-0.7, 0.6]],
        "W_b.bias": [-0.4, 0.8],
    }


def test_the_parts_of_a_cosine_are_named_by_what_they_are(lab_probe, facts):
    """The spelling of a factor: the query divided by its norm, without the guard against a norm of 0."""
    origin = lab_probe("breakdowns", facts["cosine"]["document"], START["query"], START["keys"])[1][0]
    for side, output in (("left", "looks.0.query"), ("right", "memory.states")):
        spelt = origin[side]["ends"][0]["spelt"]
        vector, norm = spelt["terms"]
        assert (spelt["op"], norm["op"]) == ("div", "linalg_vector_norm")
        assert {one["name"] for end in (vector["ends"][0], norm["terms"][0]["ends"][1]) for one in end["names"]} == {
            output
        }


def test_a_column_of_the_matrix_of_concat_opens_as_its_number(lab_probe, facts):
    """The second half of a row belongs to the key; a sliced matrix is still the parameter."""
    given = facts["concat"]["document"], START["query"], START["keys"]
    origin = lab_probe("breakdowns", *given)[1][0]
    [tanh] = lab_probe("scoreOrigins", *given, [origin["left"]["ref"]])
    halves = lab_probe("scoreOrigins", *given, [one["leaf"]["ref"] for one in tanh["term"]["terms"][0]["terms"]])
    refs = [[part["leaves"][1]["ref"] for part in half["largest"]] for half in halves]
    found = [sorted((ref["weight"], *ref["index"]) for ref in half) for half in refs]
    assert found == [[("W_a.weight", 0, 0), ("W_a.weight", 0, 1)], [("W_a.weight", 0, 2), ("W_a.weight", 0, 3)]]


@pytest.mark.slow
def test_a_model_with_the_score_of_a_script_can_be_taken_apart(probe):
    """From a score over the normalised query and key down to their norms, as every number of a model."""
    files = files_of(tiny(dtype=torch.float32, **(LUONG | {"score": "cosine"})))
    asked = [{"step": 1, "output": "looks.0.scores", "place": 0}]
    given = {"files": files, "request": {"text": TEXT}, "asked": asked, "most": 60, "seed": 7}
    assert {"products", "formula", "whole"} <= check(probe("origins", given)["found"])


def test_a_parameter_of_another_size_is_refused(lab_probe, facts):
    request = {"query": START["query"], "keys": START["keys"], "parameters": {"v_a": [1, 2]}}
    message = lab_probe.failure("scores", facts["additive"]["document"], [request])
    assert message == "additive: v_a has 3 numbers, not 2"


def test_a_score_that_cannot_be_exported_is_named_with_the_reason():
    class Odd(Dot):
        def forward(self, queries, keys):
            scores = super().forward(queries, keys)
            return scores if scores.sum() > 0 else -scores

    SCORES.add("odd")(Odd)
    found = score_function("odd")
    assert found.keys() == {"name", "problem"}
    assert "the score 'odd' cannot be exported" in found["problem"]
    del SCORES["odd"]
