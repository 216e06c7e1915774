"""Split a score into what each part of the query and each part of the key contributes.

`dot`, `scaled_dot` and `general` are bilinear, so a score is exactly the sum over pairs of a query part and a key part
(parts.py). `additive` and `concat` are not: there the split is the first-order one (Taylor expansion at the query and
the key), gradient times part, and `errors` has what it misses. In both, the last part, "constant", is what does not
depend on the other side: a bias.
"""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

from attn_core.attention.multihead import MultiHead
from attn_core.attention.scores import Dot, General, Score
from attn_core.attribution.attention import chosen, ensemble, no_attention
from attn_core.attribution.case import Case
from attn_core.attribution.parts import key_parts, query_parts
from attn_core.messages import _
from attn_core.models.decoders.transformer import TransformerDecoder
from attn_core.models.translator import Translator

CONSTANT = "constant"
Projection = Callable[[Tensor], Tensor]


@dataclass(frozen=True)
class ScoreSplit:
    """The scores of one head (tgt src) and their parts.

    `values[t, s, p, r]` is what part p of the query of step t and part r of encoder state s add to the score. The last
    part of either side is "constant". With `exact`, `errors` are roundings; otherwise values with a part on both sides
    are 0, since a first-order split has no pairs.
    """

    model: str
    layer: int
    head: int
    source: tuple[str, ...]
    target: tuple[str, ...]
    query_parts: tuple[str, ...]
    key_parts: tuple[str, ...]
    values: Float[Tensor, "tgt src query key"]
    scores: Float[Tensor, "tgt src"]
    exact: bool

    @property
    def errors(self) -> Float[Tensor, "tgt src"]:
        """score - sum of its parts."""
        return self.scores - self.values.sum((2, 3))


@torch.no_grad()
def split_score(
    model: Translator,
    text: str,
    target: str | None = None,
    *,
    layer: int = 0,
    head: int = 0,
    tokenized: bool = False,
) -> ScoreSplit:
    """Split the scores of a head (from 0) in forced decoding of `target`, by default the greedy translation.

    Raises ValueError for text without a word, a head that is not there, an ensemble, and a model without attention or
    whose scores compare no keys (location).
    """
    if why := no_attention(model) or ensemble(model) or _compares_no_keys(model):
        raise ValueError(_("scores cannot be split: {why}").format(why=why))
    case = Case.read(model, text, target, tokenized=tokenized)
    (look,) = chosen(case.plain.step.looks, layer, head)
    score, of_query, of_key = _projections(model, layer, head)
    queries = {name: of_query(part) for name, part in query_parts(case, layer).items()}
    states = {name: of_key(part) for name, part in key_parts(case).items()}
    # a registered subclass need not be bilinear
    exact = isinstance(score, Dot | General) and type(score).__module__ == Score.__module__
    split = _pairs if exact else _first_order
    values = split(score, torch.stack([*queries.values()]), torch.stack([*states.values()]))
    return ScoreSplit(
        *(model.name, layer, head, case.source, case.target, (*queries, CONSTANT), (*states, CONSTANT)),
        *(values.cpu(), look.scores[0].cpu(), exact),
    )


def _compares_no_keys(model: Translator) -> str | None:
    attention = model.config.attention
    assert attention is not None
    if attention.score.name == "location":
        return _("the location score of {model} compares no keys").format(model=model.name)
    return None


def _projections(model: Translator, layer: int, head: int) -> tuple[Score, Projection, Projection]:
    """The score of a head, and what becomes of a query and of an encoder state before it; without biases."""
    decoder = model.decoder
    if isinstance(decoder, TransformerDecoder):
        cross = decoder.layers[layer].cross
        W_Q, W_K = (matrix.weight.chunk(cross.heads)[head].T for matrix in (cross.W_Q, cross.W_K))
        return cross.score, lambda part: part @ W_Q, lambda part: part @ W_K
    if isinstance(decoder.attention, MultiHead):
        own = decoder.attention.heads[head]
        return own.attention.score, own.W_q, own.W_k
    assert decoder.attention is not None
    return decoder.attention.score, lambda part: part, lambda part: part


def _pairs(
    score: Score, queries: Float[Tensor, "query tgt q"], states: Float[Tensor, "key src mem"]
) -> Float[Tensor, "tgt src query_1 key_1"]:
    """Of a score that is linear in the key, and in the query but for a constant."""
    keys = torch.cat([score.keys(states), torch.zeros_like(score.keys(states[:1]))])
    same = [part.expand(len(keys), -1, -1) for part in (torch.zeros_like(queries[0]), *queries)]
    constant, *each = (score(part, keys) for part in same)  # (key tgt src)
    each = [one - constant for one in each]
    return torch.stack([*each, constant]).permute(2, 3, 0, 1)


def _first_order(
    score: Score, queries: Float[Tensor, "query tgt q"], states: Float[Tensor, "key src mem"]
) -> Float[Tensor, "tgt src query_1 key_1"]:
    """Gradient times part, and the score of two zero vectors as the constant."""
    tgt, src = queries.size(1), states.size(1)
    with torch.enable_grad():  # a row for each pair of a query and a key
        query = queries.sum(0)[:, None].expand(-1, src, -1).reshape(tgt * src, 1, -1).detach().requires_grad_()
        state = states.sum(0)[None].expand(tgt, -1, -1).reshape(tgt * src, 1, -1).detach().requires_grad_()
        slopes = torch.autograd.grad(score(query, score.keys(state)).sum(), (query, state))
    by_query, by_key = (slope.view(tgt, src, -1) for slope in slopes)
    values = queries.new_zeros(tgt, src, len(queries) + 1, len(states) + 1)
    values[..., :-1, -1] = torch.einsum("tsq,ptq->tsp", by_query, queries)
    values[..., -1, :-1] = torch.einsum("tsm,rsm->tsr", by_key, states)
    values[..., -1, -1] = score(torch.zeros_like(query), score.keys(torch.zeros_like(state))).view(tgt, src)
    return values
