"""What the evidence for a card is made of. The dashboard shows it when a card is answered; the site stores it.

The evidence for a card is a Finding: what is seen first is one figure and one sentence, and the numbers are folded.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from attn_core.messages import N_, _

ALONE = N_("Standalone version")
NUMBERS = N_("The numbers")


@dataclass(frozen=True)
class Text:
    """A paragraph of Markdown with formulas between dollar signs."""

    text: str


@dataclass(frozen=True)
class Caption:
    """As `Text`, in small print: where the numbers above it come from."""

    text: str


@dataclass(frozen=True)
class Table:
    """Rows of texts, one for each column; nothing in it is Markdown."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    stacked: bool = False  # whether its rows are cards on a narrow screen


@dataclass(frozen=True)
class Part:
    """Python with a heading above it."""

    heading: str
    code: str


@dataclass(frozen=True)
class Listing:
    """The code of one mechanism, folded under `title`: its `parts`, beside a standalone `program` if it has one."""

    title: str
    parts: tuple[Part, ...]
    program: str


@dataclass(frozen=True)
class Bars:
    """A bar for each of `labels`, grouped for up to three `series`, whose names are messages; None: no bar.

    `numbers` is the format (d3) of numbers above the bars, for a few bars. `along` is the title of the labels' axis.
    """

    labels: Sequence[str]
    series: Mapping[str, Sequence[float | None]]
    unit: str
    numbers: str = ""
    along: str = ""


@dataclass(frozen=True)
class Map:
    """The attention map of a Trace."""

    trace: Any


@dataclass(frozen=True)
class Drawing:
    """A chart of a page's own, whose numbers `text` has in words.

    `draw` is the place of a function (`package.module:name`) that makes it from `data` and `dark`, with Altair. That
    takes seconds to import, so it is loaded with the chart.
    """

    draw: str
    data: tuple[Any, ...]
    text: str


@dataclass(frozen=True)
class Folded:
    """Blocks folded under `title`."""

    title: str
    blocks: tuple["Block", ...]


Chart = Bars | Map | Drawing
Block = Text | Caption | Table | Listing | Folded | Chart
Evidence = Iterator[Block]


@dataclass(frozen=True)
class Finding:
    """What a card's evidence shows: a figure, one sentence about it (Markdown), and the numbers behind both."""

    figure: Chart
    sentence: str
    numbers: tuple[Block, ...]


def table(rows: Iterable[Mapping[str, Any]]) -> Table:
    """Rows of text and numbers, the latter to four decimals; column names are messages."""
    all_rows = list(rows)
    columns = tuple(name and _(name) for name in all_rows[0])
    return Table(columns, tuple(tuple(map(_exact, row.values())) for row in all_rows))


def decimals(value: float) -> str:
    """A small number to one significant digit, without an exponent: 0.000002."""
    return f"{Decimal(f'{value:.0e}'):f}"


def _exact(value: Any) -> str:
    return f"{value:.4f}" if isinstance(value, float) else str(value)
