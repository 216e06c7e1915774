"""Each variant compared with a plain loop over torch's modules, written from the description of its source."""

from dataclasses import replace

import pytest
import torch
from torch.nn import functional as F

from attn_core.data.corpus import make_batch, pad
from attn_core.data.tokenizer import BOS
from attn_core.decoding.search import forced
from attn_core.decoding.translate import force
from attn_core.explain.step_graph import formulas
from attn_core.models.config import ModelConfig
from attn_core.models.presets import PRESETS
from attn_core.models.recipe import TrainConfig
from attn_core.models.variants import VARIANTS
from attn_core.training.objective import objective, steps_of
from tests.helpers.support import both_sides, close, drawn, sentences, stack_cells

each_variant = pytest.mark.parametrize("name", VARIANTS)
SIZES = {"embedding": 5, "decoder.hidden": 6, "attention.score.hidden": 11, "attentional": 7, "tied": False}
SOURCE, TARGET = [5, 8, 4, 10], [6, 6, 9, 12, 4]


def model_of(name, **more):
    sizes = SIZES | more | ({"half_width": 1} if VARIANTS[name].config().has("half_width") else {})
    config = VARIANTS[name].config(**sizes, dropout=0.0, output_dropout=0.0)
    return drawn(config, name=name)


@each_variant
def test_the_words_name_every_setting_that_differs(name):
    variant = VARIANTS[name]
    named = [setting for change in variant.changes for setting in change.settings]
    assert sorted(named) == sorted(set(named))
    assert set(named) == set(variant.differences())
    assert (variant.paper is None) == (variant.kind == "paper") == (not named)


@each_variant
def test_a_variant_is_a_preset_of_its_name(name):
    model, recipe = PRESETS[name]
    assert model == VARIANTS[name].config()
    assert {key: getattr(recipe, key) for key in VARIANTS[name].recipe} == VARIANTS[name].recipe
    assert formulas(model)["score"]


def test_no_two_variants_of_a_paper_are_the_same():
    settings = [tuple(map(repr, variant.settings().items())) for variant in VARIANTS.values()]
    assert len(set(settings)) == len(settings)


def test_the_encoders_size_follows():
    assert VARIANTS["bentrevett"].config(**{"decoder.hidden": 10}).encoder.hidden == 5
    assert VARIANTS["kevinlu1211"].config(**{"decoder.hidden": 10}).encoder.hidden == 10
    assert VARIANTS["luong2015"].config(**{"decoder.hidden": 10, "encoder.hidden": 10}).encoder.hidden == 10
    with pytest.raises(ValueError, match="unknown setting 'colour'"):
        VARIANTS["luong2015"].config(colour=3)


@pytest.mark.quick(8)
@each_variant
def test_every_parameter_learns(name):
    """Except the recurrent matrices of a GRU that always starts from zero, which the tutorial has too."""
    model = model_of(name)
    model.loss(make_batch([SOURCE, SOURCE[:2]], [TARGET, TARGET[:3]])).backward()
    for parameter_name, parameter in model.named_parameters():
        assert parameter.grad is not None, parameter_name
        dead = name == "tf-tutorial" and parameter_name in ("decoder.cell.U_gates.weight", "decoder.cell.U.weight")
        assert (parameter.grad.abs().sum() > 0) == (not dead), parameter_name


# Oracles: one sentence, step by step. They return log p of every word of the vocabulary at every step.


def gru_cell(W, cell, C=None):
    """torch's cell with our weights: gates r, z, n for z, r, n; its z multiplies the old state, so ours is negated."""
    inputs = torch.cat([W.weight, C.weight], 1) if C is not None else W.weight
    n = cell.U.in_features
    found = torch.nn.GRUCell(inputs.size(1), n).double()

    def order(z, r, c):
        return torch.cat([r, -z, c])

    U_z, U_r = cell.U_gates.weight.chunk(2)
    zeros = torch.zeros(2 * n, dtype=torch.float64)
    found.load_state_dict(
        {
            "weight_ih": order(*inputs.chunk(3)),
            "bias_ih": order(*W.bias.chunk(3)),
            "weight_hh": order(U_z, U_r, cell.U.weight),
            "bias_hh": torch.cat([zeros, cell.U.bias]),
        }
    )
    return found


def read_by(cell, vectors):
    state, states = torch.zeros(1, cell.hidden_size, dtype=torch.float64), []
    for x in vectors:
        state = cell(x.unsqueeze(0), state)
        states.append(state[0])
    return states


def gru_states(encoder, words):
    """Forward and backward states in source order, with torch's cell."""
    x = [encoder.embed.weight[word] for word in words]
    found = []
    for direction in encoder.directions:
        cell = gru_cell(direction.W, direction.cell)
        found.append(read_by(cell, x[::-1])[::-1] if direction.backward else read_by(cell, x))
    return found


def softmax(scores):
    return torch.stack(scores).softmax(0)


def said(model, vector):
    bias = model.decoder.output.bias
    return (model.decoder.output.weight @ vector + (0 if bias is None else bias)).log_softmax(0)


def words_before(target):
    return [BOS, *target]


def bentrevett(model, source, target):
    d, p = model.decoder, dict(model.decoder.attention.score.named_parameters())
    there, back = gru_states(model.encoder, source)
    states = [torch.cat(pair) for pair in zip(there, back, strict=True)]
    s = torch.tanh(d.W_s(torch.cat([there[-1], back[0]])))
    cell = gru_cell(d.W, d.cell, d.C)
    for word in words_before(target):
        y = d.embed.weight[word]
        a = softmax([p["v_a"] @ torch.tanh(p["W_a.weight"] @ torch.cat([s, h]) + p["W_a.bias"]) for h in states])
        c = sum(w * h for w, h in zip(a, states, strict=True))
        s = cell(torch.cat([y, c]).unsqueeze(0), s.unsqueeze(0))[0]
        yield said(model, torch.cat([s, c, y]))


def pytorch_tutorial(model, source, target):
    d, p = model.decoder, dict(model.decoder.attention.score.named_parameters())
    (states,) = gru_states(model.encoder, source)
    slots = torch.zeros(len(p["W_a.bias"]), 6, dtype=torch.float64)
    slots[: len(states)] = torch.stack(states)
    s, cell = states[-1], gru_cell(d.W, d.cell)
    for word in words_before(target):
        y = d.embed.weight[word]
        a = (p["W_a.weight"] @ torch.cat([y, s]) + p["W_a.bias"]).softmax(0)
        x = torch.relu(d.W_x(torch.cat([y, a @ slots])))
        s = cell(x.unsqueeze(0), s.unsqueeze(0))[0]
        yield said(model, s)


def tf_tutorial(model, source, target):
    d, p = model.decoder, dict(model.decoder.attention.score.named_parameters())
    (states,) = gru_states(model.encoder, source)
    s, cell = states[-1], gru_cell(d.W, d.cell, d.C)
    for word in words_before(target):
        y = d.embed.weight[word]
        inner = [torch.tanh(p["W_a.weight"] @ s + p["W_a.bias"] + p["U_a.weight"] @ h) for h in states]
        a = softmax([p["v_a"] @ x for x in inner])
        c = sum(w * h for w, h in zip(a, states, strict=True))
        s = cell(torch.cat([y, c]).unsqueeze(0))[0]
        yield said(model, s)


def toolkit(model, source, target):
    """Luong's order with torch's own encoder: tf-nmt's standard attention, JoeyNMT, OpenNMT-py, kevinlu1211."""
    config, d, encoder = model.config, model.decoder, model.encoder
    p = dict(d.attention.score.named_parameters())
    output, last = encoder.rnn(torch.stack([encoder.embed.weight[word] for word in source]).unsqueeze(0))
    h_last, c_last = last if isinstance(last, tuple) else (last, last)
    states = list(output[0])
    if config["directions"] == "sum":
        states = [state[:6] + state[6:] for state in states]
        h, c = h_last.sum(0), c_last.sum(0)
    else:
        h, c = (torch.cat(list(part[:, 0])).unsqueeze(0) for part in (h_last, c_last))
    if d.W_init is not None:
        h = c = torch.tanh(d.W_init(h))
    (cell,) = stack_cells(d.rnn)
    fed = torch.zeros(7, dtype=torch.float64)
    for word in words_before(target):
        y = d.embed.weight[word]
        x = (torch.cat([y, fed]) if config["feeding"] else y).unsqueeze(0)
        if config["decoder.cell"] == "lstm":
            h, c = cell(x, (h, c))
        else:
            h = cell(x, h)
        q = h[0]
        if config["score"] == "additive":
            v = p["g"] * p["v_a"] / p["v_a"].norm() if config["normed"] else p["v_a"]
            b = p.get("W_a.bias", 0)
            scores = [v @ torch.tanh(p["W_a.weight"] @ q + p["U_a.weight"] @ state + b) for state in states]
        elif config["score"] == "dot":
            scores = [q @ state for state in states]
        else:
            scores = [p.get("g", 1) * ((q @ p["W_a.weight"] + p.get("b_a", 0)) @ state) for state in states]
        context = sum(w * state for w, state in zip(softmax(scores), states, strict=True))
        fed = d.W_c(torch.cat([context, q]))
        fed = fed if config["combine"] == "linear" else torch.tanh(fed)
        yield said(model, fed)


def gnmt(model, source, target):
    config, d, encoder = model.config, model.decoder, model.encoder
    p = dict(d.attention.score.named_parameters())
    output, last = encoder.rnn(torch.stack([encoder.embed.weight[word] for word in source]).unsqueeze(0))
    states = list(output[0])
    h, c = ([torch.cat([part[2 * k], part[2 * k + 1]], 1) for k in range(2)] for part in last)
    cells = [stack_cells(rnn)[0] for rnn in d.rnns]

    def look(q):
        v, b = p["g"] * p["v_a"] / p["v_a"].norm(), p["W_a.bias"]
        scores = [v @ torch.tanh(p["W_a.weight"] @ q + p["U_a.weight"] @ state + b) for state in states]
        return sum(w * state for w, state in zip(softmax(scores), states, strict=True))

    context = torch.zeros(6, dtype=torch.float64)
    for word in words_before(target):
        if config["query"] == "previous":
            context = look(h[0][0])
        h[0], c[0] = cells[0](torch.cat([d.embed.weight[word], context]).unsqueeze(0), (h[0], c[0]))
        if config["query"] != "previous":
            context = look(h[0][0])
        h[1], c[1] = cells[1](torch.cat([h[0][0], context]).unsqueeze(0), (h[1], c[1]))
        yield said(model, h[1][0])


ORACLES = {
    "bentrevett": bentrevett,
    "pytorch-tutorial": pytorch_tutorial,
    "tf-tutorial": tf_tutorial,
    "gnmt": gnmt,
    "gnmt-v2": gnmt,
    **dict.fromkeys(("luong2015", "tf-nmt-scaled-luong", "tf-nmt-normed-bahdanau", "joeynmt-luong"), toolkit),
    **dict.fromkeys(("joeynmt-bahdanau", "kevinlu1211", "opennmt-general", "opennmt-dot", "opennmt-mlp"), toolkit),
}


@pytest.mark.parametrize("name", ORACLES)
@torch.no_grad()
def test_a_variant_computes_what_its_source_does(name):
    model = model_of(name)
    wanted = list(ORACLES[name](model, SOURCE, TARGET))
    found = forced(model, [SOURCE], [TARGET])
    for t in range(len(TARGET) + 1):
        close(found.columns[t].log_probs[0], wanted[t], 1e-9)


# Padding.


@torch.no_grad()
def test_unmasked_padding_changes_a_sentence_and_masked_padding_does_not():
    short, long = SOURCE[:2], SOURCE
    for name, wanted in (("tf-tutorial", False), ("bentrevett", False), ("kevinlu1211", False), ("luong2015", True)):
        model = model_of(name)
        alone = forced(model, [short], [TARGET]).columns[0].log_probs[0]
        together = forced(model, [short, long], [TARGET, TARGET]).columns[0].log_probs[0]
        assert torch.allclose(alone, together, atol=1e-12) == wanted, name


@torch.no_grad()
def test_unmasked_padding_is_a_word_like_any_other():
    model = model_of("bentrevett")
    wanted = list(bentrevett(model, [*SOURCE[:2], 0, 0], TARGET))
    found = forced(model, [SOURCE[:2], SOURCE], [TARGET, TARGET])
    for t in range(len(TARGET) + 1):
        close(found.columns[t].log_probs[0], wanted[t], 1e-9)


@torch.no_grad()
def test_padding_of_zero_states_takes_e_to_the_0_each():
    model = model_of("kevinlu1211")
    look = forced(model, [SOURCE[:2], SOURCE], [TARGET, TARGET]).columns[0].step.looks[0]
    close(look.scores[0, 2:], [0.0, 0.0], 1e-12)
    masses = look.scores[0, :2].exp()
    close(look.weights[0, :2], masses / (masses.sum() + 2), 1e-12)
    trace = force(model, ["a b", "a b c d"], ["n o", "n o"], tokenized=True)[0]
    assert trace.weights().shape == (3, 2)
    assert (trace.weights().sum(-1) < 1).all(), "the weight of the padding is missing"


def test_a_trace_records_how_its_weights_were_computed():
    assert model_of("opennmt-sparsemax").settings["normalizer"] == "sparsemax"
    assert "normalizer" not in model_of("opennmt-general").settings


# Training.


@pytest.mark.slow
def test_without_teacher_forcing_the_model_is_fed_its_own_words():
    model, batch = model_of("luong2015"), make_batch([SOURCE, SOURCE[:2]], [TARGET, TARGET[:3]])
    never, always = (replace(TrainConfig(label_smoothing=0.0), teacher_forcing=share) for share in (0.0, 1.0))
    close(steps_of(model, batch, always).attentional, model.steps(batch).attentional, 1e-12)
    free = steps_of(model, batch, never)
    memory, carry = model.encode(*pad([SOURCE, SOURCE[:2]]))
    word = torch.full((2, 1), BOS)
    for t in range(len(TARGET) + 1):
        step, carry = model.decoder(word, carry, memory)
        close(free.attentional[:, t], step.attentional[:, 0], 1e-12)
        word = model.decoder.log_probs(step.attentional).argmax(-1)
    assert objective(model, batch, never, torch.zeros(())).item() == pytest.approx(
        F.cross_entropy(
            model.decoder.logits(free.attentional)[batch.target_mask], batch.outputs[batch.target_mask], reduction="sum"
        ).item()
    )
    torch.manual_seed(0)
    half = [steps_of(model, batch, replace(never, teacher_forcing=0.5)).attentional for _ in range(20)]
    assert len({one.sum().item() for one in half}) > 2, "the random choices differ"
    with pytest.raises(ValueError, match=r"teacher_forcing must be from 0 to 1, not 1\.5"):
        replace(never, teacher_forcing=1.5)


def test_the_own_word_is_the_most_probable_without_dropout():
    """A dropout mask could change the most probable word, and the loss draws its own mask."""
    model = model_of("luong2015").train()
    model.decoder.output_dropout.p = 0.9
    batch = make_batch([SOURCE], [TARGET])
    torch.manual_seed(0)
    steps = steps_of(model, batch, replace(TrainConfig(), teacher_forcing=0.0))
    memory, carry = model.encode(*pad([SOURCE]))
    word = torch.full((1, 1), BOS)
    for t in range(len(TARGET) + 1):
        step, carry = model.decoder(word, carry, memory)
        close(steps.attentional[:, t], step.attentional[:, 0], 1e-12)
        word = model.decoder.output(step.attentional).argmax(-1)


def test_dropout_once_drops_the_same_units_of_output_and_fed_vector():
    model = model_of("opennmt-general").train()
    decoder = model.decoder
    decoder.output_dropout.p = 0.5
    memory, carry = model.encode(*pad(sentences(4)))
    step, after = decoder(torch.tensor([[BOS]]), carry, memory)
    assert (step.attentional == 0).any()
    assert torch.equal(after.fed, step.attentional[:, -1])
    assert torch.equal(decoder.logits(step.attentional), decoder.logits(step.attentional)), "not dropped out again"


# Combinations that are not allowed.

WRONG = {
    "combine must be one of tanh, linear, relu, state in update-then-attend, not 'maxout'": {"combine": "maxout"},
    "query belongs to order attend-then-update, gnmt and has no effect in update-then-attend": {"query": "previous"},
    "recurrent belongs to order attend-then-update and has no effect in update-then-attend": {"recurrent": False},
    "combine_bias belongs to order update-then-attend and has no effect in attend-then-update": {
        "order": "attend-then-update",
        "encoder.cell": "gru",
        "combine_bias": True,
    },
    "the same number of layers, not 1 and 2: change encoder.layers or decoder.layers": {"order": "gnmt", "tied": False},
    "layers must be at least 2, not 1": {"order": "gnmt", "tied": False, **both_sides(layers=1)},
    "scale belongs to score general and has no effect in dot": {"score": "dot", "scale": True},
    "bias belongs to score general, additive, concat, location and has no effect in dot": {
        "score": "dot",
        "bias": True,
    },
    "normed belongs to score additive and has no effect in concat": {"score": "concat", "normed": True},
    "normed divides v_a by its norm": {"score": "additive", "normed": True, "init": "bahdanau2015"},
    "directions=sum adds two directions": {"directions": "sum", "bidirectional": False, "encoder.hidden": 256},
    "padding=read needs attention with window=global": {"padding": "read", "window": "local-m"},
    "normalizer must be one of softmax, sparsemax, not 'max'": {"normalizer": "max"},
    "unmasked_fixed needs normalizer=softmax": {"score": "location", "unmasked_fixed": True, "normalizer": "sparsemax"},
    "the general score cannot have both a bias and a rank": {"bias": True, "rank": 3},
}


@pytest.mark.parametrize("message", WRONG)
def test_a_combination_that_is_not_allowed_is_an_error(message):
    with pytest.raises(ValueError, match=message):
        ModelConfig().set(WRONG[message])


def test_what_all_of_nmt_matlab_does_and_no_variant_copies_is_stated():
    of_matlab = [variant for name, variant in VARIANTS.items() if name.startswith("nmt-matlab")]
    assert len(of_matlab) == 3
    for variant in of_matlab:
        assert any("clips states at ±50" in text for text in variant.left_out)
        assert not variant.config()["reverse"]
