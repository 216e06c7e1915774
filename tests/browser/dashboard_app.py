"""A Streamlit page with the player of a recording, for tests."""

import streamlit as st

from attn_core.browser.hosts.streamlit import player
from tests.browser import traces


@st.fragment
def playing() -> None:
    st.session_state.runs = st.session_state.get("runs", 0) + 1
    player(traces.make(words=traces.LONG if st.session_state.get("long") else traces.SHORT), "player")
    st.text(f"run {st.session_state.runs}")


st.checkbox("long", key="long")
playing()
