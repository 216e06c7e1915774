"""The Pointer page: draw points, and see which of them a trained pointer network chooses."""

from pathlib import Path
from typing import Any

import altair as alt
import streamlit as st

from app.lab.kit import show
from app.lab.kit.cards import deck
from app.lab.kit.component import component
from app.lab.kit.head import head
from app.lab.kit.records import wire
from app.lab.pointer import networks
from app.lab.pointer.cards import CARDS
from app.shell.frame import framed, notice, offered, plainly
from app.shell.link import copy_button
from app.shell.markdown import escaped
from attn_core.synthetic.pointer.problems import PROBLEMS

__all__ = ["CARDS", "page"]

_HERE = Path(__file__).parent
_STAGE = component("pointer_lab", _HERE / "component.js", _HERE / "pointer.css")
TASKS = {"hull": "Convex hull", "sort": "Sort numbers"}
RULES = {"none": "anything", "distinct": "nothing twice", "permutation": "everything once"}  # of pointer.CONSTRAINTS
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
            "How can a network answer with places in its input, however many there are?",
            "Click into the square to add a point, drag one, or press play. At each step the network spreads its "
            "weight over the points and the end. It has no other output: **the weights are the distribution** that "
            "it chooses from.",
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
            st.info("No trained pointer network is in pretrained/, so there is nothing to ask.", icon=":material/info:")
            return
        offered("pointer_task", [TASKS[task] for task in tasks])
        offered("pointer_rule", RULES.values())
        with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
            task = _pick("Task", tasks, TASKS, "pointer_task")
            rule = _pick(
                "It may point at",
                list(RULES),
                RULES,
                "pointer_rule",
                "The paper rules nothing out: the network has to learn by itself not to choose an input twice. "
                "The other two take what may not be chosen out of the softmax. No other training is needed for that.",
            )
            copy_button("copy_points")
        try:
            with st.spinner("Loading the network …"):
                inputs = _inputs(task)
                data = staged(task, models[task], inputs, rule)
        except ValueError as error:  # CheckpointError: the files are damaged
            st.info(escaped(f"{models[task]} cannot be used: {error}."), icon=":material/info:")
            return
        if inputs != START[task]:
            st.query_params["points"] = networks.written(inputs)
        elif "points" in st.query_params:
            del st.query_params["points"]
        key = f"pointer_{task}"
        _STAGE(key=key, data=data, on_asked_change=lambda: _keep(task, key))


def _pick(label: str, values: list[str], words: dict[str, str], key: str, about: str | None = None) -> str:
    return st.segmented_control(
        label,
        values,
        default=values[0],
        format_func=words.__getitem__,
        required=True,
        key=key,
        help=about,
        bind="query-params",
        persist_state="session",
    )


def staged(task: str, name: str, inputs: networks.Inputs, rule: str) -> dict[str, Any]:
    """What the browser is given: the network, and what it chooses. Raises ValueError when its files are damaged."""
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
    """What the plain attention model of the task says to the same inputs, or why it cannot; None when none is shipped.

    Its choices come from an output layer and not from its weights (Vinyals 2015, section 2.2).
    """
    name = networks.models("vocabulary").get(task)
    if name is None:
        return None
    longest = networks.about(name)["model"]["longest"]
    if len(inputs) > longest:
        return {"model": name, "longest": longest, "pointed": None}
    return {"model": name, "longest": longest, "pointed": networks.trace(name, inputs, "none").settings["pointed"]}


def _inputs(task: str) -> networks.Inputs:
    """What this visitor has drawn, or their link says, or what the page begins with."""
    drawn = st.session_state.setdefault("pointer_drawn", {})
    if task not in drawn:
        asked = st.query_params.get("points", "")
        found = networks.read(asked, task, MOST) if asked else None
        if asked and found is None and not drawn:
            notice("The points in this link cannot be read; the page's own are shown instead.")
        drawn[task] = START[task] if found is None else found
    return drawn[task]


def _keep(task: str, key: str) -> None:
    """A hand has let go: its points are the ones to ask for."""
    asked = (st.session_state.get(key) or {}).get("asked") or {}
    found = networks.read(networks.written(asked.get("inputs") or []), task, MOST) if asked.get("inputs") else []
    if found is None:
        return
    st.session_state.pointer_drawn[task] = found


def _longer() -> None:
    st.subheader("Does what it learned hold for more inputs than it was trained on?", anchor=False)
    with plainly("pointer"):
        found = {task: rows for task in TASKS if (rows := measured(task))}
        if not found:
            st.caption("No trained pointer network here has been measured.")
            return
        st.markdown(
            "Its size does not depend on how many inputs there are, so it can be asked with any number. How often is "
            "its answer right throughout? Plain attention names places with words, and where it has none left, its "
            "line ends."
        )
        for column, (task, rows) in zip(st.columns(len(found), gap="medium"), found.items(), strict=True):
            with column:
                st.markdown(f"**{TASKS[task]}**")
                st.altair_chart(longer(rows, task), width="stretch", key=f"pointer_longer_{task}")
                st.caption(escaped(_how(task)))


def _networks(task: str) -> dict[str, str]:
    """The shipped networks of a task, by what they are."""
    return {said: name for output, said in networks.OUTPUTS.items() if (name := networks.models(output).get(task))}


def measured(task: str) -> list[dict[str, Any]]:
    """The share of right answers by number of inputs n, as the models' cards have it; none where a model has no words.

    `of` is the kind of network, a value of networks.OUTPUTS.
    """
    return [
        {"of": said, "n": n, "right": right}
        for said, name in _networks(task).items()
        for n, right in networks.accuracies(name).items()
        if right is not None
    ]


def _how(task: str) -> str:
    """What the numbers of a task were measured with; networks that were measured alike together."""
    alike: dict[str, list[str]] = {}
    for name in _networks(task).values():
        record = networks.about(name)
        if test := record["about"].get("test"):
            search = "greedily" if test["beam"] == 1 else f"with a beam of {test['beam']}"
            how = (
                f"{record['model']['hidden']} units, {test['examples']:,} inputs for each n that training did not "
                f"draw, {search}, allowed to point at {RULES[test['constraint']]}."
            )
            alike.setdefault(how, []).append(name)
    return " ".join(f"{', '.join(names)}: {how}" for how, names in alike.items())


def longer(rows: list[dict[str, Any]], task: str) -> Any:
    """The share of right answers against the number of inputs; the lengths of training are shaded."""
    ink = show.colors()
    model = networks.about(next(iter(_networks(task).values())))["model"]
    wide = alt.Scale(domain=[min(row["n"] for row in rows) - 1, max(row["n"] for row in rows) + 1.5])
    band = alt.Chart(alt.Data(values=[{"from": model["shortest"], "to": model["longest"], "name": "trained on these"}]))
    shaded = band.mark_rect(opacity=0.12, color=ink["score"]).encode(alt.X("from:Q", scale=wide), x2="to:Q")
    said = band.mark_text(align="left", baseline="bottom", dx=6, dy=-6, color=ink["score"], fontSize=13)
    kinds = list(_networks(task))
    shades = alt.Scale(domain=kinds, range=[ink["weight"], ink["window"]][: len(kinds)])
    base = alt.Chart(alt.Data(values=rows)).encode(
        alt.X(
            "n:Q", title="inputs n", scale=wide, axis=alt.Axis(values=sorted({row["n"] for row in rows}), format="d")
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
    for kind, (right, down) in zip(kinds, ((12, -13), (-12, 15)), strict=False):  # lines fall: beside them, not on them
        numbers = base.mark_text(dx=right, dy=down, fontSize=13, fontWeight=600)
        numbers = numbers.encode(text=alt.Text("right:Q", format=".0%"))
        layers += numbers.transform_filter(alt.datum.of == kind)
    return layers.properties(height=320)
