"""How closely p_t of local-p follows the translated words (Luong 2015, eq. 9), and the measured half-widths D."""

import json
import math
import statistics
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from attn_core.data.alignments import Link, distances
from attn_core.messages import _
from attn_core.trace import Trace

STUDY = Path(__file__).with_name("half_widths.json")
END = "</s>"


def tracking(traces: Sequence[Trace], links: Sequence[Collection[Link]]) -> dict[str, float]:
    """Mean distances to the nearest source word linked to the target word, over all linked target words.

    They are in tokens: words, or characters in Chinese. They are those of "p_t", of the "largest weight", of "t", where
    local-m centers its window, and of the "straight line" t * S / T for S source and T target words without `</s>`,
    which needs no model. "p_t within a word", and so on: the share of distances of at most 1. "in window": the share of
    target words with a linked word in the window. "followed": how far p_t goes along where words are reordered, the
    slope of its distance from the straight line against that of the linked words' mean position (1: as far as they do;
    0: it does not react; NaN where no word is away from the line).
    Raises ValueError for a trace without p_t.
    """
    found: dict[str, list[float]] = {"p_t": [], "straight line": [], "largest weight": [], "t": []}
    inside: list[bool] = []
    away: dict[str, list[float]] = {"word": [], "p_t": []}  # from the straight line
    for trace, sure in zip(traces, links, strict=True):
        words = [word for word in trace.words if word.token != END]
        looks = [word.step.looks[0] for word in words]
        slope = (len(trace.source) - _ended(trace)) / len(words)
        centers = [look.focus.center for look in looks]
        if any(center is None for center in centers):
            raise ValueError(_("{model} has no p_t: expected a model with a local-p window").format(model=trace.model))
        places: dict[str, list[float]] = {
            "p_t": [float(center) for center in centers if center is not None],
            "straight line": [slope * word.t for word in words],
            "largest weight": [int(look.weights.argmax()) for look in looks],
            "t": [word.t for word in words],
        }
        for name, positions in places.items():
            found[name] += distances(positions, sure)
        linked = {j: [i for i, other in sure if other == j] for _source, j in sure}
        inside += [bool(looks[j].focus.inside[sources].any()) for j, sources in linked.items()]
        away["word"] += [statistics.fmean(sources) - places["straight line"][j] for j, sources in linked.items()]
        away["p_t"] += [places["p_t"][j] - places["straight line"][j] for j in linked]
    means = {name: statistics.fmean(far) for name, far in found.items()}
    near = {f"{name} within a word": statistics.fmean(one <= 1 for one in far) for name, far in found.items()}
    moves = len(set(away["word"])) > 1
    followed = statistics.linear_regression(away["word"], away["p_t"]).slope if moves else math.nan
    return means | near | {"in window": statistics.fmean(inside), "followed": followed}


def _ended(trace: Trace) -> bool:
    """Whether the source ends with the `</s>` that some models add; a typed `</s>` is an unknown word."""
    return trace.source[-1:] == (END,) and len(trace.source) - 1 not in trace.unknown


def half_widths() -> dict[str, Any]:
    """What the benchmark `half_width` measured, without training or measuring anything.

    "widths" has a record for each D that luong-general-local-p was trained with: "half_width", "bleu" and "perplexity"
    on the validation set, and numbers of `tracking` on our own aligned captions. "models" maps the names of shipped
    local-p models to their "half_width", the number of pairs "joined" into a text, the mean number of source "words",
    and the numbers of `tracking`, of which the records in "widths" lack "followed".
    """
    return json.loads(STUDY.read_text("utf-8"))
