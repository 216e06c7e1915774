"""The Pointer page: place points and see which of them a trained pointer network chooses."""

from pathlib import Path

from app.lab.kit.described import Code, LabPage, Section, Stage
from app.lab.pointer.cards import CARDS
from app.shell.notes import Notes
from attn_core.messages import N_

_HERE = Path(__file__).parent
PAGE = LabPage(
    title=N_("Pointer"),
    about=N_("Draw points, and see which of them a pointer network selects"),
    order=60,
    question=N_("How can a network point at its own inputs, however many there are?"),
    first=N_(
        "The network was trained to list the corners of the *convex hull*, the smallest convex polygon around all "
        "points (or, as another task, to list numbers in order), and then to choose “end”. Click the square to add a "
        "point, drag a point, or press play. At each step it distributes its attention weights over the points and "
        "“end”. It has no other output layer: **the weights are the distribution** that it chooses from. Position 0 is "
        "“end”; the points have the positions 1 to n."
    ),
    sections=(
        Section(Stage(_HERE / "pointer.js", "app.lab.pointer.data:tasks", kind="pointer", in_file=True)),
        Section(
            title=N_("Does it generalise to more inputs than in training?"),
            blocks="app.lab.pointer.data:accuracy_charts",
        ),
        Section(
            title=N_("Read the code"),
            text=N_(
                "The first listing is a pointer network as a standalone class, for one set of points; the second is "
                "the package's code, which handles whole batches, several constraints, and a plain output layer to "
                "compare with. The tests check that both give the same numbers."
            ),
            code=(
                Code(
                    N_("Pointer network"),
                    "synthetic/pointer/net.py",
                    ("PointerNet.encode", "PointerNet.remembered", "PointerNet.attend", "PointerNet.log_probs"),
                    _HERE / "programs.py",
                    "Pointer",
                ),
            ),
        ),
    ),
    cards=CARDS,
    notes=Notes(
        (
            N_("Ask the class which points are corners of the hull before you press play."),
            N_("Drag a corner inside, then out again: the network computes a new output at once."),
            N_("It was trained with 5 to 10 points. Choose 20: how often is the hull still right?"),
        ),
        N_("Its attention weights are its output: one probability for each input, however many there are."),
        6,
    ),
)
