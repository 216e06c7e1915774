"""Bahdanau 2015, Table 1 and Figure 2; Luong 2015, Figure 6: BLEU by length of the source."""

from attn_core.evaluation.paper_tables.table import LENGTHS, Claim, Row, Table, Term, above
from attn_core.messages import N_

_TABLE = N_("Bahdanau 2015, Table 1")
_FIGURE = N_("Bahdanau 2015, Figure 2")
_LUONG = N_("Luong 2015, Figure 6")
_SEARCH = ("attention", "encoder")
_SHORTEST, _LONGEST = 0, len(LENGTHS) - 1


def _more(better: tuple[str, int], worse: tuple[str, int]) -> tuple[Term, ...]:
    """How much higher BLEU is for a row on a group of sentences than for a row on another group."""
    return Term(1, better[0], "bleu", better[1]), Term(-1, worse[0], "bleu", worse[1])


def _gain(attention: str, without: str) -> tuple[Term, ...]:
    """How much more attention gains on the longest sentences than on the shortest."""
    longest = _more((attention, _LONGEST), (without, _LONGEST))
    return *longest, *_more((without, _SHORTEST), (attention, _SHORTEST))


def _steady(row: str) -> tuple[Term, ...]:
    """A row's BLEU on the longest sentences minus its BLEU on the shortest."""
    return _more((row, _LONGEST), (row, _SHORTEST))


LENGTH = Table(
    "length",
    N_("Sentence length"),
    N_("Bahdanau 2015, Table 1 and Figure 2 (WMT 2014, English to French); Luong 2015, Figure 6"),
    N_(
        "With and without attention, trained on short and on long sentences. Bahdanau's short and long models were "
        "trained on sentences of up to 30 and up to 50 words. Here the short models are trained on two captions joined "
        "(about 24 words), the long ones on two to four (about 36): the same captions, and the same number of updates. "
        "All are tested on two to four joined captions. As in the papers, attention is not the only difference: "
        "RNNsearch's encoder reads in both directions and RNNencdec's in one, and Luong's local-p also has input "
        "feeding. A claim that one model loses fewer points than another "
        "compares their drops in BLEU from the shortest group of test sentences to the longest; the papers say only "
        "that attention is more robust to length. A model that is poor on the shortest sentences has little to lose: "
        "look at the share that each model keeps, too. A model trained on two captions may also have learned to stop "
        "after the second full stop."
    ),
    ("bleu", "perplexity"),
    (
        Row("encdec-short", N_("RNNencdec, short"), "encdec-short", {"bleu": 13.93}, decimals=2),
        Row("search-short", N_("RNNsearch, short"), "search-short", {"bleu": 21.50}, decimals=2),
        Row("encdec-long", N_("RNNencdec, long"), "encdec-long", {"bleu": 17.82}, decimals=2),
        Row("search-long", N_("RNNsearch, long"), "search-long", {"bleu": 26.75}, decimals=2),
        Row("luong-base", N_("Luong, without attention"), "dropout"),
        Row("luong-local", N_("Luong, local-p (general)"), "general-local-p"),
    ),
    (
        Claim(
            N_("RNNsearch is better than RNNencdec (both trained on long sentences)."),
            _TABLE,
            above("search-long", "encdec-long"),
            differ=_SEARCH,
        ),
        Claim(
            N_("RNNsearch is better than RNNencdec (both trained on short sentences)."),
            _TABLE,
            above("search-short", "encdec-short"),
            differ=_SEARCH,
        ),
        Claim(
            N_("RNNsearch trained on short sentences is better than RNNencdec trained on long ones."),
            _TABLE,
            above("search-short", "encdec-long"),
            differ=(*_SEARCH, "text"),
        ),
        Claim(
            N_("RNNencdec trained on long sentences is worse on the longest sentences than on the shortest."),
            _FIGURE,
            _more(("encdec-long", _SHORTEST), ("encdec-long", _LONGEST)),
        ),
        Claim(
            N_(
                "From the shortest to the longest sentences, RNNsearch loses fewer BLEU points than RNNencdec (both "
                "trained on long sentences)."
            ),
            _FIGURE,
            _gain("search-long", "encdec-long"),
            differ=_SEARCH,
        ),
        Claim(
            N_(
                "From the shortest to the longest sentences, RNNsearch loses fewer BLEU points than RNNencdec (both "
                "trained on short sentences)."
            ),
            _FIGURE,
            _gain("search-short", "encdec-short"),
            differ=_SEARCH,
        ),
        Claim(
            N_("RNNsearch trained on long sentences is no worse on the longest sentences than on the shortest."),
            _FIGURE,
            _steady("search-long"),
            no_worse=True,
        ),
        Claim(
            N_("On the longest sentences, RNNsearch is better if it was trained on long sentences."),
            _FIGURE,
            _more(("search-long", _LONGEST), ("search-short", _LONGEST)),
        ),
        Claim(
            N_("Luong's local-p is no worse on the longest sentences than on the shortest."),
            _LUONG,
            _steady("luong-local"),
            no_worse=True,
        ),
        Claim(
            N_(
                "From the shortest to the longest sentences, Luong's local-p loses fewer BLEU points than Luong's "
                "model without attention."
            ),
            _LUONG,
            _gain("luong-local", "luong-base"),
            differ=("attention", "feeding"),
        ),
    ),
    groups=True,
)
