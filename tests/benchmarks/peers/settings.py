"""A case of the comparisons as settings of attn_core."""

import torch

from attn_core.devices import best_precision
from attn_core.models.config import ModelConfig
from attn_core.models.presets import configure
from attn_core.models.recipe import TrainConfig
from tests.benchmarks.peers.cases import BATCH, CLIP, LARGE, RATE, SEED, Case, Conditions

ORDER = {"gru": "attend-then-update", "lstm": "update-then-attend"}
PRESET = {"additive": "bahdanau", "general": "luong-general-global"}  # the small presets with these scores


def settings(case: Case, precision: str) -> tuple[ModelConfig, TrainConfig]:
    """The model and the recipe of the comparison of speed."""
    order = ORDER[case.cell]
    model = ModelConfig.of(
        score=case.score,
        window="global",
        order=order,
        embedding=LARGE.embedding,
        **{"encoder.cell": case.cell, "encoder.hidden": LARGE.encoder, "decoder.hidden": LARGE.decoder},
        attentional=LARGE.decoder,
        tied=False,
        init="luong2015",  # as in OpenNMT-py, so that after one epoch the models that translate are about as good
        dropout=0.0,
        output_dropout=0.0,
        **({"feeding": case.feeding} if order == "update-then-attend" else {}),  # Bahdanau always feeds the context
        **({"attention.score.hidden": LARGE.decoder} if case.score == "additive" else {}),
    )
    recipe = TrainConfig(
        batch=BATCH,
        epochs=1_000_000,
        optimizer="adam",
        rate=RATE,
        schedule="constant",
        warmup=0,
        clip=CLIP,
        label_smoothing=0.0,
        patience=0,
        criterion="perplexity",
        precision=precision,
        seed=SEED,
    )
    return model, recipe


def small_settings(case: Case, conditions: Conditions) -> tuple[ModelConfig, TrainConfig]:
    """The model and the recipe of the comparison of time to quality: those of the preset, with the options."""
    feeding = {} if case.score == "additive" else {"feeding": case.feeding}  # Bahdanau always feeds the context
    precision = best_precision(torch.device("cpu"))
    # The loop's own validation, which sees a single pair here, must not end the training.
    own = {"patience": 0, "precision": precision, "seed": conditions.seed}
    return configure(PRESET[case.score], {**own, **feeding, **conditions.options})
