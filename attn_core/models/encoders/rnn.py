"""Recurrent encoders: Bahdanau's GRU in one or two directions, and torch's stacks of LSTMs or GRUs."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from attn_core.models.cells import GRULayer
from attn_core.models.config import ModelConfig
from attn_core.models.encoders.encoder import Encoded, Encoder
from attn_core.models.encoders.settings import RNNSettings


class RNNEncoder(Encoder):
    """A state for each word, computed from the word and the adjacent state; in two directions, h_j = [->h_j; <-h_j].

    `cell` "gru" is Bahdanau 2015, eq. 7 and A.2.1; "lstm" is a stack of LSTMs whose top states are attended to (Luong
    2015, section 3); "torch-gru" is the same stack with torch's GRU, as in toolkits.
    """

    def __init__(self, config: ModelConfig, vocabulary: int):
        super().__init__(config, vocabulary)
        settings = config.encoder
        assert isinstance(settings, RNNSettings)
        self.summed = settings.summed
        self.directions = self.rnn = None
        if settings.cell == "gru":
            backward = (False, True) if settings.bidirectional else (False,)
            self.directions = nn.ModuleList(
                GRULayer(config.embedding, settings.hidden, settings.reset, backward=one) for one in backward
            )
        else:
            self.rnn = {"lstm": nn.LSTM, "torch-gru": nn.GRU}[settings.cell](
                config.embedding,
                settings.hidden,
                settings.layers,
                bias=settings.biases,
                batch_first=True,
                dropout=config.dropout if settings.layers > 1 else 0.0,
                bidirectional=settings.bidirectional,
            )

    @classmethod
    def equations(cls, config: Any) -> list[str]:
        x, own = config.decoder.letters, config.encoder
        j, h = x.place, x.bare
        there, back = (rf"\overrightarrow{{{h}}}", "-"), (rf"\overleftarrow{{{h}}}", "+")
        if not own.bidirectional:
            return [f"{x.state} = f(x_{j}, {h}_{{{j}{'+' if own.reverse else '-'}1}})"]
        halves = (back, there) if own.reverse else (there, back)
        names = [f"{name}_{j}" for name, _ in halves]
        whole = " + ".join(names) if own.directions == "sum" else f"[{'; '.join(names)}]"
        return [f"{x.state} = {whole}", *(f"{n}_{j} = f(x_{j}, {n}_{{{j}{sign}1}})" for n, sign in halves)]

    def encode(
        self, embedded: Float[Tensor, "b src m"], mask: Bool[Tensor, "b src"], lengths: Sequence[int] | None = None
    ) -> Encoded:
        """Encode embedded words. `final` has the forward state at the last word and the backward state at the first."""
        if self.directions is None:
            return self._stack(embedded, mask, lengths)
        each = [direction(embedded, mask) for direction in self.directions]
        states, last = zip(*each, strict=True)
        joined = torch.stack(states).sum(0) if self.summed else torch.cat(states, -1)
        return Encoded(joined, (torch.stack(last, 1).unsqueeze(1),), summed=self.summed)

    def _stack(
        self, embedded: Float[Tensor, "b src m"], mask: Bool[Tensor, "b src"], lengths: Sequence[int] | None
    ) -> Encoded:
        assert self.rnn is not None
        lengths = mask.sum(1).tolist() if lengths is None else lengths
        if min(lengths) == mask.size(1):  # without padding: one fused call, on a CPU twice as fast as a packed sequence
            states, final = self.rnn(embedded)
        else:
            sort = any(before < after for before, after in pairwise(lengths))  # sorting would synchronise a GPU
            packed = pack_padded_sequence(embedded, torch.tensor(lengths), batch_first=True, enforce_sorted=not sort)
            output, final = self.rnn(packed)
            states, _ = pad_packed_sequence(output, batch_first=True, total_length=mask.size(1))
        if self.summed:
            states = states.unflatten(-1, (2, -1)).sum(-2)
        parts = final if isinstance(final, tuple) else (final,)
        return Encoded(states, tuple(self._by_layer(part) for part in parts), summed=self.summed)

    def _by_layer(self, final: Float[Tensor, "stacked b n"]) -> Float[Tensor, "b layers directions n"]:
        """torch's last states (layers x directions on the first axis), batch first, with separate axes."""
        assert self.rnn is not None
        return final.view(self.rnn.num_layers, -1, *final.shape[1:]).permute(2, 0, 1, 3)
