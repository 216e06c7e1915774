"""The quantities of explain.step_graph as a Trace records them."""

from torch import Tensor

from attn_core.models.translator import Translator
from attn_core.trace import Trace


def recorded(model: Translator, trace: Trace, t: int) -> dict[str, list[Tensor]]:
    """The tensors of step `t`, one for each layer and head; without the quantities that a Trace has no field for."""
    config, words = model.config, trace.words
    step, before, after = (
        words[t].step,
        words[t - 1].step if t else None,
        words[t + 1].step if t + 1 < len(words) else None,
    )
    looks = step.looks
    found: dict[str, list[Tensor | None]] = {
        "scores": [look.scores for look in looks],
        "view": [look.focus.inside for look in looks],
        "gaussian": [look.focus.gaussian for look in looks],
        "center": [look.focus.center for look in looks],
        "alignment": [look.alignment for look in looks],
        "weights": [look.weights for look in looks],
        "readout": [step.attentional],
    }
    attention, order = config.attention, config.decoder.name
    if attention and not attention.projected:
        found["context"] = [look.context for look in looks]
    if order == "transformer":
        found["query"] = [look.query for look in looks]
    elif not attention or (attention.values is None and not attention.projected and config.encoder.name != "conv"):
        found["memory"] = [trace.memory.states]
    if order == "update-then-attend":
        found |= {
            "state": [step.hidden],
            "previous": [before and before.hidden],
            "fed": [before and before.attentional],
        }
    elif order == "gnmt":
        found["fed"] = [before and look.context for look in (before.looks if before else looks)]
    elif order == "attend-then-update" and config.decoder.readout == "s_cur":
        found |= {"next": [step.hidden], "previous": [before and before.hidden]}
    elif order == "attend-then-update":
        found |= {"previous": [step.hidden], "next": [after and after.hidden]}
    return {
        id: [one for one in each if one is not None]
        for id, each in found.items()
        if any(one is not None for one in each)
    }
