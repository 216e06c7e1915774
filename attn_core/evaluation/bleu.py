"""BLEU by sacrebleu; a separate file, so that importing the other metrics does not import sacrebleu."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int, Real
from sacrebleu.metrics import BLEU

BOOTSTRAP = 1000  # resamples of a confidence interval; sacrebleu's default
TRIALS = 10_000  # of a test of a difference; sacrebleu's default
CHUNK = 500  # trials that are computed at once; a divisor of TRIALS
UNKNOWN = "<unk>"
_ONE_TOKEN = "\ue000"  # stands for <unk> in running text: a letter of private use, which no tokenizer splits


@dataclass(frozen=True)
class Bleu:
    """Corpus BLEU with its sacrebleu signature and its 95% confidence interval."""

    score: float
    signature: str
    low: float
    high: float
    brevity_penalty: float = 1.0  # below 1 if the translations together are shorter than the references

    def __str__(self) -> str:
        return f"BLEU {self.score:.1f} (95% {self.low:.1f} to {self.high:.1f})  {self.signature}"


def bleu(hypotheses: Sequence[str], references: Sequence[str], tokenize: str = "none", lowercase: bool = False) -> Bleu:
    """Corpus BLEU (Papineni 2002) by sacrebleu, one reference per sentence, with its bootstrap interval.

    `tokenize` is "none" for tokenised lines, "13a" for running text and "zh" for running Chinese text; `lowercase`
    ignores case. In running text, `<unk>` counts as one token, as in tokenised lines, and the signature ends with
    "unk:one": sacrebleu alone would split it into "<", "unk" and ">", three wrong tokens, so that models of words
    could not be compared with models of pieces, which have no `<unk>`. The interval is the bootstrap mean plus or minus
    its half-width, as sacrebleu prints them; every call draws the same resamples (the signature contains the seed).
    Raises ValueError when there are no lines, when their counts differ, and for another `tokenize`.
    """
    if tokenize not in ("none", "13a", "zh"):
        raise ValueError(f"BLEU tokenizer {tokenize!r}: expected 'none' (tokenised text), '13a' or 'zh' (running text)")
    _check(hypotheses, references)
    # force: no warning about lines that end in " ."; tokenised lines do
    metric = BLEU(tokenize=tokenize, lowercase=lowercase, force=True)
    hypotheses, references = (_with_whole_unknowns(lines, tokenize) for lines in (hypotheses, references))
    result = metric.corpus_score(hypotheses, [references], n_bootstrap=BOOTSTRAP)
    signature = metric.get_signature().format() + ("" if tokenize == "none" else "|unk:one")
    low, high = max(result._mean - result._ci, 0.0), min(result._mean + result._ci, 100.0)
    return Bleu(result.score, signature, low, high, result.bp)


@dataclass(frozen=True)
class Difference:
    """The BLEU of one system minus that of another on the same test set."""

    score: float
    p: float  # two-sided: (c + 1) / (TRIALS + 1), where c trials make a difference at least as large

    def __str__(self) -> str:
        return f"{self.score:+.2f} BLEU, p = {self.p:.4f} (approximate randomisation, {TRIALS:,} trials)"


def difference(
    hypotheses: Sequence[str],
    others: Sequence[str],
    references: Sequence[str],
    tokenize: str = "none",
    lowercase: bool = False,
) -> Difference:
    """BLEU of `hypotheses` minus that of `others`, tested by approximate randomisation (Riezler & Maxwell 2005).

    Each trial swaps the two outputs of every sentence with probability 1/2; every call makes the same trials.
    sacrebleu's own test counts larger differences only, so that p is far too small where many trials make the same
    difference. Options and errors are those of `bleu`.
    """
    ours, theirs = (counts(lines, references, tokenize, lowercase) for lines in (hypotheses, others))
    one, other = ours.sum(0), theirs.sum(0)
    score = float(bleu_of_counts(one) - bleu_of_counts(other))
    rng = np.random.default_rng(TRIALS)
    at_least = 0
    for _ in range(TRIALS // CHUNK):
        swapped = rng.integers(2, size=(CHUNK, len(ours))) @ (theirs - ours)
        found = bleu_of_counts(one + swapped) - bleu_of_counts(other - swapped)
        at_least += int((np.abs(found) >= abs(score)).sum())
    return Difference(score, (at_least + 1) / (TRIALS + 1))


def counts(
    hypotheses: Sequence[str], references: Sequence[str], tokenize: str = "none", lowercase: bool = False
) -> Int[np.ndarray, "n statistic"]:
    """sacrebleu's statistics of each sentence: words, matching n-grams (n = 1 to 4), words of the reference, n-grams.

    Options and errors are those of `bleu`.
    """
    _check(hypotheses, references)
    metric = BLEU(tokenize=tokenize, lowercase=lowercase, force=True)
    hypotheses, references = (_with_whole_unknowns(lines, tokenize) for lines in (hypotheses, references))
    each = [metric.corpus_score([one], [[other]]) for one, other in zip(hypotheses, references, strict=True)]
    return np.array([[one.sys_len, *one.counts, one.ref_len, *one.totals] for one in each])


def bleu_of_counts(sums: Real[np.ndarray, "*b statistic"]) -> Float[np.ndarray, "*b"]:
    """BLEU of sums of `counts`, for many sums at once.

    As sacrebleu computes it with its default smoothing: the k-th order without a match counts 1 / 2^k matches.
    """
    words, matches, reference, totals = sums[..., 0], sums[..., 1:5], sums[..., 5], sums[..., 6:10]
    none = (matches == 0) & (totals > 0)
    smoothed = np.where(none, 0.5 ** np.cumsum(none, -1), matches)
    with np.errstate(divide="ignore", invalid="ignore"):
        precision = np.log(np.where(totals > 0, smoothed / totals, 0)).mean(-1)
        brevity = np.minimum(0, 1 - reference / words)
    return np.where(words > 0, 100 * np.exp(precision + brevity), 0)


def bleu_score(
    hypotheses: Sequence[str], references: Sequence[str], tokenize: str = "none", lowercase: bool = False
) -> float:
    """The score of `bleu` with these options, without the interval, which takes five times as long."""
    _check(hypotheses, references)
    hypotheses, references = (_with_whole_unknowns(lines, tokenize) for lines in (hypotheses, references))
    return BLEU(tokenize=tokenize, lowercase=lowercase, force=True).corpus_score(hypotheses, [references]).score


def _with_whole_unknowns(lines: Sequence[str], tokenize: str) -> list[str]:
    """The lines, where `<unk>` is one token for every tokenizer; words that touch it are not joined to it."""
    if tokenize == "none":
        return list(lines)
    return [line.replace(UNKNOWN, f" {_ONE_TOKEN} ") if UNKNOWN in line else line for line in lines]


def _check(hypotheses: Sequence[str], references: Sequence[str]) -> None:
    if len(hypotheses) != len(references):
        raise ValueError(
            f"BLEU: {len(hypotheses)} hypotheses and {len(references)} references; expected one reference for each"
        )
    if not hypotheses:
        raise ValueError("BLEU: expected at least one line")
