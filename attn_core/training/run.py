"""How a run is put together, whichever kind of model it trains, and `train`, which makes a translator from text."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import torch

from attn_core.data.corpus import Files, Text, side
from attn_core.devices import AUTO, best_precision
from attn_core.files import CheckpointError
from attn_core.models.presets import PRESETS, configure
from attn_core.models.recipe import Recipe, TrainConfig
from attn_core.models.translator import Translator
from attn_core.training.corpus_task import CorpusTask, Measure, check_graphs, settings_of_run
from attn_core.training.distributed import World, join
from attn_core.training.loop import fit
from attn_core.training.prepare import Material, prepare, prepared
from attn_core.training.run_state import Progress, begun_with, check
from attn_core.training.task import Event, Run


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
    on_event: Callable[[Event], None] = lambda event: None,
    device: str = AUTO,
) -> Progress:
    """Train `preset` on PREFIX.LANG (or .gz) files, one sentence a line, and write the model to the folder `out`.

    Raw text goes through Moses; `tokenized` text is taken as it is. `settings` overrides fields of the preset's
    ModelConfig and TrainConfig by name. `resume` goes on from out/state.safetensors. `on_event` is called after every
    update and every epoch. `device` is "auto" (a GPU where there is one), "cpu", "cuda" or "cuda:1". Under torchrun all
    processes call this alike, and make one model.

    Raises CorpusError for text that cannot be used, CheckpointError for an `out` that holds a model already (or, with
    `resume`, none), ValueError for an unknown preset or setting; loop.Interrupted when Ctrl-C stopped it.
    """
    training, validation = (
        Files(side(prefix, source_lang), side(prefix, target_lang)) for prefix in (train_prefix, valid_prefix)
    )
    how: dict[str, Any] = {"name": name, "about": about, "resume": resume, "on_event": on_event}
    with join(device) as world:
        run = configured_run(preset, settings or {}, out, world=world, **how)
        material = gather(run, lambda: (training, validation), (source_lang, target_lang), tokenized=tokenized)
        return fit(translator_task(run, material))


def configured_run(
    preset: str,
    settings: dict[str, Any],
    out: str | Path,
    *,
    presets: Mapping[str, tuple[Any, Any]] = PRESETS,
    name: str | None = None,
    about: dict[str, Any] | None = None,
    resume: bool = False,
    world: World,
    on_event: Callable[[Event], None] = lambda event: None,
) -> Run:
    """A run of one of the `presets`, with `settings` of its config and recipe by name; see `begin`."""
    config, recipe = configure(preset, settings, presets)
    given = {"preset": preset, "settings": settings} | (about or {})
    name = name or Path(out).resolve().name
    return begin(Run(config, recipe, Path(out), name, given, resume, world, on_event))


def begin(run: Run) -> Run:
    """`run` with the precision that "auto" stands for: what the run in its folder began with, or what suits the device.

    Raises CheckpointError for a folder that holds a model already, when it is not to be resumed.
    """
    run.world.lead(lambda: _check_folder(run))
    return replace(run, recipe=settle(run.recipe, run.out, run.resume, run.world))


def _check_folder(run: Run) -> None:
    if not run.resume and any((run.out / one).exists() for one in ("state.safetensors", "config.json")):
        raise CheckpointError(f"{run.out} holds a model already; go on with --resume, or name another folder")


def settle(recipe: Recipe, out: Path, resume: bool, world: World) -> Recipe:
    """`recipe` with the precision that "auto" stands for: what the run in `out` began with, or suits the device."""
    if recipe.precision != AUTO:
        return recipe
    begun = (begun_with(out, "precision") if resume else None) or best_precision(world.device)
    return replace(recipe, precision=world.agree(lambda: {"precision": begun})["precision"])


def gather(run: Run, texts: Callable[[], tuple[Text, Text]], langs: tuple[str, str], *, tokenized: bool) -> Material:
    """Vocabularies and corpus in the run's folder, made by the first process of its world; see `prepare`.

    Raises CheckpointError for a run to resume that does not fit, and ValueError for CUDA graphs where there can be
    none: before the text is read.
    """
    check_graphs(cast(TrainConfig, run.recipe), run.world)

    def first() -> Material:
        if run.resume:
            check(run.out, settings_of_run(run))
        return prepare(run, *texts(), langs, tokenized=tokenized)

    return run.world.lead(first) or prepared(run.out)


def translator_task(run: Run, material: Material, measure: Measure = lambda model: {}) -> CorpusTask:
    """A new translator of the run's config, and what `gather` made to train it on; see CorpusTask for `measure`."""
    torch.manual_seed(run.recipe.seed)
    model = Translator(run.config, material.source, material.target, run.name).to(run.world.device)
    return CorpusTask(run, model, material.train, material.valid, material.references, measure)
