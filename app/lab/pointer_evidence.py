"""The evidence of the Pointer page's cards, computed when a card is turned."""

import math

import streamlit as st

from app.lab import pointing, show

POINTS = [[0.3, 0.4], [0.85, 0.15], [0.55, 0.6], [0.1, 0.75], [0.7, 0.9], [0.95, 0.5], [0.2, 0.1], [0.45, 0.25]]
TEN = [*POINTS, [0.62, 0.43], [0.33, 0.81]]
ORDERS = 100
DRAWN = 200  # inputs that a network is asked


def _hull() -> str:
    """The name of the network for hulls. Raises ValueError when none is shipped."""
    if "hull" not in (models := pointing.models()):
        raise ValueError("no trained pointer network for hulls is in pretrained/")
    return models["hull"]


def weights_are_the_output() -> None:
    """Of a decoded walk the weight of each choice and its probability; and what other contexts do to a choice."""
    name, plain = _hull(), pointing.models("vocabulary").get("hull")
    trace = pointing.trace(name, POINTS, "none")
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
        f" In {plain}, where an output layer reads the context, they change by {_moved(plain):.2g}." if plain else ""
    )
    st.caption(
        f"{name} on eight points. With random numbers in place of every context its log probabilities change by "
        f"{_moved(name):g}.{beside}"
    )


def _moved(name: str) -> float:
    """By how much the log probabilities of a walk change, at most, when its contexts are random numbers."""
    import torch

    from attn_core.pointer import greedy

    net = pointing.model(name)
    found = greedy(net, torch.tensor([POINTS]))
    with torch.inference_mode():
        other = found.steps.map(torch.clone)
        other.attentional[..., : net.config.hidden].normal_(generator=torch.Generator().manual_seed(1))
        return (net.log_probs(other) - found.log_probs).abs().max().item()


def plain_has_no_words() -> None:
    """How often both kinds of network are right on the same fresh inputs, and what the plain one says to too many."""
    import torch

    from attn_core.pointer import measure

    name = pointing.models("vocabulary").get("hull")
    if name is None:
        raise ValueError("no trained model with a word for each position is in pretrained/")
    plain, rows = pointing.model(name), []
    for n in (5, 10, plain.config.longest + 1, 20):
        row = {"points": str(n)}
        for label, net in (("pointer network", pointing.model(_hull())), ("attention and an output layer", plain)):
            try:
                row[label] = f"right on {measure(net, n, DRAWN)['accuracy']:.0%}"
            except ValueError:
                row[label] = "cannot answer"
        rows.append(row)
    show.table(rows)
    try:
        plain.encode(torch.rand(1, plain.config.longest + 1, 2))
    except ValueError as error:
        st.markdown(f"What it says to {plain.config.longest + 1} points: “{error}.”")
    st.caption(
        f"{_hull()} and {name} on {DRAWN} fresh inputs of each number. The output layer of {name} has "
        f"{plain.output.weight.size(0)} rows: the end and {plain.config.longest} positions."
    )


def order_matters() -> None:
    """The same ten points in a hundred orders: how often the walk is the hull."""
    import torch

    from attn_core.pointer import greedy
    from attn_core.problems import PROBLEMS

    name = _hull()
    random = torch.Generator().manual_seed(4)
    orders = torch.stack([torch.randperm(len(TEN), generator=random) for _ in range(ORDERS)])
    given = torch.tensor(TEN)[orders]
    said = greedy(pointing.model(name), given).outputs()
    problem = PROBLEMS["hull"]()
    right = [
        problem.measure([points], [walk])["accuracy"] == 1 for points, walk in zip(given.tolist(), said, strict=True)
    ]
    walks = {tuple(sorted(order[i] for i in walk)) for order, walk in zip(orders.tolist(), said, strict=True)}
    st.markdown(
        f"The same ten points in {ORDERS} orders: the walk is the hull for **{sum(right)}** of them. It chooses "
        f"{len(walks)} different sets of corners; there is one right one, of {len(problem.answer(TEN))} points."
    )
    show.bars(["the hull", "another walk"], {"orders": [sum(right), ORDERS - sum(right)]}, unit="orders")
    st.caption(f"{name}, greedily, nothing ruled out.")
