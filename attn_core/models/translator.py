"""The translator: an encoder, an attention and a decoder, with the vocabularies of its two languages."""

import copy
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar, Self

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from attn_core.attention.build import build_attention
from attn_core.attention.mode import AS_BUILT, Mode
from attn_core.attention.settings import WINDOWS, LocalPSettings, LocalSettings
from attn_core.attention.types import ATTENTION_TYPES
from attn_core.attention.windows import Window
from attn_core.data.corpus import Batch
from attn_core.data.tokenizer import Tokenizer
from attn_core.files import TRANSLATOR
from attn_core.models.config import ModelConfig
from attn_core.models.cross_entropy import cross_entropy
from attn_core.models.decoders.decoder import Carry, Decoder
from attn_core.models.encoders.encoder import Encoder
from attn_core.models.initialization import STARTS
from attn_core.models.settings import ENCODERS, ORDERS
from attn_core.trace import Memory, Step


class Translator(nn.Module):
    """p(y | x) of a point of the product space. It holds parameters only, so that many viewers can share it."""

    kind: ClassVar[str] = TRANSLATOR  # a key of checkpoint.KINDS

    def __init__(self, config: ModelConfig, source: Tokenizer, target: Tokenizer, name: str = "untrained"):
        super().__init__()
        self.config, self.source, self.target, self.name = config, source, target, name
        self.trained = config  # differs from `config` in a view made by `with_window` or `with_attention_type`
        self.mode = AS_BUILT  # of a view: its window and its type
        self.encoder: Encoder = ENCODERS[config.encoder.name](config, len(source))
        own = None if config.decoder.name == "transformer" else config.attention
        attention = build_attention(own, config.query, config.memory, config.head_size)
        self.decoder: Decoder = ORDERS[config.decoder.name](config, len(target), attention)
        if config.shared:
            if not source.shares(target):
                raise ValueError("shared embeddings need one vocabulary for both languages")
            self.encoder.embed = self.decoder.embed
        STARTS[config.init](self)

    def encode(
        self, words: Int[Tensor, "b src"], mask: Bool[Tensor, "b src"], lengths: Sequence[int] | None = None
    ) -> tuple[Memory, Carry]:
        """The encoded sentences: what the decoder may attend to, and what it starts from.

        `lengths` are the words of each sentence; without them they are counted in `mask`, where a GPU is waited for.

        `config.padding` says what becomes of the places after a sentence that is shorter than others of its batch:
        they are "masked"; or they take part in the softmax, their states being "zero" or what the encoder makes of
        them when it has "read" them as words. Then what a sentence gets depends on the batch that it is in.
        """
        padding = self.config.padding
        real, mask = mask, mask if padding == "masked" else torch.ones_like(mask)
        encoded = self.encoder(words, mask if padding == "read" else real, None if padding == "read" else lengths)
        if padding == "zero":
            encoded = replace(encoded, states=encoded.states * real.unsqueeze(-1))
        return self.decoder.memory(encoded, mask), self.decoder.start(encoded, mask)

    def step(self, words: Int[Tensor, "b tgt"], carry: Carry, memory: Memory) -> tuple[Step, Carry]:
        """The decoder's steps that read `words`, and what they hand on; `*b` of the Step is `b tgt`."""
        return self.decoder(words, carry, memory, self.mode)

    def log_probs(self, attentional: Float[Tensor, "*b a"]) -> Float[Tensor, "*b vocab"]:
        """log p(y_t | y_<t, x) of what the steps' output layer reads, natural."""
        return self.decoder.log_probs(attentional)

    def source_ids(self, words: Sequence[str]) -> list[int]:
        """What the encoder reads for the tokens of a sentence: their ids, with </s> where the model reads it."""
        end = [Tokenizer.eos] if self.config.source_eos else []
        return [*self.source.ids(words), *end]

    def steps(self, batch: Batch, mode: Mode | None = None) -> Step:
        """All steps of the decoder on given targets (teacher forcing), in `mode` or else in its own."""
        mode = mode or self.mode
        memory, carry = self.encode(batch.source, batch.source_mask, batch.source_lengths)
        return self.decoder(batch.inputs, carry, memory, mode)[0]

    def loss(self, batch: Batch, label_smoothing: float = 0.0, mode: Mode | None = None) -> Float[Tensor, ""]:
        """Cross-entropy in nats, summed over the real words and </s> of the batch; padding has no part in it."""
        return self.loss_of(self.steps(batch, mode).attentional, batch, label_smoothing)

    def loss_of(
        self, attentional: Float[Tensor, "b tgt a"], batch: Batch, label_smoothing: float = 0.0
    ) -> Float[Tensor, ""]:
        """The same, of what the decoder's steps have made already."""
        said, wanted = (part.flatten(0, 1).index_select(0, batch.real) for part in (attentional, batch.outputs))
        return cross_entropy(self.decoder.logits(said), wanted, label_smoothing)

    def with_window(self, window: str | None = None, half_width: int | None = None, sigma: float | None = None) -> Self:
        """The same weights behind another window; `self` is left as it is.

        `window` is "global", "local-m" or "local-p", `half_width` D in words, `sigma` in words. What is None is as the
        model was trained, also when `self` is such a view already, except that a new D brings its own sigma = D / 2;
        with all three None it is `self`. Raises ValueError when there is no attention, when a model without W_p and v_p
        is asked to predict p_t, and for D below 0 or sigma not above 0.
        """
        if window is None and half_width is None and sigma is None:
            return self
        trained = self.trained.attention
        if trained is None:
            raise ValueError(f"{self.name} has no attention, so no window can be set")
        if self.decoder.attention is None:
            raise ValueError(f"{self.name} is a Transformer: its heads attend to all words, and no window can be set")
        wanted = window or trained.window.name
        if wanted == "local-p" and not isinstance(trained.window, LocalPSettings):
            raise ValueError(
                f"{self.name} was not trained to predict p_t; give it window local-m, or take a local-p model"
            )
        if wanted == "global" and (half_width is not None or sigma is not None):
            raise ValueError(f"a global window has no half-width and no sigma; give {self.name} window local-m with it")
        type_now = self.config["attention.type"]
        config = self.trained.with_window(window, half_width, sigma).set({"attention.type": type_now})
        return self._view(config, replace(self.mode, window=self._window(config)))

    def _window(self, config: ModelConfig) -> Window:
        """The window of `config`, with W_p and v_p of the trained one where it has them."""
        own, attention = self.decoder.attention, config.attention
        assert own is not None
        assert attention is not None
        if own.window is not None and own.window.settings.name == attention.window.name:
            window = copy.copy(own.window)  # shares the parameters
            window.settings = attention.window
            return window
        window = WINDOWS[attention.window.name](config.query, attention.window)
        return window.train(self.training)

    def with_attention_type(self, kind: str | None) -> Self:
        """The same weights with another attention type: "soft", "hard-argmax", "hard-sample"; its own or None: `self`.

        Xu 2015 trains with hard-sample and translates with soft. Raises ValueError for a type that does not fit the
        window, and when there is no attention.
        """
        if self.config.attention is None:
            if kind is None:
                return self
            raise ValueError(f"{self.name} has no attention, so no attention type can be set")
        if kind in (None, self.config.attention.type):
            return self
        config = self.config.set({"attention.type": kind})
        return self._view(config, replace(self.mode, type=ATTENTION_TYPES[kind]()))

    def _view(self, config: ModelConfig, mode: Mode) -> Self:
        """The same modules, with another config that says how they attend."""
        view = copy.copy(self)
        view.config, view.mode = config, mode
        return view

    @property
    def settings(self) -> dict[str, Any]:
        """What a trace records of the model that made it."""
        now, attention = self.config, self.config.attention
        shown, trained = _window_of(now), _window_of(self.trained)
        window = attention.window if attention and isinstance(attention.window, LocalSettings) else LocalSettings()
        normalizer = attention.normalizer if attention else "softmax"
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
            "intervention": shown != trained,
            **({} if normalizer == "softmax" else {"normalizer": normalizer}),
        }


def _window_of(config: ModelConfig) -> dict[str, Any]:
    """The window with its D, None where there is none or all words are in view, and sigma, None without a Gaussian."""
    window = config.attention.window if config.attention else None
    if not isinstance(window, LocalSettings):
        return {"window": window and window.name, "half_width": None, "sigma": None}
    return {"window": window.name, "half_width": window.half_width, "sigma": window.gaussian_width}
