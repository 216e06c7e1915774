"""Luong 2015, Table 4: scores and windows."""

from attn_core.evaluation.paper_tables.table import Claim, Row, Table, above
from attn_core.messages import N_

_SOURCE = N_("Luong 2015, Table 4")
_CONCAT = N_("Luong 2015, section 5.3")


def _row(score: str, window: str, *paper: float | str) -> Row:
    """A row with the paper's perplexity, BLEU, and BLEU after replacement, as far as it has them."""
    name = f"{score}-{window}"
    return Row(name, f"{window} ({score})", name, dict(zip(("perplexity", "bleu", "bleu_unk"), paper, strict=False)))


GRID = Table(
    "grid",
    N_("Scores and windows"),
    N_("Luong 2015, Table 4 (WMT 2014, English to German)"),
    N_(
        "All models reverse the source and have dropout, input feeding and, in local windows, D = 10, as in the paper. "
        "The paper gives no BLEU for local-m (dot), whose perplexity is above 7, and only the perplexity of concat; we "
        "measure the missing numbers too. In the paper's concat, the part of $W_a$ that multiplies the source states "
        "is the identity (footnote 15); in ours it is learned. BLEU (unk) is BLEU after the replacement of unknown "
        "words. Our models train for three epochs only. The window of local-p narrows in the first half of them: all "
        "words, 4 D and 2 D for half an epoch each, then D. With D from the start, as in the paper, three epochs were "
        "too few to learn $p_t$: two such runs with general scores reached greedy BLEU 23 and 6 on the validation set; "
        "a run that began wider reached 31."
    ),
    ("bleu", "bleu_unk", "perplexity"),
    (
        _row("location", "global", 6.4, 18.1, 19.3),
        _row("dot", "global", 6.1, 18.6, 20.5),
        _row("general", "global", 6.1, 17.3, 19.1),
        _row("concat", "global", 6.7),
        _row("dot", "local-m", "> 7.0"),
        _row("general", "local-m", 6.2, 18.6, 20.4),
        _row("concat", "local-m", 7.1),
        _row("dot", "local-p", 6.6, 18.0, 19.6),
        _row("general", "local-p", 5.9, 19.0, 20.9),
        _row("concat", "local-p", 7.1),
    ),
    (
        Claim(N_("With global attention, dot is better than general."), _SOURCE, above("dot-global", "general-global")),
        Claim(
            N_("With global attention, location is worse than dot."), _SOURCE, above("dot-global", "location-global")
        ),
        Claim(N_("With local-p, general is better than dot."), _SOURCE, above("general-local-p", "dot-local-p")),
        Claim(
            N_("With local-m, dot has a higher perplexity than general."),
            _SOURCE,
            above("general-local-m", "dot-local-m", "perplexity"),
            N_("perplexity"),
        ),
        Claim(N_("local-p is better than local-m."), _SOURCE, above("general-local-p", "general-local-m")),
        Claim(
            N_("local-p (general) has a lower perplexity than global (dot)."),
            _SOURCE,
            above("general-local-p", "dot-global", "perplexity"),
            N_("perplexity"),
            differ=("score", "window"),
            control="general-global",
        ),
        *(
            Claim(says, _CONCAT, above(f"general-{window}", f"concat-{window}", "perplexity"), N_("perplexity"))
            for window, says in (
                ("global", N_("With global attention, concat has a higher perplexity than general.")),
                ("local-m", N_("With local-m, concat has a higher perplexity than general.")),
                ("local-p", N_("With local-p, concat has a higher perplexity than general.")),
            )
        ),
    ),
)
