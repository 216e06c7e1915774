"""How good a model is on a test set: BLEU of its translations, perplexity of the references, speed."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch

from attn_core.data.corpus import Pairs, batches
from attn_core.decoding.beam import best_words
from attn_core.decoding.search import BATCH
from attn_core.evaluation.bleu import Bleu, bleu
from attn_core.evaluation.metrics import perplexity
from attn_core.models.translator import Translator


@dataclass(frozen=True)
class Evaluation:
    """A model's scores on a test set. Words are the model's tokens; a `</s>` counts in the perplexity only.

    The perplexity is for each word also where the tokens are pieces of words, so that models can be compared.
    """

    model: str
    settings: dict[str, Any]  # what it ran with, see Translator.settings
    beam: int
    normalise: str  # how a beam allowed for length, and with which exponent: see search.normalised
    alpha: float
    tokenized: bool
    sentences: int
    bleu: Bleu
    perplexity: float  # of the references, per word
    skipped: int  # pairs with an empty side, which have no perplexity
    source_words: int
    unknown_source_words: int
    reference_words: int
    unknown_reference_words: int
    output_words: int
    unknown_output_words: int  # the model said <unk>
    seconds: float  # to translate: text in, text out
    threads: int
    translations: tuple[str, ...]

    @property
    def sentences_per_second(self) -> float:
        return self.sentences / self.seconds

    def to_json(self) -> dict[str, Any]:
        """All but the translations, BLEU as `bleu`, `bleu_low`, `bleu_high` (95%), `signature`, `brevity_penalty`."""
        record = {name: value for name, value in vars(self).items() if name not in ("bleu", "translations")}
        scores = {
            "bleu": self.bleu.score,
            "bleu_low": self.bleu.low,
            "bleu_high": self.bleu.high,
            "signature": self.bleu.signature,
            "brevity_penalty": self.bleu.brevity_penalty,
        }
        return record | scores | {"sentences_per_second": self.sentences_per_second}


@torch.no_grad()
def evaluate(
    model: Translator,
    sources: Sequence[str],
    references: Sequence[str],
    *,
    beam: int = 1,
    normalise: str = "length",
    alpha: float = 1.0,
    window: str | None = None,
    half_width: int | None = None,
    sigma: float | None = None,
    tokenized: bool = False,
    on_progress: Callable[[int], None] = lambda done: None,
) -> Evaluation:
    """Translate `sources` and compare with `references`, one sentence each; options as for `translate`.

    `tokenized` text is compared as it is, token by token (`--tokenize none`). Otherwise the detokenised translations
    are compared with the raw references by sacrebleu's 13a, without case, since the models speak lowercase. An empty
    source is translated by an empty line. `on_progress` is called with the number of sentences that are done.

    Raises ValueError when the numbers of lines differ, no pair has words on both sides, or an option is out of range.
    """
    if len(sources) != len(references):
        raise ValueError(f"{len(sources)} sources and {len(references)} references: each source needs its reference")
    if beam < 1:
        raise ValueError(f"the beam must hold 1 hypothesis or more, not {beam}")
    view = model.with_window(window, half_width, sigma).eval()
    began = time.perf_counter()
    source_words = [view.source.tokens(line, tokenized) for line in sources]
    said = _say(view, source_words, beam, normalise, alpha, on_progress)
    texts = tuple(view.target.text(words) if tokenized else view.target.detokenize(words) for words in said)
    seconds = time.perf_counter() - began
    target_words = [view.target.tokens(line, tokenized) for line in references]
    loss, words, skipped = _loss(view, source_words, target_words)
    score = bleu(texts, references) if tokenized else bleu(texts, references, "13a", lowercase=True)
    return Evaluation(
        model=view.name,
        settings=view.settings,
        beam=beam,
        normalise=normalise if beam > 1 else "none",
        alpha=alpha,
        tokenized=tokenized,
        sentences=len(sources),
        bleu=score,
        perplexity=perplexity(loss, words),
        skipped=skipped,
        source_words=sum(map(len, source_words)),
        unknown_source_words=sum(len(view.source.unknown(tokens)) for tokens in source_words),
        reference_words=sum(map(len, target_words)),
        unknown_reference_words=sum(len(view.target.unknown(tokens)) for tokens in target_words),
        output_words=sum(map(len, said)),
        unknown_output_words=sum(tokens.count("<unk>") for tokens in said),
        seconds=seconds,
        threads=torch.get_num_threads(),
        translations=texts,
    )


def _say(
    model: Translator,
    sources: list[list[str]],
    beam: int,
    normalise: str,
    alpha: float,
    on_progress: Callable[[int], None],
) -> list[list[str]]:
    """The translations of tokenised sentences as tokens; of an empty one, none."""
    full = [i for i, tokens in enumerate(sources) if tokens]
    found = best_words(
        model, [model.source_ids(sources[i]) for i in full], BATCH, beam, normalise, alpha, on_progress=on_progress
    )
    said: list[list[str]] = [[] for _ in sources]
    for i, words in zip(full, found, strict=True):
        said[i] = [model.target.token(word) for word in words]
    return said


def _loss(model: Translator, sources: list[list[str]], targets: list[list[str]]) -> tuple[float, int, int]:
    """The references' negative log likelihood in nats, over how many words, and how many pairs have an empty side."""
    full = [(x, y) for x, y in zip(sources, targets, strict=True) if x and y]
    if not full:
        raise ValueError("no sentence pair has words on both sides, so there is nothing to measure")
    pairs = Pairs([model.source_ids(x) for x, _ in full], [model.target.ids(y) for _, y in full])
    total = negative_log_likelihood(model, pairs, BATCH)
    words = sum(len(model.target.text(y).split()) + 1 for _, y in full)  # of pieces (BPE), the words that they make
    return total, words, len(sources) - len(full)


def negative_log_likelihood(model: Translator, pairs: Pairs, size: int) -> float:
    """-log p of all targets, </s> included, in nats; `size` pairs are computed together."""
    device = next(model.parameters()).device
    return sum(model.loss(batch.map(lambda t: t.to(device))).item() for batch in batches(pairs, size))
