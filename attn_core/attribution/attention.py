"""Methods that read attention weights: the weights themselves, norms, Shift-Att and rollout. All are unsigned."""

from collections.abc import Sequence

import torch
from jaxtyping import Float
from torch import Tensor

from attn_core.attribution.case import Case
from attn_core.attribution.method import Found, Method
from attn_core.messages import _
from attn_core.models.translator import Translator
from attn_core.trace import Look


def no_attention(model: Translator) -> str | None:
    """Why a model without attention cannot have a method that reads attention; None for one with attention."""
    if any(one.config.attention is not None for one in getattr(model, "members", [model])):
        return None
    return _("{model} has no attention").format(model=model.name)


def ensemble(model: Translator) -> str | None:
    """Why an ensemble cannot have a method that reads a single model; None for a single model."""
    if not hasattr(model, "members"):
        return None
    return _("{model} is an ensemble: attribute one of its members").format(model=model.name)


def chosen(looks: Sequence[Look], layer: int | None, head: int | None) -> list[Look]:
    """The Looks of a layer and a head; None stands for all. Raises ValueError if there is none."""
    found = [look for look in looks if layer in (None, look.layer) and head in (None, look.head)]
    if not found:
        message = _("there is no {wanted}: both count from 0, and the last is layer {layer}, head {head}")
        wanted = [f"{name} {n}" for name, n in (("layer", layer), ("head", head)) if n is not None]
        last = max((look.layer, look.head) for look in looks)
        raise ValueError(message.format(wanted=", ".join(wanted), layer=last[0], head=last[1]))
    return found


def mean_weights(looks: Sequence[Look]) -> Float[Tensor, "*b src"]:
    """The mean of the weights of several Looks."""
    return torch.stack([look.weights for look in looks]).mean(0)


class Weights(Method):
    """The attention weights of the step that wrote the word, as in Trace.weights; by default the mean of all heads."""

    title, source, signed = "Attention weights", "Bahdanau 2015, eq. 6; Luong 2015, eq. 7; Vaswani 2017, eq. 1", False

    @classmethod
    def refusal(cls, model: Translator) -> str | None:
        return no_attention(model)

    def __call__(self, case: Case) -> Found:
        looks = chosen(case.plain.step.looks, self.settings.layer, self.settings.head)
        return Found(mean_weights(looks).squeeze(0))


class Norms(Method):
    """The Euclidean norm of what a source word adds to a step: |sum over heads of alpha_ts f(v_s)|.

    f is the linear map that the weighted sum of the values passes next, so that f(c_t) = sum_s alpha_ts f(v_s):

    - a Transformer's head: its slice of W_O, as in the paper; the norm is that of the sum over the heads of a layer,
      and the value the mean over layers
    - Bahdanau's order: C_o of the output layer's input, or the context's columns of W_o (`combine` concat), or those
      of the update (`combine` state)
    - Luong's order: the context's columns of W_c
    - GNMT: the context's columns of the matrices of all layers that the context enters in the same step
    - several heads of a recurrent model: first the head's slice of W_o

    See `Decoder.context_maps`.
    """

    title, source, signed = "Weights × norm of the transformed value", "Kobayashi 2020, sections 3 and 5", False

    @classmethod
    def refusal(cls, model: Translator) -> str | None:
        return no_attention(model) or ensemble(model)

    def __call__(self, case: Case) -> Found:
        run, maps = case.plain, case.model.decoder.context_maps()
        looks = chosen(run.step.looks, self.settings.layer, self.settings.head)
        values = run.memory.states[0].chunk(len(run.step.looks), -1)  # of a recurrent model's heads
        layers: dict[int, Tensor] = {}
        for look in looks:
            value = values[look.head] if look.values is None else look.values[0, 0]
            matrix = maps[look.layer, look.head]
            added = look.weights[0].unsqueeze(-1) * (value if matrix is None else value @ matrix.T)
            layers[look.layer] = layers[look.layer] + added if look.layer in layers else added
        return Found(torch.stack([added.norm(dim=-1) for added in layers.values()]).mean(0))


class Shift(Method):
    """The attention weights of the next step, whose input is the word (Shift-Att); the mean of a layer's heads.

    At the step that writes a word, a Transformer does not yet know it. The paper takes the third of six layers, chosen
    on validation data; the default here is the middle layer, the lower of two. A recurrent model has one layer; there
    it is the shift of Luong 2015, footnote 14. The last word is given to the decoder once more to have a next step.
    """

    title, source, signed = "Shift-Att", "Chen 2020, section 3.1; Luong 2015, footnote 14", False

    @classmethod
    def refusal(cls, model: Translator) -> str | None:
        return no_attention(model)

    def __call__(self, case: Case) -> Found:
        with torch.no_grad():
            run = case.run(case.source_ids.unsqueeze(0), inputs=torch.cat([case.inputs, case.target_ids[-1:]]))
        layers = 1 + max(look.layer for look in run.step.looks)
        layer = self.settings.layer
        looks = chosen(run.step.looks, (layers - 1) // 2 if layer is None else layer, None)
        return Found(mean_weights(looks)[0, 1:])


class Rollout(Method):
    """Attention rollout: the weights of all layers multiplied, each with half of a residual connection (eq. in 3).

    A layer of self-attention is (A + I) / 2, A the mean of its heads. The encoder-decoder form is that of Chefer 2021
    (section 4, the baseline "rollout"): rollout of the decoder's own attention × cross-attention of one layer × rollout
    of the encoder. Each row sums to 1.
    """

    title, source, signed = "Attention rollout", "Abnar 2020, section 3; Chefer 2021, section 4", False

    @classmethod
    def refusal(cls, model: Translator) -> str | None:
        why = ensemble(model) or no_attention(model)
        if why is None and (model.config.encoder.name, model.config.decoder.name) != ("transformer", "transformer"):
            why = _("{model} has no self-attention to roll out: rollout is for Transformers").format(model=model.name)
        return why

    def __call__(self, case: Case) -> Found:
        memory, step = case.plain.memory, case.plain.step
        layer = self.settings.layer
        last = max(look.layer for look in step.looks)
        cross = mean_weights(chosen(step.looks, last if layer is None else layer, None))[0]
        return Found(rolled_out(step.own) @ cross @ rolled_out(memory.looks))


def rolled_out(looks: Sequence[Look]) -> Float[Tensor, "n n"]:
    """The product of (A + I) / 2 over the layers of self-attention, the last layer on the left (Abnar 2020)."""
    layers = sorted({look.layer for look in looks})
    each = [mean_weights([look for look in looks if look.layer == layer])[0] for layer in layers]
    found = torch.eye(each[0].size(-1), dtype=each[0].dtype, device=each[0].device)
    for weights in each:
        found = (found + weights @ found) / 2
    return found
