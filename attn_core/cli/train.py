"""`train`: train a preset on parallel text, with a progress bar in a terminal."""

import os
import shlex
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from attn_core.cli.export import export_trained
from attn_core.cli.measure import train_synthetic
from attn_core.cli.options import (
    Device,
    Export,
    Precision,
    Threads,
    Tokenized,
    assignments,
    at_least,
    named_folder,
    utf8,
)
from attn_core.cli.screen import Screen, opening_of
from attn_core.cli.streams import print_status
from attn_core.cli.warnings import FormNote, note_form
from attn_core.data.corpus import Text
from attn_core.data.text_files import Without, short, text_of
from attn_core.data.toy_tasks import EXAMPLES, MOST_EXAMPLES, TaskText, draw_texts
from attn_core.files import real_path
from attn_core.messages import print_message
from attn_core.models.checkpoint import load as load_model
from attn_core.models.config import ModelConfig
from attn_core.models.own_files import TAUGHT, check_training
from attn_core.models.presets import configure
from attn_core.models.recipe import TrainConfig
from attn_core.models.translator import Translator
from attn_core.program import INTERRUPTED
from attn_core.registry import load
from attn_core.synthetic.models import every_preset, maker
from attn_core.training.corpus_task import CorpusTask
from attn_core.training.distributed import World, join
from attn_core.training.loop import Interrupted, fit
from attn_core.training.practice import LANGS, score, shown, small
from attn_core.training.prepare import Texts
from attn_core.training.run import configured_run
from attn_core.training.run_state import round_as_begun
from attn_core.training.teacher import Translations


def train(
    preset: Annotated[
        str,
        typer.Argument(
            metavar="PRESET",
            help="A preset, such as bahdanau or pointer-hull; an unknown name prints the most similar one, or all.",
        ),
    ],
    out: Annotated[
        Path,
        typer.Option(
            "--out", parser=named_folder, metavar="DIR", help="Folder for the model, metrics and training state."
        ),
    ],
    train_text: Annotated[
        str | None,
        typer.Option(
            "--train",
            metavar="PREFIX",
            help="PREFIX.LANG files (or .gz), FILE:LANG,LANG for tab-separated columns (- for one to skip), or several "
            "joined by +; NAME[1::50] is every 50th pair. With --hub: a split (train).",
        ),
    ] = None,
    valid_text: Annotated[
        str | None,
        typer.Option(
            "--valid", metavar="PREFIX", help="Validation text, as --train. With --hub: a split (validation)."
        ),
    ] = None,
    exclude: Annotated[
        str | None,
        typer.Option(
            "--exclude", metavar="PREFIX", help="Text, as --train, whose sentences are left out of the training text."
        ),
    ] = None,
    teacher: Annotated[
        str | None,
        typer.Option(
            "--teacher",
            metavar="MODEL",
            help="Also train on this model's translations of the training text; MODEL+MODEL is an ensemble.",
        ),
    ] = None,
    source_lang: Annotated[
        str | None, typer.Option("--source-lang", metavar="LANG", help="Source language (default: de).")
    ] = None,
    target_lang: Annotated[
        str | None, typer.Option("--target-lang", metavar="LANG", help="Target language (default: en).")
    ] = None,
    tokenized: Tokenized = False,
    settings: Annotated[
        list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="Change a setting; may be repeated.")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Continue the training in --out.")] = False,
    hub: Annotated[
        str | None,
        typer.Option("--hub", metavar="NAME", help="Data set of the Hugging Face hub, or a folder with one."),
    ] = None,
    hub_config: Annotated[
        str | None, typer.Option("--hub-config", metavar="NAME", help="Configuration of that data set.")
    ] = None,
    task: Annotated[
        str | None,
        typer.Option(
            "--task",
            metavar="NAME",
            help="A synthetic task instead of text, such as reverse; an unknown name prints all names.",
        ),
    ] = None,
    examples: Annotated[
        int | None,
        typer.Option(
            "--examples",
            callback=at_least(1, MOST_EXAMPLES),
            metavar="N",
            help=f"With --task: number of examples (default: {EXAMPLES}).",
        ),
    ] = None,
    length: Annotated[
        str | None,
        typer.Option("--length", metavar="N|LOW-HIGH", help="With --task: length of the examples."),
    ] = None,
    name: Annotated[
        str | None, typer.Option("--name", callback=utf8, help="Name of the model (default: that of --out).")
    ] = None,
    data: Annotated[
        str | None,
        typer.Option(
            "--data", callback=utf8, metavar="NAME", help="Name of the corpus for the card, such as multi30k."
        ),
    ] = None,
    precision: Precision = None,
    device: Device = "auto",
    threads: Threads = None,
    allow_rounding: Annotated[
        bool,
        typer.Option("--allow-rounding", help="With --resume: continue even if this machine rounds differently."),
    ] = False,
    export: Export = True,
) -> None:
    """Train a model on parallel text: one sentence per line, or a data set with a column for each language.

    The scores of each epoch are printed, with a star at the best epoch so far, which is kept. Ctrl-C saves the state
    and stops; the same command with --resume continues. A resumed run keeps its precision and number of threads, so
    that on a CPU it ends with bit-identical weights. It also keeps its number of epochs, unless --set epochs=N changes
    it. The text may be larger than memory. Under torchrun, several processes train one model, each on
    its own GPU if there are any.

    With --task the model learns a synthetic task with known alignments in less than a minute: the preset is reduced to
    small sizes (see attn_core/training/practice.py; --set changes them), and the alignment accuracy is printed with the
    other scores. The presets pointer-hull, pointer-sort, plain-hull, plain-sort, series and series-fixed-vector need no
    text: they are not translators and generate their own data.
    """
    given = assignments(settings) | ({"precision": precision} if precision else {})
    if module := maker(preset):
        train_synthetic(module, preset, given, out, resume, device, threads, allow_rounding)
        if export:
            export_trained(out)
        return
    if not (task or hub or (train_text and valid_text)):
        _configure(preset, {}, None)  # names a misspelt preset, which may be one that needs no text
        raise typer.BadParameter("text is missing: give --train and --valid, --hub, or --task")
    langs = LANGS if task else (source_lang or "de", target_lang or "en")

    with join(device) as world:
        try:
            # Before the text is read; an error is printed once.
            world.lead(lambda: _check(preset, given, out, task))
            _model, recipe = _configure(preset, given, task)
            round_as_begun(out if resume else None, threads, world, allow_rounding)
            taught_by = world.lead(lambda: _teacher(teacher, langs, world))  # elsewhere None
            taught_note = FormNote(taught_by.source, taught_by.source.form) if taught_by else None
            made = draw_texts(task, examples or EXAMPLES, _lengths(length), seed=recipe.seed) if task else None
            with Screen(recipe, world.first) as screen:
                run = configured_run(
                    preset,
                    given,
                    out,
                    small if task else configure,
                    name=name,
                    about={
                        "data": made[0].made_from
                        if made
                        else _data(data, hub, hub_config, train_text, valid_text, exclude, langs)
                        | ({"teacher": taught_by.name} if taught_by else {})
                    },
                    resume=resume,
                    on_event=screen.on_event,
                    on_progress=screen.on_progress,
                )
                with run.begin(world) as begun:

                    def texts() -> Texts:
                        if made:
                            return Texts(*made)
                        text, held = _texts(hub, hub_config, train_text, valid_text, exclude, langs, tokenized)
                        if not taught_by or not taught_note:
                            return Texts(text, held)
                        told = partial(screen.on_progress, "translating")
                        taught = Translations(text, taught_by, out / TAUGHT, tokenized, told, taught_note.count)
                        return Texts(text, held, taught)

                    training = CorpusTask(
                        begun,
                        texts,
                        langs,
                        tokenized=tokenized or made is not None,
                        measure=_gold(made[1]) if made else lambda model: {},
                        shown=shown(made[1].examples) if made else None,
                    )
                    recipe = screen.recipe = training.recipe  # a resumed run has the epochs that it began with
                    screen.opening = opening_of(training.material, recipe)
                    if tokenized and not made and world.first:
                        held = _texts(hub, hub_config, train_text, valid_text, exclude, langs, tokenized)[1]
                        for side, vocabulary in enumerate((training.material.source, training.material.target)):
                            note_form(vocabulary, held.names()[side], held.lines(side))
                        if taught_note:
                            taught_note.print("the training text", "; the model sees them unchanged", "the teacher's")
                    progress = fit(training)
        except KeyboardInterrupt:
            if world.first:
                kept = "the saved state is unchanged" if resume else "nothing was saved"
                print_message(f"stopped before the first update; {kept}")
            raise typer.Exit(INTERRUPTED) from None
        except Interrupted as error:
            if world.first:
                again = [word for word in sys.argv[1:] if word != "--resume"]
                where = str(error).partition(";")[0]
                print_message(f"{where} and saved; to continue: {_command([*again, '--resume'])}")
            raise typer.Exit(error.status) from None
        if world.first:
            best = progress.history[progress.kept - 1]
            if progress.epoch < recipe.epochs:
                stale = f"{progress.stale} epochs without improvement"
                print_status(f"stopped early: {stale} (--set patience=0 trains all epochs)")
            print_status(
                f"best epoch: {best['epoch']} of {progress.epoch}  BLEU {best['bleu']:.2f}  perplexity "
                f"{best['perplexity']:.3f} (validation, greedy)  saved in {out}"
            )
            if export:
                export_trained(out)


def _command(words: list[str]) -> str:
    """The command line that runs this again, by the same Python; with several machines, "..." stands for options."""
    here, all_ = (int(os.environ.get(name, "1")) for name in ("LOCAL_WORLD_SIZE", "WORLD_SIZE"))
    several = ["torchrun", *(["--nproc-per-node", str(here)] if here == all_ else ["..."])]
    return shlex.join([*([sys.orig_argv[0]] if all_ == 1 else several), "-m", "attn_core", *words])


def _configure(preset: str, given: dict[str, str], task: str | None) -> tuple[ModelConfig, TrainConfig]:
    """The configs of the preset, with small sizes for a synthetic task."""
    return small(preset, given) if task else configure(preset, given, every_preset())


def _gold(valid: TaskText) -> Callable[[Translator], dict[str, float]]:
    """Exact match and alignment accuracy on the validation set."""
    return lambda model: score(model, valid.examples)


def _lengths(written: str | None) -> tuple[int, int] | None:
    """Parse one length or a range: 8 or 3-10."""
    if written is None:
        return None
    low, _, high = written.partition("-")
    if not all(word.isdecimal() and len(word) <= 9 for word in (low, high or low)):
        raise typer.BadParameter(f"{written!r:.80}: expected a number or a range, such as 8 or 3-10")
    return int(low), int(high or low)


def _check(preset: str, given: dict[str, str], out: Path, task: str | None) -> None:
    """Raise ValueError for an unknown setting, and if `out` must not be written to; `Run.begin` checks the rest."""
    _configure(preset, given, task)
    check_training(out)


def _texts(
    hub: str | None,
    hub_config: str | None,
    train_text: str | None,
    valid_text: str | None,
    exclude: str | None,
    langs: tuple[str, str],
    tokenized: bool,
) -> tuple[Text, Text]:
    """The training text and the validation text."""
    if hub:
        splits = (train_text or "train", valid_text or "validation")
        opened = load("attn_core.data.hub:open_hub")
        of_hub, held = (opened(hub, split, *langs, hub_config) for split in splits)
        return of_hub, held
    training, validation = (text_of(named, langs) for named in (train_text, valid_text) if named)
    if exclude:
        training = Without(training, text_of(exclude, langs), langs, tokenized)
    return training, validation


def _teacher(named: str | None, langs: tuple[str, str], world: World) -> Translator | None:
    """The model or the ensemble, if one is named. Raises ValueError if it translates between other languages."""
    if not named:
        return None
    teacher = load_model(named).to(world.device)
    own = teacher.source.lang, teacher.target.lang
    if own != langs:
        raise ValueError(f"{named} translates {' to '.join(own)}: give a teacher for {' to '.join(langs)}")
    return teacher


def _data(
    corpus: str | None,
    hub: str | None,
    hub_config: str | None,
    train_text: str | None,
    valid_text: str | None,
    exclude: str | None,
    langs: tuple[str, str],
) -> dict[str, Any]:
    """The `data` entry of the card: names, without the folders of this machine."""
    known: dict[str, Any] = {"corpus": corpus, "hub": hub, "hub_config": hub_config}
    if hub and Path(hub).is_dir():
        known["hub"] = real_path(hub).name
    for key, given in (("train", train_text), ("valid", valid_text), ("exclude", exclude)):
        known[key] = given if hub or given is None else short(given, langs)
    return {key: value for key, value in known.items() if value is not None}
