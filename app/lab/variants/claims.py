"""What the papers say of their models, one change at a time, as `make bench-claims` measured it: a part of Variants."""

import streamlit as st

from attn_core.figures import intervals
from attn_core.models.variants.claims import CLAIMS, tested
from attn_core.models.variants.results import signed


def section() -> None:
    """The claims as differences that should lie above 0, and what attention does by length."""
    st.subheader("And the papers' own claims: do they hold here?", anchor="claims")
    found = tested()
    if not found:
        st.caption(
            "Not measured yet: `make bench-claims DATA=multi30k` trains twelve models, with three seeds each, and "
            "writes the numbers."
        )
        return
    rows, dark = found["rows"], st.context.theme.type == "dark"
    st.markdown(
        "Each line is two models that differ in one thing (the one without attention reads one way only, too, as in "
        "the paper). Right of 0, the claim holds on these captions; a bar that touches 0 cannot tell."
    )
    margins = [claim.margin(rows[claim.model]["difference"]) for claim in CLAIMS]
    shown = [{"name": claim.says, **margin} for claim, margin in zip(CLAIMS, margins, strict=True)]
    st.altair_chart(intervals(shown, "BLEU by which the claim holds", dark=dark))
    st.table(
        [
            {
                "Claim": claim.says,
                "Source": claim.source,
                "BLEU of": " less that of ".join(claim.pair(rows[claim.model]["against"])),
                "95% interval": f"{signed(margin['low'])} to {signed(margin['high'])}",
                "Here": claim.verdict(rows[claim.model]["difference"]),
            }
            for claim, margin in zip(CLAIMS, margins, strict=True)
        ],
        hide_index=True,
    )
    attention = CLAIMS[0]
    lengths = [
        {"name": f"{row['from']} to {row['to']} words", **attention.margin(row["difference"])}
        for row in rows[attention.model]["by_length"]
    ]
    st.markdown("What attention brings, by the length of the source sentence:")
    st.altair_chart(intervals(lengths, "BLEU by which attention is better", dark=dark))
    s, c = found["settings"], found["circumstances"]
    st.caption(
        f"{found['data']}, {found['sentences']:,} sentences; small models of {s['vocabulary']:,} words, {s['epochs']} "
        f"epochs, {len(rows[attention.model]['bleu'])} seeds, greedy. Bar: 95% by the paired bootstrap over sentences "
        f"and seeds; strokes: single seeds. From `make bench-claims` on {c['date'][:10]}. The papers had millions "
        "of news sentences of some 25 words. Captions are short and alike, and small models have other needs."
    )
