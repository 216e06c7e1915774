"""The Results page: the papers' tables beside what was measured here, with a verdict on each claim."""

from app.lab.kit.described import LabPage, Section, draw
from app.lab.results.cards import CARDS
from attn_core.messages import N_
from attn_core.models.paper_tables import TABLES

__all__ = ["CARDS", "page"]

PAGE = LabPage(
    N_("Results"),
    N_("Do the papers' tables hold when they are measured again?"),
    N_(
        "Each table repeats one of the papers with small models on image captions: all rows have the same data, "
        "updates and precision. Once each of its rows has five seeds, a claim is *reproduced* if the 95% interval is "
        "above 0, *contradicted* if it is below 0, and *undecided* if it includes 0. The paper's numbers come from "
        "other and larger data, so compare the signs of the differences between rows, not their sizes. Notebook 10 "
        "(The papers' tables, measured again) explains how a difference becomes a verdict."
    ),
    tuple(
        Section(title=table.title, text=table.about, blocks=f"app.lab.results.blocks:{table.name}")
        for table in TABLES.values()
    ),
    CARDS,
)


def page() -> None:
    """Draw the page."""
    draw(PAGE)
