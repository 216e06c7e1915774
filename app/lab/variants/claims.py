"""The papers' claims, one change at a time, as `make bench-claims` measured them: a part of the Variants page."""

import streamlit as st

from attn_core.figures import intervals
from attn_core.models.variants.claims import CLAIMS, UNMEASURED, measured_claims, tested
from attn_core.models.variants.results import signed


def section() -> None:
    """Each claim as a difference that is above 0 if the claim holds, and the gain from attention by length."""
    st.subheader("Do the papers' own claims hold here?", anchor="claims")
    found = tested()
    if not found:
        st.caption(
            "Not measured yet: `make bench-claims DATA=multi30k` trains thirteen models with three seeds each and "
            "writes the numbers."
        )
        return
    rows, dark = found["rows"], st.context.theme.type == "dark"
    st.markdown(
        "Each line compares two models that differ in one thing. (The model without attention also has a "
        "one-directional encoder, as in the paper.) A difference to the right of 0 supports the claim on these "
        "captions; if the interval includes 0, the data do not decide."
    )
    claims = measured_claims(rows)
    margins = [claim.margin(rows[claim.model]["difference"]) for claim in claims]
    shown = [{"name": claim.says, **margin} for claim, margin in zip(claims, margins, strict=True)]
    st.altair_chart(intervals(shown, "BLEU in favour of the claim", dark=dark))
    st.table(
        [
            {
                "Claim": claim.says,
                "Source": claim.source,
                "Difference in BLEU": " − ".join(claim.pair(rows[claim.model]["against"])),
                "95% interval": f"{signed(margin['low'])} to {signed(margin['high'])}",
                "Here": claim.verdict(rows[claim.model]["difference"]),
            }
            for claim, margin in zip(claims, margins, strict=True)
        ],
        hide_index=True,
    )
    for claim, reason in UNMEASURED.items():
        if claim not in claims:
            st.markdown(f"**{claim.says}** ({claim.source}) Not measured yet. {reason}")
    attention = CLAIMS[0]
    lengths = [
        {"name": f"{row['from']} to {row['to']} words", **attention.margin(row["difference"])}
        for row in rows[attention.model]["by_length"]
    ]
    st.markdown("Gain from attention, by length of the source sentence:")
    st.altair_chart(intervals(lengths, "BLEU gained by attention", dark=dark))
    s, c = found["settings"], found["circumstances"]
    st.caption(
        f"{found['data']}, {found['sentences']:,} sentences; small models of {s['vocabulary']:,} words, {s['epochs']} "
        f"epochs, {len(rows[attention.model]['bleu'])} seeds, greedy search. Bars: 95% intervals from the paired "
        f"bootstrap over sentences and seeds; ticks: single seeds. Measured by `make bench-claims` on "
        f"{c['date'][:10]}. The papers trained on millions of news sentences of about 25 words; captions are short "
        "and similar to each other, and these models are small."
    )
