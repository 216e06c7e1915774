"""The decoder's loop as CUDA graphs, recorded once per shape of batch and then replayed by a single call.

A decoder step consists of about a hundred small kernels, each of which a GPU finishes before Python launches the next.
A graph launches all of them at once and computes the same values; the tests replace CUDA graphs by a stub.
"""

from collections.abc import Callable
from typing import Any, cast

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn import functional as F

from attn_core.attention.mode import AS_BUILT, Mode
from attn_core.data.corpus import Batch
from attn_core.devices import autocast
from attn_core.models.decoders.decoder import Carry, Decoder
from attn_core.models.translator import Translator
from attn_core.trace import Memory

GRID = 8  # lengths are rounded up to a multiple of this, so that there are few shapes
MOST = 32  # maximum number of graphs, each of which holds the decoder's gradients; further shapes run without a graph


class Replay:
    """The training steps of `model` on batches, as Translator.steps, but only h~ is kept."""

    def __init__(self, model: Translator, precision: str):
        self.model, self.precision = model, precision
        self.mode = AS_BUILT  # of the recorded graphs
        self.loops: dict[Any, Callable[..., Tensor]] = {}
        # A recorded graph keeps the nodes that accumulate the weights' gradients on the recording's stream. torch waits
        # for that stream, as it must, and warns; the warning is switched off for the whole process.
        torch.autograd.graph.set_warn_on_accumulate_grad_stream_mismatch(False)

    def __call__(self, batch: Batch, mode: Mode = AS_BUILT) -> Float[Tensor, "b tgt a"]:
        """The attentional vectors of the batch. One backward pass must follow before the next call."""
        arguments = self._arguments(batch)
        shape = tuple((part.shape, part.dtype, part.requires_grad) for part in arguments)
        if mode != self.mode:  # a window has another width now, and does not return to an earlier one
            self.loops.clear()
            self.mode = mode
        if shape not in self.loops and len(self.loops) < MOST:
            example = tuple(part.detach().clone().requires_grad_(part.requires_grad) for part in arguments)
            # A recording fails while a forward pass on the default stream that used one of the loop's weights is still
            # in memory. With the score concat there is one: its keys come from the same matrix as its queries.
            del arguments
            torch.clear_autocast_cache()  # which holds weights that this pass has cast
            self.loops[shape] = self._record(example, mode)
            arguments = self._arguments(batch)
        loop = self.loops.get(shape) or _Loop(self.model.decoder, self.precision, mode)
        return loop(*arguments)[:, : batch.inputs.size(1)]

    def _arguments(self, batch: Batch) -> tuple[Tensor, ...]:
        """The arguments of the loop."""
        memory, carry = self.model.encode(batch.source, batch.source_mask, batch.source_lengths)
        src, tgt = (-part.size(1) % GRID for part in (batch.source, batch.inputs))
        states, keys = (F.pad(part, (0, 0, 0, src)) for part in (memory.states, memory.keys))
        words, mask = F.pad(batch.inputs, (0, tgt)), F.pad(memory.src_mask, (0, src))
        return words, mask, states, keys, carry.fed, *carry.state

    def _record(self, example: tuple[Tensor, ...], mode: Mode) -> Callable[..., Tensor]:
        loop = _Loop(self.model.decoder, self.precision, mode)
        with torch.autocast(example[0].device.type, enabled=False):  # the loop has its own autocast, without a cache
            graphed = torch.cuda.make_graphed_callables(loop, example, allow_unused_input=True)
        return cast(Callable[..., Tensor], graphed)


class _Loop(nn.Module):
    """The decoder as a function of tensors only."""

    def __init__(self, decoder: Decoder, precision: str, mode: Mode):
        super().__init__()
        self.decoder, self.precision, self.mode = decoder, precision, mode

    def forward(self, words: Tensor, mask: Tensor, states: Tensor, keys: Tensor, fed: Tensor, *state: Tensor) -> Tensor:
        with autocast(words.device, self.precision, cache=False):
            return self.decoder(words, Carry(0, state, fed), Memory(states, keys, mask), self.mode)[0].attentional
