"""Snapshots of a training: the attention on a few fixed sentences and the loss, at updates evenly spaced in log scale.

The sentences are decoded with the reference forced, so that the axes of all snapshots are the same. A run writes
them to `snapshots.json` in its folder:

    format      1
    updates     planned number of updates of the training        per_epoch   number of updates of an epoch
    sentences   [{source, target}, ...]: tokens as they are shown, the target with </s>; empty for a model without
                attention, and where there are no sentences in its languages
    losses      [[update, loss], ...]: training loss in nats per word over the updates since the previous entry
    snapshots   [{update, sentences}, ...], where `sentences` has an object for each of the sentences above:
        weights     attention weights, a list over the source for each target word; of several heads their mean
        log_probs   log probability (natural) of each target word
        centers     p_t of each target word, counted from 0; null without a local window

Updates count from 1. Weights and centers are rounded to four decimals, the others to three. Of a model with averaged
weights, snapshots show the average, as validation does.
"""

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from jaxtyping import Float
from torch import Tensor

from attn_core.data.examples import examples
from attn_core.data.subwords import readable
from attn_core.decoding.translate import force
from attn_core.files import parse_json, replacing
from attn_core.models.translator import Translator
from attn_core.trace import Trace
from attn_core.training.snapshots_file import FILE, FORMAT

LOSSES = 8  # entries of the loss for each snapshot
# By languages, a pair the other way included: a word that is far from its translation, a noun phrase or a relative
# clause, a short and a long sentence.
SENTENCES = {
    "de-en": ("fish-hand", "dancers-grass", "chess-boys", "family-grill"),
    "en-fr": ("red-car", "cat-bed", "laughing-children", "dancing-couple"),
    "zh-en": ("red-coat", "dog-ball", "children-run", "road-workers"),
}
Pair = tuple[str, str]  # tokenised source and target


def spaced(total: int, n: int) -> list[int]:
    """`n` different updates from 1 to `total`, evenly spaced in log scale; all of them if there are no more than `n`.

    Number k, from 0, is total ** (k / (n - 1)), rounded, or the next update that is not taken yet.
    """
    if n >= total:
        return list(range(1, total + 1))
    updates: list[int] = []
    for k in range(n):
        exact = round(total ** (k / (n - 1))) if n > 1 else total
        updates.append(max(exact, updates[-1] + 1 if updates else 1))
    return updates


def own_sentences(langs: tuple[str, str]) -> list[Pair]:
    """The tokens of four of our own sentence pairs; none for languages without such pairs."""
    chosen = SENTENCES.get("-".join(langs)) or SENTENCES.get("-".join(reversed(langs))) or ()
    pairs = {pair.id: (" ".join(pair.source_tokens), " ".join(pair.target_tokens)) for pair in examples(*langs)}
    return [pairs[name] for name in chosen if name in pairs]


class Snapshots:
    """The snapshots of a run in `folder`; the class writes the file whenever it takes one, and for a resumed run.

    `per_epoch` updates are an epoch, `epochs` are planned, and `number` snapshots are taken of them.
    """

    def __init__(self, folder: Path, pairs: Sequence[Pair], number: int, per_epoch: int, epochs: int):
        self.path, self.pairs = folder / FILE, list(pairs)
        self.total, self.per_epoch = per_epoch * epochs, per_epoch
        self.due = frozenset(spaced(self.total, number))
        self._curve = self.due | frozenset(spaced(self.total, LOSSES * number))
        self.losses: list[tuple[int, float | None]] = []
        self.snapshots: list[dict[str, Any]] = []
        self._sentences: list[dict[str, Any]] = []
        self.loss: Float[Tensor, ""] | float = 0.0  # summed over the words since the last entry of `losses`
        self.words = 0

    def restore(self, updates: int) -> None:
        """Read what the run had written after `updates` updates; later entries will be made again."""
        try:
            document = parse_json(self.path.read_bytes(), finite=False)
            self.losses = [(update, loss) for update, loss in document["losses"] if update <= updates]
            self.snapshots = [taken for taken in document["snapshots"] if taken["update"] <= updates]
            self._sentences = document["sentences"]
        except (OSError, ValueError, KeyError, TypeError):  # a run that began without snapshots
            self.losses, self.snapshots = [], []

    def add(self, update: int, loss: Float[Tensor, ""], words: int) -> None:
        """Count the loss of an update, summed over its `words` words."""
        self.loss, self.words = self.loss + loss.double(), self.words + words
        if update in self._curve:
            self.losses.append((update, _rounded(float(self.loss) / self.words, 3)))
            self.loss, self.words = 0.0, 0

    def add_snapshot(self, update: int, model: Translator) -> None:
        """Add the snapshot after `update` and write the file; the model is in evaluation mode."""
        if self.snapshots and self.snapshots[-1]["update"] >= update:
            return
        traces: list[Trace] = []
        if self.pairs and model.config.attention is not None:
            sources, targets = zip(*self.pairs, strict=True)
            traces = force(model, sources, targets, tokenized=True, top=1)
        self._sentences = [{"source": readable(trace.source), "target": readable(trace.target)} for trace in traces]
        self.snapshots.append({"update": update, "sentences": [recorded(trace) for trace in traces]})
        self.write()

    def write(self) -> None:
        """Write the file."""
        document = {
            "format": FORMAT,
            "updates": self.total,
            "per_epoch": self.per_epoch,
            "sentences": self._sentences,
            "losses": self.losses,
            "snapshots": self.snapshots,
        }
        with replacing(self.path) as part:
            part.write_text(json.dumps(document, ensure_ascii=False, separators=(",", ":")) + "\n", "utf-8")


def recorded(trace: Trace) -> dict[str, Any]:
    """The entry of one sentence in a snapshot."""
    centers = [word.step.looks[0].focus.center for word in trace.words]
    return {
        "weights": [[_rounded(weight, 4) for weight in row] for row in trace.weights().tolist()],
        "log_probs": [_rounded(word.log_prob, 3) for word in trace.words],
        "centers": [_rounded(center.item(), 4) for center in centers if center is not None] or None,
    }


def _rounded(value: float, digits: int) -> float | None:
    """A number with few characters, 0 instead of 0.0; None if training has diverged, since JSON has no NaN."""
    if not math.isfinite(value):
        return None
    rounded = round(value, digits)
    return int(rounded) if rounded == int(rounded) else rounded
