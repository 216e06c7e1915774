"""Ensembles: several models translate together, with the mean of their probabilities at every step.

Luong 2015 (section 4.2) reports ensembles of 8 models, but not how their predictions are combined; the arithmetic mean
of the probabilities is our choice.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self, cast

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from attn_core.attention.mode import Mode
from attn_core.data.corpus import Batch
from attn_core.models.config import ModelConfig
from attn_core.models.decoders.decoder import Carry
from attn_core.models.translator import NORMALIZER, Translator
from attn_core.trace import Memory, Record, Step


@dataclass(frozen=True, kw_only=True)
class Memories(Memory):
    """The Memory of each member; its own fields are those of the first member."""

    members: tuple[Memory, ...]


@dataclass(frozen=True)
class Carries(Record):
    """The Carry of each member."""

    members: tuple[Carry, ...]


class Ensemble(Translator):
    """Translators with the same vocabularies, as one model for search, forced decoding and evaluation, not training.

    `load("one+other")` makes an ensemble of models by name. Raises ValueError for fewer than two models, and for models
    that differ in their vocabularies or in source_eos.
    """

    def __init__(self, members: Sequence[Translator]):
        nn.Module.__init__(self)  # no parameters other than its members'
        if len(members) < 2:
            raise ValueError(f"an ensemble needs at least 2 models, not {len(members)}")
        first, *others = members
        for other in others:
            for side in ("source", "target"):
                if not getattr(first, side).same(getattr(other, side)):
                    raise ValueError(
                        f"{first.name} and {other.name} have different {side} vocabularies, so their probabilities "
                        "cannot be averaged: use models that were trained on the same text"
                    )
            if first.config.source_eos != other.config.source_eos:
                raise ValueError(f"{first.name} and {other.name} differ in source_eos: use models with the same value")
        self.members = cast(Sequence[Translator], nn.ModuleList(members))
        self.config, self.trained, self.mode = first.config, first.trained, first.mode
        self.source, self.target = first.source, first.target
        self.name = "+".join(member.name for member in members)
        self.eval()

    def encode(
        self, words: Int[Tensor, "b src"], mask: Bool[Tensor, "b src"], lengths: Sequence[int] | None = None
    ) -> tuple[Memories, Any]:
        """Encode the sentences with every member: their Memories and their first Carries."""
        memories, carries = zip(*(member.encode(words, mask, lengths) for member in self.members), strict=True)
        first = memories[0]
        return Memories(first.states, first.keys, first.src_mask, members=memories), Carries(carries)

    def step(self, words: Int[Tensor, "b tgt"], carry: Any, memory: Any) -> tuple[Step, Any]:
        """The members' steps with inputs `words`, vectors concatenated; Looks are numbered as heads."""
        parts = zip(self.members, carry.members, memory.members, strict=True)
        steps, carries = zip(*(member.step(words, before, seen) for member, before, seen in parts), strict=True)
        looks = [look for step in steps for look in step.looks]
        return Step(
            looks=tuple(replace(look, head=number) for number, look in enumerate(looks)),
            hidden=torch.cat([step.hidden for step in steps], -1),
            attentional=torch.cat([step.attentional for step in steps], -1),
        ), Carries(carries)

    def log_probs(self, attentional: Float[Tensor, "*b a"]) -> Float[Tensor, "*b vocab"]:
        """The log of the members' mean probability of each word."""
        vectors = attentional.split([member.decoder.output.in_features for member in self.members], -1)
        each = [member.log_probs(vector) for member, vector in zip(self.members, vectors, strict=True)]
        return torch.stack(each).logsumexp(0) - math.log(len(each))

    @property
    def limits(self) -> tuple[int | None, int | None]:
        """The smallest of the members' limits; see Translator.limits."""
        sides = zip(*(member.limits for member in self.members), strict=True)
        source, target = (min((n for n in each if n is not None), default=None) for each in sides)
        return source, target

    def steps(self, batch: Batch, mode: Mode | None = None) -> Step:
        """All steps with teacher forcing; each member in its own mode."""
        memory, carry = self.encode(batch.source, batch.source_mask, batch.source_lengths)
        return self.step(batch.inputs, carry, memory)[0]

    def loss_of(
        self, attentional: Float[Tensor, "b tgt a"], batch: Batch, label_smoothing: float = 0.0
    ) -> Float[Tensor, ""]:
        """-log of the mean probability in nats, summed over real words. Raises ValueError for label smoothing."""
        if label_smoothing:
            raise ValueError("an ensemble cannot be trained, so its loss has no label smoothing: set it to 0")
        vectors, targets = (part.flatten(0, 1).index_select(0, batch.real) for part in (attentional, batch.outputs))
        return -self.log_probs(vectors).gather(1, targets.unsqueeze(1)).sum()

    def with_window(
        self,
        window: str | None = None,
        half_width: int | None = None,
        sigma: float | None = None,
        attention_type: str | None = None,
        live: Mapping[str, float | None] | None = None,
    ) -> Self:
        """The ensemble with another window in every member; see Translator.with_window."""
        members = [member.with_window(window, half_width, sigma, attention_type, live) for member in self.members]
        return self._with(members)

    def with_centers(self, centers: Mapping[int, float] | None) -> Self:
        """The ensemble with the same p_t set by hand in every member; see Translator.with_centers."""
        return self._with([member.with_centers(centers) for member in self.members])

    def with_attention_type(self, kind: str | None) -> Self:
        """The ensemble with another attention type in every member; see Translator.with_attention_type."""
        return self._with([member.with_attention_type(kind) for member in self.members])

    def _with(self, members: list[Translator]) -> Self:
        return self if all(new is old for new, old in zip(members, self.members, strict=True)) else type(self)(members)

    @property
    def settings(self) -> dict[str, Any]:
        """The settings recorded in a trace: `ensemble` has those of each member, with the name of its `model`.

        The other fields have the members' common values. Where members differ, names are joined ("dot+concat") and
        other values are None. `heads` is the total number of Looks; `intervention`, whether any member has one.
        """
        each = [member.settings for member in self.members]
        names = [member.name for member in self.members]
        shared = _shared([{"normalizer": NORMALIZER} | settings for settings in each])
        if shared["normalizer"] == NORMALIZER:
            del shared["normalizer"]
        return shared | {
            "heads": sum(_looks(member.config) for member in self.members),
            "intervention": any(settings["intervention"] for settings in each),
            "ensemble": [{"model": name} | settings for name, settings in zip(names, each, strict=True)],
        }


def _looks(config: ModelConfig) -> int:
    """The number of Looks over the source at each step."""
    if config.attention is None:
        return 0
    return config.attention.heads * config.decoder.attention_layers


def _shared(each: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The common settings of several models; None, for a setting that a model does not have, is ignored."""
    shared: dict[str, Any] = {}
    for name in dict.fromkeys(name for settings in each for name in settings):
        found = [settings[name] for settings in each if settings.get(name) is not None]
        distinct = [value for i, value in enumerate(found) if value not in found[:i]]
        if len(distinct) < 2:
            shared[name] = distinct[0] if distinct else None
        elif all(isinstance(value, dict) for value in distinct):
            shared[name] = _shared(distinct)
        else:
            shared[name] = "+".join(distinct) if all(isinstance(value, str) for value in distinct) else None
    return shared
