"""Our recipe inside another toolkit: initial weights and learning rates, for which the toolkits have no such options.

Standard library and torch only, since the toolkits' environments import this file. It repeats the recipe of the small
presets and the start in attn_core/models/initialization.py: change them together.
"""

import math

import torch
from torch import nn

PEAK, WARMUP, EPOCHS = 0.006, 200, 20  # the recipe of the small presets


def rate(updates: int, per_epoch: int) -> float:
    """The learning rate of an update (from 0): a linear warm-up under a cosine."""
    done = min(1.0, updates / (EPOCHS * per_epoch))
    return PEAK * min(1.0, (updates + 1) / WARMUP) * (0.5 + 0.5 * math.cos(math.pi * done))


@torch.no_grad()
def begin(model: nn.Module, output: nn.Parameter, seed: int) -> None:
    """Draw the weights as `init=large-embeddings` does (attn_core/models/initialization.py).

    `output` is the matrix before the softmax, over the words of the target. A matrix of one row is an additive score's
    v_a, which starts at 0.
    """
    torch.manual_seed(seed)
    for module in model.modules():
        for name, parameter in module.named_parameters(recurse=False):
            if isinstance(module, nn.Embedding):
                parameter.normal_(std=0.3)
            elif parameter is output:
                parameter.normal_(std=3.6 * parameter.size(1) ** -0.5)
            elif name.startswith("weight_hh"):
                for gate in parameter.split(parameter.size(1)):
                    nn.init.orthogonal_(gate)
            elif parameter.dim() > 1 and parameter.size(0) > 1:
                nn.init.xavier_uniform_(parameter)
            else:
                parameter.zero_()
            if isinstance(module, nn.LSTM | nn.LSTMCell) and name.startswith("bias_ih"):
                parameter.chunk(4)[1].fill_(1.0)  # the forget gates
