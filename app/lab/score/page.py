"""The Score lab: the scores and weights that each score function gives for a query and its keys."""

import streamlit as st

from app.lab.kit.cards import deck
from app.lab.kit.head import head
from app.lab.score import stage
from app.lab.score.cards import CARDS
from app.shell.frame import framed
from attn_core.messages import _

__all__ = ["CARDS", "page"]


def page() -> None:
    """Draw the page."""
    with framed("Score lab"):
        head(
            _("How does a score function decide which key a query attends to?"),
            _(
                "Drag the query (the arrow) or a key (a dot). All score functions update at once; select one to shade "
                "the plane with its scores and to see its parameters."
            ),
        )
        stage.vectors()
        st.subheader(_("Why divide by the root of d?"), anchor=False)
        st.markdown(
            _(
                "Change d: with more dimensions the dot products of random vectors spread, and softmax gives one key "
                "nearly all the weight."
            )
        )
        stage.sizes()
        deck(CARDS)
