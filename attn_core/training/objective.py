"""Training loss and optional regularisers."""

from collections.abc import Callable
from dataclasses import replace

import torch
from jaxtyping import Bool, Float
from torch import Tensor
from torch.nn import functional as F

from attn_core.attention.measures import coverage_loss, doubly_stochastic, entropy
from attn_core.attention.mode import AS_BUILT, Mode
from attn_core.data.corpus import Batch
from attn_core.models.recipe import TrainConfig
from attn_core.models.translator import Translator
from attn_core.trace import Look, Step
from attn_core.trace.tensors import cat, wide
from attn_core.training.reinforce import reinforce, update_baseline


def objective(
    model: Translator,
    batch: Batch,
    recipe: TrainConfig,
    baseline: Float[Tensor, ""],
    mode: Mode = AS_BUILT,
) -> Float[Tensor, ""]:
    """The loss in nats, summed over the batch's words, plus the recipe's terms summed over its sentences.

    A model with sampled hard attention is trained as in Xu 2015, section 4.1: some batches use the expectation, for the
    others `reinforce` gives the gradient of the samples. `baseline` is updated in place.
    """
    drawn = model.config["attention.type"] == "hard-sample"
    if not (drawn or _weights(recipe) or recipe.teacher_forcing < 1):
        return model.loss(batch, recipe.label_smoothing, mode)
    expected = drawn and torch.rand(()).item() < recipe.soft_share  # one random number for the batch
    steps = steps_of(model, batch, recipe, replace(mode, expected=expected, recorded=not drawn))
    if drawn:
        return _hard(model, steps, batch, recipe, baseline, expected)
    return model.loss_of(steps.attentional, batch, recipe.label_smoothing) + terms(steps.looks, batch, recipe)


def steps_of(model: Translator, batch: Batch, recipe: TrainConfig, mode: Mode = AS_BUILT) -> Step:
    """The decoder's steps on the batch's targets.

    With `teacher_forcing` below 1, the input of each step but the first is the target word with that probability (one
    choice for the batch), otherwise the most probable word of the previous step, by its output layer without dropout;
    with `dropout_once` the input of that layer has been through dropout.
    """
    if recipe.teacher_forcing == 1:
        return model.steps(batch, mode)
    memory, carry = model.encode(batch.source, batch.source_mask, batch.source_lengths)
    steps: list[Step] = []
    for words in batch.inputs.split(1, 1):
        if steps and torch.rand(()).item() >= recipe.teacher_forcing:
            words = model.decoder.output(steps[-1].attentional.detach()).argmax(-1)
        step, carry = model.decoder(words, carry, memory, mode)
        steps.append(step)
    return cat(steps, dim=1)


def _hard(
    model: Translator,
    steps: Step,
    batch: Batch,
    recipe: TrainConfig,
    baseline: Float[Tensor, ""],
    expected: bool,
) -> Float[Tensor, ""]:
    """The objective of sampled hard attention, or of its expectation: see `objective`."""
    losses = word_losses(model, steps, batch, recipe.label_smoothing)
    total = losses.sum() + terms(steps.looks, batch, recipe)
    if not expected:
        total = total + recipe.reward * reinforce(steps.looks, losses, batch.target_mask, baseline, recipe.credit)
    update_baseline(baseline, losses, batch.target_mask)
    return total


def word_losses(model: Translator, steps: Step, batch: Batch, label_smoothing: float = 0.0) -> Float[Tensor, "b tgt"]:
    """-log p of each word in nats; 0 at padding."""
    logits = wide(model.decoder.logits(steps.attentional))
    losses = F.cross_entropy(logits.mT, batch.outputs, reduction="none", label_smoothing=label_smoothing)
    return losses * batch.target_mask


# (alignment weights, source mask) -> a number for each sentence.
Term = Callable[[Float[Tensor, "b tgt src"], Bool[Tensor, "b src"]], Float[Tensor, "b"]]
TERMS: dict[str, Term] = {
    "doubly_stochastic": doubly_stochastic,
    "coverage": lambda align, real: coverage_loss(align),
    "attention_entropy": lambda align, real: entropy(align).sum(-1),
}


def terms(looks: tuple[Look, ...], batch: Batch, recipe: TrainConfig) -> Float[Tensor, ""]:
    """The recipe's TERMS times their weights: mean over looks, sum over sentences, without padding."""
    total = torch.zeros((), device=batch.source.device)
    for look in looks:
        align = look.alignment * batch.target_mask.unsqueeze(-1)
        for name, weight in _weights(recipe).items():
            total = total + weight / len(looks) * TERMS[name](align, batch.source_mask).sum()
    return total


def _weights(recipe: TrainConfig) -> dict[str, float]:
    """The terms with a non-zero weight."""
    return {name: weight for name in TERMS if (weight := getattr(recipe, name))}
