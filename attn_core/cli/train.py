"""`train`: a preset on parallel text, with a progress bar where there is a terminal."""

import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from attn_core.cli.options import Threads, Tokenized, use_threads

if TYPE_CHECKING:
    from attn_core.config import TrainConfig
    from attn_core.training import Event

INTERRUPTED = 130


def _settings(written: list[str]) -> dict[str, str]:
    settings = {}
    for pair in written:
        name, equals, value = pair.partition("=")
        if not (name and equals):
            raise typer.BadParameter(f"--set {pair!r}: expected name=value, such as dropout=0.2")
        settings[name.strip()] = value.strip()
    return settings


def train(
    preset: Annotated[
        str,
        typer.Argument(metavar="PRESET", help="Such as bahdanau, luong-dot-global; an unknown name lists them."),
    ],
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="Folder for the model, its metrics and its state.")],
    train_text: Annotated[
        str | None,
        typer.Option("--train", metavar="PREFIX", help="PREFIX.LANG files (or .gz). With --hub: a split (train)."),
    ] = None,
    valid_text: Annotated[
        str | None,
        typer.Option("--valid", metavar="PREFIX", help="The same, to validate on. With --hub: a split (validation)."),
    ] = None,
    source_lang: Annotated[str, typer.Option("--source-lang", metavar="LANG", help="Language to read.")] = "de",
    target_lang: Annotated[str, typer.Option("--target-lang", metavar="LANG", help="Language to say.")] = "en",
    tokenized: Tokenized = False,
    settings: Annotated[
        list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="Override a setting; may be repeated.")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on where training in --out stopped.")] = False,
    hub: Annotated[
        str | None, typer.Option("--hub", metavar="NAME", help="Take the text from the Hugging Face hub, or a folder.")
    ] = None,
    hub_config: Annotated[
        str | None, typer.Option("--hub-config", metavar="NAME", help="Which configuration of that data set.")
    ] = None,
    name: Annotated[str | None, typer.Option("--name", help="Name of the model (default: of its folder).")] = None,
    data: Annotated[
        str | None, typer.Option("--data", metavar="NAME", help="Name of the corpus, for the card, such as multi30k.")
    ] = None,
    threads: Threads = None,
) -> None:
    """Train a model on parallel text: one sentence a line, or a data set with a column for each language.

    The scores of each epoch are printed, and the best epoch is kept. Ctrl-C saves first; the same command with
    --resume goes on, and ends as if it had not been stopped (on a CPU with as many threads: to the bit).
    """
    given = _settings(settings or [])
    if not hub and not (train_text and valid_text):
        raise typer.BadParameter("text is missing: give --train and --valid, or --hub")
    from attn_core.memory import keep_memory

    keep_memory()
    use_threads(threads)
    from attn_core.cards import machine
    from attn_core.recipes import configure, train_on
    from attn_core.training import Interrupted

    try:
        model, recipe = configure(preset, given)  # before the text is read: a misspelt setting is told at once
        _check(out)
        texts = _texts(hub, hub_config, train_text, valid_text, source_lang, target_lang)
        about = {
            "preset": preset,
            "settings": {key: (model.to_json() | recipe.to_json())[key] for key in given},
            "source_lang": source_lang,
            "target_lang": target_lang,
            "data": _data(data, hub, hub_config, train_text, valid_text)
            | {"pairs": len(texts[0][0]), "tokenized": tokenized},
            "machine": machine(),
        }
        opening = f"{len(texts[0][0]):,} pairs to train on, {len(texts[1][0]):,} to validate on"
        with _watching(opening, recipe) as watch:
            progress = train_on(
                model,
                recipe,
                *texts,
                source_lang,
                target_lang,
                out,
                tokenized=tokenized,
                name=name or out.resolve().name,
                about=about,
                resume=resume,
                watch=watch,
            )
    except KeyboardInterrupt:
        typer.echo("stopped before the first update; there is nothing to save", err=True)
        raise typer.Exit(INTERRUPTED) from None
    except Interrupted as error:
        again = [word for word in sys.argv[1:] if word != "--resume"]
        typer.echo(f"{str(error).partition(';')[0]} and saved; to go on: {_command([*again, '--resume'])}", err=True)
        raise typer.Exit(INTERRUPTED) from None
    best = _best(progress.history, recipe)
    typer.echo(
        f"best epoch: {best['epoch']} of {progress.epoch}  BLEU {best['bleu']:.2f}  perplexity "
        f"{best['perplexity']:.3f} (validation, greedy)  saved in {out}"
    )


def _command(words: list[str]) -> str:
    return shlex.join(["python", "-m", "attn_core", *words])


def _check(out: Path) -> None:
    """Raises ValueError when `out` cannot be a folder; train_on finds the rest."""
    for folder in (out, *out.resolve().parents):
        if folder.exists() and not folder.is_dir():
            raise ValueError(f"{out} cannot be made: {folder} is a file")


def _texts(
    hub: str | None,
    hub_config: str | None,
    train_text: str | None,
    valid_text: str | None,
    source_lang: str,
    target_lang: str,
) -> list[tuple[list[str], list[str]]]:
    """The training and the validation text, each with its two sides."""
    from attn_core.corpora import read_parallel, side

    if hub:
        from attn_core.hub import read_hub

        splits = (train_text or "train", valid_text or "validation")
        return [read_hub(hub, split, source_lang, target_lang, hub_config) for split in splits]
    prefixes = [prefix for prefix in (train_text, valid_text) if prefix]
    return [read_parallel(side(prefix, source_lang), side(prefix, target_lang)) for prefix in prefixes]


def _data(
    corpus: str | None, hub: str | None, hub_config: str | None, train_text: str | None, valid_text: str | None
) -> dict[str, Any]:
    """What the card says of the text: names, without the folders of this machine."""
    known: dict[str, Any] = {"corpus": corpus, "hub": hub, "hub_config": hub_config}
    if hub and Path(hub).is_dir():
        known["hub"] = Path(hub).resolve().name
    for key, given in (("train", train_text), ("valid", valid_text)):
        known[key] = given if hub or given is None else Path(given).name
    return {key: value for key, value in known.items() if value is not None}


@contextmanager
def _watching(opening: str, recipe: "TrainConfig") -> Iterator[Callable[["Event"], None]]:
    """A callback for training: `opening`, a line for each epoch, and a bar where standard error is a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal, redirect_stdout=False
    ) as bar:
        task = bar.add_task("reading", total=None)

        def watch(event: "Event") -> None:
            nonlocal opening
            if opening:  # told only now, when all that could be wrong has been found right
                bar.console.print(opening, markup=False, highlight=False)
                opening = ""
            progress, per_epoch = event.progress, event.updates_per_epoch
            if event.scores is None:
                rate = progress.words / max(progress.seconds, 1e-9)
                said = f"epoch {progress.epoch + 1}  loss {progress.loss / progress.words:.3f}  {rate:,.0f} words/s"
                bar.update(task, description=said, completed=progress.updates, total=recipe.epochs * per_epoch)
            elif console.is_terminal and sys.stdout.isatty():
                bar.console.print(_line(progress.history, recipe), markup=False, highlight=False)
            else:
                typer.echo(_line(progress.history, recipe))
                sys.stdout.flush()

        yield watch


def _line(history: list[dict[str, Any]], recipe: "TrainConfig") -> str:
    """The last epoch's scores; a star where it is the best yet, which is the model that is kept."""
    scores = history[-1]
    star = "*" if _best(history, recipe) is scores else " "
    return (
        f"epoch {scores['epoch']:>3}  loss {scores['train_loss']:.4f}  perplexity {scores['perplexity']:.3f}  "
        f"BLEU {scores['bleu']:.2f} {star}  {scores['words_per_second']:,.0f} words/s  {scores['seconds']:.0f} s"
    )


def _best(history: list[dict[str, Any]], recipe: "TrainConfig") -> dict[str, Any]:
    return max(history, key=lambda scores: scores["bleu"] if recipe.criterion == "bleu" else -scores["perplexity"])
