"""The Variants page: what the papers, their authors' code, tutorials and toolkits compute, side by side."""

from pathlib import Path
from typing import Any

import streamlit as st

from app.lab.kit import show
from app.lab.kit.cards import deck
from app.lab.kit.head import head
from app.lab.variants import claims, table
from app.lab.variants.cards import CARDS
from app.shell.frame import framed, notice, plainly
from attn_core.explain.step_graph import formulas
from attn_core.figures import intervals
from attn_core.models.variants import VARIANTS, measured
from attn_core.models.variants.results import signed, spread, undecided
from attn_core.web import bundle

__all__ = ["CARDS", "page"]

_HERE = Path(__file__).parent
_TABLE = st.components.v2.component(
    "variant_table",
    html='<div class="vt"></div>',
    css=f"{bundle.colors('.vt')}\n{bundle.sheet(bundle.MORE)}\n{bundle.sheet(_HERE / 'variants.css')}",
    js=bundle.module(_HERE / "table.js"),
)
_FIRST = "bentrevett"
_AXES = {
    "encoder": "Encoder",
    "score": "Score",
    "window": "From scores to the context",
    "order": "A step",
    "feeding": "What enters",
}


def page() -> None:
    """Draw the page."""
    with framed("Variants"):
        head(
            "Everybody says “Bahdanau”: what do they compute?",
            "Two papers, their authors' programs, and what tutorials and toolkits call by their names. Choose a row.",
        )
        _all(table.groups())
        with plainly("variants"):  # what was measured and cannot be read must not take the cards with it
            claims.section()
        deck(CARDS)


@st.fragment
def _all(groups: list[dict[str, Any]]) -> None:
    with plainly("variants"):
        name = st.query_params.get("variant", _FIRST)
        if name not in VARIANTS:
            notice(f"There is no variant “{name[:40]}” here; {VARIANTS[_FIRST].title} is shown instead.")
            name = _FIRST
        _TABLE(key="variant_table", data={"groups": groups, "chosen": name}, on_chosen_change=_chosen)
        with st.container(border=True, key="variant_open"):
            _one(VARIANTS[name])


def _chosen() -> None:
    if chosen := st.session_state.variant_table["chosen"]:
        st.query_params["variant"] = chosen


def _one(variant: Any) -> None:
    st.subheader(variant.title, anchor=False)
    st.caption(f"{variant.kind.capitalize()}: {variant.source}")
    left, right = st.columns(2, gap="large")
    with left:
        if variant.paper:
            meant = "".join(
                f", with {key} {value}" for key, value in variant.point.items() if key in ("score", "window")
            )
            st.markdown(f"**Otherwise than in {variant.paper.title}{meant}:**")
            st.markdown("\n".join(f"- {change.words}" for change in variant.changes))
        else:
            st.markdown("This is the paper: the rows below it are compared with it.")
        if variant.left_out:
            st.caption(f"Not copied here: {variant.left_out}")
        _measured(variant)
    with right:
        _equations(variant)
    with st.expander("Use it"):
        st.code(
            f'from attn_core.models.variants import VARIANTS\nconfig = VARIANTS["{variant.name}"].config()',
            language="python",
        )
        st.code(f"python -m attn_core train {variant.name} --task reverse --out runs/{variant.name}", language="bash")


def _equations(variant: Any) -> None:
    """What it computes, the lines that the paper's model does not have in the colour of a difference."""
    paper = variant.paper or VARIANTS[variant.name]
    known = {line for lines in formulas(paper.config(**variant.point)).values() for line in lines}
    mark = show.colors()["window"]
    for axis, lines in formulas(variant.config()).items():
        if not lines:
            continue
        shown = [line if line in known or not variant.paper else rf"\color{{{mark}}} {line}" for line in lines]
        st.markdown(f"{_AXES[axis]}  \n" + "  \n".join(f"${line}$" for line in shown))


def _compared(rows: dict[str, Any], own: dict[str, Any]) -> str:
    """The rest of the sentence: the difference to the paper's model, if it is not the paper's."""
    if "difference" not in own:
        return ": what the others are compared with."
    d = own["difference"]
    says = "which holds 0: no evidence of a difference" if undecided(d) else "which leaves out 0"
    return (
        f"; its paper's model {rows[own['against']]['mean']:.2f}. The difference is {signed(d['mean'])}, 95% interval "
        f"{signed(d['low'])} to {signed(d['high'])}, {says}."
    )


def _measured(variant: Any) -> None:
    """What the difference did to BLEU."""
    st.markdown("**Does it matter?**")
    found = measured()
    if not found:
        st.caption("Not measured yet: `make bench-variants DATA=multi30k` trains some of them and writes the numbers.")
        return
    rows, own = found["rows"], found["rows"].get(variant.name)
    if own is None:
        st.markdown("This one was not trained for the comparison. Those that were:")
    else:
        each = ", ".join(f"{score:.1f}" for score in own["bleu"].values())
        st.markdown(f"BLEU {own['mean']:.2f} on average over {len(own['bleu'])} seeds ({each}){_compared(rows, own)}")
    shown = [
        {"name": VARIANTS[name].title, **spread(row["difference"])} for name, row in rows.items() if "difference" in row
    ]
    chosen = variant.title if own and "difference" in own else None
    st.altair_chart(intervals(shown, "BLEU against the paper's", chosen, st.context.theme.type == "dark"))
    s, c = found["settings"], found["circumstances"]
    st.caption(
        f"{found['data']}, {found['sentences']:,} sentences; small models of {s['vocabulary']:,} words, {s['epochs']} "
        "epochs, greedy; all else alike. Bar: 95% by the paired bootstrap over sentences and seeds; strokes: single "
        f"seeds. Computed by `make bench-variants` on {c['date'][:10]}. These are small models, trained briefly: with "
        "more of either, differences may grow or vanish."
    )
