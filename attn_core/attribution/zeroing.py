"""Value zeroing: how far a result turns if the value of one source word is zero and all weights are kept. Unsigned."""

from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor
from torch.nn import functional as F

from attn_core.attribution.attention import chosen, ensemble, no_attention
from attn_core.attribution.case import Case
from attn_core.attribution.method import Found, Method
from attn_core.models.decoders.transformer import ProjectedMemory, TransformerDecoder
from attn_core.models.encoders.transformer import TransformerEncoder
from attn_core.models.translator import Translator
from attn_core.trace.editing import Replacement, editing


class ValueZeroing(Method):
    """1 - cos of the vector that a step computes with and without the value of a source word, divided by the row's sum.

    The weights are those of the sentence as it is. What is compared is, in a Transformer as in the paper, the output of
    one layer, with the value zeroed in that layer only: (tgt src) of the cross-attention, the mean of all layers unless
    `layer` selects one, × (src src) of each layer of the encoder's self-attention, multiplied as in rollout but without
    identities, since the residual connections are inside (the authors' program); without the setting `encoder`, the
    cross-attention alone. The masked self-attention of the decoder is left out.

    In a recurrent model the value is zeroed at one step, after the steps as they are, and the output layer's input is
    compared. Its encoder has no values; its part is the identity.
    """

    title, source, signed = "Value zeroing", "Mohebbi 2023, section 3", False

    @classmethod
    def refusal(cls, model: Translator) -> str | None:
        return no_attention(model) or ensemble(model)

    @torch.no_grad()
    def __call__(self, case: Case) -> Found:
        chosen(case.plain.step.looks, self.settings.layer, None)
        if isinstance(case.model.decoder, TransformerDecoder):
            layers = of_decoder(case, case.model.decoder)
            found = layers.mean(0) if self.settings.layer is None else layers[self.settings.layer]
        else:
            found = of_steps(case)
        if self.settings.encoder and isinstance(case.model.encoder, TransformerEncoder):
            for layer in reversed(of_encoder(case, case.model.encoder)):
                found = found @ layer
        return Found(found)


def of_steps(case: Case) -> Float[Tensor, "tgt src"]:
    """The distances of a recurrent model, step by step; a batch has a row for each zeroed position."""
    n = len(case.source_ids)
    memory, first = case.encode(case.source_ids.unsqueeze(0))
    kept = 1 - torch.eye(n, device=case.source_ids.device).unsqueeze(1)
    # A value times a weight of 0 is what a value of 0 adds.
    zeroed = [
        Replacement("weights", look.layer, look.head, lambda weights: weights * kept.to(weights))
        for look in case.plain.step.looks
    ]
    rows = []
    for word, (carry, _named, step) in zip(case.inputs, case.stepwise(memory, first), strict=True):
        with editing(zeroed):
            changed, _carry = case.model.step(word.expand(n, 1), repeated(carry, n), repeated(memory, n))
        rows.append(distance(changed.attentional, step.attentional).squeeze(1))
    return shares(torch.stack(rows))


def of_decoder(case: Case, decoder: TransformerDecoder) -> Float[Tensor, "layers tgt src"]:
    """The distances of the outputs of each layer, with values of its cross-attention zeroed."""
    n, tgt = len(case.source_ids), len(case.inputs)
    memory, carry = case.encode(case.source_ids.unsqueeze(0))
    assert isinstance(memory, ProjectedMemory)
    x = decoder.input(decoder.embed(case.inputs.unsqueeze(0)))
    causal = torch.ones(1, tgt, tgt, dtype=torch.bool, device=x.device).tril()
    inside = memory.src_mask.unsqueeze(1)
    found = []
    for number, layer in enumerate(decoder.layers):
        past = carry.state[2 * number], carry.state[2 * number + 1]
        keys, values = decoder.of_layer(memory, number)
        before, x = x, layer(x, past, causal, (keys, values), inside, number)[0]
        many = [one.expand(n, *one.shape[1:]) for one in (before, *past, keys, values, inside)]
        changed = layer(many[0], (many[1], many[2]), causal, (many[3], zeroed_values(many[4])), many[5], number)[0]
        found.append(shares(distance(changed, x).T))
    return torch.stack(found)


def of_encoder(case: Case, encoder: TransformerEncoder) -> list[Float[Tensor, "src src"]]:
    """The distances of the outputs of each layer, with values of its self-attention zeroed."""
    n = len(case.source_ids)
    x = encoder.input(encoder.embed(case.source_ids.unsqueeze(0)))
    inside = torch.ones(1, 1, n, dtype=torch.bool, device=x.device)
    found = []
    for number, layer in enumerate(encoder.layers):
        before, x = x, layer(x, inside, number)[0]
        with editing([Replacement("value", number, 0, zeroed_values)]):
            changed = layer(before.expand(n, -1, -1), inside, number)[0]
        found.append(shares(distance(changed, x).T))
    return found


def zeroed_values(values: Float[Tensor, "src heads src v"]) -> Float[Tensor, "src heads src v"]:
    """The values with that of position s zeroed in row s, in all heads."""
    return values * (1 - torch.eye(len(values), dtype=values.dtype, device=values.device))[:, None, :, None]


def distance(changed: Float[Tensor, "rows n m"], plain: Float[Tensor, "1 n m"]) -> Float[Tensor, "rows n"]:
    """1 - cos of vectors; not below 0, as rounding may make it."""
    return (1 - F.cosine_similarity(changed, plain, dim=-1)).clamp_min(0)


def shares(rows: Float[Tensor, "n src"]) -> Float[Tensor, "n src"]:
    """Rows divided by their sums; a row of zeros stays."""
    return rows / rows.sum(-1, keepdim=True).clamp_min(torch.finfo(rows.dtype).tiny)


def repeated(record: Any, rows: int) -> Any:
    """A record of a batch of one row with that row `rows` times."""
    return record.map(lambda x: x.expand(rows, *x.shape[1:]))
