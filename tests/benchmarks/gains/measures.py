"""The measures that speed up training on a CPU, what each is for, and how to switch it off in a process.

CUDA graphs are not among them: `gpu` measures training with and without them. Importing this file does not import
torch, so that a process can be tuned before.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import inf
from typing import Any

CAPTIONS, LONG = 13, 80  # words of a sentence
CROWD = 4  # times as many threads as cores, as in a container with a share of the cores, where torch counts all
SPEED, MODELS, ATTENTION = "attn_core.training.speed", "attn_core.models", "attn_core.attention"


@dataclass(frozen=True)
class Work:
    """What is trained: a small preset with settings, on random sentences."""

    preset: str
    settings: dict[str, Any] = field(default_factory=dict)
    words: int = CAPTIONS  # of a sentence

    @property
    def title(self) -> str:
        return " ".join([self.preset, *(f"{name}={value}" for name, value in self.settings.items())])


@dataclass(frozen=True)
class Measure:
    """A speed measure. The process without it has these `patches`, and the settings `instead`.

    A patch replaces the attribute module:name by a value, or by another such attribute if the value is a string.
    """

    works: tuple[Work, ...]
    witness: str | None  # a function that runs only with the measure, or only without it; None: the precisions differ
    patches: Mapping[str, Any] = field(default_factory=dict)
    instead: Mapping[str, Any] = field(default_factory=dict)
    threads: tuple[int, ...] = (1, 2)
    busy: int = 0  # other processes that compute meanwhile


def torch_cross_entropy(logits: Any, targets: Any, label_smoothing: float = 0.0) -> Any:
    from torch.nn import functional

    return functional.cross_entropy(logits.float(), targets, reduction="sum", label_smoothing=label_smoothing)


def unfused_adam(*args: Any, fused: bool, **more: Any) -> Any:
    from torch.optim.adam import Adam

    return Adam(*args, **more)


def crowd_threads(number: int) -> None:
    from torch._C import set_num_threads

    set_num_threads(CROWD * number)


FP32 = {"precision": "fp32"}
BAHDANAU, GENERAL = Work("bahdanau"), Work("luong-general-global")
BAHDANAU_FP32, GENERAL_FP32 = Work("bahdanau", FP32), Work("luong-general-global", FP32)
LONG_SOURCES = {"batch": 16, "max_length": 100}
UPDATE_THEN_ATTEND = f"{MODELS}.decoders.update_then_attend:UpdateThenAttend"

MEASURES = {
    "bf16": Measure((BAHDANAU, GENERAL), None, instead=FP32),
    "gathered-window": Measure(
        (Work("luong-general-local-p", LONG_SOURCES, LONG), Work("luong-concat-local-p", LONG_SOURCES, LONG)),
        f"{ATTENTION}.attention:Attention.near",
        {f"{ATTENTION}.attention:_FEW": inf},
    ),
    "recomputed-tanh": Measure(
        (BAHDANAU_FP32, Work("luong-concat-global", FP32)),
        f"{ATTENTION}.tanh_scores:TanhScores.forward",
        {f"{ATTENTION}.scores:saves_memory": lambda queries, keys, v: False},
    ),
    "cross-entropy": Measure(
        (BAHDANAU, GENERAL),
        f"{MODELS}.cross_entropy:_CrossEntropy.forward",
        {f"{MODELS}.translator:cross_entropy": torch_cross_entropy},
    ),
    "fused-adam": Measure((GENERAL,), "torch.optim.adam:_fused_adam", {"torch.optim:Adam": unfused_adam}),
    "whole-sequence": Measure(
        (GENERAL,),
        f"{UPDATE_THEN_ATTEND}._stepwise",
        {f"{UPDATE_THEN_ATTEND}.steps": f"{UPDATE_THEN_ATTEND}._stepwise"},
    ),
    "bounded-caches": Measure(
        (GENERAL,), f"{SPEED}.cpu_tuning:bound_caches", {f"{SPEED}.cpu_tuning:bound_caches": lambda: None}
    ),
    "bounded-waiting": Measure(
        (GENERAL,),
        f"{SPEED}.cpu_tuning:bound_waiting",
        {f"{SPEED}.cpu_tuning:bound_waiting": lambda: None},
        threads=(2,),
        busy=2,
    ),
    "limited-threads": Measure(
        (GENERAL,),
        f"{SPEED}.threads:limit_threads",
        {f"{SPEED}.threads:limit_threads": lambda: None, "torch:set_num_threads": crowd_threads},
        threads=(2,),
    ),
}
