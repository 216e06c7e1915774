"""Base class of decoders: embeddings, attention, output layer, and the state that is carried from step to step.

A decoder takes any number of target words at once: all of them in training and forced decoding, one in search. The same
code runs in both cases.
"""

from dataclasses import dataclass, replace
from typing import Any, ClassVar

from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from attn_core.attention.attention import Attention
from attn_core.attention.mode import AS_BUILT, Mode
from attn_core.attention.multihead import MultiHead
from attn_core.attention.notation import Node, Quantity
from attn_core.messages import N_
from attn_core.models.config import ModelConfig
from attn_core.models.encoders.encoder import Encoded
from attn_core.models.encoders.notation import both_ends
from attn_core.trace import Memory, Record, Step
from attn_core.trace.naming import named
from attn_core.trace.tensors import wide


@dataclass(frozen=True)
class Carry(Record):
    """The state that one decoding step passes to the next; batch first."""

    t: int
    # s_{i-1}; the LSTM's (h, c) with a layer axis; a Transformer's keys and values so far, layer by layer. A recurrent
    # state starts in at least float32: in half precision (autocast), c_t would lose digits at every step.
    state: tuple[Float[Tensor, "b *n"], ...]
    # The previous step's context (Bahdanau) or attentional vector (Luong); empty for a Transformer.
    fed: Float[Tensor, "b f"]


class Decoder(nn.Module):
    """Base class of decoders, one for each order of the decoding step. `vocabulary` is the number of target tokens."""

    name: ClassVar[str]

    def __init__(self, config: ModelConfig, vocabulary: int, attention: Attention | MultiHead | None):
        super().__init__()
        embed = nn.Embedding(vocabulary, config.embedding, padding_idx=0)
        self.embed: nn.Module = embed
        self.attention = attention
        self.dropout: nn.Module = nn.Dropout(config.dropout)
        self.output_dropout = nn.Dropout(config.output_dropout)
        self.dropout_once = config.decoder.dropout_once  # dropout is applied to the attentional vectors in `steps`
        self.output = nn.Linear(config.readout_size, vocabulary, bias=config.decoder.biases)
        if config.tied:
            self.output.weight = embed.weight

    @classmethod
    def quantities(cls, config: Any) -> tuple[Quantity, ...]:
        """The quantities of a step of a model with this ModelConfig, in the order in which their equations are read."""
        raise NotImplementedError

    def memory(self, encoded: Encoded, mask: Bool[Tensor, "b src"]) -> Memory:
        """The Memory that the steps attend to."""
        if self.attention is None:
            return Memory(encoded.states, encoded.states, mask, encoded.looks)
        memory = self.attention.memory(named("memory", encoded.states), mask, encoded.values)
        return replace(memory, looks=encoded.looks)

    def start(self, encoded: Encoded, mask: Bool[Tensor, "b src"]) -> Carry:
        """The Carry of the first step."""
        raise NotImplementedError

    def forward(
        self, words: Int[Tensor, "b tgt"], carry: Carry, memory: Memory, mode: Mode = AS_BUILT
    ) -> tuple[Step, Carry]:
        """The steps with inputs `words`; `*b` of the Step is `b tgt`."""
        return self.steps(named("word", self.dropout(self.embed(words))), carry, memory, mode)

    def steps(
        self, embedded: Float[Tensor, "b tgt m"], carry: Carry, memory: Memory, mode: Mode = AS_BUILT
    ) -> tuple[Step, Carry]:
        """The steps with embedded words, or any other vectors, as inputs."""
        raise NotImplementedError

    def context_matrix(self) -> Float[Tensor, "out mem"] | None:
        """The matrix that multiplies the context vector where it enters a step; None: none is known to."""
        return None

    def context_maps(self) -> dict[tuple[int, int], Float[Tensor, "out v"] | None]:
        """By layer and head, the linear map of what its weights average, up to the first function that is not linear.

        `out` is the same for all heads of a layer, so that their results can be added. None stands for the identity.
        """
        matrix = self.context_matrix()
        if not isinstance(self.attention, MultiHead):
            return {} if self.attention is None else {(0, 0): matrix}
        parts = self.attention.W_o.weight.chunk(len(self.attention.heads), 1)
        return {(0, head): part if matrix is None else matrix @ part for head, part in enumerate(parts)}

    def log_probs(self, attentional: Float[Tensor, "*b a"]) -> Float[Tensor, "*b vocab"]:
        """log p(y_t | y_<t, x), natural."""
        return wide(self.logits(attentional)).log_softmax(-1)

    def logits(self, attentional: Float[Tensor, "*b a"]) -> Float[Tensor, "*b vocab"]:
        return self.output(attentional if self.dropout_once else self.output_dropout(attentional))


def initial_lines(config: Any, symbol: str) -> tuple[str, ...]:
    """The equation of an RNN's initial state `symbol` in LaTeX."""
    own = config.decoder
    copied = own.start == "copy"
    last = r"\operatorname{mean}_s \bar h_s" if own.start == "mean" else both_ends(config)
    parts = "state and cell" if own.cell == "lstm" else ""
    layers = "" if own.layers == 1 else "each layer, from the same layer of the encoder" if copied else "every layer"
    where = " of ".join(filter(None, (parts, layers)))
    note = rf"\ \text{{(for {where})}}" if where else ""
    first = last if copied else rf"\tanh(W_{{\text{{init}}}} {last})"
    return (f"{symbol} = {first}{note}",)


def distribution(config: Any, symbol: str, readout: str, matrix: str) -> Quantity:
    """The distribution over words. `readout` is the symbol of the output layer's input, `matrix` that of its weights
    where they are not tied to the embeddings.
    """
    matrix = r"E^\top" if config.tied else matrix
    bias = r" + b_{\text{out}}" if config.decoder.biases else ""
    line = rf"p({symbol}) = \operatorname{{softmax}}({matrix} {readout}{bias})"
    name = N_("distribution over words")
    return Quantity("output", "output", symbol, name, (line,), ("readout",), ("V",), node=Node.WORD)
