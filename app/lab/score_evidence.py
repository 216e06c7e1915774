"""The evidence of the Score lab's cards, computed when a card is turned."""

import streamlit as st

from app.lab import shipped, show

SENTENCE = "Ein Hund läuft durch den Schnee."


def concat_is_additive() -> None:
    """The scores of a trained concat model, and of an additive score whose two matrices are the halves of its W_a."""
    import torch

    from attn_core.scores import SCORES

    concat = shipped.model("luong-concat-global").decoder.attention.score
    trace = shipped.trace("luong-concat-global", SENTENCE)
    look = trace.words[0].step.looks[0]
    left, right = concat.W_a.weight.split([concat.query, concat.W_a.in_features - concat.query], dim=1)
    additive = SCORES["additive"](left.size(1), right.size(1), len(concat.v_a))
    additive.load_state_dict({"W_a.weight": left, "U_a.weight": right, "v_a": concat.v_a})
    with torch.inference_mode():
        again = additive(look.query[None], additive.keys(trace.memory.states))[0]
    apart = (again - look.scores).abs().max().item()
    show.table(
        {"source": word, "concat, as the model scored": one, "additive, with the halves of its matrix": other}
        for word, one, other in zip(trace.source, look.scores.tolist(), again.tolist(), strict=True)
    )
    st.caption(
        f"The trained model luong-concat-global at its first step, “{trace.target[0]}”. "
        f"Largest difference: {apart:.1e}, the rounding of 32 bits."
    )
