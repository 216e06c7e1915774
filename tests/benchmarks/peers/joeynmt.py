"""JoeyNMT's own training loop and search, behind the gate. Runs in JoeyNMT's environment: see install.py.

Changes, in memory only: batches come through the gate, the loss of each step is recorded, no checkpoints are written
(JoeyNMT's torch.load does not work with this torch), and ReduceLROnPlateau gets no `verbose`, which this torch has
removed. In the comparison of speed the scheduler acts only at validations, of which there are none, so that the
learning rate is constant. With our recipe, the initial weights and the learning rates are ours. JoeyNMT's own
validations are off the clock.
"""

import math
import tempfile
from importlib.metadata import version
from pathlib import Path
from typing import Any

import torch
from joeynmt import builders, config, datasets, prediction, training

from tests.benchmarks.peers.cases import (
    BATCH,
    BETAS,
    CLIP,
    LIMIT,
    RATE,
    SOURCE,
    TARGET,
    Case,
    Conditions,
)
from tests.benchmarks.peers.gate import Answer, Toolkit
from tests.benchmarks.peers.our_recipe import begin, rate


def merged(settings: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    """`settings` with `changes`, which are nested in the same way."""
    inner = {key: merged(settings[key], value) for key, value in changes.items() if isinstance(settings.get(key), dict)}
    return settings | changes | inner


def settings(case: Case, data: Path, work: Path, conditions: Conditions) -> dict[str, Any]:
    """JoeyNMT's configuration, as in its YAML file."""
    units = conditions.units
    sides = {
        side: {"lang": lang, "level": "word", "voc_file": str(data / f"vocab.{lang}")}
        for side, lang in (("src", SOURCE), ("trg", TARGET))
    }
    embeddings = {"embedding_dim": units.embedding, "scale": False, "dropout": 0.0}
    recurrent = {"type": "recurrent", "rnn_type": case.cell, "embeddings": embeddings, "num_layers": 1, "dropout": 0.0}
    made = {
        "name": "bench",
        "model_dir": str(work),
        "use_cuda": False,
        "random_seed": conditions.seed,
        "data": {name: str(data / file) for name, file in (("train", "train"), ("dev", "valid"), ("test", "test"))}
        | sides,
        "training": {
            "optimizer": "adam",
            "adam_betas": list(BETAS),
            "learning_rate": RATE,
            "learning_rate_min": 0.0,
            "scheduling": "plateau",
            "clip_grad_norm": CLIP,
            "normalization": "tokens",
            "batch_size": BATCH,
            "epochs": 1_000_000,
            "validation_freq": 1_000_000_000,
            "logging_freq": 100,
        },
        # Not cases.ROWS: greedy search is faster with 64 sentences in a batch (130 a second) than with 320 (82).
        "testing": {"batch_size": 64, "max_output_length": LIMIT},
        "model": {
            "encoder": recurrent | {"hidden_size": units.encoder, "bidirectional": True},
            "decoder": recurrent
            | {
                "hidden_size": units.decoder,
                "hidden_dropout": 0.0,
                "attention": {"additive": "bahdanau", "general": "luong"}[case.score],
                "input_feeding": case.feeding,
                "init_hidden": "last",
            },
        },
    }
    return merged(made, conditions.options)


class Contestant(Toolkit):
    """Keeps the objects that JoeyNMT creates before its training loop."""

    torch = torch

    def train(self) -> None:
        self.patch()
        with tempfile.TemporaryDirectory() as work:
            training.train(0, 1, settings(self.case, self.data, Path(work), self.conditions), skip_test=True)

    def prepared(self, args: config.BaseConfig, *rest: Any, **more: Any) -> Any:
        made = self.prepare(args, *rest, **more)
        self.args, (self.model, _, self.dev, self.test) = args, made
        if self.conditions.our_updates_per_epoch:
            begin(self.model, self.model.decoder.output_layer.weight, self.conditions.seed)
        return made

    def score(self, rest: str) -> Answer:
        """The loss of the validation set, which must be the test set."""
        args = self.args.test._replace(return_prob="ref")
        smoothed = self.model.loss_function
        self.model.loss_function = ("crossentropy", 0.0)
        scores, *_ = prediction.predict(
            self.model,
            self.dev,
            self.args.device,
            n_gpu=0,
            compute_loss=True,
            normalization="none",
            args=args,
            autocast=self.args.autocast,
        )
        self.model._loss_function = smoothed
        self.model.train()
        return {"loss": scores["loss"], "words": round(scores["loss"] / math.log(scores["ppl"]))}

    def translate(self, beam: str) -> Answer:
        args = self.args.test._replace(beam_size=int(beam), beam_alpha=1.0 if int(beam) > 1 else -1)
        _, _, lines, *_ = prediction.predict(
            self.model, self.test, self.args.device, n_gpu=0, args=args, autocast=self.args.autocast
        )
        return {"lines": lines}

    def patch(self) -> None:
        """Insert the gate into JoeyNMT."""
        gate, contestant, epoch = self.gate, self, self.conditions.our_updates_per_epoch

        class Manager(training.TrainManager):
            def _train_step(self, batch: Any) -> tuple[float, int]:
                if epoch:
                    for group in self.optimizer.param_groups:
                        group["lr"] = rate(self.stats.steps, epoch)
                loss, correct = super()._train_step(batch)
                gate.lost(loss * (batch.ntokens if self.args.normalization == "tokens" else batch.nseqs))
                return loss, correct

            def _validate(self, valid_data: Any) -> None:
                with gate.stopped():
                    super()._validate(valid_data)

            def _save_checkpoint(self, new_best: bool, score: float) -> None:
                pass

        class Gated:
            """JoeyNMT's loader with batches through the gate."""

            def __init__(self, loader: Any):
                self.loader, self.batch_sampler = loader, loader.batch_sampler

            def __iter__(self) -> Any:
                return gate.through(self.loader, lambda batch: (int(batch.ntokens), batch.trg.numel()))

        def make_iter(dataset: datasets.BaseDataset, *rest: Any, **more: Any) -> Any:
            loader = make(dataset, *rest, **more)
            if dataset.split != "train":
                return loader
            model = contestant.model
            contestant.ready(version("joeynmt"), len(model.src_vocab), len(model.trg_vocab))
            return Gated(loader)

        def quiet(*, verbose: bool, **options: Any) -> Any:
            return plateau(**options)

        plateau, builders.ReduceLROnPlateau = builders.ReduceLROnPlateau, quiet
        make, datasets.BaseDataset.make_iter = datasets.BaseDataset.make_iter, make_iter
        self.prepare, training.prepare = training.prepare, self.prepared
        training.TrainManager = Manager


if __name__ == "__main__":
    Contestant.main()
