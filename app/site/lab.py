"""Lab pages of the site, from their descriptions (app/lab/kit/described.py), and the quiz with all cards.

The evidence for a card needs torch: it is computed while the site is written, and the page says so.
"""

from collections.abc import Mapping
from datetime import date
from html import escape
from typing import Any

import torch

from app.lab.kit.cards import LEVELS, QUIZ, Card, Decks, easiest_first, missing, verdict
from app.lab.kit.charts import alone
from app.lab.kit.described import LabPage, absent, data
from app.lab.kit.evidence import (
    ALONE,
    NUMBERS,
    Block,
    Caption,
    Chart,
    Drawing,
    Finding,
    Folded,
    Listing,
    Map,
    Part,
    Table,
    Text,
)
from app.lab.kit.source import listing
from app.lab.quiz import sheet
from app.lab.quiz.data import decks
from app.lab.quiz.page import PAGE as QUIZ_PAGE
from app.service.files import Addresses
from app.shell import markup
from app.shell.pages import MenuItem
from app.shell.table import table
from app.site.shell import SitePage, script
from attn_core.figures.export import svg
from attn_core.messages import _
from attn_core.registry import load

SCRIPT = "lab.js"
SHEETS = ("style.css", "lab.css")
Files = dict[str, str]


def lab_page(place: MenuItem, page: LabPage, cards: Mapping[str, str], addresses: Addresses, files: Files) -> SitePage:
    """A lab page with some of the `cards`; its stages and charts are added to `files`."""
    stages: list[dict[str, Any]] = []
    parts = [f"<h1>{markup.inline(_(page.question))}</h1>", f'<div class="about">{markup.blocks(_(page.first))}</div>']
    shown = 0  # of the sections that lecture layout has, those with a stage
    for part, section in enumerate(page.sections):
        shown += section.stage is not None
        parts.append(f'<section class="{f"part part-{shown}" if section.stage else "rest"}">')
        if section.title:
            parts.append(f"<h2>{markup.inline(_(section.title))}</h2>")
        if section.text:
            parts.append(markup.blocks(_(section.text)))
        if stage := section.stage:
            try:
                stages.append({"name": stage.name, "data": data(stage, addresses)})
            except ValueError as error:
                parts.append(f'<p class="small">{escape(absent(error))}</p>')
            else:
                parts.append(f'<div class="stage" id="{stage.name}"><div class="ap-host"></div></div>')
                files[f"{stage.name}.js"] = script(stage.script)
        if section.note:
            parts.append(f'<div class="small">{markup.blocks(_(section.note))}</div>')
        if section.blocks:
            found = load(section.blocks)()
            parts += [_block(one, f"{place.path}-{part}-{number}", files) for number, one in enumerate(found)]
        parts += [_block(listing(*code), "", files) for code in section.code]
        parts.append("</section>")
    deck = _deck([("", easiest_first(page.cards))], cards)
    parts.append(f'<section class="rest"><h2>{escape(_(QUIZ))}</h2>{deck}</section>')
    record = {"stages": stages, "notes": page.notes and page.notes.record(_(page.question))}
    body = "\n".join(parts)
    return SitePage(
        f"{place.path}.html", _(page.title), _(place.about), body, SCRIPT, record, SHEETS, presents=place.lecture
    )


def quiz(cards: Mapping[str, str]) -> SitePage:
    """All cards of all lab pages on one page."""
    about = _(QUIZ_PAGE.first)
    body = f'<h1>{escape(_(QUIZ))}</h1>\n<p class="about">{escape(about)}</p>\n{_deck(decks(), cards)}{_to_print()}'
    record: dict[str, Any] = {"stages": [], "notes": QUIZ_PAGE.notes and QUIZ_PAGE.notes.record(_(QUIZ))}
    return SitePage("quiz.html", _("Quiz"), about, body, SCRIPT, record, SHEETS, presents=True)


def _to_print() -> str:
    return f'<p><a href="{sheet.FILE}">{escape(_(sheet.TITLE))}</a></p>'


def all_cards(files: Files) -> dict[str, str]:
    """The cards of all lab pages as HTML, by their names in links; their charts are added to `files`."""
    return {card.slug: _card(card, files) for _title, some in decks() for card in some}


def _deck(decks: Decks, cards: Mapping[str, str]) -> str:
    """The claims by level, and their cards, which the script shows one at a time."""
    claims, shown = [], []
    for title, deck in decks:
        links = "".join(f'<li><a href="?card={card.slug}">“{markup.inline(_(card.claim))}”</a></li>' for card in deck)
        claims.append(f"<h3>{escape(_(title))}</h3><ul>{links}</ul>" if title else f"<ul>{links}</ul>")
        shown += [cards[card.slug] for card in deck]
    made = _("The evidence was computed on {day} with torch {version}, when this site was made.").format(
        day=date.today().isoformat(), version=torch.__version__
    )
    return (
        f'<section class="deck"><nav class="claims"><p class="score" role="status"></p>{"".join(claims)}</nav>\n'
        f'<div class="cards">{"".join(shown)}<p class="small">{escape(made)}</p></div></section>'
    )


def _card(card: Card, files: Files) -> str:
    answers = "".join(
        f'<button type="button" data-right="{int(place == card.right)}">{markup.inline(_(answer))}</button>'
        for place, answer in enumerate(card.answers)
    )
    told = "".join(
        f'<p class="verdict" tabindex="-1" data-right="{int(right)}">{escape(verdict(card, right))}</p>'
        for right in (True, False)
    )
    source = _("Source: {source}").format(source=_(card.source))
    level = escape(_(LEVELS[card.level]))
    return (
        f'<article id="{card.slug}" hidden><p class="small level">{level}</p>'
        f'<p class="claim" tabindex="-1">“{markup.inline(_(card.claim))}”</p>'
        f'{markup.blocks(_(card.question))}<div class="answers">{answers}</div>'
        f'<div class="told" hidden>{told}{_evidence(card, files)}<p class="small">{markup.inline(source)}</p></div>'
        f'<p class="after"><button type="button" class="again" hidden>{escape(_("Try again"))}</button>'
        f'<button type="button" class="next">{escape(_("Next card"))}</button></p></article>\n'
    )


def _evidence(card: Card, files: Files) -> str:
    reason = markup.blocks(_(card.reason))
    try:
        found: Finding = load(card.live)()
    except ValueError as error:
        return f'<p class="small">{escape(missing(error))}</p>{reason}'
    numbers = "".join(_block(one, f"{card.slug}-{place}", files) for place, one in enumerate(found.numbers))
    return (
        f'{_block(found.figure, card.slug, files)}<div class="finding">{markup.blocks(found.sentence)}</div>{reason}'
        f'<details class="numbers"><summary>{escape(_(NUMBERS))}</summary>{numbers}</details>'
    )


def _block(one: Block, name: str, files: Files) -> str:
    match one:
        case Text(text):
            return markup.blocks(text)
        case Caption(text):
            return f'<div class="small">{markup.blocks(text)}</div>'
        case Table(columns, rows, stacked):
            return table(columns, rows, stacked=stacked)
        case Listing(title, parts, program):
            listed = [[Part(_(ALONE), program)] if program else [], parts]
            sides = "".join(f"<div>{''.join(map(_part, side))}</div>" for side in listed if side)
            return f'<details class="listing"><summary>{escape(title)}</summary><div>{sides}</div></details>'
        case Folded(title, blocks):
            inside = "".join(_block(inner, f"{name}-{place}", files) for place, inner in enumerate(blocks))
            return f'<details class="numbers"><summary>{escape(title)}</summary>{inside}</details>'
        case _:
            for theme in ("light", "dark"):
                files[f"charts/{name}-{theme}.svg"] = svg(alone(one, theme == "dark"))
            return (
                f'<picture><source srcset="charts/{name}-dark.svg" media="(prefers-color-scheme: dark)">'
                f'<img src="charts/{name}-light.svg" loading="lazy" alt="{escape(_spoken(one))}"></picture>'
            )


def _part(one: Part) -> str:
    copy = f'<button type="button" class="copy">{escape(_("Copy"))}</button>'
    return f'<p class="small">{escape(one.heading)} {copy}</p><pre tabindex="0"><code>{escape(one.code)}</code></pre>'


def _spoken(one: Chart) -> str:
    """The text alternative of a chart."""
    if isinstance(one, Drawing):
        return one.text
    if isinstance(one, Map):
        return _("Attention map of “{words}”").format(words=" ".join(one.trace.target))
    return "; ".join(
        f"{_(name)}: "
        + ", ".join(
            f"{label} {round(value, 4) + 0.0:g}"
            for label, value in zip(one.labels, values, strict=True)
            if value is not None
        )
        for name, values in one.series.items()
    )
