"""The evidence for the Pointer page's cards, computed when a card is answered."""

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import streamlit as st
import torch

from app.lab.kit.evidence import Bars, Caption, Finding, Text, decimals, table
from app.lab.pointer.data import OUTPUTS, Inputs, about, accuracies, models
from app.shell.markdown import escaped
from attn_core.messages import N_, _
from attn_core.models import folders
from attn_core.synthetic.pointer import greedy, load, point
from attn_core.synthetic.pointer.problems import PROBLEMS


def model(name: str) -> Any:
    """The shipped network (a PointerNet). All visitors share it: do not change it.

    Raises CheckpointError if it is damaged or missing.
    """
    folder = folders.find(name)
    return _load(str(folder), (folder / "model.safetensors").stat().st_mtime_ns)


@st.cache_resource(max_entries=8, show_spinner=False)
def _load(folder: str, stamp: int) -> Any:
    return load(Path(folder))


def trace(name: str, inputs: Inputs, constraint: str) -> Any:
    """The Trace of the shipped network `name` on `inputs`. Raises ValueError for inputs that it cannot handle."""
    torch.set_num_threads(1)  # the setting is each thread's own
    return point(model(name), inputs, constraint=constraint)


POINTS = [[0.3, 0.4], [0.85, 0.15], [0.55, 0.6], [0.1, 0.75], [0.7, 0.9], [0.95, 0.5], [0.2, 0.1], [0.45, 0.25]]
TEN = [*POINTS, [0.62, 0.43], [0.33, 0.81]]
ORDERS = 100


def _hull() -> str:
    """The name of the network for hulls. Raises ValueError if none is shipped."""
    if "hull" not in (pointing := models()):
        raise ValueError(_("no trained pointer network for hulls is in pretrained/"))
    return pointing["hull"]


def weights_are_the_output() -> Finding:
    """Show weight and probability of each choice of a decoded walk, and the effect of other context vectors."""
    name, plain = _hull(), models("vocabulary").get("hull")
    walk = trace(name, POINTS, "none")
    pointed = walk.settings["pointed"]
    chosen = [_("the end") if place == 0 else _("point {place}").format(place=place) for place in pointed]
    weights = [word.step.looks[0].weights[place].item() for word, place in zip(walk.words, pointed, strict=True)]
    chances = [math.exp(word.log_prob) for word in walk.words]
    rows = table(
        {N_("step"): str(t), N_("chosen"): choice, N_("attention weight"): weight, N_("probability"): chance}
        for t, (choice, weight, chance) in enumerate(zip(chosen, weights, chances, strict=True), 1)
    )
    text = _(
        "{name} on eight points. With random numbers in place of every context vector, its log probabilities change "
        "by {moved:g}."
    ).format(name=escaped(name), moved=log_prob_change(name))
    if plain:
        beside = _("In {plain}, whose output layer uses the context vector, they change by {moved:.2g}.")
        text += " " + beside.format(plain=escaped(plain), moved=log_prob_change(plain))
    far = max(abs(weight - chance) for weight, chance in zip(weights, chances, strict=True))
    return Finding(
        Bars(chosen, {N_("attention weight"): weights, N_("probability"): chances}, _("of the chosen point"), ".2f"),
        _("At all {n} steps, the weight of the chosen point is its probability, up to rounding ({far}).").format(
            n=len(chosen), far=decimals(far)
        ),
        (rows, Caption(text)),
    )


def log_prob_change(name: str) -> float:
    """The largest change of a walk's log probabilities when its context vectors are replaced by random numbers."""
    net = model(name)
    walk = greedy(net, torch.tensor([POINTS]))
    with torch.inference_mode():
        changed = walk.steps.map(torch.clone)
        changed.attentional[..., : net.config.hidden].normal_(generator=torch.Generator().manual_seed(1))
        return (net.log_probs(changed) - walk.log_probs).abs().max().item()


def plain_has_no_words() -> Finding:
    """Show the output of both kinds of network for one more point than the plain one has words for, and accuracies."""
    name, plain = _hull(), models("vocabulary").get("hull")
    if plain is None:
        raise ValueError(_("no trained model with a word for each position is in pretrained/"))
    longest = about(plain)["model"]["longest"]
    points = torch.rand(longest + 1, 2, generator=torch.Generator().manual_seed(2)).tolist()
    pointed = trace(name, points, "none").settings["pointed"]
    walk = " → ".join(_("end") if place == 0 else str(place) for place in pointed)
    lines = [_("With {n} random points, {name} chooses: {said}.").format(n=len(points), name=escaped(name), said=walk)]
    try:
        trace(plain, points, "none")
    except ValueError as error:
        lines.append(_("{plain} reports: “{error}.”").format(plain=escaped(plain), error=escaped(str(error))))
    right = accuracies(name)
    shares = {OUTPUTS["pointer"]: right, OUTPUTS["vocabulary"]: accuracies(plain)}
    rows = table(
        {N_("points"): str(n)}
        | {
            kind: _("cannot answer") if share.get(n) is None else _("{share:.0%} correct").format(share=share[n])
            for kind, share in shares.items()
        }
        for n in right
    )
    source = _(
        "Accuracies of {name} and {plain} from their model cards, as in the figure above. The output layer of "
        "{plain} has {rows} rows: the end and {longest} positions."
    ).format(name=escaped(name), plain=escaped(plain), rows=model(plain).output.weight.size(0), longest=longest)
    return Finding(
        Bars(
            [_("{n} points").format(n=n) for n in right],
            {kind: [share.get(n) for n in right] for kind, share in shares.items()},
            _("correct answers"),
            ".0%",
        ),
        _(
            "The plain model has words for {longest} positions and cannot answer beyond; the pointer network answers, "
            "although less well with more points."
        ).format(longest=longest),
        (Text(" ".join(lines)), rows, Caption(source)),
    )


@dataclass(frozen=True)
class Orders:
    """The walks over TEN in ORDERS orders: how many are the hull, and how many sets of corners there are."""

    right: int
    walks: int


def orders() -> Orders:
    """Count over the walks of the shipped network for hulls."""
    random = torch.Generator().manual_seed(4)
    shuffled = torch.stack([torch.randperm(len(TEN), generator=random) for _ in range(ORDERS)])
    inputs = torch.tensor(TEN)[shuffled]
    outputs = greedy(model(_hull()), inputs).outputs()
    measure = PROBLEMS["hull"]().measure
    right = [measure([points], [walk])["accuracy"] == 1 for points, walk in zip(inputs.tolist(), outputs, strict=True)]
    walks = {tuple(sorted(order[i] for i in walk)) for order, walk in zip(shuffled.tolist(), outputs, strict=True)}
    return Orders(sum(right), len(walks))


def order_matters() -> Finding:
    """Show how often the walk is the hull for the same ten points in a hundred orders."""
    counts = orders()
    text = _(
        "The network chooses {walks} different sets of corners; the correct one has {corners}. {hull}, greedy search "
        "without constraints."
    ).format(walks=counts.walks, corners=len(PROBLEMS["hull"]().answer(TEN)), hull=escaped(_hull()))
    return Finding(
        Bars(
            [_("the hull"), _("another walk")], {N_("orders"): [counts.right, ORDERS - counts.right]}, _("orders"), "d"
        ),
        _("Given the same {n} points in {orders} orders, the network finds the hull for {right} of them.").format(
            n=len(TEN), orders=ORDERS, right=counts.right
        ),
        (Text(text),),
    )
