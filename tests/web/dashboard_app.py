"""A Streamlit page with the player for tests; decoding returns a trace with random scores."""

import streamlit as st

from attn_core.web import how
from attn_core.web.hosts.streamlit import player, settled
from tests.web import traces


@st.fragment
def stage() -> None:
    st.session_state.runs = st.session_state.get("runs", 0) + 1
    wanted = how(settled("player", "luong-general-local-p"))
    trained = {"window": "local-p", "half_width": 2, "sigma": 1.0}
    width = 2 if wanted["half_width"] is None else wanted["half_width"]
    words = traces.LONG if st.session_state.get("long") else traces.SHORT
    trace = traces.make(words=words, half_width=width, sigma=wanted["sigma"], trained=trained)
    player(trace, "player")
    st.text(f"run {st.session_state.runs}, D = {width}")


st.checkbox("long", key="long")
stage()
