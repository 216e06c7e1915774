"""The translator: encoder, attention and decoder, with the vocabularies of both languages."""

import copy
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar, Self

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from attn_core.attention.build import build_attention
from attn_core.attention.mode import AS_BUILT, Mode
from attn_core.attention.settings import WINDOWS, LocalSettings
from attn_core.attention.types import ATTENTION_TYPES
from attn_core.attention.windows import Local, Window
from attn_core.data.corpus import Batch
from attn_core.data.tokenizer import Tokenizer
from attn_core.messages import _
from attn_core.models.config import ModelConfig
from attn_core.models.cross_entropy import cross_entropy
from attn_core.models.decoders.decoder import Carry, Decoder
from attn_core.models.encoders.encoder import Encoder
from attn_core.models.encoders.settings import ENCODERS
from attn_core.models.folders import TRANSLATOR
from attn_core.models.initialization import STARTS
from attn_core.models.settings import ORDERS
from attn_core.trace import Memory, Step

NORMALIZER = "softmax"  # the default; the settings of a trace name the normalizer only if it is another one


class Translator(nn.Module):
    """p(y | x) for a point of the product space. It holds only parameters, so that many viewers can share it."""

    kind: ClassVar[str] = TRANSLATOR  # a key of checkpoint.KINDS
    folder: Path | None = None  # that it was loaded from

    def __init__(self, config: ModelConfig, source: Tokenizer, target: Tokenizer, name: str = "untrained"):
        super().__init__()
        self.config, self.source, self.target, self.name = config, source, target, name
        self.trained = config  # differs from `config` in a view made by `with_window` or `with_attention_type`
        self.mode = AS_BUILT  # in a view: its window and attention type
        self.encoder: Encoder = ENCODERS[config.encoder.name](config, len(source))
        own = None if config.decoder.name == "transformer" else config.attention
        attention = build_attention(own, config.query, config.memory, config.head_size)
        self.decoder: Decoder = ORDERS[config.decoder.name](config, len(target), attention)
        if config.shared:
            if not source.shares(target):
                raise ValueError(_("shared embeddings need the same vocabulary for both languages: set shared=false"))
            self.encoder.embed = self.decoder.embed
        STARTS[config.init](self)

    def encode(
        self, words: Int[Tensor, "b src"], mask: Bool[Tensor, "b src"], lengths: Sequence[int] | None = None
    ) -> tuple[Memory, Carry]:
        """Encode sentences: the Memory that the decoder attends to, and the Carry of its first step.

        `lengths` are the numbers of words; without them they are computed from `mask`, which synchronises a GPU.

        `config.padding` "masked" hides padding from attention. With "zero" (its states are zero) and "read" (they are
        what the encoder computes for it) padding takes part in the softmax, so a translation depends on its batch.
        """
        padding = self.config.padding
        real, mask = mask, mask if padding == "masked" else torch.ones_like(mask)
        encoded = self.encoder(words, mask if padding == "read" else real, None if padding == "read" else lengths)
        if padding == "zero":
            states, values = (x if x is None else x * real.unsqueeze(-1) for x in (encoded.states, encoded.values))
            encoded = replace(encoded, states=states, values=values)
        return self.decoder.memory(encoded, mask), self.decoder.start(encoded, real if padding == "zero" else mask)

    def step(self, words: Int[Tensor, "b tgt"], carry: Carry, memory: Memory) -> tuple[Step, Carry]:
        """The decoder's steps with inputs `words`, and the Carry of the next step; `*b` of the Step is `b tgt`."""
        return self.decoder(words, carry, memory, self.mode)

    def log_probs(self, attentional: Float[Tensor, "*b a"]) -> Float[Tensor, "*b vocab"]:
        """log p(y_t | y_<t, x), natural, from the input of the output layer."""
        return self.decoder.log_probs(attentional)

    @property
    def limits(self) -> tuple[int | None, int | None]:
        """The largest number of source ids (see `source_ids`) and of words of a translation with </s>; None: any."""
        source, target = (min(each.values(), default=None) for each in self.config.limits)
        return source, target

    def source_ids(self, words: Sequence[str]) -> list[int]:
        """The ids of a sentence's tokens as the encoder's input, with </s> if the model has source_eos."""
        end = [Tokenizer.eos] if self.config.source_eos else []
        return [*self.source.ids(words), *end]

    def steps(self, batch: Batch, mode: Mode | None = None) -> Step:
        """All steps of the decoder with teacher forcing, in `mode` or the model's own mode."""
        mode = mode or self.mode
        memory, carry = self.encode(batch.source, batch.source_mask, batch.source_lengths)
        return self.decoder(batch.inputs, carry, memory, mode)[0]

    def loss(self, batch: Batch, label_smoothing: float = 0.0, mode: Mode | None = None) -> Float[Tensor, ""]:
        """Cross-entropy in nats, summed over the real words and </s> of the batch, without padding."""
        return self.loss_of(self.steps(batch, mode).attentional, batch, label_smoothing)

    def loss_of(
        self, attentional: Float[Tensor, "b tgt a"], batch: Batch, label_smoothing: float = 0.0
    ) -> Float[Tensor, ""]:
        """The loss from the `attentional` vectors of the decoder's steps."""
        vectors, targets = (part.flatten(0, 1).index_select(0, batch.real) for part in (attentional, batch.outputs))
        return cross_entropy(self.decoder.logits(vectors), targets, label_smoothing)

    def with_window(
        self,
        window: str | None = None,
        half_width: int | None = None,
        sigma: float | None = None,
        attention_type: str | None = None,
        live: Mapping[str, float | None] | None = None,
    ) -> Self:
        """A view of the model with another window and shared weights; `self` is unchanged.

        `window` is "global", "local-m", "local-p" or a registered window, `half_width` (D) and `sigma` are in source
        tokens, and `live` has the live settings of a registered window by name. None keeps the trained model's
        setting, also if `self` is a view, except that a new D resets sigma to the window's default (local-p: D / 2;
        local-m: no Gaussian). Each p_t set by hand is kept, unless the new window has no centre.
        `attention_type` is as in with_attention_type; here it is set together with the window, since it may fit only
        the new one. If all are None, returns `self`. Raises ValueError as ModelConfig.with_window and
        with_attention_type do.
        """
        if window is None and half_width is None and sigma is None and not live:
            return self.with_attention_type(attention_type)
        before = self.config["attention.type"]  # None without attention
        kind = before if attention_type is None else attention_type
        config = self.trained.with_window(window, half_width, sigma, self.name, kind, live)
        other = self._window(config)
        if isinstance(other, Local) and isinstance(self.mode.window, Local):
            other.centers = self.mode.window.centers
        mode = replace(self.mode, window=other)
        if kind != before:
            mode = replace(mode, type=ATTENTION_TYPES[kind]())
        return self._view(config, mode)

    def _window(self, config: ModelConfig) -> Window:
        """The window of `config`, with the trained W_p and v_p if it has them."""
        own, attention = self.decoder.attention, config.attention
        assert own is not None
        assert attention is not None
        if own.window is not None and own.window.settings.name == attention.window.name:
            window = copy.copy(own.window)  # shares the parameters
            window.settings = attention.window
            return window
        window = WINDOWS[attention.window.name](config.query, attention.window)
        return window.train(self.training)

    def with_centers(self, centers: Mapping[int, float] | None) -> Self:
        """A view of the model in which p_t of some steps is set by hand, and shared weights.

        `centers` maps steps, from 0, to positions in the source, which are real numbers from 0; the other steps keep
        the p_t of the window. Returns `self` for None and for an empty mapping. Raises ValueError for a model whose
        window has no centre, and for other steps and positions.
        """
        if not centers:
            return self
        window = self.mode.window or (self.decoder.attention and self.decoder.attention.window)
        if not isinstance(window, Local):
            raise ValueError(_("{name} has no window with a centre that could be set by hand").format(name=self.name))
        for step, place in centers.items():
            if step < 0 or not 0 <= place < math.inf:
                raise ValueError(
                    _("step and position must be at least 0, not step {step} and position {place}").format(
                        place=place, step=step
                    )
                )
        window = copy.copy(window)
        window.centers = dict(sorted(centers.items()))
        return self._view(self.config, replace(self.mode, window=window))

    def with_attention_type(self, kind: str | None) -> Self:
        """A view of the model with another attention type ("soft", "hard-argmax", "hard-sample") and shared weights.

        Returns `self` for None and for the current type. Xu 2015 trains with hard-sample and translates with soft. To
        change the window too, give the type to `with_window`. Raises ValueError for a type that is not compatible with
        the window, and for a model without attention.
        """
        if self.config.attention is None:
            if kind is None:
                return self
            raise ValueError(_("{name} has no attention, so no attention type can be set").format(name=self.name))
        if kind in (None, self.config.attention.type):
            return self
        config = self.config.set({"attention.type": kind})
        return self._view(config, replace(self.mode, type=ATTENTION_TYPES[kind]()))

    def _view(self, config: ModelConfig, mode: Mode) -> Self:
        """A view with the same modules and another config and mode."""
        view = copy.copy(self)
        view.config, view.mode = config, mode
        return view

    @property
    def settings(self) -> dict[str, Any]:
        """The settings of the model that a trace records."""
        now, attention = self.config, self.config.attention
        shown, trained = _window_of(now), _window_of(self.trained)
        window = attention.window if attention and isinstance(attention.window, LocalSettings) else LocalSettings()
        normalizer = attention.normalizer if attention else NORMALIZER
        centers = getattr(self.mode.window, "centers", {})
        return {
            "score": attention and attention.score.name,
            **shown,
            "attention_type": attention.type if attention else "soft",
            "heads": attention.heads if attention else 1,
            "center": window.center_rule,
            "gaussian": window.gaussian,
            "local_m": getattr(window, "rule", "clamp"),
            "order": now.decoder.name,
            "feeding": now.decoder.feeding,
            "encoder": now.encoder.name,
            "trained_window": trained,
            "trained_attention_type": self.trained.attention.type if self.trained.attention else "soft",
            "intervention": shown != trained or bool(centers),
            **({"centers": {str(step): place for step, place in centers.items()}} if centers else {}),
            **({} if normalizer == NORMALIZER else {"normalizer": normalizer}),
        }


def _window_of(config: ModelConfig) -> dict[str, Any]:
    """The window's name (None without attention), and its live settings in force, such as D and sigma."""
    window = config.attention.window if config.attention else None
    return {"window": None} if window is None else {"window": window.name, **window.in_force}
