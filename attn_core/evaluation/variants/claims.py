"""The papers' claims about their models, each as one change to one model, and what the benchmark `claims` measured."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from attn_core.evaluation.multiple_tests import LEVEL, holm, p_of_interval
from attn_core.evaluation.variants.results import spread
from attn_core.messages import N_, _

TESTED = Path(__file__).with_name("claims.json")


@dataclass(frozen=True)
class Claim:
    """A claim in a paper's text or table, and the pair of models that tests it."""

    says: str
    source: str
    model: str  # the name of its row in claims.json, whose "against" is the model that it is compared with
    better: bool  # whether it should have the higher BLEU of the two

    def pair(self, against: str) -> tuple[str, str]:
        """The two models, the one that should be better first."""
        return (self.model, against) if self.better else (against, self.model)

    def margin(self, difference: dict[str, Any]) -> dict[str, Any]:
        """A row's "difference", signed so that values above 0 support the claim: {"mean", "low", "high", "each"}."""
        return spread(difference, 1 if self.better else -1)

    def verdict(self, difference: dict[str, Any], p: float) -> str:
        """ "supported", "contradicted" or "undecided", from a row's "difference" and its corrected p-value."""
        if p >= LEVEL:
            return _("undecided")
        return _("supported") if self.margin(difference)["mean"] > 0 else _("contradicted")


CLAIMS = (
    Claim(N_("Attention helps."), N_("Bahdanau 2015, Table 1"), "RNNencdec", False),
    Claim(N_("Dropout helps."), N_("Luong 2015, Table 1"), "no-dropout", False),
    Claim(N_("Input feeding helps."), N_("Luong 2015, Table 1"), "input-feeding", True),
    Claim(N_("With global attention, dot is better than general."), N_("Luong 2015, Table 4"), "dot-global", True),
    Claim(
        N_("With global attention, location is worse than dot."), N_("Luong 2015, Table 4"), "location-global", False
    ),
    Claim(N_("concat is worse than general."), N_("Luong 2015, section 5.3"), "concat-global", False),
    Claim(N_("In a window, dot is worse than general."), N_("Luong 2015, Table 4"), "dot-local-m", False),
    Claim(N_("local-p is better than local-m."), N_("Luong 2015, Table 4"), "general-local-p", True),
)

# Claims that are tested by the next run of the benchmark `claims`, each with the reason why there are no numbers yet.
UNMEASURED = {
    Claim(N_("Reading the source backwards helps."), N_("Luong 2015, Table 1; Sutskever 2014"), "reversed", True): N_(
        "An earlier comparison used a bidirectional encoder. There, reversing the source only swaps the two halves of "
        "each state, so the two models could not differ. The page Results tests this claim with a one-directional "
        "encoder."
    ),
}


def measured_claims(rows: dict[str, Any]) -> list[Claim]:
    """The claims that have numbers in `rows`, which are those of `tested`."""
    return [claim for claim in (*CLAIMS, *UNMEASURED) if claim.model in rows]


def verdicts(claims: Sequence[Claim], rows: dict[str, Any]) -> list[str]:
    """The verdict on each claim, corrected for their number (Holm 1979); the p-values are those of the intervals."""
    differences = [rows[claim.model]["difference"] for claim in claims]
    corrected = holm([p_of_interval(difference) for difference in differences])
    return [claim.verdict(*found) for claim, *found in zip(claims, differences, corrected, strict=True)]


def tested() -> dict[str, Any] | None:
    """The numbers of the last run of the benchmark `claims`; None if there was none.

    `rows` maps each model to its numbers, as in `measured`, and includes the models compared with. A row's "by_length"
    is a list of {"from", "to" (source words), "sentences", "bleu"}, with a "difference" on these sentences if the row
    has one.
    """
    return json.loads(TESTED.read_text("utf-8")) if TESTED.exists() else None
