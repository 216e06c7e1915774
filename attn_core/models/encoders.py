"""From words to annotations: what the decoder will look at, and what it starts from."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from attn_core.models.cells import GRULayer
from attn_core.models.config import ModelConfig
from attn_core.registry import Registry, letters
from attn_core.trace import Look, Record

ENCODERS: "Registry[Encoder]" = Registry("encoder")


@dataclass(frozen=True)
class Encoded(Record):
    """A sentence read. `final` is for the decoder's start: one tensor for a GRU, (h, c) for an LSTM, else none."""

    states: Float[Tensor, "b src mem"]
    final: tuple[Float[Tensor, "b layers n"], ...]
    looks: tuple[Look, ...] = ()  # of the words at each other


class Encoder(nn.Module):
    """Base of the encoders: embeds the words, reads them, and gives the states back in the order of writing.

    With `config.reverse` the sentence is read from its last word to its first (Sutskever 2014; nmt.matlab); positions
    stay those of the sentence as written.
    """

    name: str
    formula: str

    def __init__(self, config: ModelConfig, vocabulary: int):
        super().__init__()
        self.reverse, self.summed = config.reverse, config.directions == "sum"
        self.embed: nn.Module = nn.Embedding(vocabulary, config.embedding, padding_idx=0)
        self.dropout = nn.Dropout(config.dropout)

    @classmethod
    def equations(cls, config: ModelConfig) -> list[str]:
        """The states in LaTeX as an encoder with this ModelConfig computes them, in the letters of its order's paper.

        With several layers x is what the layer below gives.
        """
        x = letters(config.order)
        j, h = x.place, x.bare
        there, back = (rf"\overrightarrow{{{h}}}", "-"), (rf"\overleftarrow{{{h}}}", "+")
        if not config.bidirectional:
            return [f"{x.state} = f(x_{j}, {h}_{{{j}{'+' if config.reverse else '-'}1}})"]
        halves = (back, there) if config.reverse else (there, back)
        names = [f"{name}_{j}" for name, _ in halves]
        whole = " + ".join(names) if config.directions == "sum" else f"[{'; '.join(names)}]"
        return [f"{x.state} = {whole}", *(f"{n}_{j} = f(x_{j}, {n}_{{{j}{sign}1}})" for n, sign in halves)]

    @classmethod
    def ends(cls, config: ModelConfig) -> list[str]:
        """The last state that each direction computes, in LaTeX and in the letters of `equations`."""
        x = letters(config.order)
        end = x.length if config.source_eos else f"{x.length} - 1"  # S counts words, and </s> is none
        if not config.bidirectional:
            return [f"{x.bare}_{{{'0' if config.reverse else end}}}"]
        there, back = rf"\overrightarrow{{{x.bare}}}_{{{end}}}", rf"\overleftarrow{{{x.bare}}}_{{0}}"
        return [back, there] if config.reverse else [there, back]

    def forward(
        self, words: Int[Tensor, "b src"], mask: Bool[Tensor, "b src"], lengths: Sequence[int] | None = None
    ) -> Encoded:
        """`lengths` say what `mask` says; without them a GPU is waited for, where they are needed."""
        order = _reading_order(mask, self.reverse)
        embedded = self.dropout(self.embed(words.gather(1, order)))
        encoded = self.read(embedded, mask, lengths)
        back = order.unsqueeze(-1).expand_as(encoded.states)
        return Encoded(encoded.states.gather(1, back), encoded.final) if self.reverse else encoded

    def read(
        self, embedded: Float[Tensor, "b src m"], mask: Bool[Tensor, "b src"], lengths: Sequence[int] | None = None
    ) -> Encoded:
        raise NotImplementedError


def _reading_order(mask: Bool[Tensor, "b src"], reverse: bool) -> Int[Tensor, "b src"]:
    """Which word is read when; padding stays at the end. Reversal is its own inverse."""
    positions = torch.arange(mask.size(1), device=mask.device).expand(mask.shape)
    return torch.where(mask, mask.sum(1, keepdim=True) - 1 - positions, positions) if reverse else positions


@ENCODERS.add("gru", r"h_j = f(x_j, h_{j-1})")
class GRUEncoder(Encoder):
    """The paper's GRU in one direction or two, h_j = [forward h_j; backward h_j] (Bahdanau 2015, eq. 7 and A.2.1).

    `final` is the last state computed: h of the last word, or in two directions the backward state at the first word;
    of a decoder that starts from both ends, both.
    """

    def __init__(self, config: ModelConfig, vocabulary: int):
        super().__init__(config, vocabulary)
        sizes = config.embedding, config.encoder_hidden, config.reset
        directions = (False, True) if config.bidirectional else (False,)
        self.both_ends = config.chosen("start") == "both-ends"
        self.directions = nn.ModuleList(GRULayer(*sizes, backward=backward) for backward in directions)

    def read(
        self, embedded: Float[Tensor, "b src m"], mask: Bool[Tensor, "b src"], lengths: Sequence[int] | None = None
    ) -> Encoded:
        read = [direction(embedded, mask) for direction in self.directions]
        states = [states for states, _ in read]
        last = torch.cat([last for _, last in read], -1) if self.both_ends else read[-1][1]
        return Encoded(sum(states) if self.summed else torch.cat(states, -1), (last.unsqueeze(1),))


@ENCODERS.add("lstm", r"\bar h_s = f(x_s, \bar h_{s-1})")
class LSTMEncoder(Encoder):
    """Stacked LSTM; the top layer's states are looked at (Luong 2015, section 3). One direction in the paper."""

    kind: type[nn.LSTM] | type[nn.GRU] = nn.LSTM

    def __init__(self, config: ModelConfig, vocabulary: int):
        super().__init__(config, vocabulary)
        self.rnn = self.kind(
            config.embedding,
            config.encoder_hidden,
            config.layers,
            bias=config.biases,
            batch_first=True,
            dropout=config.dropout if config.layers > 1 else 0.0,
            bidirectional=config.bidirectional,
        )

    def read(
        self, embedded: Float[Tensor, "b src m"], mask: Bool[Tensor, "b src"], lengths: Sequence[int] | None = None
    ) -> Encoded:
        lengths = mask.sum(1).tolist() if lengths is None else lengths
        if min(lengths) == mask.size(1):  # the whole sentence is one fused call, twice as fast as packed on a CPU
            states, final = self.rnn(embedded)
        else:
            sort = any(before < after for before, after in pairwise(lengths))  # a copy to the GPU, waited for
            packed = pack_padded_sequence(embedded, torch.tensor(lengths), batch_first=True, enforce_sorted=not sort)
            output, final = self.rnn(packed)
            states, _ = pad_packed_sequence(output, batch_first=True, total_length=mask.size(1))
        if self.summed:
            states = states.unflatten(-1, (2, -1)).sum(-2)
        parts = final if isinstance(final, tuple) else (final,)
        return Encoded(states, tuple(_by_layer(part, self.rnn.num_layers, self.summed) for part in parts))


@ENCODERS.add("torch-gru", r"\bar h_s = f(x_s, \bar h_{s-1})")
class StackedGRUEncoder(LSTMEncoder):
    """torch's GRU in the LSTM's place: what toolkits offer in Luong's order."""

    kind = nn.GRU


def encoder_of(config: ModelConfig) -> str:
    """The key of ENCODERS that goes with a config: the cell goes with the order, as in the papers."""
    if config.order in ("attend-then-update", "transformer"):
        return {"attend-then-update": "gru", "transformer": "self-attention"}[config.order]
    return "torch-gru" if config.cell == "gru" else "lstm"


def _by_layer(final: Float[Tensor, "directions b n"], layers: int, summed: bool) -> Float[Tensor, "b layers m"]:
    """Both directions of a layer as one vector, so that decoder layer k starts from encoder layer k."""
    directions = final.view(layers, -1, *final.shape[1:])
    return (directions.sum(1) if summed else torch.cat(directions.unbind(1), -1)).transpose(0, 1)
