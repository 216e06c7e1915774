"""BLEU, which is sacrebleu's own. In a file of its own because other metrics should not wait for that library."""

from collections.abc import Sequence
from dataclasses import dataclass

from sacrebleu.metrics import BLEU

BOOTSTRAP = 1000  # resamples behind a confidence interval; sacrebleu's own default


@dataclass(frozen=True)
class Bleu:
    """A corpus BLEU, the signature that makes it comparable, and the ends of its 95% confidence interval."""

    score: float
    signature: str
    low: float
    high: float
    brevity_penalty: float = 1.0  # below 1 where the translations are shorter than their references, in all

    def __str__(self) -> str:
        return f"BLEU {self.score:.1f} (95% {self.low:.1f} to {self.high:.1f})  {self.signature}"


def bleu(hypotheses: Sequence[str], references: Sequence[str], tokenize: str = "none", lowercase: bool = False) -> Bleu:
    """Corpus BLEU (Papineni 2002) by sacrebleu, one reference a sentence, with its bootstrap interval.

    `tokenize` is "none" for tokenised lines and "13a" for running text; `lowercase` compares without case. The
    interval is the bootstrap's mean and half-width, as sacrebleu prints them; the resamples are the same at each call
    (the signature names their seed).
    Raises ValueError when there are no lines, their counts differ, or `tokenize` is another.
    """
    if tokenize not in ("none", "13a"):
        raise ValueError(f"BLEU tokenizer {tokenize!r}: expected 'none' (tokenised text) or '13a' (running text)")
    if len(hypotheses) != len(references):
        raise ValueError(
            f"BLEU: {len(hypotheses)} hypotheses but {len(references)} references; expected one for each sentence"
        )
    if not hypotheses:
        raise ValueError("BLEU: expected at least one line")
    # force: do not warn about tokenised lines that end in " ."; here they are meant to
    metric = BLEU(tokenize=tokenize, lowercase=lowercase, force=True)
    result = metric.corpus_score(list(hypotheses), [list(references)], n_bootstrap=BOOTSTRAP)
    low, high = max(result._mean - result._ci, 0.0), min(result._mean + result._ci, 100.0)
    return Bleu(result.score, metric.get_signature().format(), low, high, result.bp)
