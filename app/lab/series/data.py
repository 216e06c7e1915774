"""The data of the Series page: the series that it offers, and the evidence for its cards."""

from functools import cache
from typing import Any

import torch

from app.lab.kit.evidence import Bars, Caption, Finding, table
from app.lab.kit.records import few_digits
from attn_core.messages import N_, _
from attn_core.models import folders
from attn_core.synthetic.forecasting import HISTORY, HORIZON, WEEK, Forecaster, draw, forecast, load, measure

SEEDS = (3, 10, 15, 16, 21, 28)  # some with holidays, one without


def series() -> dict[str, Any]:
    """The data of series.js without addresses: the trained forecaster, and series with their true future."""
    names = folders.shipped("series")
    return {"model": names[0] if names else None, "week": WEEK, "series": [_series(seed) for seed in SEEDS]}


def _series(seed: int) -> dict[str, Any]:
    batch = draw(1, seed)
    parts = {"history": batch.history, "calendar": batch.calendar, "future": batch.future}
    return {name: few_digits(part[0]) for name, part in parts.items()}


EXAMPLES = 300
SEED = 2**30  # the page's own series have small seeds


@cache
def _model() -> Forecaster:
    """The trained forecaster. All visitors share it: do not change it. Raises ValueError if there is none."""
    names = folders.shipped("series")
    if not names:
        raise ValueError(_("no trained forecaster is in pretrained/"))
    return load(names[0])


def by_week() -> list[float]:
    """The mean weight on the last past day with the same weekday, on the one before and so on; then on others."""
    forecasts = forecast(_model(), draw(EXAMPLES, SEED))
    weights = forecasts.steps.looks[0].weights.mean(0)  # of each forecast day on each day of the past
    ahead, past = torch.arange(HISTORY, HISTORY + HORIZON).unsqueeze(1), torch.arange(HISTORY)
    same = (ahead - past) % WEEK == 0
    weeks = (HISTORY - 1 - past) // WEEK
    shares = [(weights * (same & (weeks == k))).sum(-1).mean().item() for k in range(HISTORY // WEEK)]
    return [*shares, (weights * ~same).sum(-1).mean().item()]


def weekly() -> Finding:
    """Show how the attention weights are divided between past weeks."""
    shares = by_week()
    labels = [*(str(k) for k in range(1, len(shares))), _("other weekdays")]
    rows = table(
        {N_("past week"): label, N_("mean weight"): share} for label, share in zip(labels, shares, strict=True)
    )
    source = _("Means over {n} series and {days} forecast days; the model has not been trained on these series.")
    return Finding(
        Bars(
            labels,
            {N_("mean weight"): shares},
            _("mean weight"),
            ".0%",
            _("past week, counted from the start of the forecast; same weekday only"),
        ),
        _("{same:.0%} of the weight is on days with the same weekday, {last:.0%} on the last one.").format(
            same=sum(shares[:-1]), last=shares[0]
        ),
        (rows, Caption(source.format(n=EXAMPLES, days=HORIZON))),
    )


def copied() -> Finding:
    """Show the errors of the forecasts, of last week's values, and of the series without their noise."""
    errors = measure(_model(), EXAMPLES)
    rows = {
        N_("forecast"): errors["mae"],
        N_("last week repeated"): errors["naive"],
        N_("series without its noise"): errors["floor"],
    }
    return Finding(
        Bars([_(name) for name in rows], {N_("mean error"): list(rows.values())}, _("mean absolute error"), ".2f"),
        _(
            "The forecasts miss by {mae:.1f} on average, last week's values by {naive:.1f} (1 is the standard "
            "deviation of the noise)."
        ).format(mae=errors["mae"], naive=errors["naive"]),
        (
            table({"": _(name), N_("mean absolute error"): error} for name, error in rows.items()),
            Caption(
                _(
                    "On {n} series that the model has not seen. The largest weight is on the last day with the same "
                    "weekday for {season:.0%} of the forecast days. On average, no forecast can be closer than the "
                    "series without its noise."
                ).format(n=EXAMPLES, season=errors["season"])
            ),
        ),
    )
