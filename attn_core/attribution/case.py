"""A sentence with the translation to attribute, and the ways in which methods run the model on it.

Everything is forced decoding (Luong 2015, section 5.4) of the given words. Rows of a batch are variants of the same
sentence, all of one length, so that no result depends on padding.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import torch
from jaxtyping import Float, Int
from torch import Tensor

from attn_core.attribution.quantities import LogProb, Quantity
from attn_core.data.tokenizer import Tokenizer
from attn_core.decoding.translate import source_tokens, translate
from attn_core.messages import _
from attn_core.models.translator import Translator
from attn_core.trace import Memory, Step
from attn_core.trace.editing import Replacement, editing
from attn_core.trace.naming import naming

Change = Callable[[Tensor], Tensor]

ROWS = 256  # sentences computed together


@dataclass(frozen=True)
class Run:
    """Forced decoding of several rows: what the encoder made of them, and all steps; `*b` of the Step is `rows tgt`."""

    memory: Memory
    step: Step


@dataclass(frozen=True)
class Case:
    """A source and its translation as tokens and ids, and the quantity of each step that is attributed.

    `source` has the </s> that some models add; `target` ends with </s> if it is complete. Words outside the vocabulary
    keep their spelling, and the model reads them as <unk>.
    """

    model: Translator
    source: tuple[str, ...]
    target: tuple[str, ...]
    source_ids: Int[Tensor, "src"]
    target_ids: Int[Tensor, "tgt"]
    quantity: Quantity

    @classmethod
    def read(
        cls,
        model: Translator,
        text: str,
        target: str | None = None,
        quantity: Quantity | None = None,
        tokenized: bool = False,
    ) -> Self:
        """The case of a text with its translation, by default the greedy one; `quantity` is by default log p.

        Raises ValueError for text without a word.
        """
        source, source_ids = _source(model, text, tokenized)
        if target is None:
            words = list(translate(model, text, tokenized=tokenized, top=1).target)
            ended = words[-1:] == ["</s>"]
            words = words[: len(words) - ended]
        else:
            words, ended = model.target.tokens(target, tokenized), True
            if not words:
                raise ValueError(_("the target {text!r} has no word").format(text=target))
        device = next(model.parameters()).device
        return cls(
            model=model,
            source=source,
            target=(*words, *(["</s>"] if ended else [])),
            source_ids=source_ids,
            target_ids=torch.tensor([*model.target.ids(words), *([Tokenizer.eos] if ended else [])], device=device),
            quantity=quantity or LogProb(),
        )

    def with_source(self, text: str, tokenized: bool = False) -> Self:
        """The case of another source with the same translation. Raises ValueError for text without a word."""
        source, source_ids = _source(self.model, text, tokenized)
        return replace(self, source=source, source_ids=source_ids)

    @cached_property
    def inputs(self) -> Int[Tensor, "tgt"]:
        """The decoder's input at each step: <s> and all words but the last."""
        return torch.cat([self.target_ids.new_tensor([Tokenizer.bos]), self.target_ids[:-1]])

    @cached_property
    def plain(self) -> Run:
        """The run of the sentence as it is, a batch of one row, without gradients."""
        with torch.no_grad():
            return self.run(self.source_ids.unsqueeze(0))

    @cached_property
    def attributed(self) -> Float[Tensor, "tgt"]:
        """The attributed quantity of each step of the sentence as it is."""
        with torch.no_grad():
            return self.values(self.source_ids.unsqueeze(0)).squeeze(0)

    def encode(self, sources: Int[Tensor, "rows src"], change: Change | None = None) -> tuple[Memory, Any]:
        """The memory and the first carry of several sources, whose embeddings (rows src m) become `change` of them."""
        mask = torch.ones_like(sources, dtype=torch.bool)
        with editing([] if change is None else [Replacement("embedding", 0, 0, change)]):
            return self.model.encode(sources, mask, [sources.size(1)] * len(sources))

    def run(
        self, sources: Int[Tensor, "rows src"], change: Change | None = None, inputs: Int[Tensor, "n"] | None = None
    ) -> Run:
        """Forced decoding of several sources with `inputs`, by default those of all steps; `change` as in `encode`."""
        inputs = self.inputs if inputs is None else inputs
        memory, carry = self.encode(sources, change)
        return Run(memory, self.model.step(inputs.expand(len(sources), -1), carry, memory)[0])

    def values(self, sources: Int[Tensor, "rows src"], change: Change | None = None) -> Float[Tensor, "rows tgt"]:
        """The attributed quantity at every step."""
        memory, carry = self.encode(sources, change)
        vectors = self.quantity.vectors(self.model, memory, carry, self.inputs)
        return self.quantity.number(self.model, vectors, self.target_ids.expand(len(sources), -1))

    def values_at(
        self, sources: Int[Tensor, "rows src"], steps: Sequence[int], change: Change | None = None
    ) -> Float[Tensor, "rows"]:
        """The attributed quantity at one step for each row, computed up to the last of these steps only."""
        memory, carry = self.encode(sources, change)
        vectors = self.quantity.vectors(self.model, memory, carry, self.inputs[: max(steps) + 1])
        return self.quantity.number(self.model, vectors[range(len(steps)), steps], self.target_ids[list(steps)])

    def stepwise(self, memory: Memory, carry: Any) -> Iterator[tuple[Any, dict[str, Tensor], Step]]:
        """The carry before each step, what the step names (trace/naming.py), and the step."""
        rows = len(memory.src_mask)
        for word in self.inputs:
            with naming() as named:
                step, after = self.model.step(word.expand(rows, 1), carry, memory)
            yield carry, named, step
            carry = after


def _source(model: Translator, text: str, tokenized: bool) -> tuple[tuple[str, ...], Int[Tensor, "src"]]:
    """The tokens of a source, with the </s> that some models add, and their ids."""
    words = source_tokens(model, text, tokenized)
    ids = torch.tensor(model.source_ids(words), device=next(model.parameters()).device)
    return (*words, *(["</s>"] if model.config.source_eos else [])), ids
