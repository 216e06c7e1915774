"""Gradient × input, integrated gradients and occlusion equal those of Captum, which knows nothing of these models."""

import pytest
import torch
from captum.attr import FeatureAblation, InputXGradient, IntegratedGradients, Saliency

from attn_core.attribution import Case, attribute
from tests.helpers.support import VARIANTS, close, tiny

SOURCE, TARGET = "a b c d", "n o p"
NAMES = ("fixed-vector", "bahdanau", "luong-paper", "luong-heads", "gnmt-v2", "transformer", "transformer-pre")


def forward_of(case, t):
    """log p of word t as a function of embedded sources (rows src m), in the way that notebooks call a model."""
    model = case.model

    def log_prob(embedded):
        rows, n, _ = embedded.shape
        mask = torch.ones(rows, n, dtype=torch.bool)
        order = torch.arange(n).flip(0) if model.encoder.reverse else torch.arange(n)
        encoded = model.encoder.encode(embedded[:, order], mask, [n] * rows)
        encoded = type(encoded)(**vars(encoded) | {"states": encoded.states[:, order]})
        memory, carry = model.decoder.memory(encoded, mask), model.decoder.start(encoded, mask)
        step, _carry = model.step(case.inputs[: t + 1].expand(rows, -1), carry, memory)
        return model.log_probs(step.attentional[:, t])[:, case.target_ids[t]]

    return log_prob


def oracle(model, explained):
    """The attribution (tgt src) that `explained(log_prob, embedded)` returns for the embeddings of one sentence."""
    case = Case.read(model, SOURCE, TARGET, tokenized=True)
    embedded = model.encoder.embed(case.source_ids.unsqueeze(0)).detach().requires_grad_()
    rows = [explained(forward_of(case, t), embedded).detach().reshape(embedded.shape) for t in range(len(case.target))]
    return torch.cat([row.sum(-1) for row in rows])


def values(model, method, **options):
    return attribute(model, SOURCE, TARGET, method=method, tokenized=True, **options)


@pytest.mark.quick(3)
@pytest.mark.parametrize("name", NAMES)
def test_gradient_times_input_equals_captums(name):
    model = tiny(**VARIANTS[name])
    close(values(model, "gradient-input").values, oracle(model, lambda f, x: InputXGradient(f).attribute(x)))
    by_hand = oracle(model, lambda f, x: x * Saliency(f).attribute(x, abs=False))
    close(values(model, "gradient-input").values, by_hand)


@pytest.mark.quick(4)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("points", [2, 20])
def test_integrated_gradients_equal_captums(name, points):
    """With the same quadrature; Captum returns the error too."""
    model = tiny(**VARIANTS[name])
    errors = []

    def explained(f, x):
        found, delta = IntegratedGradients(f).attribute(x, n_steps=points, return_convergence_delta=True)
        errors.append(delta.abs())
        return found

    found = values(model, "integrated-gradients", points=points)
    close(found.values, oracle(model, explained), 1e-6)
    close(found.errors, torch.cat(errors).to(found.errors), 1e-6)


@pytest.mark.quick(3)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("token", ["<pad>", "<unk>"])
def test_integrated_gradients_from_a_token_equal_captums(name, token):
    model = tiny(**VARIANTS[name])
    start = model.encoder.embed(torch.full((1, 1), {"<pad>": 0, "<unk>": 1}[token])).detach()

    def explained(f, x):
        return IntegratedGradients(f).attribute(x, start.expand_as(x), n_steps=8)

    found = values(model, "integrated-gradients", points=8, baseline=token)
    close(found.values, oracle(model, explained), 1e-6)


@pytest.mark.quick(3)
@pytest.mark.parametrize("name", NAMES)
def test_occlusion_by_a_token_equals_captums_ablation(name):
    """Captum's ablation of a word's whole embedding gives each unit the same number, so it is divided by their sum."""
    model = tiny(**VARIANTS[name])
    start = model.encoder.embed(torch.ones(1, 1, dtype=torch.long)).detach()

    def explained(f, x):
        words = torch.arange(x.size(1))[None, :, None].expand_as(x)
        return FeatureAblation(f).attribute(x, start.expand_as(x), feature_mask=words) / x.size(2)

    close(values(model, "occlusion-unk").values, oracle(model, explained))
