"""Everything that the papers' tables need from a trained model, by sentence, as compact as JSON allows."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from attn_core.data.alignments import Link, alignment_error_rate
from attn_core.decoding.alignment import align_from_weights
from attn_core.decoding.translate import force, text_of, translate
from attn_core.evaluation.bleu import counts
from attn_core.models.translator import Translator
from attn_core.trace import Trace
from tests.benchmarks.tables.models import BEAM
from tests.benchmarks.tables.text import Gold, gold_pairs, joined


def measured(model: Translator, shift: int, dictionary: Mapping[str, str], data: Path) -> dict[str, Any]:
    """The statistics of a model by sentence; `shift` is that of the alignments (align_from_weights).

    "bleu" and "bleu_unk", before and after the replacement of unknown words: words and matching n-grams (n = 1 to 4).
    "nll": of the references, in nats. "aer" and "aer_own": links, and how many are sure and possible, with `shift` and
    with 0. A model without attention has neither "bleu_unk" nor alignments.
    """
    sources, references = joined(data, "test")
    options: dict[str, Any] = {"tokenized": True, "top": 1}
    traces = translate(model, sources, beam=BEAM, **options)
    forced = force(model, sources, references, **options)
    found: dict[str, Any] = {
        "bleu": matches([text_of(model, trace, tokenized=True) for trace in traces], references),
        "nll": [round(-sum(word.log_prob for word in trace.words), 2) for trace in forced],
    }
    if model.config.attention is None:
        return found
    replaced = [without_unknown(trace, shift, dictionary) for trace in traces]
    gold = gold_pairs()
    aligned = force(model, gold.sources, gold.targets, **options)
    return found | {
        "bleu_unk": matches([text_of(model, trace, tokenized=True) for trace in replaced], references),
        "aer": hits(gold, [links(trace, shift) for trace in aligned]),
        "aer_own": hits(gold, [links(trace, 0) for trace in aligned]),
    }


def matches(translations: Sequence[str], references: Sequence[str]) -> list[list[int]]:
    """The words and the matching n-grams of each translation; the other statistics of BLEU follow from them."""
    return counts(translations, references)[:, :5].tolist()


def links(trace: Trace, shift: int) -> set[Link]:
    """Each target word's source word: that of its own step, or of the next one, which is `</s>`'s for the last word."""
    weights = trace.weights()
    return align_from_weights(weights if shift else weights[:-1], shift)


def hits(gold: Gold, found: Sequence[set[Link]]) -> list[list[int]]:
    """For each gold pair: links, those that are sure, those that are possible."""
    scores = [alignment_error_rate([one], [own]) for one, own in zip(gold.links, found, strict=True)]
    return [[one.links, one.sure_hits, one.possible_hits] for one in scores]


def without_unknown(trace: Trace, shift: int, dictionary: Mapping[str, str]) -> Trace:
    """The trace with each `<unk>` replaced by the dictionary's translation of its source word, or else by that word.

    The rule of Luong 2015 (section 4.2, after Luong, Sutskever et al. 2015).
    """
    source = {t: trace.source[i] for i, t in align_from_weights(trace.weights(), shift)}
    words = [
        replace(word, token=dictionary.get(source[word.t], source[word.t]))
        if word.token == "<unk>" and word.t in source
        else word
        for word in trace.words
    ]
    return replace(trace, words=tuple(words))
