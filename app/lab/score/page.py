"""The Score lab: what each score function makes of a query and its keys."""

import streamlit as st

from app.lab.kit.cards import deck
from app.lab.kit.head import head
from app.lab.score import stage
from app.lab.score.cards import CARDS
from app.shell.frame import framed

__all__ = ["CARDS", "page"]


def page() -> None:
    """Draw the page."""
    with framed("Score lab"):
        head(
            "How does a score decide which key a query looks at?",
            "Drag the query (the arrow) or a key (a dot). Every score function answers at once; choose one to see its "
            "shade in the plane and its parameters.",
        )
        stage.vectors()
        st.subheader("Why divide by the root of d?", anchor=False)
        st.markdown("Move d: with more dimensions the scores of dot spread, and softmax picks one key for no reason.")
        stage.sizes()
        deck(CARDS)
