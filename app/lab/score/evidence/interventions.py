"""The evidence for the card on interventions: how often other attention weights make a model choose another word."""

from dataclasses import dataclass
from functools import lru_cache

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from app.lab.kit import shipped
from app.lab.kit.evidence import Bars, Caption, Finding, table
from attn_core.data.captions import captions
from attn_core.data.tokenizer import Tokenizer
from attn_core.decoding.search import limits_of, to_model
from attn_core.messages import N_, _
from attn_core.models.translator import Translator
from attn_core.trace.editing import Replacement, editing

MODELS = ("bahdanau", "luong-general-global")
SENTENCES = 24  # of our captions
UNIFORM, PERMUTED, REMOVED = N_("uniform"), N_("permuted"), N_("largest removed")


@dataclass(frozen=True)
class Replaced:
    """A model's steps, and at how many of them each kind of row changed the chosen word."""

    model: str
    steps: int
    changed: dict[str, int]


def rows_instead(
    weights: Float[Tensor, "b src"], inside: Bool[Tensor, "b src"], order: Int[Tensor, "b src"]
) -> dict[str, Float[Tensor, "b src"]]:
    """Rows with the same totals: uniform, in another `order`, and without the largest weight, shared by the others."""
    total = weights.sum(-1, keepdim=True)
    others = weights.scatter(-1, weights.argmax(-1, keepdim=True), 0)
    return {
        UNIFORM: inside * total / inside.sum(-1, keepdim=True),
        PERMUTED: weights.gather(-1, order),
        REMOVED: others * total / others.sum(-1, keepdim=True),
    }


def replaced(name: str, sentences: int = SENTENCES) -> Replaced:
    """The greedy translations of our captions by a shipped model: each step again with the rows of `rows_instead`.

    The state before each step is that of the translation as it is, so that one row is replaced at a time.
    """
    return _replaced(shipped.model(name), name, sentences)


@lru_cache(maxsize=4)
def _replaced(model: Translator, name: str, sentences: int) -> Replaced:
    """`replaced`, cached by model object: a model that was trained again is another object."""
    torch.set_num_threads(1)  # the setting is each thread's own
    sources = [model.source_ids(model.source.tokens(pair.de)) for pair in captions()[:sentences]]
    words, inside = to_model(model, sources)
    generator = torch.Generator().manual_seed(1)
    order = torch.arange(words.size(1)).repeat(len(words), 1)
    for row, n in zip(order, inside.sum(-1).tolist(), strict=True):
        row[:n] = torch.randperm(n, generator=generator)
    kinds = (UNIFORM, PERMUTED, REMOVED)
    times = 1 + len(kinds)  # the sentences as they are come first in a batch

    def instead(weights: Float[Tensor, "rows 1 src"]) -> Float[Tensor, "rows 1 src"]:
        own = weights[: len(words), 0]
        return torch.cat([own, *rows_instead(own, inside, order).values()]).unsqueeze(1)

    changed, steps = dict.fromkeys(kinds, 0), 0
    with torch.inference_mode():
        memory, carry = model.encode(words, inside)
        memory = memory.map(lambda x: torch.cat([x] * times))
        word, ended = torch.full((len(words),), Tokenizer.bos), torch.zeros(len(words), dtype=torch.bool)
        for _step in range(int(limits_of(inside, None).min())):
            before = carry.map(lambda x: torch.cat([x] * times))
            with editing([Replacement("weights", 0, 0, instead)]):
                step, after = model.step(torch.cat([word] * times).unsqueeze(1), before, memory)
            word, *others = model.log_probs(step.attentional)[:, 0].argmax(-1).chunk(times)
            for kind, other in zip(kinds, others, strict=True):
                changed[kind] += int(((other != word) & ~ended).sum())
            steps += int((~ended).sum())
            ended |= word == Tokenizer.eos
            if ended.all():
                break
            carry = after.map(lambda x: x[: len(words)])
    return Replaced(name, steps, changed)


def other_weights() -> Finding:
    """Show how often the chosen word changes when the row of weights of its step is replaced."""
    results = [replaced(name) for name in MODELS]
    kinds = list(results[0].changed)
    same = _(
        "Without the weight on its most attended word, {model} still chooses the same word at {same} of {n} steps."
    )
    return Finding(
        Bars(
            [_(kind) for kind in kinds],
            {result.model: [100 * result.changed[kind] / result.steps for kind in kinds] for result in results},
            _("% of the words change"),
            ".0f",
        ),
        " ".join(
            same.format(model=each.model, same=each.steps - each.changed[REMOVED], n=each.steps) for each in results
        ),
        (
            table({N_("model"): result.model, N_("steps"): result.steps, **result.changed} for result in results),
            Caption(
                _(
                    "The row of weights of one step at a time is replaced: by equal weights, by its own weights in a "
                    "random order, or by the row without its largest weight, which the other words share. Greedy "
                    "translations of {sentences} of our example sentences. To try it, open the Explorer and choose "
                    "“Edit attention”."
                ).format(sentences=SENTENCES)
            ),
        ),
    )
