"""The translator: an encoder, an attention and a decoder, with the vocabularies of its two languages."""

import copy
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar, Self

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

import attn_core.models.gnmt  # noqa: F401  its order registers itself
from attn_core.attention.attention import Attention
from attn_core.attention.multihead import MultiHead
from attn_core.attention.scores import SCORES
from attn_core.attention.types import ATTENTION_TYPES
from attn_core.attention.windows import WINDOWS, Window, gaussian_width
from attn_core.data.corpus import Batch
from attn_core.data.tokenizer import Tokenizer
from attn_core.files import TRANSLATOR
from attn_core.models.config import ModelConfig
from attn_core.models.cross_entropy import cross_entropy
from attn_core.models.decoders import ORDERS, Carry, Decoder, FixedVector
from attn_core.models.encoders import ENCODERS, encoder_of
from attn_core.models.transformer import SelfAttentionEncoder, Transformer  # noqa: F401  they register themselves
from attn_core.trace import Memory, Step


class Translator(nn.Module):
    """p(y | x) of a point of the product space. It holds parameters only, so that many viewers can share it."""

    kind: ClassVar[str] = TRANSLATOR  # a key of checkpoint.KINDS

    def __init__(self, config: ModelConfig, source: Tokenizer, target: Tokenizer, name: str = "untrained"):
        super().__init__()
        self.config, self.source, self.target, self.name = config, source, target, name
        self.trained = config  # differs from `config` in a view made by `with_window`
        self._learned: dict[str, nn.Module] = {}  # of a view: W_p and v_p of the window that was trained
        self.encoder = ENCODERS[encoder_of(config)](config, len(source))
        if config.score is None:
            self.decoder: Decoder = FixedVector(config, len(target), None)
        else:
            self.decoder = ORDERS[config.order](config, len(target), _attention(config))
        if config.shared:
            if not source.shares(target):
                raise ValueError("shared embeddings need one vocabulary for both languages")
            self.encoder.embed = self.decoder.embed
        _INITS[config.init](self)

    def encode(
        self, words: Int[Tensor, "b src"], mask: Bool[Tensor, "b src"], lengths: Sequence[int] | None = None
    ) -> tuple[Memory, Carry]:
        """The sentences read: what the decoder may look at, and what it starts from.

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
        return self.decoder.memory(encoded, mask), self.decoder.start(encoded)

    def source_ids(self, words: Sequence[str]) -> list[int]:
        """What the encoder reads for the tokens of a sentence: their ids, with </s> where the model reads it."""
        end = [Tokenizer.eos] if self.config.source_eos else []
        return [*self.source.ids(words), *end]

    def steps(self, batch: Batch) -> Step:
        """All steps of the decoder on given targets (teacher forcing)."""
        memory, carry = self.encode(batch.source, batch.source_mask, batch.source_lengths)
        return self.decoder(batch.inputs, carry, memory)[0]

    def loss(self, batch: Batch, label_smoothing: float = 0.0) -> Float[Tensor, ""]:
        """Cross-entropy in nats, summed over the real words and </s> of the batch; padding has no part in it."""
        return self.loss_of(self.steps(batch).attentional, batch, label_smoothing)

    def loss_of(
        self, attentional: Float[Tensor, "b tgt a"], batch: Batch, label_smoothing: float = 0.0
    ) -> Float[Tensor, ""]:
        """The same, of what the decoder's steps have made already."""
        said, wanted = (part.flatten(0, 1).index_select(0, batch.real) for part in (attentional, batch.outputs))
        return cross_entropy(self.decoder.logits(said), wanted, label_smoothing)

    def with_window(self, window: str | None = None, half_width: int | None = None, sigma: float | None = None) -> Self:
        """The same weights looking through another window; `self` is left as it is.

        `window` is "global", "local-m" or "local-p", `half_width` D in words, `sigma` in words. What is None is as the
        model was trained, also when `self` is such a view already, except that a new D brings its own sigma = D / 2;
        with all three None it is `self`. Raises ValueError when there is no attention, when a model without W_p and v_p
        is asked to predict p_t, and for D below 0 or sigma not above 0.
        """
        if window is None and half_width is None and sigma is None:
            return self
        if self.config.score is None:
            raise ValueError(f"{self.name} has no attention, so no window can be set")
        if self.config.order == "transformer":
            raise ValueError(f"{self.name} is a Transformer: its heads look at all words, and no window can be set")
        config = self.trained
        window = window or config.window
        if window == "local-p" and config.window != "local-p":
            raise ValueError(
                f"{self.name} was not trained to predict p_t; give it window local-m, or take a local-p model"
            )
        if window == "global" and (half_width is not None or sigma is not None):
            raise ValueError(f"a global window has no half-width and no sigma; give {self.name} window local-m with it")
        config = config.through(window, half_width, sigma).set({"attention_type": self.config.attention_type})
        view = _twin(self)
        view.config, view._learned = config, self._learned or dict(view.decoder.attention.window._modules)
        with torch.device("meta"):  # what a window learned is not made anew, but taken over
            looks_through = _window(config)
        looks_through._modules |= {name: view._learned[name] for name in looks_through._modules}
        view.decoder.attention.window = looks_through.train(self.training)
        return view

    def with_attention_type(self, read: str | None) -> Self:
        """The same weights with another read, "soft", "hard-argmax" or "hard-sample"; None and its own: `self`.

        Xu 2015 trains with hard-sample and translates with soft. Raises ValueError for a read that does not fit the
        window, and when there is no attention.
        """
        if read in (None, self.config.attention_type):
            return self
        if self.config.score is None:
            raise ValueError(f"{self.name} has no attention, so no read can be set")
        config = self.config.set({"attention_type": read})
        view = _twin(self)
        view.config, view._learned = config, self._learned
        for module in view.modules():
            if isinstance(module, Attention):
                module.read = ATTENTION_TYPES[read]().train(self.training)
        return view

    def widen(self, factor: float) -> float:
        """Look through a window `factor` times as wide (inf: none), where a window's centre is learned.

        For the first epochs of training only. A window that starts narrow sees few words, and p_t learns to stand
        where the encoder's last state is, for good; once the scores know where to look, p_t can learn it from them.
        Returns the factor that is in force: 1 for other windows.
        """
        if self.config.window != "local-p":
            return 1.0
        attention = self.decoder.attention
        assert attention is not None
        assert attention.window is not None
        attention.window.widening = factor
        return factor

    @property
    def settings(self) -> dict[str, Any]:
        """What a trace says of the model that made it."""
        now, trained = self.config, _in_force(self.trained)
        return {
            "score": now.score,
            **_in_force(now),
            "attention_type": now.attention_type,
            "heads": now.heads,
            "center": now.center_rule,
            "gaussian": now.gaussian,
            "local_m": now.local_m_rule,
            "order": now.order,
            "feeding": now.feeding,
            "encoder": encoder_of(now),
            "trained_window": trained,
            "trained_attention_type": self.trained.attention_type,
            "intervention": _in_force(now) != trained,
            **({} if now.normalizer == "softmax" else {"normalizer": now.normalizer}),
        }


def _in_force(config: ModelConfig) -> dict[str, Any]:
    """The window with its D, None where there is none or all words are in view, and sigma, None without a Gaussian."""
    if config.window in (None, "global"):
        return {"window": config.window, "half_width": None, "sigma": None}
    return {"window": config.window, "half_width": config.half_width, "sigma": gaussian_width(config)}


def _attention(config: ModelConfig) -> Attention | MultiHead | None:
    if config.order == "transformer":  # its layers have their own
        return None
    assert config.score is not None
    chosen = SCORES[config.score]
    options = {name: getattr(config, name) for name in chosen.options}

    def make(query: int, memory: int, window: Window | None, values: nn.Linear | None) -> Attention:
        score = chosen(query, memory, config.align_hidden, **options)
        return Attention(
            score, window, config.gaussian, ATTENTION_TYPES[config.attention_type](), values, config.normalizer
        )

    if config.projected:
        size = config.head_size or config.hidden // config.heads
        heads = (make(size, size, None, None) for _ in range(config.heads))
        return MultiHead(heads, _window(config), config.looks_with, config.memory, size)
    values = nn.Linear(config.memory, config.values, bias=False) if config.values else None
    return make(config.looks_with, config.memory, _window(config), values)


def _window(config: ModelConfig) -> Window:
    assert config.window is not None  # there is a score, and they go together
    chosen = WINDOWS[config.window]
    return chosen(config.looks_with, **{name: getattr(config, name) for name in chosen.options})


def _twin(module: nn.Module) -> Any:
    """A copy of a tree of modules that has the same weights, without gradients; made in a tenth of a millisecond."""
    twin = copy.copy(module)
    weights = {name: None if weight is None else weight.detach() for name, weight in module._parameters.items()}
    twin.__dict__ |= {
        "_parameters": weights,
        "_modules": {name: child and _twin(child) for name, child in module._modules.items()},
    }
    if isinstance(module, nn.RNNBase):  # which keeps a second list of them
        twin.__dict__["_flat_weights"] = [weights[name] for name in module._flat_weights_names]
    return twin


def _orthogonal(gates: Float[Tensor, "gn n"]) -> None:
    """Each gate's matrix orthogonal."""
    for gate in gates.split(gates.size(1)):
        nn.init.orthogonal_(gate)


def _glorot(model: Translator) -> None:
    """Recurrent matrices orthogonal, gate by gate; other matrices uniform by fan-in and fan-out; biases zero."""
    for name, parameter in model.named_parameters():
        if "embed" in name:
            nn.init.normal_(parameter, std=parameter.size(1) ** -0.5)
        elif _recurrent(name):
            _orthogonal(parameter)
        elif parameter.dim() > 1:
            nn.init.xavier_uniform_(parameter)
        elif "norm" in name and name.endswith("weight"):
            nn.init.ones_(parameter)
        elif parameter.dim() == 1 and "v_a" not in name:
            nn.init.zeros_(parameter)
    for lstm in (module for module in model.modules() if isinstance(module, nn.LSTM)):
        for name, parameter in lstm.named_parameters():
            if "bias_ih" in name:
                parameter.data.chunk(4)[1].fill_(1.0)  # it starts out remembering (Jozefowicz 2015)


def _bahdanau2015(model: Translator) -> None:
    """Bahdanau 2015, B.1: recurrent matrices orthogonal; W_a, U_a ~ N(0, 0.001^2); v_a, biases 0; rest N(0, 0.01^2)."""
    for name, parameter in model.named_parameters():
        if _recurrent(name):
            _orthogonal(parameter)
        elif "attention" in name and parameter.dim() > 1:
            nn.init.normal_(parameter, std=0.001)
        elif parameter.dim() > 1:
            nn.init.normal_(parameter, std=0.01)
        elif parameter.dim() == 1:
            nn.init.zeros_(parameter)


def _luong2015(model: Translator) -> None:
    """Luong 2015, section 4.1: all from U[-0.1, 0.1]."""
    for parameter in model.parameters():
        if parameter.dim():  # a number that scores are multiplied by keeps what it was made with
            nn.init.uniform_(parameter, -0.1, 0.1)


def _recurrent(name: str) -> bool:
    return "weight_hh" in name or ".U_gates." in name or ".U.weight" in name


_INITS = {
    "glorot": _glorot,
    "bahdanau2015": _bahdanau2015,
    "luong2015": _luong2015,
    "none": lambda model: None,  # the weights come from elsewhere
}
