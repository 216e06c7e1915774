"""The cards of all lab pages."""

import streamlit as st

from app.lab.kit.cards import Decks, by_level, deck
from app.lab.kit.described import page_of
from app.shell.pages import labs
from attn_core.messages import _


def decks() -> Decks:
    """The cards of all lab pages, by level."""
    return by_level([card for place in labs() for card in page_of(place).cards])


def deck_of_all() -> None:
    """Show the cards, and a link to print them."""
    deck(decks(), opens=True)
    st.link_button(_("Print quiz cards"), "/cards", icon=":material/print:")  # sheet.py
