"""Changes to the start, the optimizer and the batches that are no settings, for the study of starts."""

from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np
import torch
from torch import nn

from attn_core.models.recipe import TrainConfig
from attn_core.models.translator import Translator
from attn_core.training import loop
from attn_core.training.corpus_task import Chosen, CorpusTask


def per_gate(model: Translator) -> None:
    """The fan-out of Glorot's bound is the size of one gate, not of all gates that torch stacks into a matrix."""
    for name, parameter in model.named_parameters():
        gates = 4 if "weight_ih" in name else 3 if name.endswith((".W.weight", ".C.weight")) else 1  # LSTM, our GRU
        for gate in parameter.chunk(gates) if gates > 1 else ():
            nn.init.xavier_uniform_(gate)


def w_a(start: Callable[[torch.Tensor], Any]) -> Callable[[Translator], None]:
    """The score's W_a is filled by `start`. With the identity, the general score begins as the dot product."""
    return lambda model: start(cast(Any, model.decoder.attention).score.W_a.weight)


def embeddings(deviation: float, *sides: str) -> Callable[[Translator], None]:
    """The embeddings of these sides ("encoder", "decoder") are drawn from N(0, deviation^2)."""

    def change(model: Translator) -> None:
        for name in sides:
            getattr(model, name).embed.weight.data.normal_(std=deviation)

    return change


def drop_words(probability: float, *sides: str) -> Callable[[Translator], None]:
    """In training, whole words are dropped from these sides' input: their embeddings are 0 with this probability."""

    def drop(embed: nn.Module, _: object, embedded: torch.Tensor) -> torch.Tensor:
        if not embed.training:
            return embedded
        return embedded * (torch.rand_like(embedded[..., :1]) >= probability)

    def change(model: Translator) -> None:
        for name in sides:
            getattr(model, name).embed.register_forward_hook(drop)

    return change


def output(model: Translator) -> None:
    """The output matrix, where it is not tied to the embeddings, is drawn from N(0, 0.3^2)."""
    model.decoder.output.weight.data.normal_(std=0.3)


def random_v(model: Translator) -> None:
    """The v_a of an additive score is drawn from U[-0.1, 0.1]; it starts at 0 otherwise."""
    score = cast(Any, model.decoder.attention).score
    nn.init.uniform_(score.v_a, -0.1, 0.1)


CHANGES: dict[str, Callable[[Translator], None]] = {
    "embed-1": embeddings(1.0, "encoder", "decoder"),
    "embed-0.3": embeddings(0.3, "encoder", "decoder"),
    "embed-0.15": embeddings(0.15, "encoder", "decoder"),
    "source-embed-1": embeddings(1.0, "encoder"),
    "drop-words-0.1": drop_words(0.1, "encoder", "decoder"),
    "drop-source-words-0.1": drop_words(0.1, "encoder"),
    "output-0.3": output,
    "per-gate": per_gate,
    "random-v_a": random_v,
    "identity-W_a": w_a(nn.init.eye_),
    "orthogonal-W_a": w_a(nn.init.orthogonal_),
    "zero-W_a": w_a(nn.init.zeros_),
}
make_optimizer = loop.make_optimizer  # the study replaces that of the module
Maker = Callable[[nn.Module, TrainConfig], torch.optim.Optimizer]


def slow_score(model: nn.Module, recipe: TrainConfig) -> torch.optim.Optimizer:
    """Adam, with 0.03 times the rate for the parameters of the score."""
    apart: tuple[list[nn.Parameter], list[nn.Parameter]] = [], []
    for name, parameter in model.named_parameters():
        apart["score" in name].append(parameter)
    groups = [{"params": parameters} for parameters in apart]
    found = torch.optim.Adam(groups, recipe.rate, betas=(0.9, 0.98), eps=1e-9, fused=True)
    score = found.param_groups[1]
    found.register_step_pre_hook(lambda *_: score.update(lr=score["lr"] * 0.03))
    return found


def epsilon(value: float) -> Maker:
    """Adam with this epsilon, in place of Vaswani's 1e-9."""

    def make(model: nn.Module, recipe: TrainConfig) -> torch.optim.Optimizer:
        found = make_optimizer(model, recipe)
        found.param_groups[0]["eps"] = value
        return found

    return make


SLOW_SCORE = "score-rate-0.03"
OPTIMIZERS: dict[str, Maker] = {SLOW_SCORE: slow_score, "eps-1e-8": epsilon(1e-8), "eps-1e-6": epsilon(1e-6)}


def short_first(task: CorpusTask, number: int, batches: Sequence[Chosen]) -> Sequence[Chosen]:
    """Each epoch begins with the batches of the shortest sources."""
    lengths = task.train.lengths[0]
    return sorted(batches, key=lambda batch: lengths[batch].mean())


def any_length(task: CorpusTask, number: int, batches: Sequence[Chosen]) -> Sequence[Chosen]:
    """Batches are drawn at random, not from sentences of similar length; the longest source still comes first."""
    lengths = task.train.lengths[0].astype(np.int64)
    order = np.random.default_rng((task.recipe.seed, number)).permutation(np.concatenate(batches))
    return [batch[np.argsort(-lengths[batch], kind="stable")] for batch in np.array_split(order, len(batches))]


ORDERS = {"short-first": short_first, "any-length": any_length}
