"""What the cards of the Variants page show when they are answered."""

import streamlit as st
import torch

from app.lab.kit import show
from app.lab.variants.table import COLUMNS
from attn_core.data.tokenizer import Tokenizer
from attn_core.models.translator import Translator
from attn_core.models.variants import VARIANTS


def same_name() -> None:
    """The order and the output of everything that is compared with Bahdanau's paper."""
    rows, both = [], 0
    for variant in VARIANTS.values():
        if variant.paper is not VARIANTS["bahdanau2015"] or variant.kind not in ("tutorial", "toolkit"):
            continue
        settings = variant.settings()
        said = {name: COLUMNS[name](settings) for name in ("Score", "Order", "The output reads")}
        rows.append({"Who": variant.title} | said)
        both += settings["order"] == "attend-then-update" and settings["combine"] == "maxout"
    st.markdown(f"Both hold in **{both} of {len(rows)}**.")
    show.table(rows)


def carried() -> None:
    """How far a new state moves when the state before is another one, with and without the look."""
    letters = Tokenizer.train(["a b c d e f g h"], "en", min_frequency=1)
    torch.set_num_threads(1)  # the setting is each thread's own
    rows = []
    for name, title in (
        ("tf-tutorial", "the tutorial"),
        ("annotated-encoder-decoder", "a GRU that is given its state"),
    ):
        torch.manual_seed(1)
        config = VARIANTS[name].config(hidden=16, embedding=8, align_hidden=16, attentional=8, tied=False)
        model = Translator(config, letters, letters).eval()
        attention = model.decoder.attention
        assert attention is not None
        with torch.inference_mode():
            for parameter in attention.parameters():
                parameter.normal_(std=0.7)
            words = torch.tensor([[4, 5, 6, 7, 8]])
            memory, carry = model.encode(words, torch.ones_like(words, dtype=torch.bool))
            other = type(carry)(carry.t, (torch.randn_like(carry.state[0]),), carry.fed)
            moved = []
            for fixed in (False, True):
                if fixed:  # a score of zero for every word: the look is uniform, whoever asks
                    for parameter in attention.parameters():
                        parameter.zero_()
                one, two = (model.decoder(torch.tensor([[2]]), start, memory)[1].state[0] for start in (carry, other))
                moved.append((one - two).norm().item())
        rows.append({"": title, "state moves by": moved[0], "with the weights held fast": moved[1]})
    show.table(rows)
    st.caption(
        "Two steps from different states before, in untrained models of 16 units. The new state moves; then the same "
        "with weights that do not depend on the query."
    )
