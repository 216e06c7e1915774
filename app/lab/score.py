"""The Score lab: what each score function makes of a query and its keys."""

from app.frame import framed
from app.lab.cards import deck
from app.lab.head import head
from app.lab.score_cards import CARDS

__all__ = ["CARDS", "page"]


def page() -> None:
    """Draw the page."""
    with framed("Score lab"):
        head(
            "How does a score decide which key a query looks at?",
            "Drag the query: every score function answers at once.",
        )
        deck(CARDS)
