"""The evidence for the Variants page's cards, computed when a card is answered."""

from operator import and_
from typing import Any

import torch

from app.lab.kit.evidence import Bars, Caption, Finding, table
from app.lab.variants.data import COLUMNS
from app.service.seeded import seeded
from attn_core.data.tokenizer import Tokenizer
from attn_core.messages import N_, _
from attn_core.models.translator import Translator
from attn_core.models.variants import VARIANTS


def same_name() -> Finding:
    """Show score, order and output layer of every variant that is compared with Bahdanau's paper."""
    rows, order, output = [], [], []
    for variant in VARIANTS.values():
        if variant.paper is not VARIANTS["bahdanau2015"] or variant.kind not in ("tutorial", "toolkit"):
            continue
        settings = variant.settings()
        cells = {name: COLUMNS[name](settings) for name in ("Score", "Order", "Output layer")}
        rows.append({N_("Variant"): _(variant.title)} | cells)
        before = settings["order"] == "gnmt" and settings["query"] == "previous"
        order.append(settings["order"] == "attend-then-update" or before)
        output.append(settings["combine"] == "maxout")
    both = sum(map(and_, order, output))
    return Finding(
        Bars(
            [_("the paper's order"), _("maxout output layer"), _("both")],
            {N_("tutorials and toolkits"): [sum(order), sum(output), both]},
            _("of {n} tutorials and toolkits").format(n=len(rows)),
            "d",
        ),
        _(
            "Of {n} tutorials and toolkits, {order} attend with the previous state, {output} use the maxout layer, and "
            "{both} do both."
        ).format(n=len(rows), order=sum(order), output=sum(output), both=both),
        (table(rows),),
    )


def carried() -> Finding:
    """Show how much the new state depends on the previous one, with attention and with its weights held fixed."""
    torch.set_num_threads(1)  # the setting is each thread's own
    rows: list[dict[str, Any]] = []
    for name, title in (
        ("tf-tutorial", _("the tutorial")),
        ("annotated-encoder-decoder", _("a GRU with its state")),
    ):
        free, fixed = _state_changes(name)
        rows.append({"": title, N_("change in the new state"): free, N_("with the weights held fixed"): fixed})
    with_attention, held = (
        [row[name] for row in rows] for name in ("change in the new state", "with the weights held fixed")
    )
    source = _(
        "Untrained models with 16 units. A step is computed from two different previous states, first with "
        "attention, then with uniform attention weights."
    )
    return Finding(
        Bars(
            [row[""] for row in rows],
            {N_("with attention"): with_attention, N_("with the attention weights held fixed"): held},
            _("change in the new state"),
            ".2f",
        ),
        _(
            "With the attention weights held fixed, another previous state changes the new state of the tutorial's GRU "
            "by {tutorial:.2f}, and that of a GRU that gets its previous state by {other:.2f}."
        ).format(tutorial=held[0], other=held[1]),
        (table(rows), Caption(source)),
    )


@seeded(1)
def _state_changes(name: str) -> list[float]:
    """How far another previous state moves the new state of an untrained variant: with attention, and held fixed."""
    letters = Tokenizer.train(["a b c d e f g h"], "en", min_frequency=1)
    sizes = {"decoder.hidden": 16, "attention.score.hidden": 16, "embedding": 8, "attentional": 8}
    config = VARIANTS[name].config(sizes, tied=False)
    model = Translator(config, letters, letters).eval()
    attention = model.decoder.attention
    assert attention is not None
    with torch.inference_mode():
        for parameter in attention.parameters():
            parameter.normal_(std=0.7)
        words = torch.tensor([[4, 5, 6, 7, 8]])
        memory, carry = model.encode(words, torch.ones_like(words, dtype=torch.bool))
        other = type(carry)(carry.t, (torch.randn_like(carry.state[0]),), carry.fed)
        changes = []
        for fixed in (False, True):
            if fixed:  # scores of zero: uniform weights for every query
                for parameter in attention.parameters():
                    parameter.zero_()
            first, second = (model.decoder(torch.tensor([[2]]), start, memory)[1].state[0] for start in (carry, other))
            changes.append((first - second).norm().item())
    return changes
