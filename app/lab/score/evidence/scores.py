"""The evidence for the Score lab's cards about scores, computed when a card is answered."""

from dataclasses import dataclass
from typing import Any, Self

import torch

from app.lab.kit import shipped
from app.lab.kit.evidence import Bars, Caption, Finding, decimals, table
from app.lab.score.evidence.sample import SENTENCE, by_word, first_look, of_trace
from app.service import catalogue
from app.service.seeded import seeded
from attn_core.attention.scores import SCORES
from attn_core.messages import N_, _


def concat_is_additive() -> Finding:
    """Show a trained concat score written as one matrix on [h; s], and an additive score with its two parts."""
    concat, trace, look = first_look("luong-concat-global")
    left, right = concat.W_a.weight.split([concat.query, concat.W_a.in_features - concat.query], dim=1)
    with torch.device("meta"):  # its own weights would be random
        additive = SCORES.build("additive", left.size(1), right.size(1), hidden=len(concat.v_a))
    additive.load_state_dict({"W_a.weight": left, "U_a.weight": right, "v_a": concat.v_a}, assign=True)
    states = trace.memory.states
    with torch.inference_mode():
        both = torch.cat([look.query.expand(len(states), -1), states], -1)
        whole = torch.tanh(both @ concat.W_a.weight.T) @ concat.v_a
        parts = additive(look.query[None], additive.keys(states))[0]
    scores = {N_("concat: one matrix"): whole.tolist(), N_("additive: its two parts"): parts.tolist()}
    return Finding(
        Bars(trace.source, scores, _("score")),
        _("Both give every source word the same score. The largest difference, {far}, is rounding.").format(
            far=decimals((whole - parts).abs().max().item())
        ),
        (by_word(trace, scores), of_trace(trace)),
    )


@dataclass(frozen=True)
class Change:
    """A change of a trained additive score, and the attention weights at all steps (`steps x source`) that it gives."""

    name: str
    short_name: str
    weights: Any  # Tensor

    def from_trained(self, trained: Self) -> float:
        """The largest difference of a weight to those of the trained model."""
        return (self.weights - trained.weights).abs().max().item()

    def between_steps(self) -> float:
        """The largest difference of a source word's weights at two steps: 0 if the query has no influence."""
        return (self.weights.max(0).values - self.weights.min(0).values).max().item()


def changes() -> list[Change]:
    """The shipped `bahdanau` without changes, then with changes of v_a and tanh; queries and states are held fixed."""
    score, trace, _look = first_look("bahdanau")
    v, signs = score.v_a, score.v_a.sign()
    with torch.inference_mode():
        queries = score.W_a(torch.stack([word.step.looks[0].query for word in trace.words])).unsqueeze(1)
        inside = queries + score.keys(trace.memory.states)  # steps x source x hidden
        alike = torch.full_like(v, v.norm().item() / len(v) ** 0.5)
        return [
            Change(N_("none"), N_("none"), (inside.tanh() @ v).softmax(-1)),
            Change(
                N_("the signs of vₐ moved into Wₐ and Uₐ"),
                N_("signs moved"),
                ((inside * signs).tanh() @ v.abs()).softmax(-1),
            ),
            Change(
                N_("the sizes of vₐ moved into Wₐ and Uₐ"),
                N_("sizes moved"),
                ((inside * v.abs()).tanh() @ signs).softmax(-1),
            ),
            Change(N_("all entries of vₐ equal"), N_("entries equal"), (inside.tanh() @ alike).softmax(-1)),
            Change(N_("tanh removed"), N_("tanh removed"), (inside @ v).softmax(-1)),
        ]


def v_a_counts() -> Finding:
    """Show what is left of a trained model's weights when v_a is moved into the matrices, and when tanh is removed."""
    trained, *others = changes()
    far = [change.from_trained(trained) for change in others]
    rows = table(
        {
            N_("change"): _(change.name),
            N_("largest difference to the trained weights"): change.from_trained(trained),
            N_("largest difference between two steps"): change.between_steps(),
        }
        for change in (trained, *others)
    )
    caption = of_trace(
        shipped.trace("bahdanau", SENTENCE),
        _(
            "Its queries and encoder states are held fixed. A difference between two steps of 0 means that the query "
            "has no influence on the weights."
        ),
        step=False,
    )
    return Finding(
        Bars(
            [_(change.short_name) for change in others],
            {N_("largest change of a weight"): far},
            _("change of a weight"),
            ".2f",
        ),
        _(
            "Moving the signs of $v_a$ into the matrices changes the weights by {signs:.2f}; moving its sizes changes "
            "them by up to {sizes:.2f}."
        ).format(signs=far[0], sizes=far[1]),
        (rows, caption),
    )


def scores_are_energies() -> Finding:
    """Show the scores of a trained model at one step, its weights, and the weights after adding 5 and after a ReLU."""
    _score, trace, look = first_look("luong-general-global")
    e = look.scores
    columns = {N_("score"): e, N_("softmax"): look.alignment, N_("softmax of score + 5"): (e + 5).softmax(-1)}
    columns[N_("softmax of ReLU")] = e.relu().softmax(-1)
    return Finding(
        Bars(trace.source, {N_("score"): e.tolist()}, _("score")),
        _("{negative} of the {n} scores are negative. Together the {n} scores sum to {total:.1f}, not to 1.").format(
            total=e.sum().item(), negative=int((e < 0).sum()), n=len(e)
        ),
        (by_word(trace, {name: column.tolist() for name, column in columns.items()}), of_trace(trace)),
    )


def root_of_d() -> Finding:
    """Show for several d how the scores of random vectors spread, the largest weight, and the trace of the Jacobian."""
    random = torch.Generator().manual_seed(5)
    rows, sizes = [], (1, 16, 64, 256, 512)
    largest: dict[str, list[float]] = {"dot": [], "scaled dot": []}
    for d in sizes:
        query, keys = torch.randn(400, 1, d, generator=random), torch.randn(400, 8, d, generator=random)
        row: dict[str, Any] = {"d": str(d)}
        for name, label in (("dot", "dot"), ("scaled_dot", "scaled dot")):
            score = SCORES.build(name, d, d)
            scores = score(query, score.keys(keys)).squeeze(1)
            weights = scores.softmax(-1)
            row[_("{score}: deviation of the scores").format(score=label)] = scores.std().item()
            largest[label].append(weights.max(-1).values.mean().item())
            row[_("{score}: largest weight").format(score=label)] = largest[label][-1]
            row[_("{score}: trace of the Jacobian").format(score=label)] = trace_of_jacobian(weights).mean().item()
        rows.append(row)
    return Finding(
        Bars([f"d = {d}" for d in sizes], largest, _("largest weight, of 8 keys"), ".0%"),
        _("At d = {d}, one key gets {dot:.0%} of the weight without the division and {scaled:.0%} with it.").format(
            d=sizes[-1], dot=largest["dot"][-1], scaled=largest["scaled dot"][-1]
        ),
        (table(rows), Caption(_(TRACE))),
    )


TRACE = N_(
    "400 random queries with 8 random keys each, scored by attn_core; means over the queries. A gradient on its way to "
    "the scores is multiplied by softmax's Jacobian, the matrix diag(a) − a aᵀ. Its eigenvalues are not negative, so "
    "none of them is larger than the matrix's trace, 1 − Σ a². With the trace close to 0, almost no gradient passes."
)


def trace_of_jacobian(weights: Any) -> Any:
    """The trace of softmax's Jacobian diag(a) - a a^T at weights a (`* x n`): 1 - sum a^2."""
    return 1 - weights.square().sum(-1)


@seeded(1)
def location_is_blind() -> Finding:
    """Show the weights of one query over keys in their order and with two of them swapped: general and location."""
    query, keys = torch.randn(1, 4), torch.randn(5, 4)
    swapped = keys[[0, 3, 2, 1, 4]]
    rows = {}
    with torch.inference_mode():
        for name in ("general", "location"):
            score = SCORES.build(name, 4, 4)
            for order, source in (("", keys), (", words 1 and 3 swapped", swapped)):
                rows[f"{name}{order}"] = score(query, score.keys(source)).softmax(-1)[0].tolist()
    places = [_("position {s}").format(s=s) for s in range(len(keys))]
    moved = {
        name: [after - before for before, after in zip(rows[name], rows[f"{name}, words 1 and 3 swapped"], strict=True)]
        for name in ("general", "location")
    }
    caption = _("A random query, five random keys and random matrices: the result does not depend on training.")
    return Finding(
        Bars(places, moved, _("change of the weight"), ".2f"),
        _(
            "After the swap, the weights of general have moved along with the words, by {general:.2f}; those of "
            "location change by {location:.2f}."
        ).format(**{name: max(map(abs, change)) for name, change in moved.items()}),
        (
            table({N_("weights"): name} | dict(zip(places, weights, strict=True)) for name, weights in rows.items()),
            Caption(caption),
        ),
    )


QUERIES = {
    "attend-then-update": N_("sᵢ₋₁, before the update"),
    "update-then-attend": N_("hₜ, after the update"),
    "gnmt": N_("the state of the lowest layer, before the layers above are updated"),
    "transformer": N_("no recurrent state: a query in every layer and head"),
}  # by the name of the order (tested)


def score_and_order() -> Finding:
    """Show the shipped models with their scores, queries and BLEU."""
    models = catalogue.catalogue()[0]
    family = {"dot": N_("multiplicative"), "scaled_dot": N_("multiplicative"), "general": N_("multiplicative")}
    family |= {"additive": N_("additive"), "concat": N_("additive")}
    rows = []
    counts = {order: dict.fromkeys(family.values(), 0) for order in ("attend-then-update", "update-then-attend")}
    for model in models.values():
        score = model.config["score"]
        if score not in family or model.config["window"] != "global":
            continue
        if model.config["order"] in counts:
            counts[model.config["order"]][family[score]] += 1
        query = _(QUERIES[model.config["order"]])
        bleu = f"{model.scores['bleu']:.1f}" if "bleu" in model.scores else "–"
        measured = model.measured_on if "bleu" in model.scores else "–"
        rows.append(
            {"model": model.name, N_("score"): f"{score}: {_(family[score])}", N_("query"): query, "BLEU": bleu}
            | {N_("measured on"): measured}
        )
    if not rows:
        raise ValueError(_("no trained model with global attention is in pretrained/"))
    bahdanau, luong = counts.values()
    return Finding(
        Bars(
            [_("additive score"), _("multiplicative score")],
            {
                N_("Bahdanau's order: attend, then update"): [bahdanau["additive"], bahdanau["multiplicative"]],
                N_("Luong's order: update, then attend"): [luong["additive"], luong["multiplicative"]],
            },
            _("trained models"),
            "d",
        ),
        _(
            "Of the trained models here, {one} with Bahdanau's order have a multiplicative score, and {other} with "
            "Luong's order an additive one."
        ).format(one=bahdanau["multiplicative"], other=luong["additive"]),
        (
            table(rows),
            Caption(_("All trained models with global attention. BLEU on different test sets cannot be compared.")),
        ),
    )
