"""Luong 2015, Table 6: alignment error rate."""

from attn_core.evaluation.paper_tables.table import Claim, Row, Table, above
from attn_core.messages import N_

_SOURCE = N_("Luong 2015, Table 6")
_CONTROL = N_("Control, not in the paper")
_TEXT = N_("Luong 2015, section 5.4")

AER = Table(
    "aer",
    N_("Alignment quality"),
    N_("Luong 2015, Table 6 (508 Europarl pairs)"),
    N_(
        "Alignment error rate (lower is better) in forced decoding: each German word is linked to the English word "
        "with the largest weight. The gold links are those of our own aligned captions, joined two to four at a time "
        "into 19 texts. As in the paper, models with location scores link a word by the attention weights of the step"
        " that predicts it, models with content-based scores by those of the next step, whose input is the word. "
        "Claims about models that are aligned by different steps get no verdict. The column “own step” uses the step "
        "that predicts the word for all. By that measure the local models have an AER of about 0.9, because most "
        "steps attend to the word translated just before. A likely reason is that their encoder reads the source only"
        " backwards, so that the state of a word also contains the word after it. In the shipped models (last table),"
        " whose encoders see both sides of each word, the step that predicts a word usually attends to it; they "
        "differ in other ways, too. Location scores are computed from the decoder state alone, without the source "
        "states, which makes it hard to find a word. The paper's ensemble combines different models, ours eight seeds"
        " of local-p (general), so there is only one. The paper uses the Berkeley aligner; we use eflomal, trained on"
        " the models' text."
    ),
    ("aer", "aer_own", "bleu"),
    (
        Row("location-global", "global (location)", "location-global", {"aer": 0.39}, decimals=2, step="own"),
        Row("general-global", "global (general)", "general-global", step="next"),
        Row("general-local-m", "local-m (general)", "general-local-m", {"aer": 0.34}, decimals=2, step="next"),
        Row("general-local-p", "local-p (general)", "general-local-p", {"aer": 0.36}, decimals=2, step="next"),
        Row("ensemble", N_("Ensemble of 8"), "general-local-p-ensemble", {"aer": 0.34}, decimals=2, step="next"),
        Row("aligner", N_("Statistical aligner"), "eflomal", {"aer": 0.32}, decimals=2),
    ),
    (
        Claim(
            N_("Local attention (local-m) aligns better than global attention (location)."),
            _SOURCE,
            above("general-local-m", "location-global", "aer"),
            "AER",
            differ=("score", "window"),
            control="general-global",
        ),
        Claim(
            N_("By the step that predicts the word, local-m aligns better than global attention (location)."),
            _CONTROL,
            above("general-local-m", "location-global", "aer_own"),
            "AER",
            differ=("score", "window"),
            control="general-global",
        ),
        Claim(
            N_("With general scores, local-m aligns better than global attention."),
            _CONTROL,
            above("general-local-m", "general-global", "aer"),
            "AER",
        ),
        Claim(
            N_("local-p has a higher AER than local-m."),
            _SOURCE,
            above("general-local-m", "general-local-p", "aer"),
            "AER",
        ),
        Claim(
            N_("The ensemble aligns better than a single local-p model."),
            _SOURCE,
            above("ensemble", "general-local-p", "aer"),
            "AER",
        ),
        Claim(
            N_("The ensemble does not align better than local-m."),
            _TEXT,
            above("general-local-m", "ensemble", "aer"),
            "AER",
            no_worse=True,
        ),
        Claim(
            N_("A statistical aligner aligns better than attention (local-m)."),
            _SOURCE,
            above("aligner", "general-local-m", "aer"),
            "AER",
        ),
    ),
)
