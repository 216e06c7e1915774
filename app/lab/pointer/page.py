"""The Pointer page: place points and see which of them a trained pointer network chooses."""

from pathlib import Path

from app.lab.kit.described import LabPage, Section, Stage, draw
from app.lab.pointer.cards import CARDS
from app.shell.notes import Notes
from attn_core.messages import N_

__all__ = ["CARDS", "page"]

_HERE = Path(__file__).parent
PAGE = LabPage(
    N_("Pointer"),
    N_("How can a network point at its own inputs, however many there are?"),
    N_(
        "The network was trained to list the corners of the *convex hull*, the smallest convex polygon around all "
        "points (or, as another task, to list numbers in order), and then to choose “end”. Click the square to add a "
        "point, drag a point, or press play. At each step it distributes its attention weights over the points and "
        "“end”. It has no other output layer: **the weights are the distribution** that it chooses from. Position 0 is "
        "“end”; the points have the positions 1 to n."
    ),
    (
        Section(
            Stage(
                "pointer_lab",
                _HERE / "pointer.js",
                _HERE / "pointer.css",
                "app.lab.pointer.data:pointing",
                kind="pointer",
            )
        ),
        Section(
            title=N_("Does it generalise to more inputs than in training?"), blocks="app.lab.pointer.longer:blocks"
        ),
        Section(
            title=N_("Read the code"),
            text=N_(
                "The first listing is a pointer network as a standalone class, for one set of points; the second is "
                "the package's code, which handles whole batches, several constraints, and a plain output layer to "
                "compare with. The tests check that both give the same numbers."
            ),
            blocks="app.lab.pointer.code:listings",
        ),
    ),
    CARDS,
    Notes(
        (
            N_("Ask the class which points are corners of the hull before you press play."),
            N_("Drag a corner inside, then out again: the network computes a new output at once."),
            N_("It was trained with 5 to 10 points. Choose 20: how often is the hull still right?"),
        ),
        N_("Its attention weights are its output: one probability for each input, however many there are."),
        6,
    ),
)


def page() -> None:
    """Draw the page."""
    draw(PAGE)
