"""The evidence for the Results page's cards."""

import math
from collections import Counter

from app.lab.kit.evidence import Bars, Caption, Finding, table
from attn_core.data.captions import captions
from attn_core.messages import N_, _
from attn_core.models.variants.claims import tested

SIZES = (25, 50, 100, 200)


def one_seed() -> Finding:
    """Show the BLEU of each seed of each model that the benchmark `claims` trained.

    Raises ValueError if it has trained none.
    """
    found = tested()
    if not found:
        raise ValueError(_("not measured yet: `python -m tests.benchmarks claims multi30k` trains the models"))
    scores = {name: list(row["bleu"].values()) for name, row in found["rows"].items()}
    apart = {name: max(each) - min(each) for name, each in scores.items()}
    most = max(apart, key=lambda name: apart[name])
    return Finding(
        Bars(list(apart), {N_("difference in BLEU"): list(apart.values())}, _("BLEU"), ".1f"),
        _(
            "Two seeds of {model} are {bleu:.1f} BLEU apart. This is the largest of {n} such differences, on "
            "test_2016_flickr (tokenised, lower-cased; greedy search)."
        ).format(model=most, bleu=apart[most], n=len(apart)),
        (
            table(
                {N_("Model"): name, N_("BLEU by seed"): ", ".join(f"{score:.1f}" for score in each)}
                for name, each in scores.items()
            ),
        ),
    )


def smaller_vocabulary() -> Finding:
    """Show the perplexity of word frequencies on our own captions, for several sizes of the vocabulary."""
    counts = Counter(token for pair in captions() for token in pair.en_tokens)
    sizes = [*(size for size in SIZES if size < len(counts)), len(counts)]
    found = [unigram(counts, size) for size in sizes]
    of = _(
        "The model predicts each word with its relative frequency in the English side of our own captions, whatever "
        "comes before; words outside the vocabulary count as one token."
    )
    return Finding(
        Bars([str(size) for size in sizes], {N_("perplexity"): found}, _("perplexity"), ".0f", _("vocabulary, words")),
        _("With {few} words the perplexity is {low:.0f}, with all {all} it is {high:.0f}.").format(
            few=sizes[0], low=found[0], all=sizes[-1], high=found[-1]
        ),
        (
            table(
                {N_("Words in the vocabulary"): str(size), N_("Perplexity"): one}
                for size, one in zip(sizes, found, strict=True)
            ),
            Caption(of),
        ),
    )


def unigram(counts: Counter[str], size: int) -> float:
    """Perplexity of relative frequencies, with all but the `size` most frequent words as one token."""
    kept = [count for _word, count in counts.most_common(size)]
    total = counts.total()
    shares = [count / total for count in (*kept, total - sum(kept)) if count]
    return math.exp(-sum(share * math.log(share) for share in shares))
