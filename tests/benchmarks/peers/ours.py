"""attn_core's own training loop and search, behind the gate."""

import tempfile
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import Any

import torch

from attn_core.data.corpus import Batch, Pairs, encode_pairs, read_lines, read_parallel
from attn_core.data.tokenizer import Tokenizer
from attn_core.decoding.beam import best_outputs
from attn_core.devices import autocast
from attn_core.evaluation.evaluate import negative_log_likelihood
from attn_core.models.translator import Translator
from attn_core.processor import computes_bf16
from attn_core.training.loop import Diverged, fit
from attn_core.training.speed.cpu_tuning import tune_cpu
from attn_core.training.task import Event, Run
from tests.benchmarks.peers.cases import (
    BATCH,
    LIMIT,
    MIN_FREQUENCY,
    ROWS,
    SMALL,
    SOURCE,
    TARGET,
    Case,
    Conditions,
)
from tests.benchmarks.peers.gate import Answer, Toolkit
from tests.benchmarks.peers.settings import settings, small_settings
from tests.helpers.ready import ReadyTask


class Counted(Translator):
    """A translator that counts the target positions of its training batches for the gate."""

    positions = 0

    def loss(self, batch: Batch, *rest: Any, **more: Any) -> torch.Tensor:
        self.positions = batch.target_mask.numel()
        return super().loss(batch, *rest, **more)


class Contestant(Toolkit):
    torch = torch

    def __init__(self, case: Case, data: Path, conditions: Conditions):
        tune_cpu()  # as the command line does
        super().__init__(case, data, conditions)
        if conditions.units == SMALL:
            config, self.recipe = small_settings(case, conditions)
        else:
            config, self.recipe = settings(case, conditions.options["precision"])
        if self.recipe.precision == "bf16" and not computes_bf16():
            raise SystemExit("this processor cannot compute in bf16")
        texts = read_parallel(data / f"train.{SOURCE}", data / f"train.{TARGET}")
        source, target = (
            Tokenizer.train(lines, lang, min_frequency=MIN_FREQUENCY)
            for lines, lang in zip(texts, (SOURCE, TARGET), strict=True)
        )
        self.pairs = encode_pairs(source, target, *texts)
        torch.manual_seed(conditions.seed)
        self.model = Counted(config, source, target)
        self.test = read_lines(data / f"test.{SOURCE}")
        self.held = encode_pairs(source, target, self.test, read_lines(data / f"test.{TARGET}"))

    def train(self) -> None:
        model = self.model
        settings = {"model": model.config.to_json(), "recipe": self.recipe.to_json()}
        self.ready(version("torch"), len(model.source), len(model.target), self.recipe.precision, settings=settings)
        # Validation is not measured: a single pair of one word.
        valid, references = Pairs([[Tokenizer.unk]], [[Tokenizer.unk]]), ["."]
        with tempfile.TemporaryDirectory() as folder:
            run = Run(model.config, self.recipe, Path(folder), on_event=self.on_event)
            with suppress(Diverged):  # the gate answers that the training has ended
                fit(ReadyTask(run, model, self.pairs, valid, references))

    def on_event(self, event: Event) -> None:
        if event.scores is None:
            self.gate.passed(event.words, self.model.positions)
            self.gate.lost(event.loss * event.words)
            if self.gate.left == 0:
                self.gate.wait()

    @torch.no_grad()
    def score(self, rest: str) -> Answer:
        model = self.model.eval()
        with autocast(torch.device("cpu"), self.recipe.precision):
            loss = negative_log_likelihood(model, self.held, BATCH)
        model.train()
        return {"loss": loss, "words": sum(len(target) + 1 for target in self.held.target)}

    @torch.no_grad()
    def translate(self, beam: str) -> Answer:
        model, width = self.model.eval(), int(beam)
        ids = [model.source.ids(model.source.tokens(line, tokenized=True)) for line in self.test]
        with autocast(torch.device("cpu"), self.recipe.precision):
            # Stop early, as OpenNMT-py does, the faster toolkit; JoeyNMT continues until its whole beam has ended.
            found = best_outputs(model, ids, ROWS, width, limit=LIMIT, early=True)
        model.train()
        return {"lines": [model.target.text([model.target.token(word) for word in one.text_words]) for one in found]}


if __name__ == "__main__":
    Contestant.main()
