"""Whether an attribution is faithful: what the model loses without the words that it names, or keeps with them alone.

For each written word y_t, the source words are taken in the order of their values, the largest first:

    comprehensiveness       mean over SHARES q of p(y_t | x) - p(y_t | x without the first ceil(q n) of n words)
    sufficiency             mean over SHARES q of p(y_t | x) - p(y_t | the first ceil(q n) words alone)
    soft_comprehensiveness  mean over DRAWS of p(y_t | x) - p(y_t | x'), where each unit of the embedding of word s is 0
                            with probability a_s; a are the values of the step, scaled to [0, 1]
    soft_sufficiency        the same, where each unit is 0 with probability 1 - a_s

High comprehensiveness and low sufficiency are faithful. The first two are those of DeYoung 2020 (section 4, with the
shares of its area over the perturbation curve), the others those of Zhao and Aletras 2023 (section 3) without their
division by what the sentence adds to p, which is near 0 for words that the model writes without reading the source.
Words that are taken away are left out of the sentence, as in DeYoung 2020, so with one word left out comprehensiveness
is what the method "occlusion" maximises. The </s> that some models add to the source stays.

A measure of several methods on the same sentences uses the same random numbers for all. Two orders that know nothing of
the model stand beside the methods: ORDERS.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor

from attn_core.attribution.attribute import build_method
from attn_core.attribution.case import ROWS, Case
from attn_core.attribution.method import Method
from attn_core.attribution.quantities import LogProb
from attn_core.attribution.settings import METHODS
from attn_core.data.alignments import Alignment, alignment_error_rate
from attn_core.decoding.alignment import align_from_weights
from attn_core.messages import _
from attn_core.models.translator import Translator

SHARES = (0.01, 0.05, 0.1, 0.2, 0.5)  # DeYoung 2020, section 4
DRAWS = 2  # of the embeddings' units
RESAMPLES = 1000  # of the bootstrap
MEASURES = ("comprehensiveness", "sufficiency", "soft_comprehensiveness", "soft_sufficiency")
ORDERS = ("random", "nearest")  # a random order, and the source words nearest to the position of the written word

Values = Mapping[str, Float[Tensor, "tgt src"]]


@dataclass(frozen=True)
class Scores:
    """The measures of one sentence by each method, as sums over its written words.

    `agreement` holds, for each pair of methods, Kendall's tau-b between the orders of the source words, and in how many
    steps it is defined (in which neither method gives all source words the same value). `links` holds the counts of
    Och and Ney 2003: links, sure links, and those found among the sure and the possible ones; empty without a gold
    alignment.
    """

    words: int
    sums: dict[str, list[float]]  # by method, in the order of MEASURES
    agreement: list[tuple[str, str, float, int]]
    links: dict[str, list[int]]


class Gold(NamedTuple):
    """A gold alignment, and the index of the word of each source and each target token, </s> left out."""

    links: Alignment
    source: Sequence[int]
    target: Sequence[int]


def methods_for(model: Translator, names: Sequence[str] = ()) -> tuple[dict[str, Method], dict[str, str]]:
    """The methods of these names (default: all) that the model can have, and why it cannot have the others.

    Raises ValueError for a name that no method has, and where the model can have none.
    """
    found, refused = {}, {}
    for name in names or METHODS:
        METHODS.check(name)
        if why := METHODS[name].refusal(model):
            refused[name] = why
        else:
            found[name] = build_method(name, model)
    if not found:
        raise ValueError(
            _("{model} can have none of the methods asked for: {why}").format(
                model=model.name, why="; ".join(refused.values())
            )
        )
    return found, refused


def score(case: Case, methods: Mapping[str, Method], seed: int = 0, gold: Gold | None = None) -> Scores:
    """The measures of a sentence and its translation. `seed` is that of the random numbers of this sentence.

    Raises ValueError for a source of one word, of which none can be left out, for a case that attributes another
    quantity than log p, and as the methods do.
    """
    n = words_of(case)
    if n < 2:
        raise ValueError(_("a source of one word has no order of its words"))
    if case.quantity != LogProb():
        raise ValueError(_("faithfulness is measured on log_prob, not on {name}").format(name=case.quantity.name))
    values = _values(case, methods, seed)
    with torch.no_grad():
        plain = case.attributed.exp().cpu().double()
        removed = _removal(case, values, n)
        soft = _soft_removal(case, values, n, seed)
    sums = {name: [float((plain - left).sum()) for left in (*removed[name], *soft[name])] for name in values}
    links = {} if gold is None else {name: _counts(value, gold) for name, value in values.items()}
    return Scores(len(case.target), sums, list(_agreement(values)), links)


def count_links(case: Case, methods: Mapping[str, Method], gold: Gold, seed: int = 0) -> dict[str, list[int]]:
    """By method, the `links` of a sentence alone: see Scores."""
    return {name: _counts(value, gold) for name, value in _values(case, methods, seed).items()}


def _values(case: Case, methods: Mapping[str, Method], seed: int) -> Values:
    """What the methods find, without the </s> that some models add to the source, and the ORDERS."""
    n = words_of(case)
    found = {name: method(case).values[:, :n].detach().cpu().double() for name, method in methods.items()}
    return found | plain_orders(len(case.target), n, seed)


def words_of(case: Case) -> int:
    """The number of source tokens, without the </s> that some models add."""
    return len(case.source) - bool(case.model.config.source_eos)


def plain_orders(tgt: int, n: int, seed: int) -> dict[str, Float[Tensor, "tgt src"]]:
    """Values that put n source words in the ORDERS, for each of the written words."""
    uniform = torch.rand(tgt, n, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
    steps, places = torch.arange(tgt, dtype=torch.float64), torch.arange(n, dtype=torch.float64)
    return dict(zip(ORDERS, (uniform, -(places - steps.unsqueeze(1)).abs()), strict=True))


def _removal(case: Case, values: Values, n: int) -> dict[str, tuple[Tensor, ...]]:
    """By method, the mean p of each written word without its first source words, and with these alone."""
    sizes = [min(math.ceil(share * n), n - 1) for share in SHARES]
    kept: dict[tuple[int, tuple[int, ...]], float] = {}  # p by step and the positions that are left
    chosen: dict[str, list[list[tuple[tuple[int, ...], tuple[int, ...]]]]] = {}
    for name, rows in values.items():
        order = rows.argsort(dim=1, descending=True, stable=True).tolist()
        chosen[name] = [[(tuple(sorted(row[k:])), tuple(sorted(row[:k]))) for k in sizes] for row in order]
        kept |= {(t, places): 0.0 for t, row in enumerate(chosen[name]) for pair in row for places in pair}
    for length in {len(places) for _t, places in kept}:
        same = sorted(key for key in kept if len(key[1]) == length)  # early steps first: a batch ends with its last
        for start in range(0, len(same), ROWS):
            batch = same[start : start + ROWS]
            steps, places = [t for t, _places in batch], torch.tensor([[*where] for _t, where in batch])
            ending = torch.arange(n, len(case.source)).expand(len(batch), -1)
            sources = case.source_ids[torch.cat([places, ending], 1).to(case.source_ids.device)]
            kept |= dict(zip(batch, case.values_at(sources, steps).exp().tolist(), strict=True))
    means = {}
    for name, steps_of in chosen.items():
        found = torch.tensor([[[kept[t, one] for one in pair] for pair in row] for t, row in enumerate(steps_of)])
        means[name] = tuple(found.double().mean(1).unbind(1))
    return means


def _soft_removal(case: Case, values: Values, n: int, seed: int) -> dict[str, tuple[Tensor, ...]]:
    """By method, the mean p of each written word with embeddings whose units are 0 by chance: see the module."""
    tgt = len(case.target)
    scaled = torch.stack([_scaled(rows) for rows in values.values()])  # (methods, tgt, src)
    keep = torch.stack([1 - scaled, scaled], 2).flatten(0, 2)  # a row for each method, step and measure
    keep = torch.cat([keep, keep.new_ones(len(keep), len(case.source) - n)], 1)
    steps = torch.arange(tgt).repeat_interleave(2).repeat(len(values))
    found = torch.zeros(len(keep), dtype=torch.float64)
    early = steps.argsort(stable=True)
    for draw in range(DRAWS):
        dice = torch.Generator().manual_seed(seed * DRAWS + draw)
        noise: dict[int, Tensor] = {}  # by size of the embedding: the same for all rows
        for rows in early.split(ROWS):
            found[rows] += (
                case.values_at(
                    case.source_ids.expand(len(rows), -1), steps[rows].tolist(), _masking(keep[rows], noise, dice)
                )
                .exp()
                .cpu()
                .double()
            )
    each = (found / DRAWS).view(len(values), tgt, 2)
    return {name: tuple(part.unbind(1)) for name, part in zip(values, each, strict=True)}


def _masking(keep: Float[Tensor, "rows src"], noise: dict[int, Tensor], dice: torch.Generator) -> Any:
    """A change of embeddings that keeps each unit of source word s with probability keep[:, s]."""

    def change(embedded: Float[Tensor, "rows src m"]) -> Float[Tensor, "rows src m"]:
        units = embedded.size(-1)
        if units not in noise:
            noise[units] = torch.rand(embedded.size(1), units, generator=dice, dtype=torch.float64)
        return embedded * (noise[units] < keep.unsqueeze(-1)).to(embedded)

    return change


def _scaled(rows: Float[Tensor, "tgt src"]) -> Float[Tensor, "tgt src"]:
    """Each row from 0 to 1, linearly; one half where all its values are the same."""
    low, high = rows.amin(1, keepdim=True), rows.amax(1, keepdim=True)
    return torch.where(high > low, (rows - low) / (high - low), 0.5)


def _agreement(values: Values) -> Iterator[tuple[str, str, float, int]]:
    """Kendall's tau-b between each pair of methods, summed over the steps in which it is defined, and their number."""
    names = [*values]
    rows = torch.stack([*values.values()])
    first, second = torch.triu_indices(rows.size(-1), rows.size(-1), 1)
    signs = (rows[..., first] - rows[..., second]).sign()  # (methods, tgt, pairs)
    norms = signs.norm(dim=-1)
    for i, one in enumerate(names):
        for j, other in enumerate(names[:i]):
            defined = (norms[i] * norms[j]) > 0
            tau = (signs[i] * signs[j]).sum(-1)[defined] / (norms[i] * norms[j])[defined]
            yield one, other, float(tau.sum()), int(defined.sum())


def _counts(values: Float[Tensor, "tgt src"], gold: Gold) -> list[int]:
    """The counts of links of one sentence, where each target word is linked to the source word with the largest value.

    A word of several pieces has the links of each; </s> has none.
    """
    rows = align_from_weights(values[: len(gold.target)])
    links = {(gold.source[i], gold.target[j]) for i, j in rows}
    found = alignment_error_rate([gold.links], [links])
    return [found.links, found.sure, found.sure_hits, found.possible_hits]


def summary(scores: Sequence[Scores], links: Sequence[Mapping[str, Sequence[int]]] = ()) -> dict[str, Any]:
    """The measures over all sentences, with intervals of 95% by a paired bootstrap over sentences (Koehn 2004).

    `measures` has, by method, for each measure its mean over words with `low` and `high`; `beside_weights` the
    difference from the method "weights", where it is among them; `agreement` the mean of Kendall's tau-b for each pair
    of methods, None where it is never defined. With the `links` of other sentences, or those of `scores` themselves,
    the measures include `aer`, the alignment error rate (Och and Ney 2003). Raises ValueError without any scores.
    """
    if not scores:
        raise ValueError(_("there are no scores to summarise"))
    samples = _samples(len(scores))
    words = np.array([one.words for one in scores], dtype=float)[samples].sum(1)
    found: dict[str, dict[str, np.ndarray]] = {}  # numbers of all samples
    for name in scores[0].sums:
        sums = np.array([one.sums[name] for one in scores])[samples].sum(1)  # (samples, measures)
        found[name] = dict(zip(MEASURES, (sums / words[:, None]).T, strict=True))
    if counts := links or [one.links for one in scores if one.links]:
        drawn = _samples(len(counts))
        for name, each in found.items():
            sums = np.array([one[name] for one in counts], dtype=float)[drawn].sum(1)
            each["aer"] = 1 - sums[:, 2:].sum(1) / sums[:, :2].sum(1)
    plain = found.get("weights", {})
    differences = {
        name: {measure: values - plain[measure] for measure, values in each.items()}
        for name, each in found.items()
        if plain and name != "weights"
    }
    agreement = []
    for pairs in zip(*(one.agreement for one in scores), strict=True):
        steps = sum(steps for *_names, steps in pairs)
        tau = sum(tau for *_names, tau, _steps in pairs) / steps if steps else None
        agreement.append([*pairs[0][:2], tau])
    return {
        "sentences": len(scores),
        "words": int(words[0]),
        "measures": _intervals(found),
        "beside_weights": _intervals(differences),
        "agreement": agreement,
    }


def _samples(n: int) -> Int[np.ndarray, "samples n"]:
    """Indices of n sentences: as they are, then drawn with replacement for each round."""
    draws = np.random.default_rng(0).integers(0, n, (RESAMPLES, n))
    return np.concatenate([np.arange(n)[None], draws])


def _intervals(found: Mapping[str, Mapping[str, np.ndarray]]) -> dict[str, Any]:
    """The number of the sentences as they are, and the interval of those of the drawn samples."""
    return {
        name: {
            measure: {"mean": float(row[0]), "low": float(low), "high": float(high)}
            for measure, row in each.items()
            for low, high in [np.quantile(row[1:], (0.025, 0.975))]
        }
        for name, each in found.items()
    }
