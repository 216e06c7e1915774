"""The evidence for the Score lab's cards, computed when a card is answered."""

from dataclasses import dataclass
from typing import Any, Self

import torch

from app.lab.kit import shipped
from app.lab.kit.evidence import Bars, Caption, Evidence, table
from app.lab.score.stage import START
from app.service import catalogue
from app.shell.markdown import escaped
from attn_core import force
from attn_core.attention.attention import masked_softmax
from attn_core.attention.scores import SCORES
from attn_core.attention.types import ATTENTION_TYPES, HardSample
from attn_core.messages import N_, _
from attn_core.trace import Focus, Look
from attn_core.training.reinforce import reinforce

SENTENCE = "Ein Mädchen versucht, mit der Hand einen Fisch zu fangen."


def concat_is_additive() -> Evidence:
    """Show a trained concat score written as one matrix on [h; s], and an additive score with its two parts."""
    concat, trace, look = _first_look("luong-concat-global")
    left, right = concat.W_a.weight.split([concat.query, concat.W_a.in_features - concat.query], dim=1)
    additive = SCORES.build("additive", left.size(1), right.size(1), hidden=len(concat.v_a))
    additive.load_state_dict({"W_a.weight": left, "U_a.weight": right, "v_a": concat.v_a})
    states = trace.memory.states
    with torch.inference_mode():
        both = torch.cat([look.query.expand(len(states), -1), states], -1)
        whole = torch.tanh(both @ concat.W_a.weight.T) @ concat.v_a
        parts = additive(look.query[None], additive.keys(states))[0]
    yield table(
        {N_("source"): word, N_("concat: one matrix"): one, N_("additive: its two parts"): other}
        for word, one, other in zip(trace.source, whole.tolist(), parts.tolist(), strict=True)
    )
    yield _of(
        trace,
        _("The largest difference is {difference:.1e}, which is 32-bit rounding.").format(
            difference=(whole - parts).abs().max().item()
        ),
    )


@dataclass(frozen=True)
class Change:
    """A change of a trained additive score, and the attention weights at all steps (`steps x source`) that it gives."""

    what: str
    weights: Any  # Tensor

    def from_trained(self, trained: Self) -> float:
        """The largest difference of a weight to those of the trained model."""
        return (self.weights - trained.weights).abs().max().item()

    def between_steps(self) -> float:
        """The largest difference of a source word's weights at two steps: 0 if the query has no influence."""
        return (self.weights.max(0).values - self.weights.min(0).values).max().item()


def changes() -> list[Change]:
    """The shipped `bahdanau` without changes, then with changes of v_a and tanh; queries and states are held fixed."""
    score, trace, _look = _first_look("bahdanau")
    v, signs = score.v_a, score.v_a.sign()
    with torch.inference_mode():
        queries = score.W_a(torch.stack([word.step.looks[0].query for word in trace.words])).unsqueeze(1)
        inside = queries + score.keys(trace.memory.states)  # steps x source x hidden
        alike = torch.full_like(v, v.norm().item() / len(v) ** 0.5)
        return [
            Change(N_("none"), (inside.tanh() @ v).softmax(-1)),
            Change(N_("the signs of v_a moved into W_a and U_a"), ((inside * signs).tanh() @ v.abs()).softmax(-1)),
            Change(N_("the sizes of v_a moved into W_a and U_a"), ((inside * v.abs()).tanh() @ signs).softmax(-1)),
            Change(N_("all entries of v_a equal"), (inside.tanh() @ alike).softmax(-1)),
            Change(N_("tanh removed"), (inside @ v).softmax(-1)),
        ]


def v_a_counts() -> Evidence:
    """Show what is left of a trained model's weights when v_a is moved into the matrices, and when tanh is removed."""
    trained, *others = changes()
    yield table(
        {
            N_("change"): _(one.what),
            N_("largest difference to the trained weights"): one.from_trained(trained),
            N_("largest difference between two steps"): one.between_steps(),
        }
        for one in (trained, *others)
    )
    yield _of(
        shipped.trace("bahdanau", SENTENCE),
        _(
            "Its queries and encoder states are held fixed. A difference between two steps of 0 means that the query "
            "has no influence on the weights."
        ),
        step=False,
    )


def scores_are_energies() -> Evidence:
    """Show the scores of a trained model at one step, its weights, and the weights after adding 5 and after a ReLU."""
    _score, trace, look = _first_look("luong-general-global")
    e = look.scores
    columns = {N_("score"): e, N_("softmax"): look.alignment, N_("softmax of score + 5"): (e + 5).softmax(-1)}
    columns["softmax of ReLU"] = e.relu().softmax(-1)
    names = list(columns)
    yield table(
        {N_("source"): word} | dict(zip(names, values, strict=True))
        for word, *values in zip(trace.source, *(column.tolist() for column in columns.values()), strict=True)
    )
    yield _of(
        trace,
        _("The scores sum to {total:.2f}, and {negative} of {n} are negative.").format(
            total=e.sum().item(), negative=int((e < 0).sum()), n=len(e)
        ),
    )


def root_of_d() -> Evidence:
    """Show for several d how the scores of random vectors spread, the largest weight, and the trace of the Jacobian."""
    random = torch.Generator().manual_seed(5)
    rows = []
    for d in (1, 16, 64, 256, 512):
        query, keys = torch.randn(400, 1, d, generator=random), torch.randn(400, 8, d, generator=random)
        row: dict[str, Any] = {"d": str(d)}
        for name, label in (("dot", "dot"), ("scaled_dot", "scaled dot")):
            score = SCORES.build(name, d, d)
            scores = score(query, score.keys(keys)).squeeze(1)
            weights = scores.softmax(-1)
            row[_("{score}: deviation of the scores").format(score=label)] = scores.std().item()
            row[_("{score}: largest weight").format(score=label)] = weights.max(-1).values.mean().item()
            row[_("{score}: trace of the Jacobian").format(score=label)] = trace_of_jacobian(weights).mean().item()
        rows.append(row)
    yield table(rows)
    yield Caption(_(TRACE))


TRACE = N_(
    "400 random queries with 8 random keys each, scored by attn_core; means over the queries. A gradient on its way to "
    "the scores is multiplied by softmax's Jacobian, the matrix diag(a) − a aᵀ. Its eigenvalues are not negative, so "
    "none of them is larger than the matrix's trace, 1 − Σ a². With the trace close to 0, almost no gradient passes."
)


def trace_of_jacobian(weights: Any) -> Any:
    """The trace of softmax's Jacobian diag(a) - a a^T at weights a (`* x n`): 1 - sum a^2."""
    return 1 - weights.square().sum(-1)


def location_is_blind() -> Evidence:
    """Show the weights of one query over keys in their order and with two of them swapped: general and location."""
    torch.manual_seed(1)
    query, keys = torch.randn(1, 4), torch.randn(5, 4)
    swapped = keys[[0, 3, 2, 1, 4]]
    rows = {}
    with torch.inference_mode():
        for name in ("general", "location"):
            score = SCORES.build(name, 4, 4)
            for how, source in (("", keys), (", words 1 and 3 swapped", swapped)):
                rows[f"{name}{how}"] = score(query, score.keys(source)).softmax(-1)[0].tolist()
    yield table(
        {N_("weights"): name} | {_("position {s}").format(s=s): weight for s, weight in enumerate(weights)}
        for name, weights in rows.items()
    )
    yield Caption(_("A random query, five random keys and random matrices: the result does not depend on training."))


@dataclass(frozen=True)
class Moved:
    """The soft and the hard weights of a local-p model at one step, and how many words' scores move the context."""

    inside: int  # words in the window
    weights: dict[str, list[float]]
    words: dict[str, int]


def moved() -> Moved:
    """In the shipped `luong-general-local-p`, by the gradient of the context vector's length at each score."""
    _score, trace, look = _first_look("luong-general-local-p")
    inside, gaussian, states = look.focus.inside.clone(), look.focus.gaussian.clone(), trace.memory.states.clone()
    weights, words = {}, {}
    for name in ("soft", "hard-argmax"):
        with torch.enable_grad():
            scores = look.scores.clone().requires_grad_()
            used = ATTENTION_TYPES[name]()(masked_softmax(scores, inside) * gaussian)
            length = (used @ states).norm() + 0 * scores.sum()  # hard attention's depends on no score
            (slope,) = torch.autograd.grad(length, scores)
        weights[name], words[name] = used.tolist(), int((slope.abs() > 1e-9).sum())
    return Moved(int(inside.sum()), weights, words)


def local_is_soft() -> Evidence:
    """Show the soft weights of a local-p model beside hard ones, and which scores change the context vector."""
    found, trace = moved(), shipped.trace("luong-general-local-p", SENTENCE)
    soft, hard = found.weights["soft"], found.weights["hard-argmax"]
    yield Bars(trace.source, {N_("soft, as trained"): soft, N_("hard (argmax)"): hard}, unit=_("weight"))
    yield _of(
        trace,
        _(
            "A small change of a score changes the soft context vector for {soft} of the {inside} words in the window, "
            "and the hard one for {hard} of them."
        ).format(soft=found.words["soft"], inside=found.inside, hard=found.words["hard-argmax"]),
    )


def draws_are_noisy() -> Evidence:
    """Show the gradient of the expected loss at the scores, exact and estimated, with and without a baseline."""
    draws = 4000
    keys, query, wanted = torch.tensor(START["keys"]), torch.tensor(START["query"]), torch.tensor(START["values"][1])
    torch.manual_seed(1)
    with torch.enable_grad():
        one = (keys @ query).requires_grad_()
        of_each = (keys - wanted).square().sum(-1)  # the loss if that key is chosen
        (exact,) = torch.autograd.grad(one.softmax(-1) @ of_each, one)
        scores = one.detach().expand(draws, 1, -1).clone().requires_grad_()
        align = scores.softmax(-1)
        weights = HardSample()(align)
        focus = Focus(torch.ones_like(align, dtype=torch.bool), torch.ones_like(align), None)
        look = Look(query.expand(draws, 1, -1), scores, focus, align, weights, weights @ keys)
        losses = (look.context - wanted).square().sum(-1)
        found = {}
        for name, baseline in ((N_("no baseline"), 0.0), (N_("with a baseline"), losses.mean())):
            total = reinforce((look,), losses, torch.ones_like(losses, dtype=torch.bool), baseline)
            (estimates,) = torch.autograd.grad(total, scores, retain_graph=True)
            found[name] = estimates[:, 0]
    mean, deviation = _("{name}: mean of {draws:,} draws"), _("{name}: deviation of one draw")
    yield table(
        {N_("key"): str(s), N_("exact gradient"): exact[s].item()}
        | {mean.format(name=_(name), draws=draws): of[:, s].mean().item() for name, of in found.items()}
        | {deviation.format(name=_(name)): of[:, s].std().item() for name, of in found.items()}
        for s in range(len(keys))
    )
    less = (found["with a baseline"].var(0).sum() / found["no baseline"].var(0).sum()).item()
    yield Caption(
        _(
            "The query and the keys that this page opens with; one key is drawn, and the loss is its squared distance "
            "to value 1. With the mean loss as a baseline, {less:.0%} of the variance remain. `make bench-hard` "
            "measures the same for a model trained with REINFORCE."
        ).format(less=less)
    )


def mass_on_padding() -> list[dict[str, Any]]:
    """The weight on padding, over the steps of two trained models, without a mask and with one."""
    rows = []
    for name in ("luong-general-global", "bahdanau"):
        score, trace, _look = _first_look(name)
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
            row: dict[str, Any] = {
                "model": name,
                N_("zero vectors"): str(padding),
                N_("mask"): _("yes") if masked else _("no"),
            }
            rows.append(
                row | {N_("on padding, mean"): shares.mean().item(), N_("at the worst step"): shares.max().item()}
            )
    return rows


def padding_takes_mass() -> Evidence:
    """Show the weight on padding with a multiplicative and with an additive score."""
    yield table(mass_on_padding())
    trace = shipped.trace("luong-general-global", SENTENCE)
    yield Caption(
        _("Over all steps of a sentence of {n} words. The score of bahdanau is additive.").format(n=len(trace.source))
    )


QUERIES = {
    "attend-then-update": N_("sᵢ₋₁, before the update"),
    "update-then-attend": N_("hₜ, after the update"),
    "gnmt": N_("the state of the lowest layer, before the layers above are updated"),
    "transformer": N_("no recurrent state: a query in every layer and head"),
}  # by the name of the order (tested)


def score_and_order() -> Evidence:
    """Show the shipped models with their scores, queries and BLEU."""
    models = catalogue.catalogue()[0]
    family = {"dot": N_("multiplicative"), "scaled_dot": N_("multiplicative"), "general": N_("multiplicative")}
    family |= {"additive": N_("additive"), "concat": N_("additive")}
    rows = []
    for model in models.values():
        score = model.config["score"]
        if score not in family or model.config["window"] != "global":
            continue
        query = _(QUERIES[model.config["order"]])
        bleu = f"{model.scores['bleu']:.1f}" if "bleu" in model.scores else "–"
        rows.append(
            {"model": model.name, N_("score"): f"{score}: {_(family[score])}", N_("query"): query, "BLEU": bleu}
        )
    if not rows:
        raise ValueError(_("no trained model with global attention is in pretrained/"))
    yield table(rows)
    yield Caption(_("All trained models with global attention, with BLEU on their test sets."))


def occluded() -> list[dict[str, str]]:
    """For each target word: the source word with the largest weight, and the one whose removal costs most."""
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
            {N_("word"): word.token, N_("largest weight"): f"{trace.source[most]} ({weights[most]:.2f})"}
            | {
                N_("largest loss of log p"): _("{word} ({loss:.2f} nats)").format(
                    word=trace.source[worst], loss=losses[worst]
                ),
                "": "" if most == worst else "≠",
            }
        )
    return rows


def weight_against_loss() -> Evidence:
    """Show for each word the source word with the largest weight, and the one whose removal costs most."""
    rows, trace = occluded(), shipped.trace("bahdanau", SENTENCE)
    yield table(rows)
    agree = sum(row[""] == "" for row in rows)
    more = f"They agree at {agree} of {len(rows)} steps. A source word is removed by replacing it with <unk>."
    yield _of(trace, more, step=False)


def _first_look(name: str) -> tuple[Any, Any, Any]:
    """The score function of a shipped model, a trace, and the attention at its first step."""
    trace = shipped.trace(name, SENTENCE)
    return shipped.model(name).decoder.attention.score, trace, trace.words[0].step.looks[0]


def _of(trace: Any, more: str, step: bool = True) -> Caption:
    where = _("The trained model {model} at its first step, “{word}”.") if step else _("The trained model {model}.")
    return Caption(f"{where.format(model=escaped(trace.model), word=escaped(trace.target[0]))} {escaped(more)}")
