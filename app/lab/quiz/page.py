"""The Quiz page: the cards of all lab pages, with a running score. The site's quiz has the same description."""

import streamlit as st

from app.lab.kit.cards import QUIZ, Decks, by_level, deck
from app.lab.kit.head import head
from app.shell.frame import framed
from app.shell.notes import Notes
from app.shell.pages import LAB
from attn_core.messages import N_, _
from attn_core.registry import load

ABOUT = N_("Each card asks a question that tests a common claim about attention. Answer it to see the evidence.")

NOTES = Notes(
    (
        N_("Read the card aloud, take a show of hands, and then click the answer of the majority."),
        N_("The evidence was measured with this project's models: discuss the figure before you read out the reason."),
        N_("Page Down opens the next card."),
    ),
    N_("Each card gives its own, with the source below it."),
    10,
)


def decks() -> Decks:
    """The cards of all lab pages, by level."""
    return by_level([card for place in LAB for card in load(f"{place.module}:CARDS")])


def page() -> None:
    """Draw the page."""
    with framed("Quiz"):
        head(_(QUIZ), _(ABOUT), NOTES)
        deck(decks(), opens=True)
        st.link_button(_("Print quiz cards"), "/cards", icon=":material/print:")  # sheet.py
