"""Evidence in the dashboard, and the player's colours for charts."""

import streamlit as st

from app.lab.kit.evidence import ALONE, Bars, Block, Caption, Drawing, Folded, Listing, Map, Table, Text
from app.shell.table import table
from attn_core.messages import _
from attn_core.palette import DARK, LIGHT
from attn_core.registry import load


def colors(dark: bool | None = None) -> dict[str, str]:
    """The player's colours for weights, changes and scores; None: in the theme of the page."""
    theme = DARK if (_dark() if dark is None else dark) else LIGHT
    return {"weight": theme["weight"], "changed": theme["changed"], "score": theme["grey"]}


def draw(block: Block, key: str) -> None:
    """Show a block of evidence; `key` tells its charts from those of other blocks."""
    match block:
        case Text(text):
            st.markdown(text)
        case Caption(text):
            st.caption(text)
        case Table(columns, rows, stacked):
            st.html(table(columns, rows, stacked=stacked))
        case Listing(title, parts, program):
            with st.expander(title):
                *left, right = st.columns(2 if program else 1)
                for column in left:
                    column.caption(_(ALONE))
                    column.code(program, "python")
                for part in parts:
                    right.caption(f"`{part.heading}`")
                    right.code(part.code, "python")
        case Folded(title, blocks):
            with st.expander(title):
                for number, inner in enumerate(blocks):
                    draw(inner, f"{key}-{number}")
        case Bars() | Map() | Drawing():
            # Altair takes seconds to import, so charts come with the card that has one.
            chart = load("app.lab.kit.charts:chart")(block, _dark())
            if isinstance(block, Map):
                st.altair_chart(chart, theme=None, width="content", key=key)
            else:
                st.altair_chart(chart, key=key)


def _dark() -> bool:
    return st.context.theme.type == "dark"
