"""The evidence of the Score lab's cards, computed when a card is turned: torch is imported then, not before."""

from dataclasses import dataclass
from typing import Any

import streamlit as st
import torch

from app.lab.kit import shipped, show
from app.lab.score.stage import START
from app.service import catalogue
from app.shell.markdown import escaped
from attn_core import force
from attn_core.attention.attention import masked_softmax
from attn_core.attention.scores import SCORES
from attn_core.attention.types import ATTENTION_TYPES, HardSample
from attn_core.trace import Focus, Look
from attn_core.training.reinforce import reinforce

SENTENCE = "Ein Mädchen versucht, mit der Hand einen Fisch zu fangen."


def concat_is_additive() -> None:
    """A trained concat score written out as one matrix on [h; s], and an additive score with its two parts."""
    concat, trace, look = _first_look("luong-concat-global")
    left, right = concat.W_a.weight.split([concat.query, concat.W_a.in_features - concat.query], dim=1)
    additive = SCORES.build("additive", left.size(1), right.size(1), hidden=len(concat.v_a))
    additive.load_state_dict({"W_a.weight": left, "U_a.weight": right, "v_a": concat.v_a})
    states = trace.memory.states
    with torch.inference_mode():
        both = torch.cat([look.query.expand(len(states), -1), states], -1)
        whole = torch.tanh(both @ concat.W_a.weight.T) @ concat.v_a
        parts = additive(look.query[None], additive.keys(states))[0]
    show.table(
        {"source": word, "concat: one matrix on both": one, "additive: its two parts": other}
        for word, one, other in zip(trace.source, whole.tolist(), parts.tolist(), strict=True)
    )
    _of(trace, f"Largest difference {(whole - parts).abs().max().item():.1e}: the rounding of 32 bits.")


@dataclass(frozen=True)
class Votes:
    """The first look of a trained additive model, at each source word."""

    trained: list[float]  # its weights
    alike: list[float]  # with a v_a of the same size whose entries are all alike
    for_: list[float]  # the sum of all products of tanh's entries with v_a's that are above 0
    against: list[float]  # and of those below


def votes() -> Votes:
    """Of the shipped `bahdanau`."""
    score, trace, look = _first_look("bahdanau")
    v = score.v_a
    alike = torch.full_like(v, v.norm().item() / len(v) ** 0.5)
    with torch.inference_mode():
        vectors = torch.tanh(score.W_a(look.query) + score.keys(trace.memory.states))
        products = vectors * v
        return Votes(
            look.alignment.tolist(),
            (vectors @ alike).softmax(-1).tolist(),
            products.clamp_min(0).sum(-1).tolist(),
            products.clamp_max(0).sum(-1).tolist(),
        )


def v_a_counts() -> None:
    """The weights of a trained model with its v_a and with one whose entries are alike; what speaks for each word."""
    found, trace = votes(), shipped.trace("bahdanau", SENTENCE)
    show.bars(trace.source, {"v_a as trained": found.trained, "all entries of v_a alike": found.alike})
    show.table(
        {"source": word, "entries for it": one, "entries against it": other, "score": one + other}
        for word, one, other in zip(trace.source, found.for_, found.against, strict=True)
    )
    _of(trace, "The products of tanh's entries with those of v_a, added up.")


def scores_are_energies() -> None:
    """A trained look: scores, weights, weights after adding 5, weights after ReLU."""
    _, trace, look = _first_look("luong-general-global")
    e = look.scores
    columns = {"score": e, "softmax": look.alignment, "softmax of score + 5": (e + 5).softmax(-1)}
    columns["softmax of ReLU"] = e.relu().softmax(-1)
    names = list(columns)
    show.table(
        {"source": word} | dict(zip(names, values, strict=True))
        for word, *values in zip(trace.source, *(column.tolist() for column in columns.values()), strict=True)
    )
    _of(trace, f"Its scores sum to {e.sum().item():.2f}, and {int((e < 0).sum())} of {len(e)} are negative.")


def root_of_d() -> None:
    """Random queries and keys at several d: spread of the scores, largest weight, and what is left of the slope."""
    random = torch.Generator().manual_seed(5)
    rows = []
    for d in (1, 16, 64, 256, 512):
        query, keys = torch.randn(400, 1, d, generator=random), torch.randn(400, 8, d, generator=random)
        row: dict[str, Any] = {"d": str(d)}
        for name, label in (("dot", "dot"), ("scaled_dot", "scaled")):
            score = SCORES.build(name, d, d)
            scores = score(query, score.keys(keys)).squeeze(1)
            weights = scores.softmax(-1)
            row[f"{label}: spread"] = scores.std().item()
            row[f"{label}: largest weight"] = weights.max(-1).values.mean().item()
            row[f"{label}: slope"] = (1 - weights.square().sum(-1)).mean().item()
        rows.append(row)
    show.table(rows)
    st.caption(
        "400 random queries with 8 random keys each, through the scores of attn_core. The slope is the trace of "
        "softmax's Jacobian, 1 − Σ a²: what a gradient is multiplied with on its way to the scores."
    )


def location_is_blind() -> None:
    """The same query over keys in their order and with two of them swapped, by general and by location."""
    torch.manual_seed(1)
    query, keys = torch.randn(1, 4), torch.randn(5, 4)
    swapped = keys[[0, 3, 2, 1, 4]]
    rows = {}
    with torch.inference_mode():
        for name in ("general", "location"):
            score = SCORES.build(name, 4, 4)
            for how, source in (("", keys), (", words 2 and 4 swapped", swapped)):
                rows[f"{name}{how}"] = score(query, score.keys(source)).softmax(-1)[0].tolist()
    show.table(
        {"weights": name} | {f"place {s}": weight for s, weight in enumerate(weights, 1)}
        for name, weights in rows.items()
    )
    st.caption("A random query and five random keys; the matrices are fresh, too, for what is shown holds for any.")


@dataclass(frozen=True)
class Moved:
    """A trained local-p look, read softly and hard: the weights, and how many words' scores move the context."""

    inside: int  # words in the window
    weights: dict[str, list[float]]
    words: dict[str, int]


def moved() -> Moved:
    """Of the shipped `luong-general-local-p`, by the slope of the context's length at each score."""
    _, trace, look = _first_look("luong-general-local-p")
    inside, gaussian, states = look.focus.inside.clone(), look.focus.gaussian.clone(), trace.memory.states.clone()
    weights, words = {}, {}
    for name in ("soft", "hard-argmax"):
        with torch.enable_grad():
            scores = look.scores.clone().requires_grad_()
            read = ATTENTION_TYPES[name]()(masked_softmax(scores, inside) * gaussian)
            length = (read @ states).norm() + 0 * scores.sum()  # a hard read's is made of no score
            (slope,) = torch.autograd.grad(length, scores)
        weights[name], words[name] = read.tolist(), int((slope.abs() > 1e-9).sum())
    return Moved(int(inside.sum()), weights, words)


def local_is_soft() -> None:
    """A trained local-p look beside its hard version; how the context answers to a small change of the scores."""
    found, trace = moved(), shipped.trace("luong-general-local-p", SENTENCE)
    soft, hard = found.weights["soft"], found.weights["hard-argmax"]
    show.bars(trace.source, {"local-p, as trained": soft, "a hard read of it": hard})
    _of(
        trace,
        f"Of the {found.inside} words in the window, {found.words['soft']} move the soft context a little when their "
        f"scores change a little, and {found.words['hard-argmax']} the hard one.",
    )


def draws_are_noisy() -> None:
    """The gradient of the expected loss at the scores, exactly and from draws, with and without a baseline."""
    draws = 4000
    keys, query, wanted = torch.tensor(START["keys"]), torch.tensor(START["query"]), torch.tensor(START["values"][1])
    torch.manual_seed(1)
    with torch.enable_grad():
        one = (keys @ query).requires_grad_()
        of_each = (keys - wanted).square().sum(-1)  # the loss if that key is read
        (exact,) = torch.autograd.grad(one.softmax(-1) @ of_each, one)
        scores = one.detach().expand(draws, 1, -1).clone().requires_grad_()
        align = scores.softmax(-1)
        weights = HardSample()(align)
        focus = Focus(torch.ones_like(align, dtype=torch.bool), torch.ones_like(align), None)
        look = Look(query.expand(draws, 1, -1), scores, focus, align, weights, weights @ keys)
        losses = (look.context - wanted).square().sum(-1)
        found = {}
        for name, baseline in (("no baseline", 0.0), ("with a baseline", losses.mean())):
            total = reinforce((look,), losses, torch.ones_like(losses, dtype=torch.bool), baseline)
            (estimates,) = torch.autograd.grad(total, scores, retain_graph=True)
            found[name] = estimates[:, 0]
    show.table(
        {"score of": f"key {s + 1}", "exact slope": exact[s].item()}
        | {f"{name}: mean of {draws:,} draws": of[:, s].mean().item() for name, of in found.items()}
        | {f"{name}: one draw is off by": of[:, s].std().item() for name, of in found.items()}
        for s in range(len(keys))
    )
    less = (found["with a baseline"].var(0).sum() / found["no baseline"].var(0).sum()).item()
    st.caption(
        f"The query and keys that this page opens with, read by one draw; the loss is the squared distance from what "
        f"was read to value 2. The baseline is the mean loss, and leaves {less:.0%} of the variance. "
        f"`make bench-hard` measures the same in a model that learns by REINFORCE."
    )


def mass_on_padding() -> list[dict[str, Any]]:
    """The share of padding at the steps of two trained models when nothing masks it, and when it is masked."""
    rows = []
    for name in ("luong-general-global", "bahdanau"):
        score, trace, _ = _first_look(name)
        n = len(trace.source)
        queries = [word.step.looks[0].query for word in trace.words]
        for padding, masked in ((5, False), (50, False), (50, True)):
            zeros = trace.memory.states.new_zeros(padding, trace.memory.states.size(-1))
            states = torch.cat([trace.memory.states, zeros])
            real = torch.arange(len(states)) < n
            with torch.inference_mode():
                keys = score.keys(states)
                scores = torch.stack([score(query[None], keys)[0] for query in queries])
            weights = masked_softmax(scores, (real if masked else torch.ones_like(real)).expand_as(scores))
            shares = weights[:, n:].sum(-1)
            row = {"model": name, "zero vectors": str(padding), "mask": "yes" if masked else "no"}
            rows.append(row | {"on padding, mean": shares.mean().item(), "at the worst step": shares.max().item()})
    return rows


def padding_takes_mass() -> None:
    """What padding takes, with a product and with an additive score."""
    show.table(mass_on_padding())
    trace = shipped.trace("luong-general-global", SENTENCE)
    st.caption(f"Computed now, at all steps of a sentence of {len(trace.source)} words; bahdanau's score is additive.")


QUERIES = {
    "attend-then-update": "sᵢ₋₁, before the step",
    "update-then-attend": "hₜ, after the step",
    "gnmt": "the lowest layer's state, in the midst of the step",
    "transformer": "no state: its own query in every layer and head",
}  # by the name of the order (tested)


def score_and_order() -> None:
    """The shipped models by score and order, with their BLEU."""
    models, _ = catalogue.catalogue()
    family = {"dot": "multiplicative", "scaled_dot": "multiplicative", "general": "multiplicative"}
    family |= {"additive": "additive", "concat": "additive"}
    rows = []
    for model in models.values():
        score = model.config["score"]
        if score not in family or model.config["window"] != "global":
            continue
        query = QUERIES[model.config["order"]]
        bleu = f"{model.scores['bleu']:.1f}" if "bleu" in model.scores else "–"
        rows.append({"model": model.name, "score": f"{score}: {family[score]}", "looks with": query, "BLEU": bleu})
    if not rows:
        raise ValueError("no trained model with global attention is in pretrained/")
    show.table(rows)
    st.caption("Every trained model with global attention, as its files describe it; BLEU on its test set.")


def occluded() -> list[dict[str, str]]:
    """For each word: the source word with the largest weight, and the one whose loss hurts the word the most."""
    model, trace = shipped.model("bahdanau"), shipped.trace("bahdanau", SENTENCE)
    said = " ".join(trace.target[:-1] if trace.target[-1] == "</s>" else trace.target)
    blank = [
        " ".join("<unk>" if s == gone else word for s, word in enumerate(trace.source))
        for gone in range(len(trace.source))
    ]
    with torch.inference_mode():
        whole = force(model, " ".join(trace.source), said, tokenized=True)
        without = force(model, blank, [said] * len(blank), tokenized=True)
    rows = []
    for i, word in enumerate(whole.words):
        weights = word.step.looks[0].weights
        most = int(weights.argmax())
        losses = [word.log_prob - other.words[i].log_prob for other in without]
        worst = max(range(len(losses)), key=losses.__getitem__)
        rows.append(
            {"says": word.token, "looks most at": f"{trace.source[most]} ({weights[most]:.2f})"}
            | {
                "is hurt most without": f"{trace.source[worst]} (−{losses[worst]:.2f} nats)",
                "": "" if most == worst else "≠",
            }
        )
    return rows


def weight_against_loss() -> None:
    """The two beside each other."""
    rows, trace = occluded(), shipped.trace("bahdanau", SENTENCE)
    show.table(rows)
    agree = sum(row[""] == "" for row in rows)
    _of(trace, f"They agree at {agree} of {len(rows)} steps; a word is taken away by reading <unk> for it.", step=False)


def _first_look(name: str) -> tuple[Any, Any, Any]:
    """The score function of a shipped model, a trace, and the first of its looks."""
    trace = shipped.trace(name, SENTENCE)
    return shipped.model(name).decoder.attention.score, trace, trace.words[0].step.looks[0]


def _of(trace: Any, more: str, step: bool = True) -> None:
    where = f" at its first step, “{trace.target[0]}”" if step else ""
    st.caption(escaped(f"Computed now: the trained model {trace.model}{where}. {more}"))
