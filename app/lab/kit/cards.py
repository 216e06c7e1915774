"""Predict, then reveal: a saying, true or not, answers to choose from, and what is so, computed at that moment.

A page lists its cards and shows them with `deck`. Each card has its own link, `?card=slug`, which opens the page there.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import streamlit as st

from app.shell.frame import notice, plainly
from app.shell.link import copy_button
from attn_core.web import bundle

_LOG = logging.getLogger(__name__)
_HERE = Path(__file__).parent
_ARRIVE = st.components.v2.component("card_arrival", html="<span></span>", js=bundle.module(_HERE / "arrive.js"))


@dataclass(frozen=True)
class Card:
    """A saying to guess at. Texts are Markdown with formulas between dollar signs.

    `live` draws the evidence where it is called: numbers and figures that attn_core computes then, from a shipped model
    or from vectors on the page. It imports what it needs itself, so that a page opens without torch.
    """

    slug: str  # its name in the link; unique in the whole lab
    saying: str  # as people say it, or might
    question: str
    answers: tuple[str, ...]
    right: int  # which of the answers holds, counted from 0
    truth: str
    live: Callable[[], None]
    source: str  # paper, section, equation
    holds: bool = False  # whether the saying is true


def deck(cards: Sequence[Card]) -> None:
    """The cards of a page: the sayings as a list, the chosen one open beside it."""
    with st.container(key="cards"):
        st.subheader("Do you believe it?", anchor=False)
        _deck({card.slug: card for card in cards})


@st.fragment
def _deck(cards: dict[str, Card]) -> None:
    with plainly("cards"):
        if st.session_state.get("card", "") not in (None, *cards):  # a new visit, or one from another page
            _from_link(cards)
        if linked := st.session_state.get("card_linked"):
            _ARRIVE(key="arrival", data={"card": linked})
        left, right = st.columns([2, 3], gap="medium")
        with left.container(key="cards_list"):
            st.caption("Some of these sayings are true. Choose one, guess, and see.")
            st.radio(
                "Sayings",
                list(cards),
                index=None,
                key="card",
                format_func=lambda slug: f"“{cards[slug].saying}”",
                label_visibility="collapsed",
                on_change=_opened,
            )
        if card := cards.get(st.session_state.card or ""):
            with right.container(border=True, key="card_open"):
                _show(card)


def _from_link(cards: dict[str, Card]) -> None:
    """A new visit opens the card that its link names."""
    slug = st.query_params.get("card", "")
    st.session_state.card = slug if slug in cards else None
    st.session_state.card_linked = st.session_state.card
    if slug and slug not in cards:
        notice(f"There is no card “{slug[:40]}” on this page; it has these.")


def _opened() -> None:
    st.session_state.card_linked = None
    st.query_params["card"] = st.session_state.card


def _said(slug: str) -> int | None:
    return st.session_state.setdefault("card_answers", {}).get(slug)


def _say(slug: str, answer: int | None) -> None:
    st.session_state.card_answers[slug] = answer


def _show(card: Card) -> None:
    with st.container(key="card_saying"):
        st.markdown(f"“{card.saying}”")
    st.markdown(card.question)
    said = _said(card.slug)
    with st.container(key="card_answers", gap="xsmall"):
        for i, answer in enumerate(card.answers):
            mark = None if said is None else _mark(i, said, card.right)
            kind: Literal["primary", "secondary"] = "primary" if said is not None and i == card.right else "secondary"
            st.button(
                answer,
                key=f"answer_{card.slug}_{i}",
                icon=mark,
                type=kind,
                width="stretch",
                disabled=said is not None,  # else a click while the evidence of the last card is computed says it anew
                on_click=_say,
                args=(card.slug, i),
            )
    if said is not None:
        st.markdown(_verdict(card, said))
        _live(card)
        st.caption(f"Source: {card.source}")
    with st.container(horizontal=True, gap="small"):
        copy_button()
        if said is not None:
            st.button(
                "Ask again", key=f"again_{card.slug}", icon=":material/replay:", on_click=_say, args=(card.slug, None)
            )


def _verdict(card: Card, said: int) -> str:
    """What became of the guess, and of the saying above it: a right guess may be that the saying is false."""
    guess = "right" if said == card.right else "wrong"
    return f"Your guess is {guess}. **The saying is {'true' if card.holds else 'not true'}.** {card.truth}"


def _live(card: Card) -> None:
    try:
        with st.spinner("Computing …"):
            card.live()
    except ValueError as error:  # a model is not there, or its files are damaged
        _LOG.warning("%s", error)
        notice(f"What is true stands above; its evidence cannot be computed here: {error}.")


def _mark(answer: int, said: int, right: int) -> str | None:
    if answer == right:
        return ":material/check:"
    return ":material/close:" if answer == said else None
