"""Luong 2015, Table 1: one improvement after another."""

from attn_core.evaluation.paper_tables.table import Claim, Row, Table, above
from attn_core.messages import N_

_SOURCE = N_("Luong 2015, Table 1")
_UNK = {"bleu": "bleu_unk"}

LADDER = Table(
    "ladder",
    N_("The ladder: one improvement after another"),
    N_("Luong 2015, Table 1 (WMT 2014, English to German)"),
    N_(
        "Each row builds on the row above it. The paper's Table 1 goes from location scores to local-p attention with "
        "general scores in one step. That step changes two things, so the row with general scores and global attention "
        "is added as a control; its numbers from the paper are those of Table 4. Here, nearly all of the gain comes "
        "from the score. The paper's models have four layers of 1000 units and were trained on "
        "the 4.5 million sentence pairs of WMT 2014 for 10 epochs, or 12 with dropout; these have one layer of 256 "
        "units and were trained on 29,000 captions, 2 to 4 joined, for 3 epochs. That leaves dropout, which slows "
        "learning, little time to help. Unknown words are replaced by the dictionary's translation of the word with "
        "the largest attention weight, or else by that word. The ensemble averages eight seeds of one model, so "
        "there is only one; the paper's averages models with different settings."
    ),
    ("bleu", "perplexity"),
    (
        Row("base", N_("Base"), "base", {"perplexity": 10.6, "bleu": 11.3}),
        Row("reverse", N_("+ reversed source"), "reverse", {"perplexity": 9.9, "bleu": 12.6}),
        Row("dropout", N_("+ dropout"), "dropout", {"perplexity": 8.1, "bleu": 14.0}),
        Row(
            "attention",
            N_("+ global attention (location)"),
            "location-global-unfed",
            {"perplexity": 7.3, "bleu": 16.8},
        ),
        Row("feed", N_("+ input feeding"), "location-global", {"perplexity": 6.4, "bleu": 18.1}),
        Row("general", N_("+ general scores (control)"), "general-global", {"perplexity": 6.1, "bleu": 17.3}),
        Row("local", N_("+ local-p attention (general)"), "general-local-p", {"perplexity": 5.9, "bleu": 19.0}),
        Row("unk", N_("+ unknown-word replacement"), "general-local-p", {"perplexity": 5.9, "bleu": 20.9}, _UNK),
        Row("ensemble", N_("Ensemble of 8 + replacement"), "general-local-p-ensemble", {"bleu": 23.0}, _UNK),
    ),
    (
        Claim(N_("Reversing the source helps."), _SOURCE, above("reverse", "base")),
        Claim(N_("Dropout helps."), _SOURCE, above("dropout", "reverse")),
        Claim(N_("Global attention helps, even with location scores."), _SOURCE, above("attention", "dropout")),
        Claim(N_("Input feeding helps."), _SOURCE, above("feed", "attention")),
        Claim(
            N_("Local-p attention with general scores is better still."),
            _SOURCE,
            above("local", "feed"),
            differ=("score", "window"),
            control="general",
        ),
        Claim(
            N_("With general scores, local-p attention is better than global attention."),
            N_("Luong 2015, Table 4"),
            above("local", "general"),
        ),
        Claim(N_("Replacing unknown words helps."), _SOURCE, above("unk", "local")),
        Claim(N_("An ensemble of eight is better than one model."), _SOURCE, above("ensemble", "unk")),
    ),
)
