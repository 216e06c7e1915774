"""Training on a synthetic task: any preset with small sizes, in about a minute."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from attn_core.data.alignments import AlignmentScores, Link, alignment_error_rate
from attn_core.data.tokenizer import NO_LANGUAGE
from attn_core.data.toy_tasks import Example, Length, draw_texts
from attn_core.decoding.alignment import align_from_weights
from attn_core.decoding.beam import best_outputs
from attn_core.decoding.translate import force
from attn_core.models.config import ModelConfig
from attn_core.models.presets import configure
from attn_core.models.recipe import TrainConfig
from attn_core.models.translator import Translator
from attn_core.trace import Trace
from attn_core.training.corpus_task import CorpusTask
from attn_core.training.distributed import alone
from attn_core.training.loop import fit
from attn_core.training.prepare import Texts
from attn_core.training.run import configured_run
from attn_core.training.snapshots import Pair
from attn_core.training.task import Event

LANGS = (NO_LANGUAGE, NO_LANGUAGE)  # languages of the vocabularies
# Replacements for a preset's settings: a vocabulary of letters does not need 256 units, nor 4,000 examples 400 updates
# of warm-up. Perplexity decides which epoch is best, since BLEU is 0 for a line of three words.
SMALL: dict[str, Any] = {
    "embedding": 32,
    "attentional": 32,
    "decoder.hidden": 64,
    "attention.score.hidden": 32,
    "dropout": 0.0,
    "output_dropout": 0.0,
    "init": "glorot",
    "batch": 32,
    "epochs": 8,
    "optimizer": "adam",
    "rate": 5e-3,
    "schedule": "cosine",
    "warmup": 50,
    "wide": 2,
    "clip": 1.0,
    "loss_per": "word",
    "label_smoothing": 0.0,
    "average": 0.0,
    "min_frequency": 1,
    "subword": "word",
    "vocabulary": None,
    "patience": 0,
    "criterion": "perplexity",
    "precision": "fp32",
}
# Further replacements for a Transformer: one size for all layers, and a suitable learning rate.
SMALL_TRANSFORMER: dict[str, Any] = {
    "embedding": 64,
    "encoder.feedforward": 128,
    "decoder.feedforward": 128,
    "encoder.layers": 2,
    "decoder.layers": 2,
    "encoder.heads": 2,
    "attention.heads": 2,
    "rate": 2e-3,
}


def small(preset: str, settings: dict[str, Any] | None = None) -> tuple[ModelConfig, TrainConfig]:
    """A preset with the sizes for a synthetic task; `settings` of model and recipe override both.

    Raises ValueError for an unknown preset or setting.
    """
    model, recipe = configure(preset, {})
    smaller = dict(SMALL)
    if model.encoder.final_states:
        smaller["encoder.hidden"] = SMALL["decoder.hidden"] * model.encoder.end_size // model.memory
    if model.decoder.name == "transformer":
        smaller |= SMALL_TRANSFORMER
    of_recipe = recipe.names()
    smaller = {name: value for name, value in smaller.items() if name in of_recipe or model.has(name)}
    return configure(preset, smaller | (settings or {}))


def practise(
    task: str,
    preset: str,
    out: str | Path,
    *,
    examples: int = 4000,
    length: Length | None = None,
    settings: dict[str, Any] | None = None,
    resume: bool = False,
    on_event: Callable[[Event, Translator], None] = lambda event, model: None,
) -> Translator:
    """Train a small model of `preset` on a task of `toy_tasks.TASKS` in the folder `out`, and return it.

    `on_event` is called with an Event and the model after every update, and after every epoch with `event.scores` and
    the model in evaluation mode, so that `force(model, ...)` shows the alignment learned so far. The scores include
    `alignment` and `exact`, see `score`. `length` is the length of the examples, a number or (shortest, longest);
    `settings` override those of `small`.

    Raises ValueError for an unknown task, preset or setting, CheckpointError if `out` already holds a model.
    """
    seed = small(preset, settings)[1].seed
    train, valid = draw_texts(task, examples, length, seed=seed)
    run = configured_run(
        preset,
        settings or {},
        out,
        small,
        about={"data": train.made_from},
        resume=resume,
        on_event=lambda event: on_event(event, training.model),
    )
    with run.begin(alone("cpu")) as begun:
        training = CorpusTask(
            begun,
            lambda: Texts(train, valid),
            LANGS,
            tokenized=True,
            measure=lambda model: score(model, valid.examples),
            shown=shown(valid.examples),
        )
        fit(training)
    training.model.folder = Path(out)
    return training.model.eval()


class Diary:
    """An `on_event` callback for `practise` that keeps the scores of each epoch and the forced Trace of one example.

    `scores` are rows with the `epoch`; `traces` are named "after epoch 1" and so on.
    """

    def __init__(self, example: Example):
        self.example = example
        self.scores: list[dict[str, float]] = []
        self.traces: dict[str, Trace] = {}

    def __call__(self, event: Event, model: Translator) -> None:
        if event.scores is None:
            return
        pair = " ".join(self.example.source), " ".join(self.example.target)
        self.scores.append(dict(event.scores))
        self.traces[f"after epoch {event.progress.epoch}"] = force(model, *pair, tokenized=True)


def score(model: Translator, examples: Sequence[Example]) -> dict[str, float]:
    """`alignment`: the accuracy of `alignment`; `exact`: the share of examples whose greedy output is the target."""
    outputs = best_outputs(model, [model.source_ids(example.source) for example in examples])
    targets = [model.target.ids(example.target) for example in examples]
    exact = sum(output.text_words == target for output, target in zip(outputs, targets, strict=True))
    scores = {"exact": exact / len(examples)}
    if model.config.attention is not None:
        scores["alignment"] = alignment(model, examples).precision
    return scores


def shown(examples: Sequence[Example], number: int = 4) -> list[Pair]:
    """The examples of which a training stores snapshots: `number` lengths from below the middle to the longest."""
    ordered = sorted(examples, key=lambda example: len(example.source))
    chosen = [ordered[len(ordered) * place // number - 1] for place in range(1, number + 1)]
    return [(" ".join(example.source), " ".join(example.target)) for example in chosen]


def alignment(model: Translator, examples: Sequence[Example]) -> AlignmentScores:
    """Compare the model's links by forced decoding with the gold links.

    A target word is linked to the source word with the largest weight; words without a gold link are ignored.
    `precision` is then the alignment accuracy: the share of target words whose link is gold.
    """
    traces = force(
        model,
        [" ".join(example.source) for example in examples],
        [" ".join(example.target) for example in examples],
        tokenized=True,
        top=1,
    )
    links = [align_from_weights(trace.weights()[:-1]) for trace in traces]  # without the row of </s>
    return alignment_error_rate(
        [example.gold for example in examples],
        [_with_gold(each, example) for each, example in zip(links, examples, strict=True)],
    )


def _with_gold(links: set[Link], example: Example) -> set[Link]:
    """The links of target words that have a gold link."""
    words = {j for _, j in example.gold.possible}
    return {(i, j) for i, j in links if j in words}
