"""Exchanged vectors, one place at a time, against hooks on modules and states that are put in by hand."""

from dataclasses import replace

import pytest
import torch

from attn_core import force
from attn_core.attribution import Case, patch
from attn_core.models.ensemble import Ensemble
from tests.helpers.support import VARIANTS, close, tiny

ONE, OTHER, TARGET = "a b c d", "a e c d", "n o p"
NAMES = ("bahdanau", "bahdanau-printed", "luong-paper", "luong-values", "luong-heads", "gnmt-v2", "transformer")


def cases(name):
    model = tiny(**VARIANTS[name])
    one, other = (Case.read(model, text, TARGET, tokenized=True) for text in (ONE, OTHER))
    return model, one, other


def found(model, **options):
    return patch(model, ONE, OTHER, TARGET, tokenized=True, **options)


def log_probs_of(model, case, memory, carry, before_step=lambda t, carry: carry):
    """log p of each word, step by step; `before_step` may change the carry."""
    rows = []
    for t, (word, wanted) in enumerate(zip(case.inputs, case.target_ids, strict=True)):
        step, carry = model.step(word.view(1, 1), before_step(t, carry), memory)
        rows.append(model.log_probs(step.attentional)[0, 0, wanted])
    return torch.stack(rows)


@pytest.mark.quick(4)
@pytest.mark.parametrize("name", NAMES)
@torch.no_grad()
def test_an_exchanged_encoder_state_is_key_and_value_at_all_steps(name):
    model, one, other = cases(name)
    ids = [case.source_ids.unsqueeze(0) for case in (one, other)]
    mask = torch.ones_like(ids[0], dtype=torch.bool)
    encoded = [model.encoder(words, mask) for words in ids]
    result = found(model)
    for s in range(len(one.source)):
        states = encoded[0].states.clone()
        states[0, s] = encoded[1].states[0, s]
        memory = model.decoder.memory(replace(encoded[0], states=states), mask)
        changed = log_probs_of(model, one, memory, model.decoder.start(encoded[0], mask))
        close(result.changes[s], changed - one.attributed)
    assert result.changes.shape == (4, 4)


def contexts(model, case):
    """Each context vector (tgt mem) by layer and head."""
    return {(look.layer, look.head): look.context[0] for look in case.plain.step.looks}


@pytest.mark.parametrize("name", ["luong-heads", "transformer"])
@pytest.mark.parametrize("head", [None, 1])
@torch.no_grad()
def test_an_exchanged_context_of_heads_enters_the_matrix_after_them(name, head):
    """With a hook on W_O at one step of each run."""
    model, one, other = cases(name)
    layer = 0 if name == "luong-heads" else 1
    theirs = contexts(model, other)
    module = model.decoder.attention.W_o if name == "luong-heads" else model.decoder.layers[layer].cross.W_O
    result = found(model, what="context", layer=layer, head=head)
    for k in range(len(one.target)):
        calls = []

        def change(_module, given, k=k, calls=calls):
            calls.append(given)
            if len(calls) - 1 != k:
                return None
            parts = list(given[0].chunk(3, -1))
            for number in range(3) if head is None else [head]:
                parts[number] = theirs[layer, number][k].expand_as(parts[number])
            return (torch.cat(parts, -1),)

        handle = module.register_forward_pre_hook(change)
        memory, carry = one.encode(one.source_ids.unsqueeze(0))
        changed = log_probs_of(model, one, memory, carry)
        handle.remove()
        assert len(calls) == len(one.target)
        close(result.changes[k], changed - one.attributed)


@pytest.mark.quick(3)
@pytest.mark.parametrize("name", ["bahdanau", "bahdanau-printed", "luong-paper", "luong-values", "gnmt-v2"])
@torch.no_grad()
def test_an_exchanged_context_is_what_the_attention_returns(name):
    """With a hook on the attention module at one step of each run."""
    model, one, other = cases(name)
    theirs = contexts(model, other)[0, 0]
    result = found(model, what="context")
    for k in range(len(one.target)):
        calls = []

        def change(_module, _given, look, k=k, calls=calls):
            calls.append(look)
            return replace(look, context=theirs[k].view(1, 1, -1)) if len(calls) - 1 == k else look

        handle = model.decoder.attention.register_forward_hook(change)
        memory, carry = one.encode(one.source_ids.unsqueeze(0))
        changed = log_probs_of(model, one, memory, carry)
        handle.remove()
        close(result.changes[k], changed - one.attributed)
        close(result.changes[k, :k], torch.zeros(k, dtype=changed.dtype))


@pytest.mark.quick(4)
@pytest.mark.parametrize("name", [*NAMES, "fixed-vector"])
@torch.no_grad()
def test_an_exchanged_state_begins_its_step(name):
    model, one, other = cases(name)
    memory, carry = other.encode(other.source_ids.unsqueeze(0))
    theirs = [before for before, *_rest in other.stepwise(memory, carry)]
    memory, first = one.encode(one.source_ids.unsqueeze(0))
    result = found(model, what="state")
    for k in range(len(one.target)):

        def exchanged(t, carry, k=k):
            return replace(carry, state=theirs[k].state) if t == k else carry

        close(result.changes[k], log_probs_of(model, one, memory, first, exchanged) - one.attributed)


@torch.no_grad()
def test_exchanging_all_that_the_decoder_reads_gives_the_other_sentence():
    """A Transformer's decoder has nothing of the source but the encoder states; with one position, that is all."""
    model = tiny(**VARIANTS["transformer"])
    result = patch(model, "a", "b", TARGET, tokenized=True)
    close(result.changes[0], result.of_other - result.log_probs)
    trace = force(model, "b", TARGET, tokenized=True)
    close(result.of_other.sum(), torch.tensor(trace.log_prob, dtype=torch.float64))


def test_the_greedy_translation_of_the_first_sentence_is_scored():
    model = tiny(std=0.3, **VARIANTS["bahdanau"])
    result = patch(model, ONE, OTHER, tokenized=True)
    words = [word for word in result.target if word != "</s>"]
    again = patch(model, ONE, OTHER, " ".join(words), tokenized=True)
    close(again.changes[:, : len(words)], result.changes[:, : len(words)])
    assert (result.source, result.other) == (tuple(ONE.split()), tuple(OTHER.split()))


BAD = {
    "length": ({"other": "a b"}, "must have the same number of tokens, not 4 and 2"),
    "same": ({"other": ONE}, "must differ in exactly one token of the vocabulary, not in 0"),
    "two words": ({"other": "a b d c"}, "must differ in exactly one token of the vocabulary, not in 2"),
    "what": ({"what": "key"}, "what must be one of encoder, context, state, not 'key'"),
    "head of a state": ({"what": "state", "head": 0}, "they have no effect on state"),
    "no such head": ({"what": "context", "layer": 1, "head": 0}, "there is no layer 1, head 0"),
    "empty": ({"other": " "}, "the source ' ' has no word"),
}


@pytest.mark.parametrize("case", BAD)
def test_pairs_that_cannot_be_patched_are_refused(case):
    options, message = BAD[case]
    model = tiny(**VARIANTS["luong-heads"])
    with pytest.raises(ValueError, match=message):
        patch(model, **({"text": ONE, "other": OTHER, "target": TARGET, "tokenized": True} | options))


def test_an_ensemble_and_a_missing_context_are_refused_by_name():
    model = tiny(**VARIANTS["fixed-vector"])
    with pytest.raises(ValueError, match=r"^context cannot be patched: tiny has no attention$"):
        patch(model, ONE, OTHER, TARGET, what="context", tokenized=True)
    with pytest.raises(ValueError, match=r"tiny\+tiny is an ensemble"):
        patch(Ensemble([model, model]), ONE, OTHER, TARGET, tokenized=True)
