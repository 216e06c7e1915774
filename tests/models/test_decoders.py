"""Decoders compared with the papers' equations step by step, and properties that distinguish the two orders."""

import pytest
import torch

from attn_core.data.corpus import make_batch, pad
from attn_core.data.tokenizer import BOS
from attn_core.decoding.translate import translate
from attn_core.models.settings import ORDERS
from tests.helpers.support import BAHDANAU, LUONG, VARIANTS, both_sides, close, paper_gru, sentences, stack_cells, tiny

WORDS = torch.tensor([[BOS, 5, 9, 12, 4], [BOS, 8, 8, 6, 10]])  # <s> y_1 ... y_4
each_variant = pytest.mark.parametrize("settings", VARIANTS.values(), ids=VARIANTS)


def read(model, *lengths):
    """The decoder, its carry and the memory of random sentences."""
    words, mask = pad(sentences(*(lengths or (3, 7))))
    memory, carry = model.encode(words, mask)
    return model.decoder, carry, memory


def softmax(scores):
    return (scores - scores.max()).exp() / (scores - scores.max()).exp().sum()


def general(decoder, h, states):
    """Global attention with the general score: the context of one query."""
    scores = torch.stack([h @ decoder.attention.score.W_a.weight @ s for s in states])
    return softmax(scores) @ states


def additive(decoder, s, states):
    score = decoder.attention.score
    scores = torch.stack([score.v_a @ torch.tanh(score.W_a.weight @ s + score.U_a.weight @ h) for h in states])
    return softmax(scores) @ states


@pytest.mark.parametrize("feeding", [False, True])
@pytest.mark.parametrize(
    ("layers", "score", "combine"),
    [(1, "general", "tanh"), (2, "general", "tanh"), *((2, None, way) for way in ("tanh", "linear", "relu", "state"))],
)
def test_update_then_attend_equals_its_equations(feeding, layers, score, combine):
    """x_t = [E y; h~_{t-1}], h_t = LSTM, c_t by general attention, h~_t = tanh(W_c [c_t; h_t]); h~_0 = 0.

    Without attention h~_t is W_c h_t through `combine`, or h_t (Luong's base model).
    """
    model = tiny(**LUONG | {"score": score}, feeding=feeding, combine=combine, **both_sides(layers=layers))
    decoder, carry, memory = read(model)
    steps, after = decoder(WORDS, carry, memory)
    size = 7 if combine == "state" else 2
    assert len(steps.looks) == (score is not None)
    assert steps.attentional.shape == (2, 5, size)
    assert (decoder.W_c is None) == (combine == "state")
    cells, through = stack_cells(decoder.rnn), {"tanh": torch.tanh, "relu": torch.relu}.get(combine, lambda x: x)
    for b, length in enumerate((3, 7)):
        h, c = ([part[b : b + 1, layer] for layer in range(layers)] for part in carry.state)
        fed = torch.zeros(size).double()
        for t, word in enumerate(WORDS[b]):
            x = decoder.embed.weight[word]
            x = (torch.cat([x, fed]) if feeding else x).unsqueeze(0)
            for layer, cell in enumerate(cells):
                h[layer], c[layer] = cell(x, (h[layer], c[layer]))
                x = h[layer]
            (fed,) = x
            close(steps.hidden[b, t], fed, 1e-12)
            if score:
                context = general(decoder, fed, memory.states[b, :length])
                close(steps.looks[0].context[b, t], context, 1e-12)
                fed = torch.cat([context, fed])
            fed = fed if combine == "state" else through(decoder.W_c.weight @ fed)
            close(steps.attentional[b, t], fed, 1e-12)
        close(after.fed[b], fed, 1e-12)
        for layer in range(layers):
            close(after.state[0][b, layer], h[layer][0], 1e-12)
            close(after.state[1][b, layer], c[layer][0], 1e-12)


def test_decoder_layers_start_from_the_encoders_layers():
    model = tiny(**LUONG, **both_sides(layers=2))
    words, mask = pad(sentences(3, 7))
    encoded = model.encoder(words, mask)
    carry = model.decoder.start(encoded, mask)
    assert carry.t == 0
    assert [torch.equal(a, b[:, :, 0]) for a, b in zip(carry.state, encoded.final, strict=True)] == [True, True]
    assert carry.fed.shape == (2, 2)
    assert (carry.fed == 0).all()


def gru(decoder, y, c, s):
    """One update of the decoder's GRU; y is E y, c the context."""
    shares = decoder.W(y) + decoder.C.weight @ c
    return torch.tensor(paper_gru(decoder.cell, shares.tolist(), s.tolist()), dtype=torch.float64)


def maxout(decoder, s, y, c):
    """t_j = max(t~_{2j-1}, t~_{2j}) by a loop."""
    units = decoder.U_o(s) + decoder.V_o.weight @ y + decoder.C_o.weight @ c
    return torch.stack([torch.maximum(units[2 * j], units[2 * j + 1]) for j in range(len(units) // 2)])


@pytest.mark.parametrize("first_word", ["bos", "zero"])
@pytest.mark.parametrize("reset", ["before", "after"])
@pytest.mark.parametrize(("update", "readout"), [("groundhog", "s_prev"), ("printed", "s_prev"), ("printed", "s_cur")])
def test_attend_then_update_equals_its_equations(update, readout, reset, first_word):
    """Step i: a state queries, c_i is its context, y_i the output; groundhog updates the state before the query."""
    settings = BAHDANAU | {"update": update, "readout": readout, **both_sides(reset=reset), "first_word": first_word}
    decoder, carry, memory = read(tiny(**settings))
    steps, _ = decoder(WORDS, carry, memory)
    for b, length in enumerate((3, 7)):
        states = memory.states[b, :length]
        s, c = carry.state[0][b], None
        for i, word in enumerate(WORDS[b]):
            y = decoder.embed.weight[word]
            if word == BOS and first_word == "zero":
                y = torch.zeros_like(y)
            if update == "groundhog" and i > 0:
                s = gru(decoder, y, c, s)
            c = additive(decoder, s, states)
            looking = s
            if update == "printed":
                s = gru(decoder, y, c, s)
            close(steps.looks[0].query[b, i], looking, 1e-12)
            close(steps.looks[0].context[b, i], c, 1e-12)
            said_from = s if readout == "s_cur" else looking
            close(steps.hidden[b, i], said_from, 1e-12)
            close(steps.attentional[b, i], maxout(decoder, said_from, y, c), 1e-12)


def test_maxout_by_pencil():
    """t~ = (1, 5, -2, -3) gives t = (5, -2)."""
    decoder = tiny(**BAHDANAU).decoder
    for linear in (decoder.U_o, decoder.V_o, decoder.C_o):
        linear.weight.data.zero_()
    decoder.U_o.bias.data = torch.tensor([1.0, 5, -2, -3], dtype=torch.float64)
    found = decoder.combined(*(torch.randn(1, 1, size, dtype=torch.float64) for size in (7, 5, 6)))
    assert found.tolist() == [[[5.0, -2.0]]]


def test_s_0_is_made_from_the_first_backward_state():
    """s_0 = tanh(W_s h_1 + b), with h_1 the backward half of the first annotation (Bahdanau 2015, A.2.2)."""
    decoder, carry, memory = read(tiny(**BAHDANAU))
    for b in range(2):
        first = memory.states[b, 0, 3:]
        close(carry.state[0][b], torch.tanh(decoder.W_s.weight @ first + decoder.W_s.bias), 1e-12)


def test_the_model_without_attention_uses_only_the_last_encoder_state():
    """Every step uses the encoder's last state; the other annotations have no effect."""
    decoder, carry, memory = read(tiny(**VARIANTS["fixed-vector"]))
    steps, _ = decoder(WORDS, carry, memory)
    assert steps.looks == ()
    for b, length in enumerate((3, 7)):
        s, c = carry.state[0][b], memory.states[b, length - 1]
        for i, word in enumerate(WORDS[b]):
            y = decoder.embed.weight[word]
            s = gru(decoder, y, c, s) if i > 0 else s
            close(steps.attentional[b, i], maxout(decoder, s, y, c), 1e-12)


@pytest.mark.quick(16)
@each_variant
def test_words_one_by_one_equal_all_at_once(settings):
    """Search and teacher forcing run the same code."""
    decoder, carry, memory = read(tiny(**settings))
    together, after = decoder(WORDS, carry, memory)
    for t in range(WORDS.size(1)):
        step, carry = decoder(WORDS[:, t : t + 1], carry, memory)
        close(step.attentional[:, 0], together.attentional[:, t], 1e-12)
        for look, looks in zip(step.looks, together.looks, strict=True):
            close(look.weights[:, 0], looks.weights[:, t], 1e-12)
    assert carry.t == after.t == WORDS.size(1)
    close(carry.fed, after.fed, 1e-12)


@pytest.mark.quick(16)
@each_variant
def test_no_step_depends_on_later_words(settings):
    decoder, carry, memory = read(tiny(**settings))
    changed = WORDS.clone()
    changed[:, 3] = 7
    before, after = (decoder(words, carry, memory)[0].attentional for words in (WORDS, changed))
    assert torch.equal(before[:, :3], after[:, :3])
    assert not torch.equal(before[:, 3], after[:, 3])


def test_the_printed_recurrence_queries_without_the_last_word():
    """Bahdanau 2015, section 3.1, as printed: s_{i-1} does not depend on y_{i-1}; in GroundHog it does."""
    changed = WORDS.clone()
    changed[:, 3] = 7
    for update, blind in (("printed", True), ("groundhog", False)):
        decoder, carry, memory = read(tiny(**(BAHDANAU | {"update": update})))
        first, second = (decoder(words, carry, memory)[0].looks[0].weights[:, 3] for words in (WORDS, changed))
        assert torch.equal(first, second) == blind


def test_only_input_feeding_passes_the_context_to_the_next_state():
    for feeding in (False, True):
        model = tiny(**LUONG, feeding=feeding)
        other = model.with_window("local-m", 0)
        _, carry, memory = read(model)
        wide, narrow = (m.step(WORDS, carry, memory)[0] for m in (model, other))
        assert not torch.equal(wide.attentional[:, 0], narrow.attentional[:, 0])
        assert torch.equal(wide.hidden[:, 0], narrow.hidden[:, 0])
        assert torch.equal(wide.hidden[:, 1:], narrow.hidden[:, 1:]) == (not feeding)


def test_log_probs_are_normalised_and_read_the_attentional_vector():
    decoder = tiny(**LUONG).decoder
    attentional = torch.randn(2, 3, 2).double()
    logits = attentional @ decoder.output.weight.T + decoder.output.bias
    close(decoder.log_probs(attentional), logits - logits.exp().sum(-1, keepdim=True).log(), 1e-12)
    assert decoder.log_probs(attentional).shape == (2, 3, 13)


def test_tied_embeddings_are_one_matrix():
    tied, untied = tiny(**LUONG, tied=True).decoder, tiny(**LUONG).decoder
    assert tied.output.weight is tied.embed.weight
    assert untied.output.weight is not untied.embed.weight


def test_dropout_applies_to_embeddings_and_to_the_fed_vector():
    model = tiny(**LUONG, feeding=True, dropout=0.5)
    decoder, carry, memory = read(model)
    assert torch.equal(decoder(WORDS, carry, memory)[0].hidden, decoder(WORDS, carry, memory)[0].hidden)
    model.train()
    assert not torch.equal(decoder(WORDS, carry, memory)[0].hidden, decoder(WORDS, carry, memory)[0].hidden)
    # One of the two inputs only: either the embeddings are zero, or the fed vector (which always is in the first step).
    with torch.no_grad():
        decoder.embed.weight.zero_()
    first, second = (decoder(WORDS, carry, memory)[0].hidden for _ in range(2))
    assert torch.equal(first[:, 0], second[:, 0]), "the first step has nothing to drop"
    assert not torch.equal(first[:, 1:], second[:, 1:]), "the fed vector is dropped out"


# A decoder of Luong's order without attention.

PLAIN = LUONG | {"score": None, **both_sides(layers=2)}


def test_without_attention_only_the_first_state_knows_the_source():
    for settings in (PLAIN, PLAIN | {"feeding": True}, VARIANTS["fixed-vector"]):
        decoder, carry, memory = read(tiny(**settings))
        steps, _ = decoder(WORDS, carry, memory)
        blind, _ = decoder(WORDS, carry, memory.map(torch.zeros_like))
        assert torch.equal(blind.attentional, steps.attentional)


@pytest.mark.parametrize(
    "encoder",
    [
        {},
        {"bidirectional": True, "encoder.hidden": 3, "start": "both-ends"},
        {"encoder.hidden": 4, "start": "mean"},
        {"encoder": "conv", "encoder.hidden": 3, "start": "mean"},
        {"encoder": "transformer", "start": "mean"},
    ],
    ids=str,
)
def test_any_encoder_does_without_attention(encoder):
    """Words one by one equal all at once, a record has no weights, and every used parameter gets a gradient."""
    settings = PLAIN if not encoder.get("encoder") else {k: PLAIN[k] for k in ("order", "score", "decoder.hidden")}
    model = tiny(**settings | encoder)
    decoder, carry, memory = read(model)
    together, _ = decoder(WORDS, carry, memory)
    for t in range(WORDS.size(1)):
        step, carry = decoder(WORDS[:, t : t + 1], carry, memory)
        close(step.attentional[:, 0], together.attentional[:, t], 1e-12)
    assert translate(model, "a b c", tokenized=True, max_length=3).words[0].step.looks == ()
    model.train().loss(make_batch(sentences(3, 7), sentences(4, 2))).backward()
    assert all(p.grad is not None and p.grad.abs().sum() > 0 for p in model.parameters())


# Half precision.

ONE_WAY = {"score": "general", "bidirectional": False, **both_sides(hidden=7)}
LAYERED = {order: {**ONE_WAY, "order": order, **both_sides(layers=2)} for order in ("update-then-attend", "gnmt")}
BEGUN = LAYERED | {"torch-gru": LAYERED["update-then-attend"] | both_sides(cell="torch-gru")}
BEGUN |= {
    f"attend-then-update, {cell}": {**ONE_WAY, "order": "attend-then-update", "encoder.cell": cell}
    for cell in ("gru", "lstm")
}


@pytest.mark.parametrize(
    ("name", "start"),
    [
        (name, start)
        for name, settings in BEGUN.items()
        for start in ORDERS.settings_class(settings["order"]).about()["start"].allowed
    ],
)
@torch.no_grad()
def test_recurrent_states_stay_in_float32_under_autocast(name, start):
    """c_t is a sum over the steps; in bf16 it would lose small terms."""
    model = tiny(dtype=torch.float32, **BEGUN[name], start=start)
    with torch.autocast("cpu", torch.bfloat16):
        decoder, carry, memory = read(model, 7, 7)  # without padding, since torch packs in float32
        _, after = decoder(WORDS[:, :1], carry, memory)
    for part in (*carry.state, *after.state):
        assert part.dtype == torch.float32
