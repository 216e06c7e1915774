"""The papers' claims, one change at a time, as the benchmark `claims` measured them: a part of the Variants page."""

import streamlit as st

from app.shell.table import table
from attn_core.evaluation.variants.claims import CLAIMS, UNMEASURED, measured_claims, tested, verdicts
from attn_core.evaluation.variants.results import signed
from attn_core.messages import N_, _
from attn_core.registry import load

START = N_(
    "All these models start from small word embeddings (`init=glorot`). With these, a model learns to attend late, and "
    "how late depends on the seed (notebook 03, part 7). The shipped models start from larger ones."
)


def section() -> None:
    """Each claim as a difference that is above 0 if the claim holds, and the gain from attention by length."""
    st.subheader(_("Do the papers' own claims hold here?"), anchor="claims")
    results = tested()
    if not results:
        st.caption(
            _(
                "This has not been measured yet: `python -m tests.benchmarks claims multi30k` trains thirteen models "
                "with three seeds each and writes the numbers."
            )
        )
        return
    rows, dark = results["rows"], st.context.theme.type == "dark"
    st.markdown(
        _(
            "Each line compares two models that differ in one thing. (The model without attention also has a "
            "one-directional encoder, as in the paper.) A difference to the right of 0 supports the claim on these "
            "captions. Verdicts are corrected for the number of claims (Holm 1979): if no model differed from "
            "another, the probability of even one verdict would be at most 5%. The page Results tests more claims and "
            "repeats some of these, with other models and eight seeds."
        )
    )
    claims = measured_claims(rows)
    margins = [claim.margin(rows[claim.model]["difference"]) for claim in claims]
    intervals = load("attn_core.figures:intervals")  # Altair takes seconds to import
    shown = [{"name": _(claim.says), **margin} for claim, margin in zip(claims, margins, strict=True)]
    st.altair_chart(intervals(shown, _("BLEU in favour of the claim"), dark=dark))
    columns = [_("Claim"), _("Source"), _("Difference in BLEU"), _("95% interval"), _("Here")]
    lines = [
        [
            _(claim.says),
            _(claim.source),
            " − ".join(claim.pair(rows[claim.model]["against"])),
            _("{low} to {high}").format(low=signed(margin["low"]), high=signed(margin["high"])),
            verdict,
        ]
        for claim, margin, verdict in zip(claims, margins, verdicts(claims, rows), strict=True)
    ]
    st.html(table(columns, lines))
    for claim, reason in UNMEASURED.items():
        if claim not in claims:
            st.markdown(
                _("**{claim}** ({source}) This is not measured here. {reason}").format(
                    claim=_(claim.says), source=_(claim.source), reason=_(reason)
                )
            )
    attention, words = CLAIMS[0], _("{least} to {most} words")
    lengths = [
        {
            "name": words.format(least=row["from"], most=row["to"]),
            **attention.margin(row["difference"]),
        }
        for row in rows[attention.model]["by_length"]
    ]
    st.markdown(_("Gain from attention, by length of the source sentence:"))
    st.altair_chart(intervals(lengths, _("BLEU gained by attention"), dark=dark))
    s, c = results["settings"], results["circumstances"]
    st.caption(
        _(
            "{data}, {sentences:,} sentences, tokenised and lower-cased; small models of {vocabulary:,} words, "
            "{epochs} epochs, {n} seeds, greedy search. Bars: 95% intervals from the paired bootstrap over sentences "
            "and seeds; ticks: single seeds. Measured by `python -m tests.benchmarks claims` on {date}. The papers "
            "trained on millions of news sentences of about 25 words; captions are short and similar to each other, "
            "and these models are small. {start}"
        ).format(
            start=_(START),
            data=results["data"],
            sentences=results["sentences"],
            vocabulary=s["vocabulary"],
            epochs=s["epochs"],
            n=len(rows[attention.model]["bleu"]),
            date=c["date"][:10],
        )
    )
