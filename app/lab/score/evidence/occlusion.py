"""The evidence for the card on explanation: whether removing the most attended source word costs a word the most."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import torch
from jaxtyping import Int

from app.lab.kit import shipped
from app.lab.kit.evidence import Bars, Caption, Finding, table
from attn_core.data.captions import captions
from attn_core.data.tokenizer import Tokenizer
from attn_core.decoding.beam import best_outputs
from attn_core.decoding.search import BATCH, by_length, forced
from attn_core.messages import N_, _
from attn_core.models.translator import Translator

MODELS = ("bahdanau", "luong-general-global")
RESAMPLES = 2000  # of the sentences, for an interval
LARGEST, RANDOM = N_("the most attended word"), N_("a word drawn at random")


@dataclass(frozen=True)
class Occluded:
    """A target word: its attention weights, and what the removal of each source word costs it."""

    word: str
    weights: list[float]
    losses: list[float]  # of log p, in nats

    @property
    def most(self) -> int:
        """The position of the largest weight."""
        return max(range(len(self.weights)), key=self.weights.__getitem__)

    @property
    def worst(self) -> int:
        """The position whose removal costs most."""
        return max(range(len(self.losses)), key=self.losses.__getitem__)


@dataclass(frozen=True)
class Share:
    """A share of the target words of all sentences, with its 95% interval (bootstrap over sentences)."""

    value: float
    low: float
    high: float


def occluded(name: str) -> tuple[tuple[Occluded, ...], ...]:
    """The words of each of our captions in the greedy translation by a shipped model, without `</s>`.

    A source word is removed by replacing it with `<unk>`; the translation is then forced.
    """
    return _occluded(shipped.model(name))


@lru_cache(maxsize=4)
@torch.inference_mode()
def _occluded(model: Translator) -> tuple[tuple[Occluded, ...], ...]:
    """`occluded`, cached by model object: a model that was trained again is another object."""
    torch.set_num_threads(1)  # the setting is each thread's own
    sources = [model.source_ids(model.source.tokens(pair.de)) for pair in captions()]
    outputs = [output.text_words for output in best_outputs(model, sources)]
    cases = [  # each sentence as it is, then without each of its words
        (number, [*source[:gone], Tokenizer.unk, *source[gone + 1 :]] if gone >= 0 else source)
        for number, source in enumerate(sources)
        for gone in range(-1, len(source))
    ]
    log_probs: dict[int, list[float]] = {}
    weights: dict[int, list[list[float]]] = {}  # of the sentences as they are
    for chosen in by_length([source for _number, source in cases], BATCH):
        result = forced(model, [cases[i][1] for i in chosen], [outputs[cases[i][0]] for i in chosen])
        for row, i in enumerate(chosen):
            number, source = cases[i]
            log_probs[i] = result.found[row].log_probs
            if source is sources[number]:
                looks = [column.step.looks[0].weights[row, : len(source)] for column in result.columns]
                weights[number] = [look.tolist() for look in looks[: len(outputs[number])]]
    rows = iter(range(len(cases)))
    sentences = []
    for number, (source, output) in enumerate(zip(sources, outputs, strict=True)):
        whole, *without = (log_probs[next(rows)] for _case in range(1 + len(source)))
        sentences.append(
            tuple(
                Occluded(model.target.token(word), weights[number][t], [whole[t] - changed[t] for changed in without])
                for t, word in enumerate(output)
            )
        )
    return tuple(sentences)


def share_of(hits: list[int], words: list[int]) -> Share:
    """The share of `hits` among the `words` of all sentences; its interval comes from resampling the sentences."""
    counts: Int[np.ndarray, "sentences 2"] = np.array([hits, words]).T
    drawn = np.random.default_rng(1).integers(len(counts), size=(RESAMPLES, len(counts)))
    sums = counts[drawn].sum(1)
    low, high = np.percentile(sums[:, 0] / sums[:, 1], (2.5, 97.5))
    return Share(sum(hits) / sum(words), float(low), float(high))


def agreement(name: str) -> Share:
    """The share of target words for which removing the most attended source word costs most."""
    sentences = occluded(name)
    hits = [sum(word.most == word.worst for word in words) for words in sentences]
    return share_of(hits, [len(words) for words in sentences])


def weight_against_loss() -> Finding:
    """Show how often the source word with the largest weight is the one whose removal costs most."""
    shares = {name: agreement(name) for name in MODELS}
    words = {name: [word for sentence in occluded(name) for word in sentence] for name in MODELS}
    chance = {name: sum(1 / len(word.weights) for word in each) / len(each) for name, each in words.items()}
    clause = _("for {share:.0%} of the words of {model} (95% interval {low:.0%} to {high:.0%})")
    first, second = (
        clause.format(share=share.value, model=name, low=share.low, high=share.high) for name, share in shares.items()
    )
    return Finding(
        Bars(
            MODELS,
            {LARGEST: [share.value for share in shares.values()], RANDOM: list(chance.values())},
            _("share of words that lose most without it"),
            ".0%",
        ),
        _(
            "Over {sentences} sentences, removing the source word with the largest weight lowers the probability most "
            "{first} and {second}."
        ).format(sentences=len(captions()), first=first, second=second),
        (
            table(
                {
                    N_("model"): name,
                    N_("words"): str(len(words[name])),
                    N_("largest weight costs most"): f"{share.value:.1%}",
                    N_("95% interval"): _("{low:.1%} to {high:.1%}").format(low=share.low, high=share.high),
                    N_("a word drawn at random"): f"{chance[name]:.1%}",
                }
                for name, share in shares.items()
            ),
            Caption(
                _(
                    "Greedy translations of all our example sentences, without the end symbol. A source word is "
                    "removed by replacing it with <unk>, and the same translation is forced; the cost is the loss of "
                    "log p. For the words that are not counted, removing another source word costs more. Intervals: "
                    "bootstrap over sentences."
                )
            ),
        ),
    )
