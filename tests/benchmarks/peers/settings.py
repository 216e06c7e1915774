"""A case of the comparison as settings of attn_core."""

from attn_core.models.config import ModelConfig
from attn_core.models.recipe import TrainConfig
from tests.benchmarks.peers.cases import BATCH, CLIP, DECODER, EMBEDDING, ENCODER, RATE, SEED, Case

ORDER = {"gru": "attend-then-update", "lstm": "update-then-attend"}


def settings(case: Case, precision: str) -> tuple[ModelConfig, TrainConfig]:
    """The case as a model and a recipe of this project."""
    order = ORDER[case.cell]
    model = ModelConfig.of(
        score=case.score,
        window="global",
        order=order,
        embedding=EMBEDDING,
        encoder_hidden=ENCODER,
        hidden=DECODER,
        attentional=DECODER,
        tied=False,
        dropout=0.0,
        output_dropout=0.0,
        **({"feeding": case.feeding} if order == "update-then-attend" else {}),  # Bahdanau always feeds the context
        **({"align_hidden": DECODER} if case.score == "additive" else {}),
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
