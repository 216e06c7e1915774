"""The record: every intermediate value of attention and decoding.

One decoded sentence is a `Trace`. Everything on screen, in a file or in a figure comes from it, and it is computed by
the same code that trains and translates, so a picture cannot disagree with the model.

    Focus   the positions in view of one query, and the Gaussian over them
    Look    one query over one memory: scores, alignment, weights, context
    Step    one decoding step of a batch
    Word    one decoding step of one sentence, with the word it produced
    Trace   a decoded sentence: its tokens, the encoder states, its Words

The same Look serves a batch, a batch with a time axis and a single sentence: `*b` stands for any leading axes.

Torch is not imported here: records call methods of their tensors only, so any object with these methods will do.
"""

from collections.abc import Callable
from dataclasses import Field, dataclass, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Self

from attn_core.messages import N_, _
from attn_core.trace.shapes import Bool, Float, Int

if TYPE_CHECKING:
    from torch import Tensor
else:
    Tensor = Any  # jaxtyping checks the shape and dtype of whatever has them


class Record:
    """A frozen dataclass of tensors and of records of tensors."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]  # of the subclasses

    def map(self, change: Callable[[Tensor], Tensor]) -> Self:
        """The same record with `change` applied to every tensor in it."""
        return replace(self, **{f.name: _map(getattr(self, f.name), change) for f in fields(self)})


def _map(value: Any, change: Callable[[Tensor], Tensor]) -> Any:
    if isinstance(value, Record):
        return value.map(change)
    if isinstance(value, tuple):
        return tuple(_map(item, change) for item in value)
    return change(value) if hasattr(value, "dtype") else value


@dataclass(frozen=True)
class Focus(Record):
    """The positions in view of a query, and the Gaussian over them."""

    inside: Bool[Tensor, "*b src"]  # True = in view: a real word, inside the window
    gaussian: Float[Tensor, "*b src"]  # 0 out of view; without a Gaussian, 1 in view
    center: Float[Tensor, "*b"] | None  # p_t, a real position in the source


@dataclass(frozen=True)
class Look(Record):
    """One query over one memory (Bahdanau 2015 eq. 5-6; Luong 2015 eq. 7 and 10)."""

    query: Float[Tensor, "*b q"]
    scores: Float[Tensor, "*b src"]  # before masking, also of positions outside the window
    focus: Focus
    # Softmax (or sparsemax) of the scores inside the window; with gaussian=on_scores, of the scores times the Gaussian.
    # Its sum is 1, but less with unmasked_fixed, and 0 if no word is in view.
    alignment: Float[Tensor, "*b src"]
    # The attention weights, which multiply the encoder states: alignment * gaussian, whose sum is below 1 if the
    # Gaussian removes mass; with gaussian=renorm divided by their sum, with on_scores the alignment itself. With hard
    # attention, 1 at one position.
    weights: Float[Tensor, "*b src"]
    context: Float[Tensor, "*b mem"]
    layer: int = 0  # from 0, as is the head
    head: int = 0
    # The values that the weights multiply. None: the Memory's states, of which each of several heads uses a slice.
    values: Float[Tensor, "*b src v"] | None = None


@dataclass(frozen=True)
class Step(Record):
    """One decoding step of a batch, or all steps of a batch when `*b` is (batch, time)."""

    looks: tuple[Look, ...]  # RNN: one for each head; Transformer: cross-attention, each layer and head
    hidden: Float[Tensor, "*b hidden"]  # the state that the output layer reads: h_t; s_{i-1} or s_i
    attentional: Float[Tensor, "*b attentional"]  # input of the output layer
    own: tuple[Look, ...] = ()  # Transformer: masked self-attention over <s> and the words so far


@dataclass(frozen=True)
class Memory(Record):
    """The encoded source that a decoder attends to."""

    # The values that the context averages: the encoder states, or W_v of them, or other values of the encoder (conv);
    # several heads are concatenated. In a Transformer's memory, the encoder states, beside its `values`.
    states: Float[Tensor, "*b src mem"]
    keys: Float[Tensor, "*b src k"]  # compared with the query; projected once per sentence; heads are concatenated
    src_mask: Bool[Tensor, "*b src"]  # True = a real word
    looks: tuple[Look, ...] = ()  # the self-attention of a Transformer encoder, for each layer and head

    @cached_property
    def lengths(self) -> Int[Tensor, "*b"]:
        """S, the number of real words of each sentence; computed once, not at each step."""
        return self.src_mask.sum(-1)


@dataclass(frozen=True)
class Word:
    """One decoding step of one sentence, without a batch axis.

    Step `t`, from 0, chose `token`, whose log probability is `log_prob`; `top` holds the most probable tokens with
    theirs, best first. Log probabilities are natural.
    """

    t: int
    token: str
    log_prob: float
    top: tuple[tuple[str, float], ...]
    step: Step


@dataclass(frozen=True)
class Trace:
    """One decoded sentence: no batch axis, detached, in float32 on the CPU.

    `source` holds the source tokens, `unknown` the positions, from 0, of those outside the vocabulary, and `words` one
    Word for each target token, `</s>` included if the model chose it.
    """

    model: str
    settings: dict[str, Any]
    source: tuple[str, ...]
    unknown: tuple[int, ...]
    memory: Memory
    words: tuple[Word, ...]

    @property
    def target(self) -> tuple[str, ...]:
        return tuple(word.token for word in self.words)

    @property
    def log_prob(self) -> float:
        """log p(target | source), natural."""
        return sum(word.log_prob for word in self.words)

    def weights(self, look: int | None = None) -> Float[Tensor, "tgt src"]:
        """The attention weights of one look, or the mean over all looks of a step; no rows without attention.

        An RNN has one look per head at each step, a Transformer one for each layer and head, in this order. Raises
        IndexError for an index that the model does not have.
        """
        steps = [word.step.looks for word in self.words if word.step.looks]
        chosen = [looks if look is None else (looks[look],) for looks in steps]
        rows = [_stacked([one.weights for one in looks]).mean(0) for looks in chosen]
        return _stacked(rows) if rows else self.memory.states.new_zeros(0, len(self.source))


def _stacked(rows: list[Tensor]) -> Tensor:
    """Vectors of one length as the rows of a matrix: `torch.stack`, using tensor methods only."""
    matrix = rows[0].new_empty(len(rows), *rows[0].shape)
    for place, row in zip(matrix, rows, strict=True):
        place.copy_(row)
    return matrix


_SYMBOLS = {"half_width": "D", "sigma": "σ"}
_SEARCHES = {"greedy": N_("greedy"), "sample": N_("sampled"), "forced": N_("forced")}


def summary(model: str, settings: dict[str, Any]) -> str:
    """One line on how a trace was made: model, mechanism, search, and settings the model was not trained with."""
    parts = [model]
    if settings.get("score"):
        parts += [_("score {name}").format(name=settings["score"]), str(settings["window"])]
    if settings.get("heads", 1) > 1:
        several = _("{n} attentions") if "ensemble" in settings else _("{n} heads")
        parts.append(several.format(n=settings["heads"]))
    kind, trained_kind = (settings.get(name, "soft") for name in ("attention_type", "trained_attention_type"))
    if kind != trained_kind:
        message = _("{type} attention, trained with {trained} attention")
        parts.append(message.format(type=kind, trained=trained_kind))
    elif kind != "soft":
        parts.append(_("{type} attention").format(type=kind))
    names = dict.fromkeys([*_SYMBOLS, *settings.get("trained_window", {})])
    parts += _in_words({name: settings.get(name) for name in names})
    if settings.get("search"):
        name = settings["search"]
        parts.append(
            _("beam of {size}").format(size=settings["beam"]) if name == "beam" else _(_SEARCHES.get(name, name))
        )
    if trained := _other_window(settings):
        parts.append(_("intervention: trained with window {window}").format(window=trained))
    if centers := settings.get("centers"):
        parts.append(_("p_t set by hand at {n} steps").format(n=len(centers)))
    if settings.get("keep_states"):
        parts.append(_("words and states of the trained model"))
    if edits := settings.get("edits"):
        parts.append(_("edits by hand: {n}").format(n=len(edits)))
    return " · ".join(parts)


def _other_window(settings: dict[str, Any]) -> str:
    """The window that a model was trained with, if the trace was made with another; otherwise empty."""
    trained = settings.get("trained_window", {})
    if all(settings.get(name) == value for name, value in trained.items()):
        return ""
    return ", ".join([str(trained["window"]), *_in_words(trained)])


def _in_words(window: dict[str, Any]) -> list[str]:
    """The live settings of a window that have a value, such as "D = 2"."""
    found = {_SYMBOLS.get(name, name): value for name, value in window.items() if name != "window"}
    return [f"{symbol} = {value:g}" for symbol, value in found.items() if value is not None]
