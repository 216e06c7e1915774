"""The Pointer page: place points and see which of them a trained pointer network chooses."""

from pathlib import Path
from typing import Any

import altair as alt
import streamlit as st

from app.lab.kit import choose, show
from app.lab.kit.cards import deck
from app.lab.kit.component import component
from app.lab.kit.head import head
from app.lab.kit.records import wire
from app.lab.pointer import networks
from app.lab.pointer.cards import CARDS
from app.shell.frame import framed, notice, offered, plainly
from app.shell.link import copy_button
from app.shell.markdown import escaped
from attn_core.messages import N_, _
from attn_core.synthetic.pointer.problems import PROBLEMS

__all__ = ["CARDS", "page"]

_HERE = Path(__file__).parent
_STAGE = component("pointer_lab", _HERE / "component.js", _HERE / "pointer.css")
TASKS = {"hull": N_("Convex hull"), "sort": N_("Sort numbers")}
RULES = {
    "none": N_("any input"),
    "distinct": N_("each at most once"),
    "permutation": N_("each exactly once"),
}  # of pointer.CONSTRAINTS
# Values in older links, which had the names that the page then showed.
_OLDER = {"Convex hull": "hull", "Sort numbers": "sort"}
_OLDER |= {"anything": "none", "nothing twice": "distinct", "everything once": "permutation"}
MOST = 25  # inputs
START: dict[str, networks.Inputs] = {
    "hull": [
        *([0.46, 0.52], [0.14, 0.33], [0.81, 0.2], [0.6, 0.88]),
        *([0.35, 0.7], [0.9, 0.62], [0.22, 0.83], [0.58, 0.36]),
    ],
    "sort": [[0.62], [0.17], [0.88], [0.4], [0.05], [0.73], [0.29]],
}


def page() -> None:
    """Draw the page."""
    with framed("Pointer"):
        head(
            _("How can a network point at its own inputs, however many there are?"),
            _(
                "Click the square to add a point, drag a point, or press play. At each step the network distributes "
                "its attention weights over the points and the end. It has no other output layer: **the weights are "
                "the distribution** that it chooses from. Position 0 is the end; the points have the positions 1 to n."
            ),
        )
        _choose()
        _longer()
        deck(CARDS)


@st.fragment
def _choose() -> None:
    with plainly("pointer"):
        models = networks.models()
        tasks = [task for task in TASKS if task in models]
        if not tasks:
            st.info(_("There is no trained pointer network in pretrained/."), icon=":material/info:")
            return
        offered("pointer_task", [*tasks, *(old for old, task in _OLDER.items() if task in tasks)])
        offered("pointer_rule", [*RULES, *_OLDER])
        for key in ("pointer_task", "pointer_rule"):
            if (linked := st.query_params.get(key)) in _OLDER:
                st.query_params[key] = _OLDER[linked]
        with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
            task = choose.pick(_("Task"), {task: TASKS[task] for task in tasks}, "pointer_task")
            rule = choose.pick(
                _("Constraint"),
                RULES,
                "pointer_rule",
                _(
                    "The paper has no constraint: the network must learn not to choose an input twice. The other two "
                    "remove inputs from the softmax; they need no extra training."
                ),
            )
            copy_button("copy_points")
        try:
            with st.spinner(_("Loading the network …")):
                inputs = _inputs(task)
                data = staged(task, models[task], inputs, rule)
        except ValueError as error:  # CheckpointError: the files are damaged
            reason = _("{name} cannot be used: {error}.").format(name=models[task], error=error)
            st.info(escaped(reason), icon=":material/info:")
            return
        if inputs != START[task]:
            st.query_params["points"] = networks.written(inputs)
        elif "points" in st.query_params:
            del st.query_params["points"]
        key = f"pointer_{task}"
        _STAGE(key=key, data=data, on_asked_change=lambda: _keep(task, key))


def staged(task: str, name: str, inputs: networks.Inputs, rule: str) -> dict[str, Any]:
    """The data for the browser: the network and its choices. Raises ValueError if its files are damaged."""
    net = networks.model(name)
    least = PROBLEMS[task].least
    enough = len(inputs) >= least
    return {
        "problem": task,
        "least": least,
        "most": MOST,
        "trained": [net.config.shortest, net.config.longest],
        "constraint": rule,
        "inputs": inputs,
        "weights": networks.packed(net),
        "trace": wire(networks.trace(name, inputs, rule)) if enough else None,
        "beside": _beside(task, inputs) if enough else None,
    }


def _beside(task: str, inputs: networks.Inputs) -> dict[str, Any] | None:
    """The output of the plain attention model of the task for the same inputs; None if there is none.

    Its choices come from an output layer instead of the weights (Vinyals 2015, section 2.2). "pointed" is None for more
    inputs than it has words for.
    """
    name = networks.models("vocabulary").get(task)
    if name is None:
        return None
    longest = networks.about(name)["model"]["longest"]
    if len(inputs) > longest:
        return {"model": name, "longest": longest, "pointed": None}
    return {"model": name, "longest": longest, "pointed": networks.trace(name, inputs, "none").settings["pointed"]}


def _inputs(task: str) -> networks.Inputs:
    """The visitor's inputs, else those of the link, else the page's own."""
    drawn = st.session_state.setdefault("pointer_drawn", {})
    if task not in drawn:
        asked = st.query_params.get("points", "")
        found = networks.read(asked, task, MOST) if asked else None
        if asked and found is None and not drawn:
            notice(_("The points in this link are not valid; the default points are shown instead."))
        drawn[task] = START[task] if found is None else found
    return drawn[task]


def _keep(task: str, key: str) -> None:
    """Keep the inputs that the reader has let go of; the model is asked for them."""
    asked = (st.session_state.get(key) or {}).get("asked") or {}
    found = networks.read(networks.written(asked.get("inputs") or []), task, MOST) if asked.get("inputs") else []
    if found is None:
        return
    st.session_state.pointer_drawn[task] = found


def _longer() -> None:
    st.subheader(_("Does it generalise to more inputs than in training?"), anchor=False)
    with plainly("pointer"):
        found = {task: rows for task in TASKS if (rows := measured(task))}
        if not found:
            st.caption(_("None of the trained pointer networks has been measured."))
            return
        st.markdown(
            _(
                "A pointer network accepts any number of inputs. The charts show the share of completely correct "
                "answers. A plain attention model names positions with words; its line ends where it has no more words."
            )
        )
        for column, (task, rows) in zip(st.columns(len(found), gap="medium"), found.items(), strict=True):
            with column:
                st.markdown(f"**{_(TASKS[task])}**")
                st.altair_chart(longer(rows, task), width="stretch", key=f"pointer_longer_{task}")
                st.caption(escaped(_how(task)))


def _networks(task: str) -> dict[str, str]:
    """The shipped networks of a task, by kind."""
    return {_(said): name for output, said in networks.OUTPUTS.items() if (name := networks.models(output).get(task))}


def measured(task: str) -> list[dict[str, Any]]:
    """Accuracies by number of inputs n, from the model cards, without those a model cannot handle.

    `of` is the kind of network, a value of networks.OUTPUTS.
    """
    return [
        {"of": said, "n": n, "right": right}
        for said, name in _networks(task).items()
        for n, right in networks.accuracies(name).items()
        if right is not None
    ]


def _how(task: str) -> str:
    """How the accuracies of a task were measured, with networks grouped that were measured alike."""
    alike: dict[str, list[str]] = {}
    for name in _networks(task).values():
        record = networks.about(name)
        if test := record["about"].get("test"):
            search = _("greedy search") if test["beam"] == 1 else _("beam {size}").format(size=test["beam"])
            how = _(
                "{units} units; {examples:,} inputs for each n, not seen in training; {search}; constraint: {rule}."
            ).format(
                units=record["model"]["hidden"],
                examples=test["examples"],
                search=search,
                rule=_(RULES[test["constraint"]]),
            )
            alike.setdefault(how, []).append(name)
    return " ".join(f"{', '.join(names)}: {how}" for how, names in alike.items())


def longer(rows: list[dict[str, Any]], task: str) -> Any:
    """A chart of accuracy against the number of inputs, with the lengths of training shaded."""
    ink = show.colors()
    model = networks.about(next(iter(_networks(task).values())))["model"]
    wide = alt.Scale(domain=[min(row["n"] for row in rows) - 1, max(row["n"] for row in rows) + 1.5])
    band = alt.Chart(
        alt.Data(values=[{"from": model["shortest"], "to": model["longest"], "name": _("lengths in training")}])
    )
    shaded = band.mark_rect(opacity=0.12, color=ink["score"]).encode(alt.X("from:Q", scale=wide), x2="to:Q")
    said = band.mark_text(align="left", baseline="bottom", dx=6, dy=-6, color=ink["score"], fontSize=13)
    kinds = list(_networks(task))
    shades = alt.Scale(domain=kinds, range=[ink["weight"], ink["window"]][: len(kinds)])
    base = alt.Chart(alt.Data(values=rows)).encode(
        alt.X(
            "n:Q",
            title=_("number of inputs n"),
            scale=wide,
            axis=alt.Axis(values=sorted({row["n"] for row in rows}), format="d"),
        ),
        alt.Y(
            "right:Q",
            title=None,
            axis=alt.Axis(format=".0%", values=[0, 0.25, 0.5, 0.75, 1]),
            scale=alt.Scale(domain=[0, 1]),
        ),
        alt.Color("of:N", legend=alt.Legend(title=None, orient="top"), scale=shades),
    )
    tips = [alt.Tooltip("of:N"), alt.Tooltip("n:Q"), alt.Tooltip("right:Q", format=".1%")]
    layers = shaded + said.encode(x="from:Q", y=alt.datum(0), text="name:N")
    layers += base.mark_line(point=alt.OverlayMarkDef(size=80), strokeWidth=2.5).encode(tooltip=tips)
    for kind, (right, down) in zip(kinds, ((12, -13), (-12, 15)), strict=False):  # beside the lines, which fall
        numbers = base.mark_text(dx=right, dy=down, fontSize=13, fontWeight=600)
        numbers = numbers.encode(text=alt.Text("right:Q", format=".0%"))
        layers += numbers.transform_filter(alt.datum.of == kind)
    return layers.properties(height=320)
