"""BLEU by sacrebleu; a separate file, so that importing the other metrics does not import sacrebleu."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from sacrebleu.metrics import BLEU
from sacrebleu.significance import PairedTest

BOOTSTRAP = 1000  # resamples of a confidence interval; sacrebleu's default
TRIALS = 10_000  # of a test of a difference; sacrebleu's default


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
    ignores case. The interval is the bootstrap mean plus or minus its half-width, as sacrebleu prints them; every call
    draws the same resamples (the signature contains the seed).
    Raises ValueError when there are no lines, when their counts differ, and for another `tokenize`.
    """
    if tokenize not in ("none", "13a", "zh"):
        raise ValueError(f"BLEU tokenizer {tokenize!r}: expected 'none' (tokenised text), '13a' or 'zh' (running text)")
    _check(hypotheses, references)
    # force: no warning about lines that end in " ."; tokenised lines do
    metric = BLEU(tokenize=tokenize, lowercase=lowercase, force=True)
    result = metric.corpus_score(list(hypotheses), [list(references)], n_bootstrap=BOOTSTRAP)
    low, high = max(result._mean - result._ci, 0.0), min(result._mean + result._ci, 100.0)
    return Bleu(result.score, metric.get_signature().format(), low, high, result.bp)


@dataclass(frozen=True)
class Difference:
    """The BLEU of one system minus that of another on the same test set."""

    score: float
    p: float  # how often the difference is at least as large when outputs are swapped between the systems at random

    def __str__(self) -> str:
        return f"{self.score:+.2f} BLEU, p = {self.p:.4f} (approximate randomisation, {TRIALS:,} trials)"


def difference(
    hypotheses: Sequence[str],
    others: Sequence[str],
    references: Sequence[str],
    tokenize: str = "none",
    lowercase: bool = False,
) -> Difference:
    """BLEU of `hypotheses` minus that of `others`, tested by approximate randomisation (Riezler & Maxwell 2005), with
    sacrebleu.

    Options and errors are those of `bleu`, and every call makes the same trials.
    """
    for lines in (hypotheses, others):
        _check(lines, references)
    metric = BLEU(tokenize=tokenize, lowercase=lowercase, force=True, references=[list(references)])
    systems: list[tuple[str, Sequence[str]]] = [
        ("others", list(others)),
        ("hypotheses", list(hypotheses)),
    ]  # the first is the baseline
    _, found = PairedTest(systems, {"BLEU": metric}, None, test_type="ar", n_samples=TRIALS)()
    baseline, ours = cast(list[Any], found["BLEU"])
    score = ours.score - baseline.score
    return Difference(score, ours.p_value if score else 1.0)  # sacrebleu counts larger differences only: p near 0


def bleu_score(hypotheses: Sequence[str], references: Sequence[str]) -> float:
    """The score of `bleu` for tokenised lines, without the interval, which takes five times as long."""
    _check(hypotheses, references)
    return BLEU(tokenize="none", force=True).corpus_score(list(hypotheses), [list(references)]).score


def _check(hypotheses: Sequence[str], references: Sequence[str]) -> None:
    if len(hypotheses) != len(references):
        raise ValueError(
            f"BLEU: {len(hypotheses)} hypotheses and {len(references)} references; expected one reference for each"
        )
    if not hypotheses:
        raise ValueError("BLEU: expected at least one line")
