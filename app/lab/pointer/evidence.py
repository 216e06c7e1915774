"""The evidence of the Pointer page's cards, computed when a card is turned."""

import math
from dataclasses import dataclass

import streamlit as st
import torch

from app.lab.kit import show
from app.lab.pointer import networks
from app.shell.markdown import escaped
from attn_core.synthetic.pointer import greedy
from attn_core.synthetic.pointer.problems import PROBLEMS

POINTS = [[0.3, 0.4], [0.85, 0.15], [0.55, 0.6], [0.1, 0.75], [0.7, 0.9], [0.95, 0.5], [0.2, 0.1], [0.45, 0.25]]
TEN = [*POINTS, [0.62, 0.43], [0.33, 0.81]]
ORDERS = 100


def _hull() -> str:
    """The name of the network for hulls. Raises ValueError when none is shipped."""
    if "hull" not in (models := networks.models()):
        raise ValueError("no trained pointer network for hulls is in pretrained/")
    return models["hull"]


def weights_are_the_output() -> None:
    """Of a decoded walk the weight of each choice and its probability; and what other contexts do to a choice."""
    name, plain = _hull(), networks.models("vocabulary").get("hull")
    trace = networks.trace(name, POINTS, "none")
    show.table(
        {
            "step": str(t + 1),
            "points at": "the end" if place == 0 else str(place),
            "weight of the look": word.step.looks[0].weights[place].item(),
            "probability of the choice": math.exp(word.log_prob),
        }
        for t, (word, place) in enumerate(zip(trace.words, trace.settings["pointed"], strict=True))
    )
    beside = (
        f" In {plain}, where an output layer reads the context, they change by {moved(plain):.2g}." if plain else ""
    )
    st.caption(
        escaped(
            f"{name} on eight points. With random numbers in place of every context its log probabilities change by "
            f"{moved(name):g}.{beside}"
        )
    )


def moved(name: str) -> float:
    """By how much the log probabilities of a walk change, at most, when its contexts are random numbers."""
    net = networks.model(name)
    found = greedy(net, torch.tensor([POINTS]))
    with torch.inference_mode():
        other = found.steps.map(torch.clone)
        other.attentional[..., : net.config.hidden].normal_(generator=torch.Generator().manual_seed(1))
        return (net.log_probs(other) - found.log_probs).abs().max().item()


def plain_has_no_words() -> None:
    """What both kinds of network say to one point more than the plain one has words for; how often they are right."""
    name, plain = _hull(), networks.models("vocabulary").get("hull")
    if plain is None:
        raise ValueError("no trained model with a word for each position is in pretrained/")
    longest = networks.about(plain)["model"]["longest"]
    points = torch.rand(longest + 1, 2, generator=torch.Generator().manual_seed(2)).tolist()
    pointed = networks.trace(name, points, "none").settings["pointed"]
    said = " → ".join("end" if place == 0 else str(place) for place in pointed)
    st.markdown(f"Asked now with {len(points)} random points, {escaped(name)} says: {said}.")
    try:
        networks.trace(plain, points, "none")
    except ValueError as error:
        st.markdown(escaped(f"{plain} says: “{error}.”"))
    shares = {
        networks.OUTPUTS["pointer"]: networks.accuracies(name),
        networks.OUTPUTS["vocabulary"]: networks.accuracies(plain),
    }
    show.table(
        {"points": str(n)}
        | {who: "cannot answer" if one.get(n) is None else f"right on {one[n]:.0%}" for who, one in shares.items()}
        for n in networks.accuracies(name)
    )
    st.caption(
        escaped(
            f"{name} and {plain}, as their cards have it and the figure above shows it. The output layer of {plain} "
            f"has {networks.model(plain).output.weight.size(0)} rows: the end and {longest} positions."
        )
    )


@dataclass(frozen=True)
class Orders:
    """The walks over TEN in ORDERS orders: in how many of them it is the hull, and how many sets of corners it had."""

    right: int
    walks: int


def orders() -> Orders:
    """Of the shipped network for hulls."""
    random = torch.Generator().manual_seed(4)
    shuffled = torch.stack([torch.randperm(len(TEN), generator=random) for _ in range(ORDERS)])
    given = torch.tensor(TEN)[shuffled]
    said = greedy(networks.model(_hull()), given).outputs()
    measure = PROBLEMS["hull"]().measure
    right = [measure([points], [walk])["accuracy"] == 1 for points, walk in zip(given.tolist(), said, strict=True)]
    walks = {tuple(sorted(order[i] for i in walk)) for order, walk in zip(shuffled.tolist(), said, strict=True)}
    return Orders(sum(right), len(walks))


def order_matters() -> None:
    """The same ten points in a hundred orders: how often the walk is the hull."""
    found = orders()
    st.markdown(
        f"The same {len(TEN)} points in {ORDERS} orders: the walk is the hull for **{found.right}** of them. It "
        f"chooses {found.walks} different sets of corners; the right one has {len(PROBLEMS['hull']().answer(TEN))}."
    )
    show.bars(["the hull", "another walk"], {"orders": [found.right, ORDERS - found.right]}, unit="orders")
    st.caption(f"{_hull()}, greedily, nothing ruled out.")
