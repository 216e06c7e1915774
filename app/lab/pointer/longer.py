"""Whether pointer networks generalise to more inputs than in training: the figure of the Pointer page."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from app.lab.kit.evidence import Block, Caption, Drawing, Text
from app.lab.pointer import networks
from app.lab.pointer.networks import RULES, TASKS
from app.shell.markdown import escaped
from attn_core.messages import _
from attn_core.registry import load


def blocks() -> Iterator[Block]:
    """Accuracy by number of inputs for each problem, from the model cards."""
    found = {task: rows for task in TASKS if (rows := measured(task))}
    if not found:
        yield Caption(_("None of the trained pointer networks has been measured."))
        return
    yield Text(
        _(
            "A pointer network accepts any number of inputs. The charts show the share of completely correct "
            "answers. A plain attention model names positions with words; its line stops at {longest}, the largest "
            "position it can name."
        ).format(longest=_longest())
    )
    for task, rows in found.items():
        yield Text(f"**{_(TASKS[task])}**")
        trained = networks.about(next(iter(_networks(task).values())))["model"]
        words = "; ".join(f"{row['of']}, n = {row['n']}: {row['right']:.0%}" for row in rows)
        yield Drawing(partial(_chart, rows, list(_networks(task)), (trained["shortest"], trained["longest"])), words)
        yield Caption(escaped(_how(task)))


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


def _longest() -> int:
    """The largest position that the plain attention models can name."""
    return max(networks.about(name)["model"]["longest"] for name in networks.models("vocabulary").values())


def _networks(task: str) -> dict[str, str]:
    """The shipped networks of a task, by kind."""
    return {_(said): name for output, said in networks.OUTPUTS.items() if (name := networks.models(output).get(task))}


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


def _chart(rows: list[dict[str, Any]], kinds: list[str], trained: tuple[int, int], dark: bool) -> Any:
    return load("app.lab.pointer.chart:longer")(rows, kinds, trained, dark)  # Altair takes seconds to import
