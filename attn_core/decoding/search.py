"""Greedy, sampled and forced decoding of a batch (beam search: beam.py), with a record from which Traces are made.

A search uses a model through the interface `Decodable`, which `Sentences` implements for translators. A `Column` holds
the results of one decoding step for all rows. An output is a path of rows through the columns, one row per choice.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from attn_core.data.corpus import make_batch, pad
from attn_core.data.tokenizer import Tokenizer
from attn_core.decoding.edits import Edits
from attn_core.models.translator import Translator
from attn_core.trace import Memory, Record, Step
from attn_core.trace.editing import editing

EOS = Tokenizer.eos
BATCH = 64  # sentences computed together, in scoring and in a search with a record
LARGEST_ALPHA = 10  # of length normalisation


@dataclass(frozen=True)
class Column:
    """The results of one decoding step for all rows of the batch."""

    step: Step  # `*b` is the rows
    log_probs: Float[Tensor, "rows choices"]


@dataclass(frozen=True)
class Found:
    """One output: words (with the end if the model chose it), their log probabilities, and the output's path."""

    words: list[int]
    log_probs: list[float]
    rows: list[int]  # row of each word in its column
    score: float  # by which the search ranked the output
    end: int = EOS  # the word that ends an output

    @property
    def ended(self) -> bool:
        """Whether the model chose the end; otherwise the output was cut off."""
        return bool(self.words) and self.words[-1] == self.end

    @property
    def text_words(self) -> list[int]:
        return self.words[:-1] if self.ended else self.words


@dataclass(frozen=True)
class Result:
    """The result of searching a batch: the best output of each example, and the record.

    `hypotheses` are all finished hypotheses of each example, best first; only a beam search has more than one.
    """

    found: list[Found]
    columns: list[Column]  # empty for a search without a record
    memory: Memory
    hypotheses: list[list[Found]]


class Decodable:
    """The interface through which a search uses a model and a batch of inputs.

    A choice is a number: a vocabulary id, or an input position for a pointer network. The rows of a search are the
    examples; in a beam search, the hypotheses of each example in consecutive rows.
    """

    end: int  # the choice that ends an output
    first: int  # stands for the choice before the first one
    limits: Int[Tensor, "b"]  # maximum length of each output, the end included; it is cut off there
    never: tuple[int, ...] = ()  # choices that no search makes
    least: int = 0  # choices before the end, unless the output is cut off
    most: int | None = None  # choices after which only the end can be chosen; None: any number
    memory: Memory  # of the examples

    def start(self) -> tuple[Any, Any]:
        """The first carry and what all steps share, as two Records with one row per example."""
        raise NotImplementedError

    def step(self, last: Int[Tensor, "rows"], carry: Any, shared: Any) -> tuple[Column, Any]:
        """The step after the choices `last`, and the next carry. Forbidden choices have log probability -inf."""
        raise NotImplementedError

    def allowed(self, log_probs: Float[Tensor, "rows choices"], t: int) -> Float[Tensor, "rows choices"]:
        """The log probabilities of step t, -inf for what `never`, `least` and `most` forbid; not renormalised."""
        if self.never:
            log_probs = log_probs.index_fill(-1, torch.tensor(self.never, device=log_probs.device), -math.inf)
        early, late = t < self.least, self.most is not None and t >= self.most
        if not (early or late):
            return log_probs
        is_end = torch.arange(log_probs.shape[-1], device=log_probs.device) == self.end
        return log_probs.masked_fill(is_end if early else ~is_end, -math.inf)


@dataclass(frozen=True)
class _CarryWithWords(Record):
    """The carry of a search with edits, and the words that each row has chosen, <s> first."""

    carry: Record
    words: Int[Tensor, "rows t"]


class Sentences(Decodable):
    """A translator and source sentences as ids. `edits` and `given` need a single sentence.

    `<pad>` and `<s>` are never chosen: they have outputs, but they are not words of a translation.
    A translation is cut off after `limit` tokens, </s> counted (default: see `limits_of`), or after the decoder's last
    position. It has at least `least` tokens and at most `most`, </s> not counted: `least` raises the default limit,
    `most` replaces the limit.
    If `given` has the ids of all words, each is the only one allowed at its step. Steps are computed by `view`, which
    has another window or attention type, if there is one; the states between them stay those of the model.
    """

    end, first, never = Tokenizer.eos, Tokenizer.bos, (Tokenizer.pad, Tokenizer.bos)

    def __init__(
        self,
        model: Translator,
        sentences: list[list[int]],
        limit: int | None = None,
        least: int = 0,
        most: int | None = None,
        edits: Edits | None = None,
        given: Sequence[int] = (),
        view: Translator | None = None,
    ):
        words, mask = to_model(model, sentences)
        self.model, self.view, self.least, self.most, self.edits, self.given = model, view, least, most, edits, given
        if given:
            limit = len(given)
        limits = limits_of(mask, limit if most is None else most + 1)
        if limit is None:
            limits = limits.clamp(min=least + 1)
        _, longest = model.limits
        self.limits = limits if longest is None else limits.clamp(max=longest)
        memory, carry = model.encode(words, mask)
        self.memory: Memory = memory
        self.carry: Record = carry  # an ensemble has its own type of carry

    def start(self) -> tuple[Record, Memory]:
        carry = (
            self.carry
            if self.edits is None
            else _CarryWithWords(self.carry, self.limits.new_zeros(len(self.limits), 0))
        )
        return carry, replace(self.memory, looks=())

    def step(self, last: Int[Tensor, "rows"], carry: Any, shared: Memory) -> tuple[Column, Any]:
        if self.edits is None:
            return self._step(last, carry, shared)
        words = torch.cat([carry.words, last.unsqueeze(1)], 1)
        with editing(self.edits.replacements(words.size(1) - 1, words[:, 1:])):
            column, after = self._step(last, carry.carry, shared)
        return column, _CarryWithWords(after, words)

    def _step(self, last: Int[Tensor, "rows"], carry: Any, shared: Memory) -> tuple[Column, Any]:
        step, after = self.model.step(last.unsqueeze(1), carry, shared)
        if self.view is not None:
            step, _ = self.view.step(last.unsqueeze(1), carry, shared)
        return _column(self.model, step.map(lambda x: x.squeeze(1))), after

    def allowed(self, log_probs: Float[Tensor, "rows choices"], t: int) -> Float[Tensor, "rows choices"]:
        """As in `Decodable`, but at a step whose word is given or set by hand, only that word."""
        word = self.given[t] if self.given else self.edits.word(t) if self.edits else None
        if word is None:
            return super().allowed(log_probs, t)
        alone = torch.full_like(log_probs, -math.inf)
        alone[:, word] = log_probs[:, word]
        return alone


def _column(model: Translator, step: Step) -> Column:
    return Column(step, model.log_probs(step.attentional))


def normalised(log_prob: float, words: int, rule: str = "length", alpha: float = 1.0) -> float:
    """The score of a finished hypothesis of `words` tokens (words or pieces), </s> included.

    `rule` is "none", "length" (log p / words ** alpha) or "wu" (log p / ((5 + words) / 6) ** alpha; Wu 2016, eq. 14).
    Raises ValueError for another rule, and for an alpha below 0 or above 10, with which long sentences would overflow.
    """
    if not 0 <= alpha <= LARGEST_ALPHA:
        raise ValueError(f"alpha, the exponent of length normalisation, must be from 0 to {LARGEST_ALPHA}, not {alpha}")
    if rule == "none":
        return log_prob
    if rule == "length":
        return log_prob / words**alpha
    if rule == "wu":
        return log_prob / ((5 + words) / 6) ** alpha
    raise ValueError(f"length normalisation must be none, length or wu, not {rule!r}")


@torch.inference_mode()
def greedy(
    model: Translator,
    sentences: list[list[int]],
    limit: int | None = None,
    least: int = 0,
    most: int | None = None,
    edits: Edits | None = None,
) -> Result:
    """The most probable word at every step; `limit`, `least`, `most` and `edits` as for `Sentences`."""
    return follow(Sentences(model, sentences, limit, least, most, edits), most_probable)


def most_probable(log_probs: Float[Tensor, "b choices"]) -> Int[Tensor, "b"]:
    """The most probable choice of each row."""
    return log_probs.argmax(-1)


@torch.inference_mode()
def sample(
    model: Translator,
    sentences: list[list[int]],
    limit: int | None = None,
    temperature: float = 1.0,
    seed: int = 0,
    least: int = 0,
    most: int | None = None,
    numbers: Sequence[int] | None = None,
    edits: Edits | None = None,
) -> Result:
    """Words sampled from p(y_t | y_<t, x) ** (1 / temperature), renormalised; options as for `greedy`.

    The sample of a sentence depends on `seed` and its number (by default its index), not on the rest of the batch.
    Raises ValueError for a temperature that is not above 0 and finite.
    """
    if not 0 < temperature < math.inf:
        raise ValueError(f"temperature must be above 0 and finite, not {temperature}")
    device = next(model.parameters()).device
    chosen = numbers or range(len(sentences))
    dice = [torch.Generator(device).manual_seed(seed_of(seed, number)) for number in chosen]

    def draw(log_probs: Float[Tensor, "b choices"]) -> Int[Tensor, "b"]:
        below = log_probs - log_probs.amax(-1, keepdim=True)  # the best is 0, so a tiny temperature cannot overflow it
        probs = (below / temperature).softmax(-1)
        return torch.cat([torch.multinomial(row, 1, generator=one) for row, one in zip(probs, dice, strict=True)])

    return follow(Sentences(model, sentences, limit, least, most, edits), draw)


def seed_of(seed: int, number: int) -> int:
    """The seed that gives sentence `number` of a text the same sample when it is translated alone."""
    return (seed + 1_000_003 * number) % 2**64


def follow(decodable: Decodable, choose: Callable[[Float[Tensor, "b choices"]], Int[Tensor, "b"]]) -> Result:
    """One output of each example; `choose` picks each choice from the log probabilities."""
    carry, shared = decodable.start()
    last = torch.full_like(decodable.limits, decodable.first)
    ended = torch.zeros_like(decodable.limits, dtype=torch.bool)
    columns, chosen = [], []
    while not ended.all():
        column, carry = decodable.step(last, carry, shared)
        columns.append(column)
        last = choose(decodable.allowed(column.log_probs, len(columns) - 1))
        last = last.masked_fill(ended, decodable.end)
        chosen.append(last)
        ended |= (last == decodable.end) | (len(columns) >= decodable.limits)
    found = _cut(columns, torch.stack(chosen, 1), decodable.limits, decodable.end)
    return Result(found, columns, decodable.memory, [[one] for one in found])


@torch.inference_mode()
def forced(model: Translator, sentences: list[list[int]], targets: list[list[int]]) -> Result:
    """Forced decoding: the steps and log probabilities of the given `targets`, each followed by </s>."""
    batch = make_batch(sentences, targets).map(lambda t: t.to(next(model.parameters()).device))
    memory, carry = model.encode(batch.source, batch.source_mask)
    steps, _ = model.step(batch.inputs, carry, memory)
    columns = [_column(model, _at(steps, t)) for t in range(batch.inputs.size(1))]
    found = _cut(columns, batch.outputs, batch.target_mask.sum(1), EOS)
    return Result(found, columns, memory, [[one] for one in found])


@torch.inference_mode()
def retraced(
    model: Translator,
    sentence: list[int],
    target: Sequence[int],
    edits: Edits | None = None,
    view: Translator | None = None,
) -> Result:
    """Forced decoding of one sentence word by word: `target` are all ids that are written, an end included.

    Each step is computed by `view`, if there is one, from the state that `model` has there; both have the `edits`.
    """
    return follow(Sentences(model, [sentence], edits=edits, given=target, view=view), most_probable)


def _at(steps: Step, t: int) -> Step:
    """Step t of all steps."""
    return steps.map(lambda x: x[:, t])


def _cut(columns: list[Column], words: Int[Tensor, "b tgt"], limits: Int[Tensor, "b"], end: int) -> list[Found]:
    """The words of each row up to its first `end` or its limit."""
    pairs = zip(columns, words.split(1, 1), strict=True)
    taken = torch.cat([column.log_probs.gather(1, chosen) for column, chosen in pairs], 1)
    found = []
    for row, (line, limit) in enumerate(zip(words.tolist(), limits.tolist(), strict=True)):
        n = min(limit, line.index(end) + 1 if end in line else len(line))
        log_probs = taken[row, :n].tolist()
        found.append(Found(line[:n], log_probs, [row] * n, sum(log_probs), end))
    return found


def to_model(model: Translator, sentences: list[list[int]]) -> tuple[Int[Tensor, "b src"], Bool[Tensor, "b src"]]:
    device = next(model.parameters()).device
    words, mask = pad(sentences)
    return words.to(device), mask.to(device)


def limits_of(mask: Bool[Tensor, "b src"], limit: int | None) -> Int[Tensor, "b"]:
    """Maximum length of each translation, </s> included: `limit`, or 3 * source length (as GroundHog) + 10."""
    lengths = mask.sum(1)
    return 3 * lengths + 10 if limit is None else torch.full_like(lengths, limit)


def by_length(sentences: Sequence[Sequence[Any]], size: int) -> list[list[int]]:
    """Batches of sentence indices: `size` sentences of about equal length in each."""
    order = sorted(range(len(sentences)), key=lambda i: len(sentences[i]))
    return [order[i : i + size] for i in range(0, len(order), size)]
