"""Encoders: what is read when, where it is reported, and what the decoder starts from."""

import pytest
import torch

from attn_core.data.corpus import pad
from tests.helpers.support import BAHDANAU, LUONG, close, sentences, tiny

ENCODERS = {
    "gru": BAHDANAU,
    "gru-one-way": BAHDANAU | {"bidirectional": False},
    "gru-torch": BAHDANAU | {"reset": "after"},
    "lstm": LUONG,
    "lstm-stacked": LUONG | {"layers": 3},
    "lstm-both-ways": LUONG | {"encoder_hidden": 3, "hidden": 6, "bidirectional": True, "layers": 2},
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
def test_a_reversed_encoder_reports_positions_as_written(settings):
    """State j is that of word j: what an unreversed encoder, given the words backwards, has at S - 1 - j."""
    forwards, backwards = encoder(settings), encoder(settings, reverse=True)
    backwards.load_state_dict(forwards.state_dict())
    batch = sentences(3, 7, 5)
    found = backwards(*pad(batch))
    for b, sentence in enumerate(batch):
        by_hand = forwards(*pad([sentence[::-1]]))
        close(found.states[b, : len(sentence)], by_hand.states[0].flip(0), 1e-12)
        for part, part_by_hand in zip(found.final, by_hand.final, strict=True):
            close(part[b], part_by_hand[0], 1e-12)


def test_one_direction_knows_only_the_past():
    for reverse in (False, True):
        read = encoder(LUONG, reverse=reverse)
        words = torch.tensor([[4, 5, 6, 7, 8]])
        mask = torch.ones_like(words, dtype=torch.bool)
        changed = words.clone()
        changed[0, 2] = 9
        same = (read(words, mask).states - read(changed, mask).states).abs().amax(-1)[0] < 1e-12
        assert same.tolist() == ([False, False, False, True, True] if reverse else [True, True, False, False, False])


def test_states_of_both_directions_stand_side_by_side():
    """h_j = [forward h_j; backward h_j] (Bahdanau 2015, eq. 7), each direction a reading of its own."""
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
    """Against torch's LSTM cells, layer upon layer, word by word."""
    read = encoder(LUONG | {"layers": 2})
    words = torch.tensor([[4, 9, 6, 5]])
    inputs = read.embed(words)[0]
    found = read(words, torch.ones_like(words, dtype=torch.bool))
    for layer in range(2):
        cell = torch.nn.LSTMCell(inputs.size(1), 7).double()
        cell.load_state_dict(
            {
                name.removesuffix(f"_l{layer}"): p
                for name, p in read.rnn.state_dict().items()
                if name.endswith(f"_l{layer}")
            }
        )
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


def test_dropout_falls_on_the_embeddings_while_training_only():
    read = encoder(LUONG, dropout=0.5)
    words, mask = pad(sentences(7))
    assert torch.equal(read(words, mask).states, read(words, mask).states)
    read.train()
    assert not torch.equal(read(words, mask).states, read(words, mask).states)
