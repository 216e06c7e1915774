"""The data of the Pointer page: its tasks, the trained networks, and their accuracies, without torch."""

from collections.abc import Iterator
from typing import Any

from app.lab.kit.evidence import Block, Caption, Drawing, Text
from app.shell.markdown import escaped
from attn_core.messages import N_, _
from attn_core.models import folders
from attn_core.registry import load

Inputs = list[list[float]]
TASKS = {"hull": N_("Convex hull"), "sort": N_("Sort numbers")}  # by problem
# By constraint (pointer.CONSTRAINTS), the default first.
RULES = {"none": N_("any input"), "distinct": N_("each at most once"), "permutation": N_("each exactly once")}
OUTPUTS = {"pointer": N_("pointer network"), "vocabulary": N_("plain attention")}  # of networks, in words


def models(output: str = "pointer") -> dict[str, str]:
    """The shipped networks with one kind of output, by problem: `{"hull": "pointer-hull", ...}`."""
    networks: dict[str, str] = {}
    for name in folders.shipped("pointer"):
        config = about(name)["model"]
        if config["output"] == output:
            networks.setdefault(config["problem"], name)
    return networks


def about(name: str) -> dict[str, Any]:
    """config.json of a pointer network. Raises CheckpointError if it is damaged or missing."""
    return folders.read_record(folders.find(name), "pointer")


def accuracies(name: str) -> dict[int, float | None]:
    """Accuracy by number of inputs, from the model card; None for a number that the model cannot handle."""
    return {row["n"]: row["accuracy"] for row in about(name)["about"].get("test", {}).get("rows", [])}


MOST = 25  # inputs
START: dict[str, Inputs] = {
    "hull": [
        *([0.46, 0.52], [0.14, 0.33], [0.81, 0.2], [0.6, 0.88]),
        *([0.35, 0.7], [0.9, 0.62], [0.22, 0.83], [0.58, 0.36]),
    ],
    "sort": [[0.62], [0.17], [0.88], [0.4], [0.05], [0.73], [0.29]],
}


def tasks() -> dict[str, Any]:
    """The data of pointer.js without addresses: for each problem with a trained network what the page needs."""
    pointing, plain = models(), models("vocabulary")
    return {
        "most": MOST,
        "rules": [[name, _(label)] for name, label in RULES.items()],
        "problems": [
            _problem(problem, pointing[problem], plain.get(problem)) for problem in START if problem in pointing
        ],
    }


def _problem(problem: str, name: str, plain: str | None) -> dict[str, Any]:
    config = about(name)["model"]
    return {
        "problem": problem,
        "title": _(TASKS[problem]),
        "model": name,
        "plain": plain,
        "longest": about(plain)["model"]["longest"] if plain else None,
        "least": load("attn_core.synthetic.pointer.problems:PROBLEMS")[problem].least,
        "trained": [config["shortest"], config["longest"]],
        "start": START[problem],
    }


def accuracy_charts() -> Iterator[Block]:
    """Accuracy by number of inputs for each problem, from the model cards."""
    measured_tasks = {task: rows for task in TASKS if (rows := measured(task))}
    if not measured_tasks:
        yield Caption(_("None of the trained pointer networks has been measured."))
        return
    yield Text(
        _(
            "A pointer network accepts any number of inputs. The charts show the share of completely correct "
            "answers. A plain attention model names positions with words; its line stops at {longest}, the largest "
            "position it can name."
        ).format(longest=_longest())
    )
    for task, rows in measured_tasks.items():
        yield Text(f"**{_(TASKS[task])}**")
        trained = about(next(iter(_by_kind(task).values())))["model"]
        words = "; ".join(f"{row['of']}, n = {row['n']}: {row['right']:.0%}" for row in rows)
        yield Drawing(
            "app.lab.pointer.chart:accuracy",
            (rows, list(_by_kind(task)), (trained["shortest"], trained["longest"])),
            words,
        )
        yield Caption(escaped(_conditions(task)))


def measured(task: str) -> list[dict[str, Any]]:
    """Accuracies by number of inputs n, from the model cards, without those a model cannot handle.

    `of` is the kind of network, a value of OUTPUTS.
    """
    return [
        {"of": kind, "n": n, "right": right}
        for kind, name in _by_kind(task).items()
        for n, right in accuracies(name).items()
        if right is not None
    ]


def _longest() -> int:
    """The largest position that the plain attention models can name."""
    return max(about(name)["model"]["longest"] for name in models("vocabulary").values())


def _by_kind(task: str) -> dict[str, str]:
    """The shipped networks of a task, by kind."""
    return {_(kind): name for output, kind in OUTPUTS.items() if (name := models(output).get(task))}


def _conditions(task: str) -> str:
    """How the accuracies of a task were measured, with networks grouped that were measured alike."""
    alike: dict[str, list[str]] = {}
    for name in _by_kind(task).values():
        record = about(name)
        if test := record["about"].get("test"):
            search = _("greedy search") if test["beam"] == 1 else _("beam {size}").format(size=test["beam"])
            conditions = _(
                "{units} units; {examples:,} inputs for each n, not seen in training; {search}; constraint: {rule}."
            ).format(
                units=record["model"]["hidden"],
                examples=test["examples"],
                search=search,
                rule=_(RULES[test["constraint"]]),
            )
            alike.setdefault(conditions, []).append(name)
    return " ".join(f"{', '.join(names)}: {conditions}" for conditions, names in alike.items())
