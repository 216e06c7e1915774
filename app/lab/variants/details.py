"""The table of variants in the dashboard, and the details of the chosen one."""

from pathlib import Path
from typing import Any

import streamlit as st

from app.lab.kit import show
from app.lab.variants import claims
from app.lab.variants.data import groups
from app.shell.frame import errors_shown, notice
from attn_core.attention.notation import GROUPS
from attn_core.browser import bundle
from attn_core.browser.hosts.streamlit import component
from attn_core.evaluation.variants.results import measured, signed, spread, undecided
from attn_core.messages import _
from attn_core.models.variants import VARIANTS
from attn_core.registry import load

_HERE = Path(__file__).parent
_TABLE = component(
    "variant_table",
    _HERE / "variants.js",
    '<div class="vt"></div>',
    f"{bundle.colors('.vt')}\n{bundle.sheet(bundle.MORE)}\n{bundle.sheet(_HERE / 'variants.css')}",
)
_FIRST = "bentrevett"


@st.fragment
def variants() -> None:
    """The table and the chosen variant below it."""
    with errors_shown("variants"):
        name = st.query_params.get("variant", _FIRST)
        if name not in VARIANTS:
            notice(
                _("There is no variant “{name}”; {title} is shown instead.").format(
                    name=name[:40], title=_(VARIANTS[_FIRST].title)
                )
            )
            name = _FIRST
        _TABLE(key="variant_table", data={"groups": groups(), "chosen": name}, on_chosen_change=_open_chosen)
        with st.container(border=True, key="variant_open"):
            _details(VARIANTS[name])


def _open_chosen() -> None:
    if chosen := st.session_state.variant_table["chosen"]:
        st.query_params["variant"] = chosen


def _details(variant: Any) -> None:
    st.subheader(_(variant.title), anchor=False)
    st.caption(f"{_(variant.kind).capitalize()}: {_(variant.source)}")
    left, right = st.columns(2, gap="large")
    with left:
        if variant.paper:
            point = ", ".join(f"{key} {value}" for key, value in variant.point.items() if key in ("score", "window"))
            text = _("**Differences from {title}, with {point}:**") if point else _("**Differences from {title}:**")
            st.markdown(text.format(title=_(variant.paper.title), point=point))
            st.markdown("\n".join(f"- {_(change.words)}" for change in variant.changes))
        else:
            st.markdown(_("This is the paper that the rows below are compared with."))
        if variant.left_out:
            st.caption(_("Not reproduced: {left_out}").format(left_out=" ".join(map(_, variant.left_out))))
        _measured(variant)
    with right:
        _equations(variant)
    with st.expander(_("Use this variant")):
        st.code(
            f'from attn_core.models.variants import VARIANTS\nconfig = VARIANTS["{variant.name}"].config()',
            language="python",
        )
        st.code(f"python -m attn_core train {variant.name} --task reverse --out runs/{variant.name}", language="bash")


def _equations(variant: Any) -> None:
    """Show the variant's equations, with those that differ from the paper's in colour."""
    formulas = load("attn_core.explain.step_graph:formulas")  # torch comes with it; the table need not wait
    paper = variant.paper or VARIANTS[variant.name]
    known = {line for lines in formulas(paper.config(**variant.point)).values() for line in lines}
    mark = show.colors()["changed"]
    for axis, lines in formulas(variant.config()).items():
        shown = [line if line in known or not variant.paper else rf"\color{{{mark}}} {line}" for line in lines]
        st.markdown(f"{_(GROUPS[axis])}  \n" + "  \n".join(f"${line}$" for line in shown))
    if variant.config().decoder.name == "attend-then-update":
        st.caption(_("$i$ counts from 1, as in the paper; $j$ counts from 0."))


def _compared(rows: dict[str, Any], own: dict[str, Any]) -> str:
    """A sentence on the difference to the paper's model, or that this is it."""
    if "difference" not in own:
        return _("It is the reference for the others.")
    d = own["difference"]
    if undecided(d):
        text = _(
            "The paper's model has {other:.2f}. The difference is {mean}, 95% interval {low} to {high}, which includes "
            "0: no evidence of a difference."
        )
    else:
        text = _(
            "The paper's model has {other:.2f}. The difference is {mean}, 95% interval {low} to {high}, which excludes "
            "0."
        )
    ends = {end: signed(d[end]) for end in ("mean", "low", "high")}
    return text.format(other=rows[own["against"]]["mean"], **ends)


def _measured(variant: Any) -> None:
    """Show the effect of the differences on BLEU."""
    st.markdown(_("**Effect on BLEU**"))
    results = measured()
    if not results:
        st.caption(
            _(
                "This has not been measured yet: `python -m tests.benchmarks variants multi30k` trains some variants "
                "and writes the numbers."
            )
        )
        return
    rows, own = results["rows"], results["rows"].get(variant.name)
    if own is None:
        st.markdown(_("This variant was not trained for the comparison. The others:"))
    else:
        each = ", ".join(f"{score:.1f}" for score in own["bleu"].values())
        st.markdown(
            _("BLEU {mean:.2f} on average over {n} seeds ({each}).").format(
                mean=own["mean"], n=len(own["bleu"]), each=each
            )
            + " "
            + _compared(rows, own)
        )
    shown = [
        {"name": _(VARIANTS[name].title), **spread(row["difference"])}
        for name, row in rows.items()
        if "difference" in row
    ]
    chosen = _(variant.title) if own and "difference" in own else None
    intervals = load("attn_core.figures:intervals")
    st.altair_chart(
        intervals(shown, _("BLEU minus that of the paper's model"), chosen, st.context.theme.type == "dark")
    )
    s, c = results["settings"], results["circumstances"]
    st.caption(
        _(
            "{data}, {sentences:,} sentences, tokenised and lower-cased; small models of {vocabulary:,} words, "
            "{epochs} epochs, greedy search, all other settings equal. Bars: 95% intervals from the paired bootstrap "
            "over sentences and seeds; ticks: single seeds. Each interval is for one comparison: without any "
            "difference, at least one of {n} such intervals would exclude 0 with a probability of up to {chance:.0%}. "
            "Measured by `python -m tests.benchmarks variants` on {date}. The models are small and briefly trained; "
            "larger models or longer training may change the differences. {start}"
        ).format(
            start=_(claims.START),
            data=results["data"],
            n=len(shown),
            chance=1 - 0.95 ** len(shown),
            sentences=results["sentences"],
            vocabulary=s["vocabulary"],
            epochs=s["epochs"],
            date=c["date"][:10],
        )
    )
