"""The cards of all lab pages."""

import streamlit as st

from app.lab.kit.cards import Decks, by_level, show_cards
from app.lab.kit.described import page_of
from app.shell.pages import labs
from attn_core.messages import _


def decks() -> Decks:
    """The cards of all lab pages, by level."""
    return by_level([card for item in labs() for card in page_of(item).cards])


def show_all_cards() -> None:
    """Show the cards of all pages, and a link to print them."""
    show_cards(decks(), opens_first=True)
    st.link_button(_("Print quiz cards"), "/cards", icon=":material/print:")  # sheet.py
