"""Each method against a slow loop that computes it in another way, for every kind of model; Captum: test_captum.py."""

import pytest
import torch
from torch.nn import functional as F

from attn_core import force
from attn_core.attribution import METHODS, Case, attribute, attribution, build_method
from attn_core.models.ensemble import Ensemble
from tests.helpers.support import VARIANTS, close, tiny

SOURCE, TARGET = "a b c d", "n o p"
# Every way in which a context enters a step, and every kind of encoder and head.
ATTENDING = (
    *("bahdanau", "bahdanau-concat", "bahdanau-stateless", "bahdanau-heads", "word-and-state", "luong-paper"),
    *("luong-values", "luong-heads", "gnmt", "gnmt-v2", "transformer", "transformer-pre"),
)
SOME = ("fixed-vector", "bahdanau", "luong-paper", "gnmt", "transformer-pre")
TRANSFORMERS = ("transformer", "transformer-pre")


def model_of(name):
    return tiny(**VARIANTS[name])


def values(model, method, text=SOURCE, **options):
    return attribute(model, text, TARGET, method=method, tokenized=True, **options).values


def log_probs(model, ids, target=(4, 5, 6)):
    """log p of each word of a target and of </s>, step by step."""
    memory, carry = model.encode(torch.tensor([ids]), torch.ones(1, len(ids), dtype=torch.bool))
    found, last = [], 2
    for word in (*target, 3):
        step, carry = model.step(torch.tensor([[last]]), carry, memory)
        found.append(model.log_probs(step.attentional)[0, 0, word])
        last = word
    return torch.stack(found)


def ids_of(model, text=SOURCE):
    return model.source_ids(text.split())


@pytest.mark.quick(4)
@pytest.mark.parametrize("name", ATTENDING)
def test_weights_are_those_of_the_trace(name):
    model = model_of(name)
    trace = force(model, SOURCE, TARGET, tokenized=True)
    close(values(model, "weights"), trace.weights())
    looks = trace.words[0].step.looks
    last = looks[-1]
    close(values(model, "weights", layer=last.layer, head=last.head), trace.weights(len(looks) - 1))


@pytest.mark.quick(3)
@pytest.mark.parametrize("name", SOME)
def test_occlusion_is_the_difference_to_a_run_without_the_word(name):
    model = model_of(name)
    ids, whole = ids_of(model), log_probs(model, ids_of(model))
    left_out = [whole - log_probs(model, ids[:s] + ids[s + 1 :]) for s in range(len(ids))]
    unknown = [whole - log_probs(model, [*ids[:s], 1, *ids[s + 1 :]]) for s in range(len(ids))]
    close(values(model, "occlusion"), torch.stack(left_out, 1))
    close(values(model, "occlusion-unk"), torch.stack(unknown, 1))


@pytest.mark.parametrize("name", SOME)
def test_gradients_add_up_to_the_change_along_the_embeddings(name):
    """By finite differences: log p as all embeddings, or one of them, grow by a small factor."""
    model, small = model_of(name), 1e-6
    found = values(model, "gradient-input")
    ids = ids_of(model)
    embed = model.encoder.embed
    for s in range(len(ids)):
        changed = []
        for factor in (1 + small, 1 - small):
            whole = embed.weight.detach().clone()
            with torch.no_grad():
                embed.weight[ids[s]] *= factor  # each word occurs once
                changed.append(log_probs(model, ids))
                embed.weight.copy_(whole)
        close(found[:, s], (changed[0] - changed[1]) / (2 * small), 1e-6)


@pytest.mark.quick(5)
@pytest.mark.parametrize("name", SOME)
@pytest.mark.parametrize("baseline", ["zero", "<pad>", "<unk>"])
def test_integrated_gradients_sum_to_the_difference_within_their_error(name, baseline):
    model = model_of(name)
    found = attribute(
        model, SOURCE, TARGET, method="integrated-gradients", tokenized=True, points=64, baseline=baseline
    )
    with torch.no_grad():
        ids = ids_of(model)
        start = {"<pad>": [0] * len(ids), "<unk>": [1] * len(ids)}.get(baseline)
        if start is None:
            embed = model.encoder.embed
            embed.weight[ids] = 0
            start = ids
        low = log_probs(model, start)
    missing = found.values.sum(1) - (found.attributed - low)
    close(found.errors, missing.abs())
    if name != "luong-paper":  # whose window jumps
        assert found.errors.max() < 0.1 * found.attributed.abs().max()


@pytest.mark.quick(6)
@pytest.mark.parametrize("name", ATTENDING)
def test_norms_are_the_sizes_of_what_the_values_add(name):
    """By one value at a time; the maps themselves are tested below."""
    model = model_of(name)
    trace = force(model, SOURCE, TARGET, tokenized=True)
    maps = model.decoder.context_maps()
    n, found = len(trace.words[0].step.looks), values(model, "norms")
    for word in trace.words:
        for s in range(len(trace.source)):
            layers = {}
            for number, look in enumerate(word.step.looks):
                own = trace.memory.states.chunk(n, -1)[number] if look.values is None else look.values
                matrix = maps[look.layer, look.head].to(torch.float64)
                layers.setdefault(look.layer, []).append(matrix @ (look.weights[s] * own[s]))
            wanted = sum(torch.stack(parts).sum(0).norm() for parts in layers.values()) / len(layers)
            close(found[word.t, s], wanted)


def hooked(module, run):
    """The inputs of a module in a run."""
    seen = []
    handle = module.register_forward_pre_hook(lambda _module, given: seen.append(given[0].detach()))
    run()
    handle.remove()
    return torch.cat(seen, 1) if seen[0].dim() == 3 else torch.stack(seen, 1)


@pytest.mark.parametrize(
    ("name", "entered"),
    [
        ("bahdanau", lambda model: model.decoder.C_o),
        ("transformer", lambda model: model.decoder.layers[1].cross.W_O),
        ("luong-paper", lambda model: model.decoder.W_c),
        ("bahdanau-heads", lambda model: model.decoder.C_o),
        ("bahdanau-concat", lambda model: model.decoder.output),
    ],
)
def test_the_context_passes_the_map_of_the_norms(name, entered):
    """The map times the context is what the context adds to the output of the module that it enters."""
    model = model_of(name)
    case = Case.read(model, SOURCE, TARGET, tokenized=True)
    module = entered(model)
    with torch.no_grad():
        inputs = hooked(module, lambda: case.values(case.source_ids.unsqueeze(0)))[0]
        looks = [look for look in case.plain.step.looks if look.layer == case.plain.step.looks[-1].layer]
        maps = model.decoder.context_maps()
        added = sum(look.context[0] @ maps[look.layer, look.head].T for look in looks)
        part = inputs.clone()
        size = model.config.context
        if name == "luong-paper":
            part[:, size:] = 0
        if name == "bahdanau-concat":
            hidden = model.config.hidden
            part[:, :hidden], part[:, hidden + size :] = 0, 0
        bias = 0 if module.bias is None else module.bias
        close(added, module(part) - bias)


def test_the_context_enters_these_columns_of_the_matrices_of_an_update():
    """After the word or the state below, in the layers that get the context of the same step."""

    def matrix_of(name):
        model = model_of(name)
        return model.decoder.context_matrix(), model.decoder

    for name, before in (("gnmt", [5, 7, 7]), ("gnmt-v2", [7])):
        found, decoder = matrix_of(name)
        layers = list(decoder.rnns)[-len(before) :]
        close(found, torch.cat([rnn.weight_ih_l0[:, n:] for rnn, n in zip(layers, before, strict=True)]))
    found, decoder = matrix_of("bahdanau-stateless")
    close(found, decoder.C.weight)
    found, decoder = matrix_of("word-and-state")
    close(found, decoder.W_x.weight[:, 5:])


@pytest.mark.quick(3)
@pytest.mark.parametrize("name", ["bahdanau", "bahdanau-heads", "luong-paper", "luong-values", "gnmt"])
def test_value_zeroing_leaves_one_value_out_of_one_step(name):
    model = model_of(name)
    case = Case.read(model, SOURCE, TARGET, tokenized=True)
    plain = force(model, SOURCE, TARGET, tokenized=True)
    rows = []
    for word in plain.words:
        row = []
        for s in range(len(plain.source)):
            edits = []
            for look in word.step.looks:
                weights = look.weights.clone()
                weights[s] = 0
                where = {"layer": look.layer, "head": look.head}
                edits.append({"kind": "weights", "step": word.t, "weights": weights} | where)
            changed = force(model, SOURCE, TARGET, tokenized=True, edits=edits).words[word.t].step.attentional
            row.append(1 - F.cosine_similarity(changed, word.step.attentional, dim=0))
        rows.append(torch.stack(row))
    wanted = torch.stack(rows)
    close(attribution(build_method("value-zeroing", model), case).values, wanted / wanted.sum(1, keepdim=True))


@pytest.mark.parametrize("name", TRANSFORMERS)
def test_value_zeroing_of_a_transformer_compares_the_outputs_of_layers(name):
    """With hooks on the matrices of the values, and on the layers, as in the paper's program."""
    model = model_of(name)
    case = Case.read(model, SOURCE, TARGET, tokenized=True)
    n, tgt = len(case.source), len(case.target)

    def output(layer, zeroed=None, at=0):
        """The output of a layer if the value of position `at` that the module `zeroed` computes is 0."""
        seen, handles = [], [layer.register_forward_hook(lambda _m, _i, out: seen.append(out[0][0]))]
        if zeroed is not None:

            def change(_module, _inputs, out):
                out = out.clone()
                out[:, at] = 0
                return out

            handles.append(zeroed.register_forward_hook(change))
        with torch.no_grad():
            case.run(case.source_ids.unsqueeze(0))
        for handle in handles:
            handle.remove()
        return seen[0]

    def scores(layer, module):
        plain = output(layer)
        rows = [1 - F.cosine_similarity(output(layer, module, s), plain, dim=-1) for s in range(n)]
        found = torch.stack(rows, 1)
        return found / found.sum(1, keepdim=True)

    cross = [scores(layer, layer.cross.W_V) for layer in model.decoder.layers]
    own = [scores(layer, layer.own.W_V) for layer in model.encoder.layers]
    assert cross[0].shape == (tgt, n)
    close(values(model, "value-zeroing", encoder=False), torch.stack(cross).mean(0))
    close(values(model, "value-zeroing", layer=1), cross[1] @ own[1] @ own[0])


@pytest.mark.parametrize("name", TRANSFORMERS)
def test_rollout_multiplies_the_layers_with_residual_connections(name):
    model = model_of(name)
    run = Case.read(model, SOURCE, TARGET, tokenized=True).plain

    def rolled(looks, t, s):
        """By paths: the share of position s in position t of the last layer."""
        layers = {}
        for look in looks:
            layers.setdefault(look.layer, []).append(look.weights[0])
        share = {s: 1.0}
        for layer in sorted(layers):
            mean = sum(layers[layer]) / len(layers[layer])
            n = len(mean)
            share = {i: sum((mean[i, j] + (i == j)) / 2 * share.get(j, 0.0) for j in range(n)) for i in range(n)}
        return share[t]

    found = values(model, "rollout")
    cross = sum(look.weights[0] for look in run.step.looks if look.layer == 1) / model.config.attention.heads
    tgt, n = cross.shape
    for t in range(tgt):
        for s in range(n):
            wanted = sum(
                rolled(run.step.own, t, i) * cross[i, j] * rolled(run.memory.looks, j, s)
                for i in range(tgt)
                for j in range(n)
            )
            close(found[t, s], torch.as_tensor(wanted))
    close(found.sum(1), torch.ones(tgt, dtype=found.dtype))


@pytest.mark.quick(4)
@pytest.mark.parametrize("name", ATTENDING)
def test_shift_has_the_weights_of_the_step_after_each_word(name):
    model = model_of(name)
    trace = force(model, SOURCE, TARGET, tokenized=True)
    found = values(model, "shift", layer=0)
    heads = [number for number, look in enumerate(trace.words[0].step.looks) if look.layer == 0]
    close(found[:-1], torch.stack([trace.weights(head)[1:] for head in heads]).mean(0))
    close(found, values(model, "shift"))  # of one layer or two, the lower one is the default
    assert (found[-1] > 0).any()  # </s> is given to the decoder once more


@pytest.mark.parametrize("method", METHODS)
def test_a_sentence_whose_words_repeat_has_values_for_each_position(method):
    model = tiny(**VARIANTS["transformer"])
    found = attribute(model, "a b a", "n n", method=method, tokenized=True)
    assert found.values.shape == (3, 3)
    assert found.target == ("n", "n", "</s>")
    assert not torch.equal(found.values[:, 0], found.values[:, 2])


@pytest.mark.parametrize("method", [name for name in METHODS if METHODS[name].signed])
def test_an_ensemble_is_attributed_as_one_model(method):
    members = [tiny(seed=seed, **VARIANTS[name]) for seed, name in ((1, "bahdanau"), (2, "luong-paper"))]
    both, twice = Ensemble(members), Ensemble([members[0], members[0]])
    close(values(twice, method), values(members[0], method))
    if method == "gradient-input":
        odds = [log_probs(model, ids_of(model)) for model in members]
        share = torch.stack(odds).softmax(0)
        close(
            values(both, method), sum(p.unsqueeze(1) * values(m, method) for p, m in zip(share, members, strict=True))
        )
    else:
        assert values(both, method).isfinite().all()
