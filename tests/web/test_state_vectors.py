"""The vectors that the picture of a step draws are those of the quantities with its roles."""

import pytest

from attn_core.web import bundle
from tests.helpers.javascript import evaluator

CORE = bundle.PLAYER / "core"
# By id: the name, the roles, and what it is computed from.
QUANTITIES = {
    "memory": ("encoder states of the sentence", ["key", "value"], []),
    "word": ("embedding of the previous word", [], []),
    "fed": ("previous attentional vector", ["feeding"], []),
    "state": ("new state", ["query"], ["word", "fed"]),
    "scores": ("scores", ["score"], ["state", "memory"]),
    "weights": ("weights", ["weight"], ["scores"]),
    "context": ("context vector", ["context"], ["weights", "memory"]),
    "readout": ("attentional vector", [], ["context", "state"]),
    "output": ("distribution over words", ["output"], ["readout"]),
}


def graphs(quantities: dict) -> dict:
    return {
        "quantities": {
            id: {"name": name, "axis": "encoder" if id == "memory" else "order", "roles": roles, "inputs": inputs}
            for id, (name, roles, inputs) in quantities.items()
        }
    }


GRAPHS = graphs(QUANTITIES)
# Numbers become tensors, and the answer lists.
FOUND = """(() => {
  const [steps, source, graphs, look] = input;
  const tensors = (rows) => rows.map((data) => ({ data: Float32Array.from(data), shape: [1, data.length] }));
  const kept = steps.map(({ vectors, looks, parts }) => ({
    looks, parts: parts?.map((part) => Float32Array.from(part)),
    vectors: vectors && Object.fromEntries(Object.entries(vectors).map(([id, rows]) => [id, tensors(rows)])),
  }));
  const found = js.vectorsOf({ steps: kept, source }, graphs, look);
  return JSON.parse(JSON.stringify(found, (_, value) => (value instanceof Float32Array ? [...value] : value)));
})()"""


@pytest.fixture(scope="module")
def run_js(node, tmp_path_factory):
    return evaluator(node, tmp_path_factory.mktemp("vectors"), (CORE / "state-vectors.js", CORE / "step-graph.js"))


def steps(heads: int, queries: list[list[float]], contexts: list[list[float]]) -> list[dict]:
    """Two steps of which the first has the encoder states of two words, as the engine records them."""
    looks = [{"layer": 0, "head": head} for head in range(heads)]
    later = {"state": [[-one for one in row] for row in queries], "context": contexts}
    first = {"memory": [[1, 2, 3, 4]], "state": queries, "context": contexts}
    return [{"looks": looks, "vectors": first}, {"looks": looks, "vectors": later}]


def strip(id: str, name: str, vectors: list, scale: float) -> dict:
    return {"id": id, "name": name, "vectors": vectors, "scale": scale}


def test_states_queries_and_contexts_are_found_by_their_roles(run_js):
    found = run_js(FOUND, [steps(1, [[5, -6]], [[0.5]]), ["a", "b"], GRAPHS, None])
    state = strip("state", "new state", [[5, -6], [-5, 6]], 6)
    assert found["value"] == {"name": "encoder states", "states": [[1, 2], [3, 4]], "scale": 4}
    assert found["query"] == state
    assert found["context"] == strip("context", "context vector", [[0.5], [0.5]], 0.5)
    assert found["beside"] == [state]  # what enters the output layer with the context vector
    assert (found["feeding"], found["start"], found["heads"]) == (None, None, None)  # nothing of them is recorded


def test_feeding_names_what_it_enters_and_is_zero_at_the_first_step(run_js):
    recorded = steps(1, [[1]], [[2]])
    for step, fed in zip(recorded, ([0, 0], [0.5, 0]), strict=True):
        step["vectors"]["fed"] = [fed]
    feeding = run_js(FOUND, [recorded, ["a", "b"], GRAPHS, None])["feeding"]
    assert feeding["vectors"] == [[0, 0], [0.5, 0]]
    assert (feeding["target"], feeding["isZero"]) == ("new state", [True, False])
    elsewhere = QUANTITIES | {"state": ("new state", ["query"], ["word"])}
    assert run_js(FOUND, [recorded, ["a", "b"], graphs(elsewhere), None])["feeding"]["target"] == ""


@pytest.mark.parametrize(
    ("look", "query", "context"), [(0, [1], [7]), (1, [2], [7]), (3, [4], [8]), (None, None, None)]
)
def test_a_head_has_its_own_query_and_the_context_of_its_layer(run_js, look, query, context):
    found = run_js(FOUND, [steps(4, [[1], [2], [3], [4]], [[7], [8]]), ["a", "b"], GRAPHS, look])
    assert (found["query"]["vectors"][0], found["context"]["vectors"][0]) == (query, context)


def test_the_heads_of_the_layer_on_show_have_their_own_contexts(run_js):
    recorded = steps(4, [[1], [2], [3], [4]], [[7], [8]])
    for step in recorded:
        step["looks"] = [{"layer": layer, "head": head} for layer in (0, 1) for head in (0, 1)]
        step["parts"] = [[1], [-2], [3], [-4]]
    heads = run_js(FOUND, [recorded, ["a", "b"], GRAPHS, 2])["heads"]
    assert heads == {"parts": [[[3], [-4]]] * 2, "scale": 4}
    assert run_js(FOUND, [recorded, ["a", "b"], GRAPHS, None])["heads"] is None


def test_without_recorded_vectors_or_a_model_there_are_none(run_js):
    recorded = steps(1, [[1]], [[2]])
    unrecorded = [{"looks": step["looks"]} for step in recorded]
    for given in ([unrecorded, ["a", "b"], GRAPHS, None], [recorded, ["a", "b"], None, None]):
        assert run_js(FOUND, given) is None


def test_without_attention_one_vector_enters_at_the_start_or_at_each_step(run_js):
    """The decoder begins with the state before its first step, or has the context vector at every step."""
    start = {
        "memory": ("encoder states", [], []),
        "previous": ("previous state", ["start"], []),
        "state": ("new state", [], ["previous"]),
        "readout": ("attentional vector", [], ["state"]),
        "output": ("distribution over words", ["output"], ["readout"]),
    }
    vectors = {"memory": [[1, 2]], "previous": [[3]], "state": [[4]], "context": [[5]]}
    recorded = [{"looks": [], "vectors": vectors}]
    found = run_js(FOUND, [recorded, ["a", "b"], graphs(start), None])
    assert found["value"]["states"] == [[1], [2]]
    assert (found["start"]["vectors"], found["context"], found["query"]) == ([[3]], None, None)
    assert [one["id"] for one in found["beside"]] == ["state"]
    each = start | {
        "context": ("context vector, the same at every step", ["context"], []),
        "readout": ("maxout units", [], ["previous", "context"]),
    }
    found = run_js(FOUND, [recorded, ["a", "b"], graphs(each), None])
    assert (found["context"]["name"], found["context"]["vectors"]) == ("context vector", [[5]])
    assert [one["id"] for one in found["beside"]] == ["previous"]


def test_a_model_without_a_quantity_has_no_such_vector(run_js):
    """Also one that was exported before its quantities had inputs."""
    recorded = steps(1, [[1]], [[2]])
    for missing, part in (("state", "query"), ("context", "context")):
        fewer = {id: one for id, one in QUANTITIES.items() if id != missing}
        found = run_js(FOUND, [recorded, ["a", "b"], graphs(fewer), None])
        assert found[part] is None
        assert found["value"]["states"] == [[1, 2], [3, 4]]
    old = {id: {name: one[name] for name in ("name", "axis", "roles")} for id, one in GRAPHS["quantities"].items()}
    found = run_js(FOUND, [recorded, ["a", "b"], {"quantities": old}, None])
    assert (found["query"]["name"], found["beside"]) == ("new state", [])
    assert run_js(FOUND, [recorded, ["a", "b"], graphs({}), None]) is None


def turns(run_js, quantities: dict) -> dict[str, float]:
    """When each part begins to change."""
    return {part: begin for part, (begin, _) in run_js("js.changesOf(input)", graphs(quantities)["quantities"]).items()}


def test_parts_change_after_what_they_are_computed_from(run_js):
    update_first = turns(run_js, QUANTITIES)
    chain = ["feeding", "query", "scores", "weights", "context"]
    assert sorted(chain, key=update_first.__getitem__) == chain
    assert update_first["state"] == update_first["query"]  # beside the context vector, the same quantity
    # Attend, then update: the query is there before the step, and the new state is computed from the context vector.
    attend_first = turns(
        run_js,
        {
            "memory": QUANTITIES["memory"],
            "previous": ("previous state", ["query"], []),
            "scores": ("scores", ["score"], ["previous", "memory"]),
            "weights": QUANTITIES["weights"],
            "context": QUANTITIES["context"],
            "next": ("new state", [], ["previous", "context"]),
            "readout": ("maxout units", [], ["context", "next"]),
            "output": QUANTITIES["output"],
        },
    )
    chain = ["query", "scores", "weights", "context", "next"]
    assert sorted(chain, key=attend_first.__getitem__) == chain
    assert attend_first["query"] == 0 < attend_first["next"]


def test_drawn_quantities_are_asked_for_and_not_stored(run_js):
    drawn = run_js("js.drawnQuantities(input)", GRAPHS["quantities"])
    assert drawn == ["memory", "state", "context", "fed"]
    stored = run_js(
        "JSON.parse(JSON.stringify(js.withoutVectors(input)))",
        {"model": "m", "steps": [{"t": 0, "vectors": {}, "parts": []}]},
    )
    assert stored == {"model": "m", "steps": [{"t": 0}]}
