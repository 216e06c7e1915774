"""Encoders: reading order, positions of the states, and the decoder's first state."""

import json
import math
from dataclasses import dataclass

import pytest
import torch

from attn_core.data.corpus import make_batch, pad
from attn_core.decoding.translate import translate
from attn_core.explain.step_graph import step_graph
from attn_core.models.by_name import AXES
from attn_core.models.config import ModelConfig
from attn_core.models.encoders.encoder import Encoded, Encoder
from attn_core.models.encoders.settings import EncoderSettings, RNNSettings
from attn_core.settings import setting
from attn_core.trace import dump
from tests.helpers.support import BAHDANAU, LUONG, both_sides, close, drawn, sentences, stack_cells, tiny

CELLS = RNNSettings.about()["cell"].allowed
ENCODERS = {
    "gru": BAHDANAU,
    "gru-one-way": BAHDANAU | {"bidirectional": False},
    "gru-torch": BAHDANAU | both_sides(reset="after"),
    "lstm": LUONG,
    "lstm-stacked": LUONG | both_sides(layers=3),
    "lstm-both-ways": LUONG | {"encoder.hidden": 3, "decoder.hidden": 6, "bidirectional": True, **both_sides(layers=2)},
    **{f"cell-{cell}": LUONG | {"encoder.cell": cell, "start": "both-ends"} for cell in CELLS},
}
each_encoder = pytest.mark.parametrize("settings", ENCODERS.values(), ids=ENCODERS)
either_order = pytest.mark.parametrize("reverse", [False, True], ids=["forward", "reversed"])


def encoder(settings, **more):
    return tiny(**(settings | more)).encoder


@each_encoder
@either_order
@pytest.mark.parametrize("lengths", [(3, 7, 1, 5), (5, 5, 5)], ids=["padded", "one-length"])
def test_a_batch_gives_each_sentence_what_it_gets_alone(settings, reverse, lengths):
    read = encoder(settings, reverse=reverse)
    batch = sentences(*lengths)
    together = read(*pad(batch))
    for b, sentence in enumerate(batch):
        alone = read(*pad([sentence]))
        close(together.states[b : b + 1, : len(sentence)], alone.states, 1e-12)
        for part, part_alone in zip(together.final, alone.final, strict=True):
            close(part[b : b + 1], part_alone, 1e-12)


@each_encoder
def test_a_reversed_encoder_keeps_the_positions_of_the_source(settings):
    """State j belongs to word j: an unreversed encoder has it at S - 1 - j for the reversed words."""
    forwards, backwards = encoder(settings), encoder(settings, reverse=True)
    backwards.load_state_dict(forwards.state_dict())
    batch = sentences(3, 7, 5)
    found = backwards(*pad(batch))
    for b, sentence in enumerate(batch):
        by_hand = forwards(*pad([sentence[::-1]]))
        close(found.states[b, : len(sentence)], by_hand.states[0].flip(0), 1e-12)
        for part, part_by_hand in zip(found.final, by_hand.final, strict=True):
            close(part[b], part_by_hand[0], 1e-12)


def test_one_direction_depends_only_on_the_past():
    for reverse in (False, True):
        read = encoder(LUONG, reverse=reverse)
        words = torch.tensor([[4, 5, 6, 7, 8]])
        mask = torch.ones_like(words, dtype=torch.bool)
        changed = words.clone()
        changed[0, 2] = 9
        same = (read(words, mask).states - read(changed, mask).states).abs().amax(-1)[0] < 1e-12
        assert same.tolist() == ([False, False, False, True, True] if reverse else [True, True, False, False, False])


def test_states_of_both_directions_are_concatenated():
    """h_j = [forward h_j; backward h_j] (Bahdanau 2015, eq. 7), each direction with its own parameters."""
    read = encoder(BAHDANAU)
    words, mask = pad(sentences(7, 4))
    embedded = read.embed(words)
    found = read(words, mask)
    forward, backward = read.directions
    close(found.states, torch.cat([forward(embedded, mask)[0], backward(embedded, mask)[0]], -1), 1e-12)
    assert not forward.backward
    assert backward.backward


def test_gru_decoder_starts_from_the_backward_state_at_the_first_word():
    found = encoder(BAHDANAU)(*pad(sentences(7, 4)))
    close(found.final[0][:, 0, -1], found.states[:, 0, 3:], 1e-12)


def test_one_way_gru_decoder_starts_from_the_last_word():
    found = encoder(BAHDANAU | {"bidirectional": False})(*pad(sentences(7, 4)))
    close(found.final[0][:, 0, 0], torch.stack([found.states[0, 6], found.states[1, 3]]), 1e-12)


def test_lstm_gives_its_top_layer_and_every_layers_last_state():
    """Compared with torch's LSTM cells, layer by layer and word by word."""
    read = encoder(LUONG | both_sides(layers=2))
    words = torch.tensor([[4, 9, 6, 5]])
    inputs = read.embed(words)[0]
    found = read(words, torch.ones_like(words, dtype=torch.bool))
    for layer, cell in enumerate(stack_cells(read.rnn)):
        h, c, outputs = torch.zeros(1, 7).double(), torch.zeros(1, 7).double(), []
        for x in inputs:
            h, c = cell(x.unsqueeze(0), (h, c))
            outputs.append(h)
        inputs = torch.cat(outputs)
        close(found.final[0][:, layer, 0], h, 1e-12)
        close(found.final[1][:, layer, 0], c, 1e-12)
    close(found.states[0], inputs, 1e-12)


def test_both_directions_of_an_lstm_layer_make_one_decoder_layer():
    model = tiny(**ENCODERS["lstm-both-ways"]).double()
    words, mask = pad(sentences(7, 4))
    found = model.encoder(words, mask)
    h, c = found.final
    assert h.shape == c.shape == (2, 2, 2, 3)
    close(h[:, 1, 0], torch.stack([found.states[0, 6, :3], found.states[1, 3, :3]]), 1e-12)
    close(h[:, 1, 1], found.states[:, 0, 3:], 1e-12)
    for part, first in zip((h, c), model.decoder.start(found, mask).state, strict=True):
        assert torch.equal(first, torch.cat([part[:, :, 0], part[:, :, 1]], -1))


@each_encoder
def test_gradients_are_finite_and_none_reaches_the_padding(settings):
    read = encoder(settings)
    words, mask = pad(sentences(7, 2, 4))
    embedded = read.embed(words).detach().requires_grad_()
    encoded = read.encode(embedded, mask)
    total = encoded.states[mask].square().sum() + sum(part.square().sum() for part in encoded.final)
    gradient, *others = torch.autograd.grad(
        total, [embedded, *(p for n, p in read.named_parameters() if n != "embed.weight")]
    )
    assert all(g.isfinite().all() for g in (gradient, *others))
    assert (gradient[~mask] == 0).all()
    assert (gradient[mask] != 0).any(-1).all()


def test_dropout_applies_to_the_embeddings_in_training_only():
    read = encoder(LUONG, dropout=0.5)
    words, mask = pad(sentences(7))
    assert torch.equal(read(words, mask).states, read(words, mask).states)
    read.train()
    assert not torch.equal(read(words, mask).states, read(words, mask).states)


# Encoders without recurrence.

ORDERS = {
    "update-then-attend": {"decoder.hidden": 7},
    "update-then-attend-fed": {"decoder.hidden": 7, "feeding": True, "decoder.layers": 2},
    "attend-then-update": {"order": "attend-then-update", "decoder.hidden": 7},
    "attend-then-update-printed": {
        "order": "attend-then-update",
        "decoder.hidden": 7,
        "update": "printed",
        "combine": "concat",
    },
    "gnmt": {"order": "gnmt", "decoder.hidden": 7, "decoder.layers": 3},
    "gnmt-previous": {"order": "gnmt", "decoder.hidden": 7, "decoder.layers": 2, "query": "previous"},
    "transformer": {"order": "transformer", "score": "scaled_dot", "embedding": 6, "decoder.layers": 2},
    "no-attention": {"order": "attend-then-update", "decoder.hidden": 7, "score": None},
    "no-attention-luong": {"decoder.hidden": 7, "score": None},
}
SIZES = {
    "transformer": {"encoder.layers": 2, "encoder.heads": 2, "embedding": 6},
    "conv": {"encoder.hidden": 3, "encoder.layers": 2, "embedding": 5},
}
WITHOUT_RECURRENCE = {
    name: {"encoder": name} | SIZES.get(name, {})
    for name in AXES["encoder"]
    if not AXES["encoder"].settings(name).final_states
}


def composed(kind, order, **more):
    start = {} if order == "transformer" else {"start": "mean"}
    settings = WITHOUT_RECURRENCE.get(kind, {"encoder": kind}) | ORDERS[order] | start | more
    sizes = (
        {"attentional": 2}
        if "attentional" in AXES["decoder"].settings_class(settings.get("order", "update-then-attend")).about()
        else {}
    )
    return drawn(ModelConfig.of(sizes | {"dropout": 0.0, "output_dropout": 0.0, "tied": False} | settings), std=0.4)


def conv_by_hand(encoder, words):
    """Gehring 2017, section 3, one position and one channel at a time, in plain Python."""
    p = {name: value.tolist() for name, value in encoder.named_parameters()}
    e = [
        [x + y for x, y in zip(p["embed.weight"][word], p["embed_place.weight"][j], strict=True)]
        for j, word in enumerate(words)
    ]

    def linear(name, x):
        rows = zip(p[f"{name}.weight"], p[f"{name}.bias"], strict=True)
        return [sum(w * v for w, v in zip(row, x, strict=True)) + b for row, b in rows]

    h = [linear("enter", x) for x in e]
    for number in range(len(encoder.blocks)):
        kernel, bias = p[f"blocks.{number}.conv.weight"], p[f"blocks.{number}.conv.bias"]
        width, channels = len(kernel[0][0]), len(h[0])
        after = []
        for j in range(len(h)):
            both = []
            for out in range(2 * channels):
                total = bias[out]
                for k in range(width):
                    place = j + k - width // 2
                    if 0 <= place < len(h):  # zeros beside the sentence
                        total += sum(kernel[out][c][k] * h[place][c] for c in range(channels))
                both.append(total)
            gated = [a / (1 + math.exp(-b)) for a, b in zip(both[:channels], both[channels:], strict=True)]
            after.append([(g + x) * math.sqrt(0.5) for g, x in zip(gated, h[j], strict=True)])
        h = after
    z = [linear("leave", x) for x in h]
    return z, [[x + y for x, y in zip(a, b, strict=True)] for a, b in zip(z, e, strict=True)]


@pytest.mark.parametrize("width", [1, 3, 5])
def test_the_conv_encoder_equals_a_slow_loop_also_in_a_padded_batch(width):
    """Keys z_j and values z_j + e_j of every sentence; beyond its edges are zeros, not embeddings of padding."""
    read = composed("conv", "update-then-attend", **{"encoder.width": width}).encoder
    batch = sentences(1, 7, 4)
    found = read(*pad(batch))
    assert found.final == ()
    for b, sentence in enumerate(batch):
        z, values = conv_by_hand(read, sentence)
        close(found.states[b, : len(sentence)], z, 1e-12)
        close(found.values[b, : len(sentence)], values, 1e-12)


def test_the_conv_encoder_has_as_many_positions_as_its_config_says():
    read = composed("conv", "update-then-attend", **{"encoder.longest": 6}).encoder
    read(*pad(sentences(6)))
    with pytest.raises(
        ValueError, match=r"has 6 position embeddings, but the source has 7 tokens: .* encoder.longest=7 or more"
    ):
        read(*pad(sentences(7)))


@pytest.mark.quick(4)
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("kind", WITHOUT_RECURRENCE)
def test_an_encoder_without_recurrence_fits_every_order(kind, order):
    """The context averages the values; a batch equals single sentences; every parameter gets a gradient."""
    model = composed(kind, order)
    source, target = sentences(3, 7), sentences(4, 2)
    batch = make_batch(source, target)
    steps = model.steps(batch)
    assert steps.attentional.shape == (2, 5, model.config.readout_size)
    encoded = model.encoder(batch.source, batch.source_mask)
    values = encoded.states if encoded.values is None else encoded.values
    if order != "transformer":
        assert len(steps.looks) == (model.config.attention is not None)
    for look in steps.looks:
        close(look.weights.sum(-1), torch.ones(2, 5), 1e-12)
        if order != "transformer":
            close(look.context, look.weights @ values, 1e-12)
    for b in range(2):
        alone = model.steps(make_batch(source[b : b + 1], target[b : b + 1]))
        n = alone.attentional.size(1)
        close(steps.attentional[b : b + 1, :n], alone.attentional, 1e-10)
    model.train().loss(batch).backward()
    for name, parameter in model.named_parameters():
        assert parameter.grad is not None, name
        assert parameter.grad.abs().sum() > 0, name


@pytest.mark.parametrize("settings", [{}, {"score": None}, {"attention.heads": 2, "head_size": 3}], ids=str)
@torch.no_grad()
def test_a_recurrent_decoder_keeps_the_self_attention_of_the_encoder(settings):
    """A record has the weights of each layer and head, whose values make the encoder's states."""
    model = composed("transformer", "attend-then-update", **settings)
    trace = translate(model, "a b c", tokenized=True, max_length=2)
    words = torch.tensor([model.source_ids(["a", "b", "c"])])
    wanted = model.encoder(words, torch.ones_like(words, dtype=torch.bool)).looks
    assert len(wanted) == model.config.encoder.layers * model.config.encoder.heads > 1
    for found, look in zip(trace.memory.looks, wanted, strict=True):
        close(found.weights, look.weights[0])
    assert [one["head"] for one in json.loads(dump(trace))["encoder"]] == [look.head for look in wanted]


def starting(decoder):
    """The matrix of the first state: Bahdanau's W_s, or W_init where W_s is Luong's output matrix."""
    return decoder.W_s if hasattr(decoder, "W_s") else decoder.W_init


@pytest.mark.parametrize("kind", WITHOUT_RECURRENCE)
@pytest.mark.parametrize("order", ["update-then-attend", "attend-then-update", "gnmt"])
def test_the_first_state_is_made_from_the_mean_encoder_state(kind, order):
    """tanh(W mean_j h_j) over real words, in every layer, and for the cell state of an LSTM."""
    model = composed(kind, order)
    words, mask = pad(sentences(3, 7))
    encoded = model.encoder(words, mask)
    carry = model.decoder.start(encoded, mask)
    W = starting(model.decoder)
    for b, length in enumerate((3, 7)):
        wanted = torch.tanh(W.weight @ encoded.states[b, :length].mean(0) + W.bias)
        for part in carry.state:
            for layer in part[b].reshape(-1, 7):
                close(layer, wanted, 1e-12)


@dataclass(frozen=True)
class SumSettings(EncoderSettings):
    """An encoder with last states that is no RNN of the project."""

    name: str = "sum"
    hidden: int = setting(7, "units", size=True)

    @property
    def reading(self) -> tuple[bool, bool]:
        return True, False

    @property
    def final_states(self) -> int:
        return 1

    @property
    def end_size(self) -> int:
        return self.hidden

    def memory(self, embedding: int) -> int:
        return self.hidden


class Sum(Encoder):
    """h_j = h_{j-1} + W x_j."""

    def __init__(self, config, vocabulary):
        super().__init__(config, vocabulary)
        self.W = torch.nn.Linear(config.embedding, config.encoder.hidden, bias=False)

    @classmethod
    def equations(cls, config):
        return ["h_j = h_{j-1} + W x_j"]

    def encode(self, embedded, mask, lengths=None):
        states = (self.W(embedded) * mask.unsqueeze(-1)).cumsum(1)
        return Encoded(states, (states[:, -1:].unsqueeze(1),))


@pytest.mark.parametrize(
    ("order", "settings"),
    [
        ("attend-then-update", {"start": "copy"}),
        ("attend-then-update", {"start": "backward"}),
        ("attend-then-update", {"start": "both-ends", "score": None}),
        ("update-then-attend", {"start": "copy", "decoder.cell": "torch-gru"}),
        ("update-then-attend", {"start": "both-ends", "score": None}),
    ],
)
def test_a_decoder_starts_from_any_encoder_that_states_its_last_states(order, settings):
    AXES["encoder"].add("sum", SumSettings)(Sum)
    try:
        model = composed("sum", order, **settings)
        words, mask = pad(sentences(3, 7))
        encoded = model.encoder(words, mask)
        last, first = encoded.states[:, -1], model.decoder.start(encoded, mask).state[0].flatten(1)
        close(first, last if settings["start"] == "copy" else torch.tanh(starting(model.decoder)(last)))
        assert "mean" not in str(step_graph(model.config).quantities)
    finally:
        del AXES["encoder"]["sum"]


def test_a_decoder_can_start_from_the_mean_of_a_recurrent_encoder():
    for settings in (LUONG | both_sides(layers=2), BAHDANAU, LUONG | {"order": "gnmt", **both_sides(layers=2)}):
        model = tiny(**settings, start="mean")
        words, mask = pad(sentences(3, 7))
        encoded = model.encoder(words, mask)
        first = model.decoder.start(encoded, mask).state[0][0].reshape(-1, 7)[0]
        W = starting(model.decoder)
        close(first, torch.tanh(W.weight @ encoded.states[0, :3].mean(0) + W.bias), 1e-12)


def test_zeros_at_padding_leave_the_first_state_as_it_is():
    """With padding "zero" only attention sees padding; what it averages there is zero, also with separate values."""
    model = composed("conv", "update-then-attend", start="mean", padding="zero")
    words, mask = pad(sentences(3, 7))
    memory, carry = model.encode(words, mask)
    _, alone = model.encode(words[:1, :3], mask[:1, :3])
    close(carry.state[0][0], alone.state[0][0], 1e-12)
    assert memory.src_mask.all()
    assert not memory.states[0, 3:].any()
    assert not memory.keys[0, 3:].any()
