"""Quiz cards: a common claim, a question with answers to choose from, then the verdict and its evidence.

A page lists its cards and shows them with `show_cards`; the quiz shows those of all pages (app/lab/quiz). Each card has
its own link, `?card=slug`, which opens the page there.
"""

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import streamlit as st

from app.lab.kit import show
from app.lab.kit.evidence import NUMBERS, Finding
from app.shell.frame import errors_shown, notice
from app.shell.link import share_button
from attn_core.browser.hosts.streamlit import component
from attn_core.messages import N_, _, ngettext
from attn_core.registry import load

QUIZ = N_("Quiz: check these claims")
LEVELS = {"basics": N_("Basics"), "mechanisms": N_("Mechanisms"), "research": N_("Research")}  # the easiest first
_LOG = logging.getLogger(__name__)
_HERE = Path(__file__).parent
_ARRIVE = component("card_arrival", _HERE / "card-arrival.js", "<span></span>")


@dataclass(frozen=True)
class Card:
    """A claim to judge. Texts are Markdown with formulas between dollar signs.

    `evidence` is the place of a function (`package.module:name`) that computes a Finding, from a shipped model or from
    vectors on the page. It is loaded when the card is answered, since torch comes with it.
    """

    slug: str  # its name in the link; unique in the whole lab
    claim: str  # as it is often stated
    question: str
    answers: tuple[str, ...]
    right: int  # index of the right answer
    reason: str  # why it is right, and what that means for the claim
    evidence: str
    source: str  # paper, section, equation
    level: str = field(kw_only=True)  # of LEVELS: how much the question asks of a reader
    holds: bool = False  # whether the claim is true


Decks = Sequence[tuple[str, Sequence[Card]]]  # cards with the title of their level; a page's own cards have none


def easiest_first(cards: Iterable[Card]) -> list[Card]:
    """The cards by level; those of a level in the order given."""
    return sorted(cards, key=lambda card: list(LEVELS).index(card.level))


def by_level(cards: Sequence[Card]) -> Decks:
    """The cards of each level with its title, easiest first."""
    return [(title, [card for card in cards if card.level == level]) for level, title in LEVELS.items()]


def show_cards(decks: Decks, *, opens_first: bool = False) -> None:
    """Show the claims of cards as a list, and the chosen card beside it.

    With `opens_first`, as on a page of their own, the first card is open if none is chosen, and they have no heading.
    """
    with st.container(key="cards"):
        if not opens_first:
            st.subheader(_(QUIZ), anchor=False)
        _show_cards(decks, opens_first)


@st.fragment
def _show_cards(decks: Decks, opens_first: bool) -> None:
    with errors_shown("cards"):
        cards = {card.slug: card for _title, deck in decks for card in deck}
        slug = st.query_params.get("card", "")
        if st.session_state.get("card", "") not in (None, *cards) or slug != st.session_state.get("card_seen"):
            _from_link(cards, slug)  # a new visit, one from another page, or the browser went back or forward
        if linked := st.session_state.get("card_linked"):
            _ARRIVE(key="arrival", data={"card": linked})
        shown = st.session_state.card or (next(iter(cards)) if opens_first else "")
        left, right = st.columns([2, 3], gap="medium")
        with left.container(key="cards_list"):
            st.caption(_("Some of these claims are true. Choose one, and answer the question that tests it."))
            if text := score(decks):
                st.markdown(f"**{text}**")
            for n, (title, deck) in enumerate(decks):
                _claims(f"claims_{n}", title, {card.slug: card for card in deck}, shown)
        if card := cards.get(shown):
            with right.container(border=True, key="card_open"):
                _show_card(card, list(cards))


def _claims(key: str, title: str, cards: dict[str, Card], shown: str) -> None:
    """The claims of a level, with ✓ or ✗ for a right or wrong first answer; that of the card `shown` is selected."""
    marks = {slug: "✓ " if right else "✗ " for slug, right in _first_answers().items()}
    if title:
        st.markdown(f"**{_(title)}**")
    st.session_state[key] = shown if shown in cards else None
    st.radio(
        _(title) if title else _("Claims"),
        list(cards),
        index=None,
        key=key,
        format_func=lambda slug: f"{marks.get(slug, '')}“{_(cards[slug].claim)}”",
        label_visibility="collapsed",
        on_change=_open_chosen,
        args=(key,),
    )


def _from_link(cards: dict[str, Card], slug: str) -> None:
    """Open the card that the link names."""
    st.session_state.card_seen = slug
    st.session_state.card = slug if slug in cards else None
    st.session_state.card_linked = st.session_state.card
    if slug and slug not in cards:
        notice(_("This page has no card “{slug}”. Its cards are listed below.").format(slug=slug[:40]))


def _open_chosen(key: str) -> None:
    _open(st.session_state[key])
    st.session_state.card_linked = None


def _open(slug: str) -> None:
    """Open a card and scroll to it."""
    st.session_state.card = st.session_state.card_linked = slug
    st.query_params["card"] = st.session_state.card_seen = slug


def score(decks: Decks) -> str:
    """How many cards of all pages were answered correctly at first, in words; empty before there is an answer.

    It names the levels of `decks` of which all cards are answered, too.
    """
    first_answers = _first_answers()
    if not first_answers:
        return ""
    right = sum(first_answers.values())
    count = ngettext("{n} of {all} answered correctly", "{n} of {all} answered correctly", right)
    finished = [(title, cards) for title, cards in decks if title and all(card.slug in first_answers for card in cards)]
    levels = (
        _("{level}: {n} of {all}").format(
            level=_(title), n=sum(first_answers[card.slug] for card in cards), all=len(cards)
        )
        for title, cards in finished
    )
    return " · ".join((count.format(n=right, all=len(first_answers)), *levels))


def _first_answers() -> dict[str, bool]:
    """Whether the first answer to each answered card was right."""
    return st.session_state.setdefault("card_firsts", {})


def _answer_to(slug: str) -> int | None:
    """The reader's answer to a card; None before there is one."""
    return st.session_state.setdefault("card_answers", {}).get(slug)


def _answer(card: Card, answer: int | None) -> None:
    st.session_state.card_answers[card.slug] = answer
    st.session_state.card_linked = None
    if answer is not None:
        _first_answers().setdefault(card.slug, answer == card.right)


def _show_card(card: Card, slugs: list[str]) -> None:
    st.caption(_(LEVELS[card.level]))
    with st.container(key="card_claim"):
        st.markdown(f"“{_(card.claim)}”")
    st.markdown(_(card.question))
    choice = _answer_to(card.slug)
    with st.container(key="card_answers", gap="xsmall"):
        for i, answer in enumerate(card.answers):
            kind: Literal["primary", "secondary"] = "primary" if choice is not None and i == card.right else "secondary"
            st.button(
                _(answer),
                key=f"answer_{card.slug}_{i}",
                icon=None if choice is None else _icon(i, choice, card.right),
                type=kind,
                width="stretch",
                disabled=choice is not None,  # or a click while evidence is being computed would answer again
                on_click=_answer,
                args=(card, i),
            )
    if choice is not None:
        st.markdown(f"**{verdict(card, choice == card.right)}**")
        _show_evidence(card)
        st.caption(_("Source: {source}").format(source=_(card.source)))
    with st.container(horizontal=True, gap="small"):
        share_button()
        if choice is not None:
            st.button(
                _("Try again"),
                key=f"again_{card.slug}",
                icon=":material/replay:",
                on_click=_answer,
                args=(card, None),
            )
        if len(slugs) > 1:
            following = slugs[(slugs.index(card.slug) + 1) % len(slugs)]
            st.button(
                _("Next card"), key="card_next", icon=":material/arrow_forward:", on_click=_open, args=(following,)
            )


def verdict(card: Card, right: bool) -> str:
    """Whether the answer to the card's question is right, and whether the claim is true."""
    answer = _("Right.") if right else _("Not quite: the right answer is marked ✓.")
    return f"{answer} {truth(card)}"


def truth(card: Card) -> str:
    """Whether the claim is true, as a sentence."""
    return _("The claim is true.") if card.holds else _("The claim is false.")


def missing_evidence(error: ValueError) -> str:
    """The message shown when evidence cannot be computed: a model is missing, or its files are damaged."""
    return _("The evidence for this card cannot be computed here: {error}.").format(error=error)


def _show_evidence(card: Card) -> None:
    try:
        with st.spinner(_("Computing …")):
            finding: Finding | None = load(card.evidence)()
    except ValueError as error:
        _LOG.warning("%s", error)
        notice(missing_evidence(error))
        finding = None
    if finding:
        show.draw(finding.figure, f"evidence_{card.slug}")
        with st.container(key="card_finding"):
            st.markdown(finding.sentence)
    st.markdown(_(card.reason))
    if finding:
        with st.expander(_(NUMBERS)):
            for number, block in enumerate(finding.numbers):
                show.draw(block, f"evidence_{card.slug}_{number}")


def _icon(answer: int, chosen: int, right: int) -> str | None:
    """The icon of an answer once another or the same one was chosen."""
    if answer == right:
        return ":material/check:"
    return ":material/close:" if answer == chosen else None
