"""Evaluate a model on a test set: BLEU of its translations, perplexity of the references, speed."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch

from attn_core.data.corpus import Pairs, batches
from attn_core.data.form import Form, without_invisible
from attn_core.data.tokenizer import Tokenizer
from attn_core.data.unspaced import UNSPACED, characters_apart
from attn_core.decoding.beam import best_outputs, check_beam
from attn_core.decoding.effects import check_arguments
from attn_core.decoding.search import BATCH
from attn_core.evaluation.bleu import Bleu, Difference, bleu, difference
from attn_core.evaluation.metrics import perplexity
from attn_core.models.translator import Translator


@dataclass(frozen=True)
class Evaluation:
    """A model's scores on a test set. Words are the model's tokens; `</s>` counts in the perplexity only.

    The perplexity is per word even if the tokens are subwords, so that models can be compared.
    """

    model: str
    settings: dict[str, Any]  # settings of the run, see Translator.settings
    beam: int
    normalise: str  # length normalisation of the beam, see search.normalised
    alpha: float  # exponent of the length normalisation
    tokenized: bool
    lowercased: bool  # no reference has a capital letter
    sentences: int
    bleu: Bleu
    perplexity: float  # of the references, per word
    skipped: int  # pairs with an empty side, not counted in the perplexity
    source_words: int
    unknown_source_words: int
    reference_words: int
    unknown_reference_words: int
    output_words: int
    unknown_output_words: int  # <unk> in the output
    seconds: float  # of translation, tokenisation included
    threads: int
    translations: tuple[str, ...]
    form: Form  # in which BLEU compares

    @property
    def sentences_per_second(self) -> float:
        return self.sentences / self.seconds

    def to_json(self) -> dict[str, Any]:
        """Everything but the translations and their form; BLEU as `bleu`, `bleu_low`, `bleu_high`, `signature`, ..."""
        record = {name: value for name, value in vars(self).items() if name not in ("bleu", "translations", "form")}
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
    form: Form | None = None,
    on_progress: Callable[[int], None] = lambda done: None,
) -> Evaluation:
    """Translate `sources` and score the translations against `references`, one per source; options as for `translate`.

    `tokenized` text is compared token by token (sacrebleu's `none`), Chinese character by character. Otherwise the
    detokenised translations are compared with the raw references by sacrebleu's `13a`, or `zh` for Chinese; `<unk>`
    counts as one token in all of them (see bleu.bleu). Both are brought to `form` before, by default that of the
    model's target text: case is ignored if the model outputs lowercase. An empty source gets an empty translation.
    `on_progress(done)` receives the number of translated sentences.

    Raises ValueError when the numbers of lines differ, when no pair has words on both sides, and when an option is out
    of range or without effect (effects.py).
    """
    if len(sources) != len(references):
        raise ValueError(f"{len(sources)} sources and {len(references)} references: each source needs its reference")
    check_beam(beam, normalise, alpha)
    view = model.with_window(window, half_width, sigma).eval()
    arguments = {"beam": beam, "normalise": normalise, "alpha": alpha, "sigma": sigma}
    check_arguments("evaluate", arguments, {"beam": 1, "normalise": "length", "alpha": 1.0, "sigma": None}, view)
    began = time.perf_counter()
    source_words = [view.source.tokens(line, tokenized) for line in sources]
    outputs = _translated(view, source_words, beam, normalise, alpha, on_progress)
    texts = tuple(translation_text(view.target, words, tokenized) for words in outputs)
    seconds = time.perf_counter() - began
    target_words = [view.target.tokens(line, tokenized) for line in references]
    loss, words, skipped = _loss(view, source_words, target_words)
    form = form or view.target.form
    ours, wanted = (lines_for_bleu(view.target, lines, tokenized, form) for lines in (texts, references))
    score = bleu(ours, wanted, **bleu_options(view.target, tokenized, form))
    return Evaluation(
        model=view.name,
        settings=view.settings,
        beam=beam,
        normalise=normalise if beam > 1 else "none",
        alpha=alpha,
        tokenized=tokenized,
        lowercased=form.lower or all(line == line.lower() for line in references),
        sentences=len(sources),
        bleu=score,
        perplexity=perplexity(loss, words),
        skipped=skipped,
        source_words=sum(map(len, source_words)),
        unknown_source_words=sum(len(view.source.unknown(tokens)) for tokens in source_words),
        reference_words=sum(map(len, target_words)),
        unknown_reference_words=sum(len(view.target.unknown(tokens)) for tokens in target_words),
        output_words=sum(map(len, outputs)),
        unknown_output_words=sum(tokens.count("<unk>") for tokens in outputs),
        seconds=seconds,
        threads=torch.get_num_threads(),
        translations=texts,
        form=form,
    )


def difference_of(target: Tokenizer, one: Evaluation, other: Evaluation, references: Sequence[str]) -> Difference:
    """BLEU of `one` minus that of `other`, and whether it may be chance. `references` and options as in both.

    Raises ValueError if the text of one of them was tokenised and that of the other was not, or if they were compared
    in different forms.
    """
    if one.tokenized != other.tokenized:
        raise ValueError("the BLEU of tokenised text cannot be compared with that of running text: use one of them")
    if one.form != other.form:
        raise ValueError(
            f"the BLEU of {one.form} cannot be compared with that of {other.form}: give `evaluate` the same form "
            "for both models"
        )
    texts = (one.translations, other.translations, references)
    ours, theirs, wanted = (lines_for_bleu(target, lines, one.tokenized, one.form) for lines in texts)
    return difference(ours, theirs, wanted, **bleu_options(target, one.tokenized, one.form))


def translation_text(target: Tokenizer, words: Sequence[str], tokenized: bool) -> str:
    """A translation as BLEU reads it: the tokenised line, or running text."""
    return target.text(words) if tokenized else target.detokenize(words)


def lines_for_bleu(target: Tokenizer, lines: Sequence[str], tokenized: bool, form: Form) -> list[str]:
    """Translations or references as BLEU compares them, also in the validation of a training.

    Tokenised lines are in `form`, Chinese ones by character. Of running text, invisible characters that no word needs
    are left out, since no model writes them; sacrebleu ignores its case if `form` has none (`bleu_options`).
    """
    if tokenized:
        return [form.of(as_compared(target, line)) for line in lines]
    return [without_invisible(line) for line in lines]


def bleu_options(target: Tokenizer, tokenized: bool, form: Form) -> dict[str, Any]:
    """The options of `bleu` for lines from `compared`."""
    return {} if tokenized else {"tokenize": "zh" if target.lang in UNSPACED else "13a", "lowercase": form.lower}


def _translated(
    model: Translator,
    sources: list[list[str]],
    beam: int,
    normalise: str,
    alpha: float,
    on_progress: Callable[[int], None],
) -> list[list[str]]:
    """Translations of tokenised sentences, as tokens; empty for an empty sentence."""
    full = [i for i, tokens in enumerate(sources) if tokens]
    ids = [model.source_ids(sources[i]) for i in full]
    found = best_outputs(model, ids, beam=beam, normalise=normalise, alpha=alpha, on_progress=on_progress)
    outputs: list[list[str]] = [[] for _ in sources]
    for i, one in zip(full, found, strict=True):
        outputs[i] = [model.target.token(word) for word in one.text_words]
    return outputs


def count_words(vocabulary: Tokenizer, tokens: Sequence[str]) -> int:
    """The number of words in `tokens`: whole words, also of a vocabulary of subwords; in Chinese, of characters."""
    return len(as_compared(vocabulary, vocabulary.text(tokens)).split())


def as_compared(vocabulary: Tokenizer, line: str) -> str:
    """A tokenised line in the units that BLEU and perplexity count: words; in Chinese, characters."""
    return characters_apart(line) if vocabulary.lang in UNSPACED else line


def _loss(model: Translator, sources: list[list[str]], targets: list[list[str]]) -> tuple[float, int, int]:
    """Negative log likelihood of the references in nats, their number of words, and the number of skipped pairs."""
    full = [(x, y) for x, y in zip(sources, targets, strict=True) if x and y]
    if not full:
        raise ValueError("expected at least one sentence pair with words on both sides")
    pairs = Pairs([model.source_ids(x) for x, _ in full], [model.target.ids(y) for _, y in full])
    total = negative_log_likelihood(model, pairs, BATCH)
    words = sum(count_words(model.target, y) + 1 for _, y in full)
    return total, words, len(sources) - len(full)


def negative_log_likelihood(model: Translator, pairs: Pairs, size: int) -> float:
    """-log p of all targets, </s> included, in nats, computed in batches of `size` pairs."""
    device = next(model.parameters()).device
    return sum(model.loss(batch.map(lambda t: t.to(device))).item() for batch in batches(pairs, size))
