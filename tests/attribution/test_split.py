"""The parts of scores: exact sums for bilinear scores, first-order sums with their error for the others."""

import pytest
import torch

from attn_core import force
from attn_core.attribution import Case, split_score
from attn_core.attribution.parts import key_parts, query_parts
from attn_core.models.ensemble import Ensemble
from tests.helpers.support import BAHDANAU, LUONG, VARIANTS, both_sides, close, tiny

SOURCE, TARGET = "a b c d", "n o p"
GATED = ["forward, before", "forward, candidate", "backward, before", "backward, candidate"]
# By model: the parts of its queries and of its encoder states.
BILINEAR = {
    "bahdanau-dot": (BAHDANAU | {"score": "dot", "encoder.hidden": 7, "bidirectional": False}, GATED[:2]),
    "bahdanau-general": (BAHDANAU | {"score": "general", "bias": True}, GATED),
    "bahdanau-printed": (BAHDANAU | {"score": "general", "update": "printed", "scale": True}, GATED),
    "bahdanau-stateless": (VARIANTS["bahdanau-stateless"] | {"score": "general"}, GATED[:2]),
    "bahdanau-after": (BAHDANAU | {"score": "general", **both_sides(reset="after")}, GATED),
    "bahdanau-heads": (VARIANTS["bahdanau-heads"], GATED),
    "bahdanau-reversed": (BAHDANAU | {"score": "general", "encoder.reverse": True}, GATED),
    "word-and-state": (
        VARIANTS["word-and-state"] | {"score": "general", "bias": False} | {"unmasked_fixed": None, "width": None},
        GATED,
    ),
    "luong-dot": (LUONG | {"score": "dot"}, ["state"]),
    "luong-scaled": (VARIANTS["luong-bidirectional-tied"] | {"score": "scaled_dot"}, ["forward", "backward"]),
    "luong-rank": (VARIANTS["luong-rank"], ["state"]),
    "luong-paper": (VARIANTS["luong-paper"], ["state"]),
    "gru-relu": (VARIANTS["gru-relu"], ["state"]),
    "gru-summed": (VARIANTS["gru-summed"], ["state"]),
    "gnmt": (VARIANTS["gnmt"], ["state"]),
    "gnmt-v2": (VARIANTS["gnmt-v2"] | {"score": "general"}, ["state"]),
    "transformer": (VARIANTS["transformer"], None),
    "transformer-pre": (VARIANTS["transformer-pre"], None),
}
BILINEAR = {
    name: ({key: value for key, value in one.items() if value is not None}, parts)
    for name, (one, parts) in BILINEAR.items()
}


def scores_of(model, layer, head):
    """The scores (tgt src) of a head in the trace."""
    steps = [word.step for word in force(model, SOURCE, TARGET, tokenized=True).words]
    return torch.stack(
        [next(look.scores for look in step.looks if (look.layer, look.head) == (layer, head)) for step in steps]
    )


@pytest.mark.quick(8)
@pytest.mark.parametrize("name", BILINEAR)
def test_the_pairs_of_parts_of_a_bilinear_score_sum_to_it(name):
    settings, keys = BILINEAR[name]
    model = tiny(**settings)
    looks = force(model, SOURCE, TARGET, tokenized=True).words[0].step.looks
    for layer, head in {(looks[0].layer, looks[0].head), (looks[-1].layer, looks[-1].head)}:
        found = split_score(model, SOURCE, TARGET, layer=layer, head=head, tokenized=True)
        assert found.exact
        close(found.errors, torch.zeros_like(found.errors))
        close(found.scores, scores_of(model, layer, head))
        tgt, src, queries, states = found.values.shape
        assert (tgt, src) == found.scores.shape
        assert (queries, states) == (len(found.query_parts), len(found.key_parts))
        assert (found.query_parts[-1], found.key_parts[-1]) == ("constant", "constant")
        if keys is not None:
            assert list(found.key_parts[:-1]) == keys


@pytest.mark.quick(8)
@pytest.mark.parametrize("name", BILINEAR)
def test_the_parts_of_a_vector_sum_to_it_and_are_not_trivial(name):
    model = tiny(**BILINEAR[name][0])
    case = Case.read(model, SOURCE, TARGET, tokenized=True)
    with torch.no_grad():
        keys, queries = key_parts(case), query_parts(case)
    close(sum(keys.values()), case.plain.memory.states[0] if "heads" not in name else model_states(model, case))
    look = case.plain.step.looks[0]
    if name not in ("bahdanau-heads", "transformer", "transformer-pre"):  # whose Look has the projected query
        close(sum(queries.values()), look.query[0])
    for parts in (keys, queries):
        for part in parts.values():
            assert part.abs().max() > 1e-3 or name == "bahdanau-stateless"


@pytest.mark.parametrize("name", ["bahdanau-general", "bahdanau-printed", "bahdanau-stateless"])
@torch.no_grad()
def test_a_query_carries_what_the_update_gate_lets_pass(name):
    """By the equations of A.2.2, with a hook on the cell, whose call t - 1 makes the state that attends at step t."""
    model = tiny(**BILINEAR[name][0])
    case = Case.read(model, SOURCE, TARGET, tokenized=True)
    carried, cell = [case.encode(case.source_ids.unsqueeze(0))[1].state[0]], model.decoder.cell
    n = carried[0].size(1)

    def seen(_module, given, _out):
        entering, state = given
        gate = torch.sigmoid(entering[:, :n] + state @ cell.U_gates.weight[:n].T)
        carried.append((1 - gate) * state)

    handle = cell.register_forward_hook(seen)
    case.run(case.source_ids.unsqueeze(0))
    handle.remove()
    close(query_parts(case)["state before"], torch.cat(carried)[: len(case.inputs)])


@torch.no_grad()
def test_a_query_of_torchs_gru_carries_what_its_gate_lets_pass():
    """By the equations of torch.nn.GRU for the upper of two layers, in which z multiplies the state before."""
    model = tiny(**VARIANTS["gru-relu"])
    case = Case.read(model, SOURCE, TARGET, tokenized=True)
    rnn, n = model.decoder.rnn, model.config.hidden
    memory, carry = case.encode(case.source_ids.unsqueeze(0))
    rows = []
    for word in case.inputs:
        before = carry.state[0][:, 1]
        _step, carry = model.step(word.view(1, 1), carry, memory)
        x, gate = carry.state[0][:, 0], slice(n, 2 * n)
        gates = x @ rnn.weight_ih_l1[gate].T + rnn.bias_ih_l1[gate] + before @ rnn.weight_hh_l1[gate].T
        rows.append(torch.sigmoid(gates + rnn.bias_hh_l1[gate]) * before)
    close(query_parts(case)["state before"], torch.cat(rows))


def model_states(model, case):
    return model.encoder(case.source_ids.unsqueeze(0), torch.ones(1, len(case.source_ids), dtype=torch.bool)).states[0]


def test_the_pair_of_words_is_the_score_of_the_embeddings_alone():
    """In a Transformer without normalisation's biases, by hand: W_Q of the scaled embedding with W_K of the other."""
    model = tiny(**VARIANTS["transformer-pre"])
    case = Case.read(model, SOURCE, TARGET, tokenized=True)
    found = split_score(model, SOURCE, TARGET, tokenized=True, layer=0, head=1)
    seen = {}
    layer = model.decoder.layers[0]
    handles = [
        module.register_forward_pre_hook(lambda _module, given, name=name: seen.setdefault(name, given[0]))
        for name, module in {"query": layer.around_cross.norm, "key": model.encoder.last}.items()
    ]
    with torch.no_grad():
        case.run(case.source_ids.unsqueeze(0))
        size = model.config.embedding**0.5
        words = {
            "query": (size * model.decoder.embed(case.inputs), layer.around_cross.norm),
            "key": (size * model.encoder.embed(case.source_ids), model.encoder.last),
        }
        vectors = {}
        for name, (word, norm) in words.items():
            deviation = (seen[name][0].var(1, correction=0, keepdim=True) + norm.eps).sqrt()
            vectors[name] = norm.weight * (word - word.mean(1, keepdim=True)) / deviation
        query = (vectors["query"] @ layer.cross.W_Q.weight.T)[:, 2:4]
        key = (vectors["key"] @ layer.cross.W_K.weight.T)[:, 2:4]
    for handle in handles:
        handle.remove()
    places = found.query_parts.index("word"), found.key_parts.index("word")
    close(found.values[:, :, places[0], places[1]], query @ key.T)


def test_the_forward_half_of_a_state_scores_what_it_scores_alone():
    model = tiny(**BILINEAR["bahdanau-general"][0])
    found = split_score(model, SOURCE, TARGET, tokenized=True)
    trace = force(model, SOURCE, TARGET, tokenized=True)
    score = model.decoder.attention.score
    forward = trace.memory.states.clone()
    forward[:, 3:] = 0
    queries = torch.stack([word.step.looks[0].query for word in trace.words])
    with torch.no_grad():
        wanted = score(queries.unsqueeze(0), score.keys(forward.unsqueeze(0)))[0]
    at = [found.key_parts.index(name) for name in GATED[:2]]
    close(found.values[..., at].sum((2, 3)), wanted)


FIRST_ORDER = {
    "additive": BAHDANAU,
    "normed": VARIANTS["luong-normed"],
    "concat": VARIANTS["luong-concat-bias"],
    "identity": VARIANTS["luong-code"],
    "heads": VARIANTS["luong-heads"],
}


@pytest.mark.parametrize("name", FIRST_ORDER)
def test_a_first_order_split_multiplies_gradients_with_parts(name):
    model = tiny(**FIRST_ORDER[name])
    found = split_score(model, SOURCE, TARGET, tokenized=True)
    assert not found.exact
    close(found.scores, scores_of(model, 0, 0))
    close(found.values[..., :-1, :-1], torch.zeros_like(found.values[..., :-1, :-1]))
    close(found.errors, found.scores - found.values.sum((2, 3)))
    assert found.errors.abs().max() > 1e-3  # these models are far from linear
    case = Case.read(model, SOURCE, TARGET, tokenized=True)
    with torch.no_grad():
        queries, keys = query_parts(case), key_parts(case)
    attention = model.decoder.attention
    head = attention.heads[0] if hasattr(attention, "heads") else None
    score = head.attention.score if head else attention.score

    @torch.no_grad()
    def scored(query, key):
        if head:
            query, key = head.W_q(query), head.W_k(key)
        return score(query.view(1, 1, -1), score.keys(key.view(1, 1, -1))).squeeze()

    t, s, small = 2, 1, 1e-5
    query, key = sum(queries.values())[t], sum(keys.values())[s]
    for r, part in enumerate(queries.values()):
        slope = (scored(query + small * part[t], key) - scored(query - small * part[t], key)) / (2 * small)
        close(found.values[t, s, r, -1], slope, 1e-7)
    for r, part in enumerate(keys.values()):
        slope = (scored(query, key + small * part[s]) - scored(query, key - small * part[s])) / (2 * small)
        close(found.values[t, s, -1, r], slope, 1e-7)
    close(found.values[t, s, -1, -1], scored(torch.zeros_like(query), torch.zeros_like(key)))


def test_a_first_order_split_of_a_nearly_linear_score_is_nearly_exact():
    """tanh is linear near 0: the error is of the third order."""
    model = tiny(std=0.02, **(BAHDANAU | {"score": "additive"}))
    found = split_score(model, SOURCE, TARGET, tokenized=True)
    assert found.errors.abs().max() < 1e-4 * found.scores.abs().max()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (VARIANTS["fixed-vector"], "^scores cannot be split: tiny has no attention$"),
        (VARIANTS["luong-location-global"], "the location score of tiny compares no keys"),
    ],
)
def test_scores_that_compare_nothing_are_refused(settings, message):
    with pytest.raises(ValueError, match=message):
        split_score(tiny(**settings), "a", "n", tokenized=True)


def test_an_ensemble_and_a_head_that_is_not_there_are_refused():
    model = tiny(**VARIANTS["luong-heads"])
    with pytest.raises(ValueError, match="there is no layer 0, head 3"):
        split_score(model, "a", "n", head=3, tokenized=True)
    with pytest.raises(ValueError, match="is an ensemble: attribute one of its members"):
        split_score(Ensemble([model, model]), "a", "n", tokenized=True)
