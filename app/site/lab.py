"""Lab pages of the site, from their descriptions (app/lab/kit/described.py), and the quiz with all cards.

The evidence for a card needs torch: it is computed while the site is written, and the page says so.
"""

from collections.abc import Mapping
from datetime import date
from html import escape
from typing import Any

import torch

from app.lab.kit.cards import LEVELS, QUIZ, Card, Decks, easiest_first, missing_evidence, verdict
from app.lab.kit.charts import themed_chart
from app.lab.kit.described import LabPage, data, missing_data
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


def lab_page(item: MenuItem, page: LabPage, cards: Mapping[str, str], addresses: Addresses, files: Files) -> SitePage:
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
                parts.append(f'<p class="small">{escape(missing_data(error))}</p>')
            else:
                parts.append(f'<div class="stage" id="{stage.name}"><div class="ap-host"></div></div>')
                files[f"{stage.name}.js"] = script(stage.script)
        if section.note:
            parts.append(f'<div class="small">{markup.blocks(_(section.note))}</div>')
        if section.blocks:
            blocks = enumerate(load(section.blocks)())
            parts += [_block(block, f"{item.path}-{part}-{number}", files) for number, block in blocks]
        parts += [_block(listing(*code), "", files) for code in section.code]
        parts.append("</section>")
    deck = _deck([("", easiest_first(page.cards))], cards)
    parts.append(f'<section class="rest"><h2>{escape(_(QUIZ))}</h2>{deck}</section>')
    record = {"stages": stages, "notes": page.notes and page.notes.record(_(page.question))}
    body = "\n".join(parts)
    return SitePage(
        f"{item.path}.html", _(page.title), _(item.about), body, SCRIPT, record, SHEETS, presents=item.lecture
    )


def quiz(cards: Mapping[str, str]) -> SitePage:
    """All cards of all lab pages on one page."""
    about = _(QUIZ_PAGE.first)
    body = f'<h1>{escape(_(QUIZ))}</h1>\n<p class="about">{escape(about)}</p>\n{_deck(decks(), cards)}{_print_link()}'
    record: dict[str, Any] = {"stages": [], "notes": QUIZ_PAGE.notes and QUIZ_PAGE.notes.record(_(QUIZ))}
    return SitePage("quiz.html", _("Quiz"), about, body, SCRIPT, record, SHEETS, presents=True)


def _print_link() -> str:
    return f'<p><a href="{sheet.FILE}">{escape(_(sheet.TITLE))}</a></p>'


def all_cards(files: Files) -> dict[str, str]:
    """The cards of all lab pages as HTML, by their names in links; their charts are added to `files`."""
    return {card.slug: _card(card, files) for _title, deck in decks() for card in deck}


def _deck(decks: Decks, cards: Mapping[str, str]) -> str:
    """The claims by level, and their cards, which the script shows one at a time."""
    claims, shown = [], []
    for title, deck in decks:
        links = "".join(f'<li><a href="?card={card.slug}">“{markup.inline(_(card.claim))}”</a></li>' for card in deck)
        claims.append(f"<h3>{escape(_(title))}</h3><ul>{links}</ul>" if title else f"<ul>{links}</ul>")
        shown += [cards[card.slug] for card in deck]
    computed = _("The evidence was computed on {day} with torch {version}, when this site was made.").format(
        day=date.today().isoformat(), version=torch.__version__
    )
    return (
        f'<section class="deck"><nav class="claims"><p class="score" role="status"></p>{"".join(claims)}</nav>\n'
        f'<div class="cards">{"".join(shown)}<p class="small">{escape(computed)}</p></div></section>'
    )


def _card(card: Card, files: Files) -> str:
    answers = "".join(
        f'<button type="button" data-right="{int(number == card.right)}">{markup.inline(_(answer))}</button>'
        for number, answer in enumerate(card.answers)
    )
    verdicts = "".join(
        f'<p class="verdict" tabindex="-1" data-right="{int(right)}">{escape(verdict(card, right))}</p>'
        for right in (True, False)
    )
    source = _("Source: {source}").format(source=_(card.source))
    level = escape(_(LEVELS[card.level]))
    return (
        f'<article id="{card.slug}" hidden><p class="small level">{level}</p>'
        f'<p class="claim" tabindex="-1">“{markup.inline(_(card.claim))}”</p>'
        f'{markup.blocks(_(card.question))}<div class="answers">{answers}</div>'
        f'<div class="told" hidden>{verdicts}{_evidence(card, files)}<p class="small">{markup.inline(source)}</p></div>'
        f'<p class="after"><button type="button" class="again" hidden>{escape(_("Try again"))}</button>'
        f'<button type="button" class="next">{escape(_("Next card"))}</button></p></article>\n'
    )


def _evidence(card: Card, files: Files) -> str:
    reason = markup.blocks(_(card.reason))
    try:
        finding: Finding = load(card.evidence)()
    except ValueError as error:
        return f'<p class="small">{escape(missing_evidence(error))}</p>{reason}'
    numbers = "".join(_block(block, f"{card.slug}-{n}", files) for n, block in enumerate(finding.numbers))
    figure = _block(finding.figure, card.slug, files)
    return (
        f'{figure}<div class="finding">{markup.blocks(finding.sentence)}</div>{reason}'
        f'<details class="numbers"><summary>{escape(_(NUMBERS))}</summary>{numbers}</details>'
    )


def _block(block: Block, name: str, files: Files) -> str:
    match block:
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
            inside = "".join(_block(inner, f"{name}-{number}", files) for number, inner in enumerate(blocks))
            return f'<details class="numbers"><summary>{escape(title)}</summary>{inside}</details>'
        case _:
            for theme in ("light", "dark"):
                files[f"charts/{name}-{theme}.svg"] = svg(themed_chart(block, theme == "dark"))
            return (
                f'<picture><source srcset="charts/{name}-dark.svg" media="(prefers-color-scheme: dark)">'
                f'<img src="charts/{name}-light.svg" loading="lazy" alt="{escape(_alternative(block))}"></picture>'
            )


def _part(part: Part) -> str:
    copy = f'<button type="button" class="copy">{escape(_("Copy"))}</button>'
    return f'<p class="small">{escape(part.heading)} {copy}</p><pre tabindex="0"><code>{escape(part.code)}</code></pre>'


def _alternative(chart: Chart) -> str:
    """The text alternative of a chart."""
    if isinstance(chart, Drawing):
        return chart.text
    if isinstance(chart, Map):
        return _("Attention map of “{words}”").format(words=" ".join(chart.trace.target))
    return "; ".join(
        f"{_(name)}: "
        + ", ".join(
            f"{label} {round(value, 4) + 0.0:g}"
            for label, value in zip(chart.labels, values, strict=True)
            if value is not None
        )
        for name, values in chart.series.items()
    )
