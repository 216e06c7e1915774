"""The papers' named models as presets, each with a config and a training recipe.

NAME is small (trains on two CPU cores in minutes); NAME-paper, where there is one, has the published hyperparameters.
Small presets share sizes and recipe, so that they differ only in mechanism; `best-de-en` and `transformer` have their
own. The tutorials, toolkits and authors' programs of attn_core.models.variants are small presets too.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any, cast

from attn_core.attention.settings import SCORES, WINDOWS, LocalSettings
from attn_core.messages import offered
from attn_core.models.config import ModelConfig
from attn_core.models.recipe import TrainConfig, check_effect, check_together
from attn_core.models.variants import VARIANTS

# With init=large-embeddings, three epochs bring luong-general-global to BLEU 34 on Multi30k's val instead of 21; after
# 20 epochs the difference is below 1 (training/README.md, measured in tests/benchmarks/starts.jsonl).
SMALL = TrainConfig(rate=6e-3, warmup=200)

# What the recipes of Bahdanau 2015 and Luong 2015 share.
PAPER = TrainConfig(
    rate=1.0,
    warmup=0,
    label_smoothing=0.0,
    min_frequency=1,
    loss_per="sentence",
    patience=0,
    criterion="perplexity",
    precision="fp32",
)

# Bahdanau 2015, B.1-B.2: n = n' = 1000, m = 620, l = 500; Adadelta, gradient norm 1, batches of 80, 30K words per side.
BAHDANAU_PAPER = ModelConfig.of(
    {"encoder.cell": "gru", "encoder.hidden": 1000, "decoder.hidden": 1000, "attention.score.hidden": 1000},
    score="additive",
    order="attend-then-update",
    embedding=620,
    attentional=500,
    tied=False,
    dropout=0.0,
    output_dropout=0.0,
    init="bahdanau2015",
    source_eos=True,
)
BAHDANAU_RECIPE = replace(
    PAPER, batch=80, epochs=5, optimizer="adadelta", schedule="constant", clip=1.0, vocabulary=30_004
)

# Luong 2015, section 4.1: 4 layers of 1000 cells, SGD with a rate of 1, halved every epoch after 8 of 12, dropout 0.2,
# 50K words; without biases, as in nmt.matlab.
LUONG_PAPER = ModelConfig.of(
    {"encoder.hidden": 1000, "encoder.layers": 4, "encoder.biases": False},
    **{"decoder.hidden": 1000, "decoder.layers": 4, "decoder.biases": False},
    embedding=1000,
    attentional=1000,
    bidirectional=False,
    tied=False,
    dropout=0.2,
    output_dropout=0.0,
    init="luong2015",
    feeding=True,
    reverse=True,
)
LUONG_RECIPE = replace(
    PAPER, wide=0, batch=128, epochs=12, optimizer="sgd", schedule="halving", halve_after=8, clip=5.0, vocabulary=50_004
)

# Vaswani 2017, sections 3 and 5, base: 6 layers of 512, 8 heads, d_ff 2048; one vocabulary of 37,000 pieces; 4,000
# updates of warm-up to (d_model * warmup)^-0.5. Batches have 25,000 tokens per side, about 900 sentences of WMT.
TRANSFORMER_PAPER = ModelConfig.of(
    {"encoder.layers": 6, "encoder.heads": 8, "encoder.feedforward": 2048},
    **{"decoder.layers": 6, "attention.heads": 8, "decoder.feedforward": 2048},
    score="scaled_dot",
    order="transformer",
    encoder="transformer",
    embedding=512,
    shared=True,
    dropout=0.1,
    output_dropout=0.0,
    init="glorot",
    source_eos=True,
)
TRANSFORMER_RECIPE = TrainConfig(
    wide=0,
    batch=900,
    epochs=20,
    rate=(512 * 4000) ** -0.5,
    schedule="inverse-sqrt",
    warmup=4000,
    clip=1e6,  # none
    label_smoothing=0.1,
    average=0.9998,
    max_length=100,
    subword="bpe",
    vocabulary=37_000,
    min_frequency=1,
    patience=0,
    criterion="perplexity",
)


Preset = tuple[ModelConfig, TrainConfig]


@lru_cache(maxsize=1)
def _presets(scores: tuple[str, ...], windows: tuple[str, ...]) -> dict[str, Preset]:
    """All presets, among them one for each pair of these scores and windows."""
    small = ModelConfig()
    found = {
        # Most small presets start from large embeddings, from which this one ends 1.2 BLEU lower.
        "fixed-vector": (
            ModelConfig.of(
                {"encoder.cell": "gru", "encoder.hidden": small.hidden},
                score=None,
                order="attend-then-update",
                bidirectional=False,
                init="glorot",
            ),
            SMALL,
        ),
        "fixed-vector-paper": (BAHDANAU_PAPER.set({"score": None, "bidirectional": False}), BAHDANAU_RECIPE),
        "bahdanau": (ModelConfig.of({"encoder.cell": "gru"}, score="additive", order="attend-then-update"), SMALL),
        "bahdanau-paper": (BAHDANAU_PAPER, BAHDANAU_RECIPE),
    }
    # The base row of Luong 2015, table 1. The small preset keeps tanh(W_c h_t), so that its output layer is as large as
    # the others'; in the paper its input is h_t.
    found["luong-base"] = (ModelConfig.of(score=None), SMALL)
    without = {"score": None, "combine": "state", "feeding": False, "reverse": False, "dropout": 0.0}
    undropped = replace(LUONG_RECIPE, epochs=10, halve_after=5)  # section 4.1: models without dropout train for less
    found["luong-base-paper"] = (LUONG_PAPER.set(without), undropped)
    # The attention types and regularisers of Xu 2015, section 4, on words instead of images, in Bahdanau's decoder.
    found["xu-soft"] = (found["bahdanau"][0], replace(SMALL, doubly_stochastic=1.0))
    hard = found["bahdanau"][0].set({"type": "hard-sample"})
    found["xu-hard"] = (hard, replace(SMALL, attention_entropy=-0.002))
    for score in scores:
        for window in windows:
            name, point = f"luong-{score}-{window}", {"score": score, "window": window}
            # Multi30k's sentences have about 12 words, all of which would be in view with the paper's D = 10.
            usual = getattr(WINDOWS.settings(window), "half_width", None) == LocalSettings().half_width
            local = {"half_width": 4} if usual else {}
            found[name] = (small.set(point | local), SMALL)
            found[f"{name}-paper"] = (_wide(LUONG_PAPER.set(point)), LUONG_RECIPE)
    found["best-de-en"] = BEST
    found |= {name: (variant.config(), replace(SMALL, **variant.recipe)) for name, variant in VARIANTS.items()}
    found["transformer"] = TRANSFORMER
    found["transformer-paper"] = TRANSFORMER_PAPER, TRANSFORMER_RECIPE
    return found


# The larger model, which pretrained/models.toml trains with other settings too, and with teachers. At this size,
# additive scores in the attend-then-update order were better on the validation set than general scores in Luong's
# order, and word pieces better than words.
BEST = (
    ModelConfig.of(
        {"encoder.cell": "gru", "encoder.hidden": 256, "decoder.hidden": 512, "attention.score.hidden": 256},
        score="additive",
        order="attend-then-update",
        update="groundhog",  # 2.2 BLEU better on Multi30k than the step as printed (benchmark `variants`)
        embedding=256,
        attentional=256,
        dropout=0.4,
        output_dropout=0.4,
        init="glorot",
    ),
    replace(
        SMALL,
        rate=2e-3,
        warmup=400,
        wide=4,  # with this lower rate a learned centre needs longer; without effect on the global window
        epochs=16,
        patience=0,
        average=0.999,
        subword="bpe",
        vocabulary=6000,
        min_frequency=1,
    ),
)

# The sizes that Wu 2021 found best for Multi30k ("Transformer-tiny"). With their dropout of 0.3 and warm-up of 2,000
# updates, the upper layers learned slowly: validation BLEU 16 after 17 epochs, instead of 38 with these settings.
TRANSFORMER = (
    TRANSFORMER_PAPER.set(
        {"encoder.layers": 4, "encoder.heads": 4, "encoder.feedforward": 256}
        | {"decoder.layers": 4, "attention.heads": 4, "decoder.feedforward": 256}
        | {"embedding": 128, "dropout": 0.15, "source_eos": False}
    ),
    replace(
        SMALL,
        wide=0,
        epochs=46,
        patience=0,
        rate=(128 * 2000) ** -0.5,
        schedule="inverse-sqrt",
        warmup=1000,
        average=0.999,
        subword="bpe",
        vocabulary=8000,
        min_frequency=1,
    ),
)


def _wide(config: ModelConfig) -> ModelConfig:
    """`config` with the score's hidden size set to the decoder's, if the score has one."""
    name = "attention.score.hidden"
    return config.set({name: config.hidden}) if config[name] else config


class _Presets(Mapping[str, Preset]):
    """The presets by name, with those of scores and windows that were registered at run time."""

    def __getitem__(self, name: str) -> Preset:
        return self._now()[name]

    def __contains__(self, name: object) -> bool:
        return name in self._now()

    def __iter__(self) -> Iterator[str]:
        return iter(self._now())

    def __len__(self) -> int:
        return len(self._now())

    def _now(self) -> dict[str, Preset]:
        return _presets(tuple(SCORES), tuple(WINDOWS))


PRESETS = _Presets()


def configure(
    preset: str, settings: dict[str, Any], presets: Mapping[str, tuple[Any, Any]] = PRESETS
) -> tuple[Any, Any]:
    """A preset's model config and recipe with `settings` (of either); from PRESETS, a ModelConfig and a TrainConfig.

    Raises ValueError for an unknown preset or setting, and for a setting without effect.
    """
    if preset not in presets:
        raise ValueError(f"unknown preset {preset!r}{offered(preset, presets)}")
    model, recipe = presets[preset]
    of_recipe = recipe.names()
    known = *model.names(), *of_recipe
    for key in settings:
        if key not in known:
            raise ValueError(f"unknown setting {key!r}{offered(key, known)}")
    model = model.set({key: value for key, value in settings.items() if key not in of_recipe})
    recipe = recipe.set({key: value for key, value in settings.items() if key in of_recipe})
    check_effect(model, recipe, presets[preset][1])
    if isinstance(model, ModelConfig):
        check_together(model, cast(TrainConfig, recipe))
    return model, recipe
