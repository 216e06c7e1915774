"""The vectors that the picture of a step draws are those of the quantities with its roles."""

import pytest

from attn_core.web import bundle
from tests.helpers.javascript import evaluator

CORE = bundle.PLAYER / "core"
ROLES = {
    "memory": ("encoder states of the sentence", ["key", "value"]),
    "state": ("new state", ["query"]),
    "context": ("context vector", ["context"]),
    "readout": ("attentional vector", []),
    "output": ("distribution over words", ["output"]),
}
EDGES = [
    ["memory", "context"],
    ["state", "context"],
    ["context", "readout"],
    ["state", "readout"],
    ["readout", "output"],
]
GRAPHS = {
    "quantities": {name: {"name": text, "axis": "order", "roles": roles} for name, (text, roles) in ROLES.items()},
    "diagrams": [{"edges": EDGES}],
}
# Numbers become tensors, and the answer lists.
FOUND = """(() => {
  const [steps, source, graphs, look] = input;
  const tensors = (rows) => rows.map((data) => ({ data: Float32Array.from(data), shape: [1, data.length] }));
  const kept = steps.map(({ vectors, looks }) => ({
    looks, vectors: vectors && Object.fromEntries(Object.entries(vectors).map(([id, rows]) => [id, tensors(rows)])),
  }));
  const found = js.vectorsOf({ steps: kept, source }, graphs, look);
  const list = (vector) => vector && [...vector];
  const lists = (vectors) => vectors.map(list);
  const { states, queries, contexts } = found ?? {};
  return found && { ...found, states: lists(states), queries: lists(queries), contexts: lists(contexts) };
})()"""


@pytest.fixture(scope="module")
def run_js(node, tmp_path_factory):
    return evaluator(node, tmp_path_factory.mktemp("vectors"), (CORE / "state-vectors.js",))


def steps(heads: int, queries: list[list[float]], contexts: list[list[float]]) -> list[dict]:
    """Two steps of which the first has the encoder states of two words, as the engine records them."""
    looks = [{"layer": 0, "head": head} for head in range(heads)]
    later = {"state": [[-one for one in row] for row in queries], "context": contexts}
    first = {"memory": [[1, 2, 3, 4]], "state": queries, "context": contexts}
    return [{"looks": looks, "vectors": first}, {"looks": looks, "vectors": later}]


def test_states_queries_and_contexts_are_found_by_their_roles(run_js):
    found = run_js(FOUND, [steps(1, [[5, -6]], [[0.5]]), ["a", "b"], GRAPHS, None])
    assert found == {
        "states": [[1, 2], [3, 4]],
        "queries": [[5, -6], [-5, 6]],
        "contexts": [[0.5], [0.5]],
        "beside": ["new state"],
        "names": {"value": "encoder states", "query": "new state", "context": "context vector"},
        "scales": {"value": 4, "query": 6, "context": 0.5},
    }


@pytest.mark.parametrize(
    ("look", "query", "context"), [(0, [1], [7]), (1, [2], [7]), (3, [4], [8]), (None, None, None)]
)
def test_a_head_has_its_own_query_and_the_context_of_its_layer(run_js, look, query, context):
    found = run_js(FOUND, [steps(4, [[1], [2], [3], [4]], [[7], [8]]), ["a", "b"], GRAPHS, look])
    assert (found["queries"][0], found["contexts"][0]) == (query, context)


def test_without_recorded_vectors_attention_or_a_model_there_are_none(run_js):
    recorded = steps(1, [[1]], [[2]])
    unrecorded = [{"looks": step["looks"]} for step in recorded]
    no_attention = [step | {"looks": []} for step in recorded]
    for given in (
        [unrecorded, ["a", "b"], GRAPHS, None],
        [no_attention, ["a"], GRAPHS, None],
        [recorded, ["a", "b"], None, None],
    ):
        assert run_js(FOUND, given) is None


def test_drawn_quantities_are_asked_for_and_not_stored(run_js):
    assert run_js("js.drawnQuantities(input)", GRAPHS["quantities"]) == ["memory", "state", "context"]
    stored = run_js(
        "JSON.parse(JSON.stringify(js.withoutVectors(input)))", {"model": "m", "steps": [{"t": 0, "vectors": {}}]}
    )
    assert stored == {"model": "m", "steps": [{"t": 0}]}
