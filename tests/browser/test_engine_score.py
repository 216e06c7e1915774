"""Every registered score function, and one of a script, in the browser's engine: its numbers are those of its class."""

import pytest
import torch

from app.lab.score.data import START, score_function, sized
from attn_core.attention.build import build_attention
from attn_core.attention.scores import Dot
from attn_core.attention.settings import SCORES
from attn_core.browser import bundle
from attn_core.models import scripts
from tests.browser.test_engine_origin import TEXT, check
from tests.helpers.engine import PROBE, files_of, unchecked
from tests.helpers.javascript import evaluator
from tests.helpers.scripts import COSINE, forgotten, script
from tests.helpers.support import LUONG, tiny
from tests.lab.stages import LAB

SCORE = bundle.PLAYER.parent / "engine" / "score.js"
MODULES = (SCORE, LAB / "score" / "plane" / "drawing.js", LAB / "score" / "scores" / "breakdown.js")
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
ORIGINS = "new js.ScoreFunction(input.document).origins(input.query, input.keys)"


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


@pytest.fixture(scope="module")
def run_js(node, tmp_path_factory):
    return evaluator(node, tmp_path_factory.mktemp("score"), MODULES)


def in_torch(name, parameters, query, keys):
    """The scores of the class with these parameters."""
    score = build_attention(sized(name).attention, len(query), len(keys[0]), len(query)).score
    score.load_state_dict({path: torch.tensor(values) for path, values in parameters.items()})
    with torch.no_grad():
        return score(torch.tensor([query]), score.keys(torch.tensor(keys)))[0].tolist()


def changed(values):
    """Other parameters of the same shape."""
    return [changed(one) for one in values] if isinstance(values, list) else 1.25 - values / 2


@pytest.mark.parametrize("name", NAMES)
def test_table_and_plane_have_the_numbers_of_the_class(run_js, facts, name):
    document = facts[name]["document"]
    query, keys, other = (
        START["query"],
        START["keys"],
        {path: changed(one) for path, one in document["parameters"].items()},
    )
    found = run_js(
        "(() => { const score = new js.ScoreFunction(input.document);"
        " const ask = (keys) => score.scores(input.query, keys);"
        " const plane = input.compares ? ask(js.GRID) : null; const table = ask(input.keys);"
        " score.setParameters(input.other); return { grid: js.GRID, plane, table, changed: ask(input.keys) }; })()",
        {"document": document, "compares": facts[name]["compares"], "query": query, "keys": keys, "other": other},
    )
    assert found["table"] == pytest.approx(in_torch(name, document["parameters"], query, keys), abs=1e-6)
    assert found["changed"] == pytest.approx(in_torch(name, other, query, keys), abs=1e-6)
    if facts[name]["compares"]:
        wanted = in_torch(name, document["parameters"], query, found["grid"])
        assert len(wanted) == 72 * 72
        edge = 2.4 - 2.4 / 72  # the middle of a cell at the edge of the plane
        assert [found["grid"][n] for n in (0, 71)] == [pytest.approx([x, edge]) for x in (-edge, edge)]
        assert found["plane"] == pytest.approx(wanted, abs=1e-5)


@pytest.mark.parametrize("name", NAMES)
def test_the_breakdown_ends_in_a_sum_of_products_that_is_the_score(run_js, facts, name):
    document = facts[name]["document"]
    chains = run_js(
        f"(() => {{ const origins = {ORIGINS}; return input.keys.map((_, s) => js.originsOf(origins, s)); }})()",
        {"document": document, "query": START["query"], "keys": START["keys"]},
    )
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


def test_the_parts_of_a_cosine_are_named_by_what_they_are(run_js, facts):
    """The spelling of a factor: the query divided by its norm, without the guard against a norm of 0."""
    [left, right] = run_js(
        f"(({{ left, right }}) => [left, right].map(({{ ends }}) => ends[0].spelt))(js.originsOf({ORIGINS}, 1)[0])",
        {"document": facts["cosine"]["document"], "query": START["query"], "keys": START["keys"]},
    )
    for spelt, output in ((left, "looks.0.query"), (right, "memory.states")):
        vector, norm = spelt["terms"]
        assert (spelt["op"], norm["op"]) == ("div", "linalg_vector_norm")
        assert {one["name"] for end in (vector["ends"][0], norm["terms"][0]["ends"][1]) for one in end["names"]} == {
            output
        }


def test_a_column_of_the_matrix_of_concat_opens_as_its_number(run_js, facts):
    """The second half of a row belongs to the key; a sliced matrix is still the parameter."""
    refs = run_js(
        f"""(() => {{
          const origins = {ORIGINS};
          const tanh = origins.of(js.originsOf(origins, 1)[0].left.ref);
          const products = tanh.term.terms[0].terms.map(({{ leaf }}) => origins.of(leaf.ref).largest);
          return products.map((parts) => parts.map(({{ leaves }}) => leaves[1].ref));
        }})()""",
        {"document": facts["concat"]["document"], "query": START["query"], "keys": START["keys"]},
    )
    found = [sorted((ref["weight"], *ref["index"]) for ref in half) for half in refs]
    assert found == [[("W_a.weight", 0, 0), ("W_a.weight", 0, 1)], [("W_a.weight", 0, 2), ("W_a.weight", 0, 3)]]


def test_a_model_with_the_score_of_a_script_can_be_taken_apart(node, tmp_path):
    """From a score over the normalised query and key down to their norms, as every number of a model."""
    probe = evaluator(node, tmp_path, (PROBE,))
    files = files_of(tiny(dtype=torch.float32, **(LUONG | {"score": "cosine"})))
    asked = [{"step": 1, "output": "looks.0.scores", "place": 0}]
    given = {"files": files, "request": {"text": TEXT}, "asked": asked, "most": 60, "seed": 7}
    found = probe("js.origins(input)", given)["found"]
    assert {"products", "formula", "whole"} <= check(found)


def test_a_parameter_of_another_size_is_refused(run_js, facts):
    code = "(() => { try { score.setParameters({ v_a: [1, 2] }); } catch ({ message }) { return message; } })()"
    code = f"((score) => {code})(new js.ScoreFunction(input))"
    assert run_js(code, facts["additive"]["document"]) == "additive: v_a has 3 numbers, not 2"


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
