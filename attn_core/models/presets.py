"""The named models of the papers as presets, and `train`, which makes one from text files.

Every preset comes in two sizes: NAME is `small` (trains on two CPU cores in minutes), NAME-paper has the published
hyperparameters. The small ones share sizes and recipe, so that a difference between them is one of mechanism. So do
the tutorials, toolkits and authors' programs of attn_core.models.variants, which are small presets too.
"""

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, cast

import torch

from attn_core.aliases import renamed
from attn_core.attention.settings import SCORES, WINDOWS
from attn_core.data.corpus import Files, Text, side
from attn_core.devices import AUTO, best_precision
from attn_core.files import CheckpointError
from attn_core.models.config import ModelConfig
from attn_core.models.recipe import TrainConfig, check_together
from attn_core.models.translator import Translator
from attn_core.models.variants import VARIANTS
from attn_core.registry import offered
from attn_core.settings import Settings as Config
from attn_core.training.distributed import World, join
from attn_core.training.loop import Event, Progress, check_graphs, fit, settings_of_run
from attn_core.training.prepare import Material, prepare, prepared
from attn_core.training.run_state import begun_with, check

SMALL = TrainConfig()

# Bahdanau 2015, B.1-B.2: n = n' = 1000, m = 620, l = 500; Adadelta, gradient norm 1, batches of 80, 30K words a side.
BAHDANAU_PAPER = ModelConfig.of(
    score="additive",
    order="attend-then-update",
    embedding=620,
    encoder_hidden=1000,
    hidden=1000,
    align_hidden=1000,
    attentional=500,
    tied=False,
    dropout=0.0,
    output_dropout=0.0,
    init="bahdanau2015",
    source_eos=True,
)
BAHDANAU_RECIPE = TrainConfig(
    batch=80,
    epochs=5,
    optimizer="adadelta",
    rate=1.0,
    schedule="constant",
    warmup=0,
    clip=1.0,
    label_smoothing=0.0,
    average=0.0,
    vocabulary=30_004,
    min_frequency=1,
    loss_per="sentence",
    patience=0,
    criterion="perplexity",
    precision="fp32",
)

# Luong 2015, section 4.1: 4 layers of 1000 cells, SGD from 1 halved every epoch after 8 of 12, dropout 0.2, 50K words;
# without biases as in nmt.matlab.
LUONG_PAPER = ModelConfig.of(
    embedding=1000,
    encoder_hidden=1000,
    hidden=1000,
    attentional=1000,
    layers=4,
    bidirectional=False,
    tied=False,
    dropout=0.2,
    output_dropout=0.0,
    init="luong2015",
    feeding=True,
    reverse=True,
    biases=False,
)
LUONG_RECIPE = TrainConfig(
    wide=0,
    batch=128,
    epochs=12,
    optimizer="sgd",
    rate=1.0,
    schedule="halving",
    halve_after=8,
    warmup=0,
    clip=5.0,
    label_smoothing=0.0,
    average=0.0,
    vocabulary=50_004,
    min_frequency=1,
    loss_per="sentence",
    patience=0,
    criterion="perplexity",
    precision="fp32",
)

# Vaswani 2017, sections 3 and 5, base: 6 layers of 512, 8 heads, d_ff 2048; one vocabulary of 37,000 pieces; 4,000
# updates of warm-up to (d_model * warmup)^-0.5. Its batches hold 25,000 tokens a side: of WMT's sentences about 900.
TRANSFORMER_PAPER = ModelConfig.of(
    score="scaled_dot",
    order="transformer",
    embedding=512,
    layers=6,
    heads=8,
    feedforward=2048,
    shared=True,
    dropout=0.1,
    output_dropout=0.0,
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


def _presets() -> dict[str, tuple[ModelConfig, TrainConfig]]:
    small = ModelConfig()
    found = {
        "fixed-vector": (
            ModelConfig.of(score=None, order="attend-then-update", bidirectional=False, encoder_hidden=small.hidden),
            SMALL,
        ),
        "fixed-vector-paper": (BAHDANAU_PAPER.set({"score": None, "bidirectional": False}), BAHDANAU_RECIPE),
        "bahdanau": (ModelConfig.of(score="additive", order="attend-then-update"), SMALL),
        "bahdanau-paper": (BAHDANAU_PAPER, BAHDANAU_RECIPE),
    }
    # The reads and terms of Xu 2015, section 4, over words in place of pictures, in the decoder of Bahdanau.
    found["xu-soft"] = (found["bahdanau"][0], replace(SMALL, doubly_stochastic=1.0))
    hard = found["bahdanau"][0].set({"attention_type": "hard-sample"})
    found["xu-hard"] = (hard, replace(SMALL, attention_entropy=-0.002))
    for score in SCORES:
        for window in WINDOWS:
            name, point = f"luong-{score}-{window}", {"score": score, "window": window}
            # Multi30k's sentences have 12 words: the paper's D = 10 would keep all of them in view.
            local = {} if window == "global" else {"half_width": 4}
            found[name] = (small.set(point | local), SMALL)
            found[f"{name}-paper"] = (_wide(LUONG_PAPER.set(point)), LUONG_RECIPE)
    found["luong-best"] = BEST
    found |= {name: (variant.config(), replace(SMALL, **variant.recipe)) for name, variant in VARIANTS.items()}
    found["transformer"] = TRANSFORMER
    found["transformer-paper"] = TRANSFORMER_PAPER, TRANSFORMER_RECIPE
    return found


# The larger model that ships: the best of the validation set. Its name is older than its design: additive scores in the
# attend-then-update order won against general ones in Luong's, and word pieces against words, at this size.
BEST = (
    ModelConfig.of(
        score="additive",
        order="attend-then-update",
        embedding=256,
        encoder_hidden=256,
        hidden=512,
        align_hidden=256,
        attentional=256,
        dropout=0.4,
        output_dropout=0.4,
    ),
    replace(SMALL, rate=2e-3, epochs=16, patience=0, average=0.999, subword="bpe", vocabulary=6000, min_frequency=1),
)

# The sizes that Wu 2021 found best for Multi30k ("Transformer-tiny"). With their dropout of 0.3 and 2,000 updates of
# warm-up its deeper layers were slow to start: BLEU 16 after 17 epochs on the validation set, where this has 38.
TRANSFORMER = (
    TRANSFORMER_PAPER.set(
        {"embedding": 128, "layers": 4, "heads": 4, "feedforward": 256, "dropout": 0.15, "source_eos": False}
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
    """`config` with as many rows of W_a as the decoder has units, where the score has such a matrix."""
    return config.set({"align_hidden": config.hidden}) if config["align_hidden"] else config


PRESETS = _presets()


def train(
    preset: str,
    train_prefix: str,
    valid_prefix: str,
    source_lang: str,
    target_lang: str,
    out: str | Path,
    *,
    tokenized: bool = False,
    settings: dict[str, Any] | None = None,
    name: str | None = None,
    about: dict[str, Any] | None = None,
    resume: bool = False,
    watch: Callable[[Event], None] = lambda event: None,
    device: str = AUTO,
) -> Progress:
    """Train `preset` on PREFIX.LANG (or .gz) files, one sentence a line, and write the model to the folder `out`.

    Raw text goes through Moses; `tokenized` text is taken as it is. `settings` overrides fields of the preset's
    ModelConfig and TrainConfig by name. `resume` goes on from out/state.safetensors. `watch` is told of every update.
    `device` is "auto" (a GPU where there is one), "cpu", "cuda" or "cuda:1". Under torchrun all processes call this
    alike, and make one model.

    Raises CorpusError for text that cannot be used, CheckpointError for an `out` that holds a model already (or, with
    `resume`, none), ValueError for an unknown preset or setting; training.Interrupted when Ctrl-C stopped it.
    """
    config, recipe = configure(preset, settings or {})
    training, validation = (
        Files(side(prefix, source_lang), side(prefix, target_lang)) for prefix in (train_prefix, valid_prefix)
    )
    with join(device) as world:
        recipe = settle(recipe, Path(out), resume, world)
        material = gather(
            config,
            recipe,
            lambda: (training, validation),
            (source_lang, target_lang),
            Path(out),
            tokenized=tokenized,
            resume=resume,
            world=world,
        )
        return train_on(
            config,
            recipe,
            material,
            Path(out),
            name=name or Path(out).resolve().name,
            about={"preset": preset, "settings": settings or {}} | (about or {}),
            resume=resume,
            watch=watch,
            world=world,
        )


def configure(
    preset: str, settings: dict[str, Any], presets: Mapping[str, tuple[Config, Config]] = PRESETS
) -> tuple[Any, Any]:
    """A preset's configs with `settings` (of either) in place of their own; in PRESETS a ModelConfig and a TrainConfig.

    Raises ValueError for an unknown preset or setting.
    """
    if preset not in presets:
        raise ValueError(f"unknown preset {preset!r}{offered(preset, presets)}")
    model, recipe = presets[preset]
    settings = renamed(settings)
    of_model, of_recipe = ({field.name for field in fields(config)} for config in (model, recipe))
    for key in settings:
        if key not in of_model | of_recipe:
            there = [*model.to_json(), *recipe.to_json()]
            raise ValueError(f"unknown setting {key!r}{offered(key, there)}")
    model = model.set({key: value for key, value in settings.items() if key in of_model})
    recipe = recipe.set({key: value for key, value in settings.items() if key in of_recipe})
    if isinstance(model, ModelConfig):
        check_together(model, cast(TrainConfig, recipe))
    return model, recipe


def settle(recipe: TrainConfig, out: Path, resume: bool, world: World) -> TrainConfig:
    """`recipe` with the precision that "auto" stands for: what the run in `out` began with, or suits the machine.

    Raises ValueError for CUDA graphs where there can be none: before the text is read.
    """
    check_graphs(recipe, world)
    if recipe.precision != AUTO:
        return recipe
    begun = (begun_with(out, "precision") if resume else None) or best_precision(world.device)
    return replace(recipe, precision=world.agree(lambda: {"precision": begun})["precision"])


def gather(
    config: ModelConfig,
    recipe: TrainConfig,
    texts: Callable[[], tuple[Text, Text]],
    langs: tuple[str, str],
    out: Path,
    *,
    tokenized: bool,
    resume: bool = False,
    tell: Callable[[str, int], None] = lambda what, lines: None,
    world: World,
) -> Material:
    """Vocabularies and corpus in the folder `out`, made by the first process of `world`; see `prepare`.

    Raises CheckpointError when `out` holds a model already or, with `resume`, none that fits.
    """

    def first() -> Material:
        if resume:
            check(out, settings_of_run(config, recipe, world))
        elif any((out / one).exists() for one in ("state.safetensors", "config.json")):
            raise CheckpointError(f"{out} holds a model already; go on with --resume, or name another folder")
        return prepare(config, recipe, *texts(), langs, out, tokenized=tokenized, resume=resume, tell=tell)

    return world.lead(first) or prepared(out)


def train_on(
    config: ModelConfig,
    recipe: TrainConfig,
    material: Material,
    out: Path,
    *,
    name: str,
    about: dict[str, Any],
    resume: bool = False,
    watch: Callable[[Event], None] = lambda event: None,
    world: World,
    measure: Callable[[Translator], dict[str, float]] = lambda model: {},
) -> Progress:
    """A model, trained on what `gather` made; see `train`, and `fit` for `measure`."""
    torch.manual_seed(recipe.seed)
    model = Translator(config, material.source, material.target, name).to(world.device)
    corpus = material.train, material.valid, material.references
    return fit(model, *corpus, recipe, out, about, resume, watch, world, measure)
