"""The output of `train`: a line per epoch, and a progress bar in a terminal."""

import sys
import time
from typing import Self

from rich.console import Console

from attn_core.cli.progress import progress_bar
from attn_core.cli.streams import print_status
from attn_core.data.subwords import SPECIALS
from attn_core.messages import visible
from attn_core.models.recipe import TrainConfig
from attn_core.training.prepare import Material
from attn_core.training.run_state import Progress as TrainingProgress
from attn_core.training.task import Event

INTERVAL = 0.2  # seconds between updates of the bar, which wait for a GPU's losses


class Screen:
    """What a training prints; the bar appears only if standard error is a terminal."""

    def __init__(self, recipe: TrainConfig, shown: bool):
        self.recipe = recipe
        self.opening = ""  # printed with the first update, after all checks
        self.console = Console(stderr=True)
        self.bar = progress_bar(self.console, shown=shown and self.console.is_terminal)
        self.task = self.bar.add_task("reading", total=None)
        self.due = 0.0  # time of the bar's next update

    def __enter__(self) -> Self:
        self.bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.bar.stop()

    def on_progress(self, what: str, lines: int) -> None:
        """Show how many lines of the text are processed."""
        self.bar.update(self.task, description=visible(f"{what}: {lines:,} lines"))

    def on_event(self, event: Event) -> None:
        """Update the bar after an update, and print the scores after an epoch."""
        if self.opening:
            for line in (self.opening, *long_warmup(self.recipe, event.updates_per_epoch)):
                self._print(line)
            self.opening = ""
        progress = event.progress
        if event.scores is None:
            if not self.bar.disable and time.monotonic() >= self.due:
                loss, rate = event.so_far.item() / progress.words, progress.words / max(progress.seconds, 1e-9)
                description = f"epoch {progress.epoch + 1}  loss {loss:.3f}  {rate:,.0f} words/s"
                total = self.recipe.epochs * event.updates_per_epoch
                self.bar.update(self.task, description=description, completed=progress.updates, total=total)
                self.due = time.monotonic() + INTERVAL
        elif self.console.is_terminal and sys.stdout and sys.stdout.isatty():
            self._print(_line(progress))
        else:
            print_status(_line(progress))

    def _print(self, line: str) -> None:
        self.console.print(visible(line), markup=False, highlight=False, soft_wrap=True)


def _line(progress: TrainingProgress) -> str:
    """The scores of the last epoch as a line; a star marks the best epoch so far, whose model is kept."""
    scores = progress.history[-1]
    gold = "".join(f"  {name} {scores[name]:.1%}" for name in ("exact", "alignment") if name in scores)
    star = "*" if progress.kept == progress.epoch else " "
    return (
        f"epoch {scores['epoch']:>3}  loss {scores['train_loss']:.4f}  perplexity {scores['perplexity']:.3f}  "
        f"BLEU {scores['bleu']:.2f} {star}{gold}  {scores['words_per_second']:,.0f} words/s  {scores['seconds']:.0f} s"
    )


def opening_of(text: Material, recipe: TrainConfig) -> str:
    """A line that says how much text there is."""
    skipped = text.lines - len(text.train)
    why = f", {skipped:,} of them skipped (empty or longer than {recipe.max_length} tokens);" if skipped else ","
    sizes = " and ".join(f"{len(side) - len(SPECIALS):,}" for side in (text.source, text.target))
    unit = "words" if recipe.subword == "word" else "pieces"
    held = f"{len(text.references):,} validation pairs"
    excluded = "" if text.excluded is None else f"; {text.excluded:,} pairs left out by --exclude"
    lost = f"; {text.left_out:,} sentences without a usable translation by the teacher" if text.left_out else ""
    return f"{text.lines:,} training pairs{why} {held}; vocabularies: {sizes} {unit}{excluded}{lost}"


def long_warmup(recipe: TrainConfig, per_epoch: int) -> list[str]:
    """A line with advice if the warm-up is longer than the run, whose epochs have `per_epoch` updates."""
    updates = recipe.epochs * per_epoch
    if recipe.warmup <= updates:
        return []
    return [
        f"warm-up ({recipe.warmup:,} updates) is longer than this run ({updates:,} updates): the learning rate never "
        f"reaches its full value; try --set warmup={max(1, updates // 5)}"
    ]
