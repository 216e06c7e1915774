"""The evidence for the Results page's cards."""

import math
from collections import Counter

from app.lab.kit.evidence import Caption, Evidence, Text, table
from attn_core.data.captions import captions
from attn_core.messages import N_, _
from attn_core.models.variants.claims import tested

SIZES = (25, 50, 100, 200)


def one_seed() -> Evidence:
    """Show the BLEU of each seed of each model that `make bench-claims` trained."""
    found = tested()
    if not found:
        yield Caption(_("Not measured yet: `make bench-claims DATA=multi30k` trains the models."))
        return
    rows = []
    for name, row in found["rows"].items():
        scores = list(row["bleu"].values())
        each = ", ".join(f"{score:.1f}" for score in scores)
        rows.append({N_("Model"): name, N_("BLEU by seed"): each, N_("Largest difference"): max(scores) - min(scores)})
    yield table([row | {N_("Largest difference"): f"{row['Largest difference']:.1f}"} for row in rows])
    most = max(rows, key=lambda row: row["Largest difference"])
    yield Text(_("The largest difference is **{bleu:.1f} BLEU**.").format(bleu=most["Largest difference"]))


def smaller_vocabulary() -> Evidence:
    """Show the perplexity of word frequencies on our own captions, for several sizes of the vocabulary."""
    counts = Counter(token for pair in captions() for token in pair.en_tokens)
    sizes = [size for size in SIZES if size < len(counts)]
    rows = [
        {N_("Words in the vocabulary"): str(size), N_("Perplexity"): unigram(counts, size)}
        for size in (*sizes, len(counts))
    ]
    yield table(rows)
    yield Caption(
        _(
            "The model predicts each word with its relative frequency in the English side of our own captions, "
            "whatever comes before; words outside the vocabulary count as one token."
        )
    )


def unigram(counts: Counter[str], size: int) -> float:
    """Perplexity of relative frequencies, with all but the `size` most frequent words as one token."""
    kept = [count for _word, count in counts.most_common(size)]
    total = counts.total()
    shares = [count / total for count in (*kept, total - sum(kept)) if count]
    return math.exp(-sum(share * math.log(share) for share in shares))
