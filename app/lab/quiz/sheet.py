"""All quiz cards on paper: two to an A4 page, and the answers on pages of their own at the end.

The site has it as a file, the dashboard under /cards. Where the address of the live quiz is known, each card has its
QR code.
"""

from html import escape
from pathlib import Path

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from app.lab.kit.cards import QUIZ, Card, truth
from app.lab.quiz.data import decks
from app.shell import markup, shared
from app.shell.qr import svg
from attn_core.browser import bundle
from attn_core.browser.standalone import standalone_page
from attn_core.messages import N_, _

FILE = "cards.html"
TITLE = N_("Print quiz cards")
_LETTERS = "ABCDEFG"
_STYLE = Path(__file__).with_name("sheet.css")
_BODY = """<p class="how"><a href="{quiz}">{back}</a> · {how}</p>
{cards}
<section class="answers">
<h1>{answers}</h1>
{solutions}
</section>"""


def sheet(quiz: str, address: str = "") -> str:
    """The page; `quiz` is the link back to the quiz, `address` that of the quiz for the QR codes, if it is known."""
    cards = [(title, card) for title, deck in decks() for card in deck]
    body = _BODY.format(
        quiz=escape(quiz),
        back=escape(_(QUIZ)),
        how=escape(_("Print this page on A4 paper: two cards to a page, and the answers at the end.")),
        cards="\n".join(_card(n, title, card, address) for n, (title, card) in enumerate(cards, 1)),
        answers=escape(_("Answers")),
        solutions="\n".join(_solution(n, card) for n, (_title, card) in enumerate(cards, 1)),
    )
    return standalone_page(_(TITLE), bundle.font_style() + bundle.sheet(_STYLE), body)


def routes() -> list[Route]:
    """The route of the dashboard."""
    return [Route("/cards", _answer)]


def _answer(_request: Request) -> Response:
    return HTMLResponse(sheet("quiz", shared.quiz()))


def _card(n: int, title: str, card: Card, address: str) -> str:
    answers = "".join(f"<li>{markup.inline(_(answer))}</li>" for answer in card.answers)
    code = _qr_code(f"{address}?card={card.slug}") if address else ""
    return (
        f'<article><p class="small">{n} · {escape(_(title))}</p><h2>“{markup.inline(_(card.claim))}”</h2>'
        f"{markup.blocks(_(card.question))}<ol>{answers}</ol>{code}</article>"
    )


def _qr_code(address: str) -> str:
    return f'<div class="code">{svg(address)}<span>{escape(_("Answer it live:"))}<br>{escape(address)}</span></div>'


def _solution(n: int, card: Card) -> str:
    right = f"{_LETTERS[card.right]}. {markup.inline(_(card.answers[card.right]))}"
    return (
        f"<article><p><strong>{n} · {right}</strong> {escape(truth(card))}</p>{markup.blocks(_(card.reason))}</article>"
    )
