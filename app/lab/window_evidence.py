"""The evidence of the Window lab's cards, computed when a card is turned."""

import streamlit as st

from app.lab import shipped, show

LOCAL_P, LOCAL_M = "luong-general-local-p", "luong-general-local-m"
SENTENCE = "Ein Mann steht auf einer Leiter, um das Dach von einem alten Haus zu reparieren."
OTHER = "Im Schnee läuft ein schwarzer Hund hinter zwei lachenden Kindern her."


def center_without_scores() -> None:
    """p_t computed from h_t alone, beside the recorded p_t and the place of the best score."""
    import torch

    trace = shipped.trace(LOCAL_P, SENTENCE)
    looks = [word.step.looks[0] for word in trace.words]
    window = shipped.model(LOCAL_P).decoder.attention.window
    with torch.inference_mode():
        states = torch.stack([look.query for look in looks])[None]
        alone = window.center(states, torch.tensor([len(trace.source)]), 0)[0].tolist()
    recorded = [look.focus.center.item() for look in looks]
    best = [look.scores.argmax().item() for look in looks]
    apart = max(abs(one - other) for one, other in zip(alone, recorded, strict=True))
    whole = sum(p == int(p) for p in recorded)
    near = sum(abs(p - s) < 1 for p, s in zip(recorded, best, strict=True))
    st.markdown(
        f"From $h_t$ alone, no score asked: equal to the recorded $p_t$ up to {apart:.0e}. It is a whole number in "
        f"**{whole} of {len(recorded)}** steps, and within a word of the best score in **{near} of {len(recorded)}**."
    )
    show.table(
        {"step": word.token, "p_t from h_t alone": p, "best score": f"{s} {trace.source[s]}"}
        for word, p, s in zip(trace.words, alone, best, strict=True)
    )


def sums() -> None:
    """The sum of the weights at each step, and for an alignment that favours nothing."""
    import torch

    from attn_core.windows import LocalP

    trace = shipped.trace(LOCAL_P, SENTENCE)
    kept = trace.weights().sum(-1).tolist()
    show.bars([word.token for word in trace.words], {"sum of the weights": kept}, unit="sum")
    st.caption(f"{LOCAL_P}: between {min(kept):.2f} and {max(kept):.2f}; the rest of the context's mass is gone.")
    rows = []
    for width in (1, 2, 4, 10):
        places = torch.arange(2 * width + 1)
        window = LocalP(1, width, None)
        center = torch.tensor([[float(width)]])
        focus = window.around(
            center, places, torch.ones(1, 1, len(places), dtype=torch.bool), torch.tensor([len(places)])
        )
        rows.append(
            {"D": str(width), "σ = D / 2": f"{window.width:g}", "sum of the weights": focus.gaussian.mean().item()}
        )
    st.markdown("Were every word in a full window equally good, with $p_t$ on a word, this much would be left:")
    show.table(rows)


def linked_widths() -> None:
    """The same sentence decoded with other sigmas, D as trained, and the Gaussian at the window's edge."""
    import math

    from attn_core import text_of

    model = shipped.model(LOCAL_P)
    width = model.config.half_width
    rows = []
    for share in (0.125, 0.25, 0.5, 1, 4):
        sigma = width * share
        trace = shipped.trace(LOCAL_P, SENTENCE, half_width=width, sigma=sigma)
        kept = trace.weights().sum(-1).mean().item()
        rows.append(
            {
                "σ": f"{sigma:g}" + (" = D / 2" if share == 0.5 else ""),
                "Gaussian at distance D": math.exp(-(width**2) / (2 * sigma**2)),
                "mean sum of the weights": kept,
                "translation": text_of(model, trace),
            }
        )
    st.markdown(f"{LOCAL_P} was trained with D = {width} and σ = D / 2. Decoded again with another σ:")
    show.table(rows)


def boundary() -> None:
    """One look at the sentence's edge, the window clipped before the softmax and padded with zeros."""
    import torch

    trace = shipped.trace(LOCAL_P, SENTENCE)
    length, width = len(trace.source), trace.settings["half_width"]
    beyond = []
    words = [word for word in trace.words if word.token != "</s>"]
    for word in words:
        middle = int(word.step.looks[0].focus.center.floor())
        beyond.append(max(0, width - middle) + max(0, middle + width - (length - 1)))
    t = max(range(len(beyond)), key=beyond.__getitem__)
    look = words[t].step.looks[0]
    seen = look.scores[look.focus.inside]
    padded = torch.cat([seen, seen.new_zeros(beyond[t])]).softmax(-1)
    real = padded[: len(seen)]
    bells = look.focus.gaussian[look.focus.inside]
    st.markdown(
        f"Step {t + 1} of {LOCAL_P}, “{words[t].token}”: $p_t$ = {look.focus.center.item():.2f}, and "
        f"**{beyond[t]} of the {2 * width + 1}** places lie beyond the sentence."
    )
    show.table(
        [
            {
                "at the edge": "cut off before the softmax (the paper's code, and here)",
                "align on words": look.align.sum().item(),
                "align on nothing": 0.0,
                "sum of the weights": look.weights.sum().item(),
            },
            {
                "at the edge": "padded with zeros, then softmax, no mask",
                "align on words": real.sum().item(),
                "align on nothing": padded[len(seen) :].sum().item(),
                "sum of the weights": (real * bells).sum().item(),
            },
        ]
    )


def nothing_learned() -> None:
    """How many numbers each window learns, and where it stands in two sentences."""
    rows = []
    for name in (LOCAL_M, LOCAL_P):
        window = shipped.model(name).decoder.attention.window
        centers = [
            [word.step.looks[0].focus.center.item() for word in shipped.trace(name, text).words][:8]
            for text in (SENTENCE, OTHER)
        ]
        first, second = (", ".join(f"{p:.1f}" for p in row) for row in centers)
        rows.append(
            {
                "model": name,
                "learned by the window": f"{sum(part.numel() for part in window.parameters()):,}",
                "p_t in the first sentence": first,
                "p_t in the second": second,
            }
        )
    show.table(rows)
    st.caption(f"First: {SENTENCE} Second: {OTHER} The first eight steps of each.")
