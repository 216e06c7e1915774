"""attn_core's own training loop and search, behind the gate."""

import sys
import tempfile
from importlib.metadata import version
from pathlib import Path
from typing import Any

import torch

from attn_core.beam import best_words
from attn_core.config import ModelConfig, TrainConfig
from attn_core.corpora import Batch, Pairs, encode_pairs, read_lines, read_parallel
from attn_core.memory import keep_memory
from attn_core.model import Translator
from attn_core.products import fast_products
from attn_core.text import Tokenizer
from attn_core.training import Event, autocast, fit
from tests.benchmarks.peers.cases import (
    BATCH,
    CASES,
    CLIP,
    DECODER,
    EMBEDDING,
    ENCODER,
    LIMIT,
    MIN_FREQUENCY,
    RATE,
    SEED,
    SOURCE,
    TARGET,
    Case,
)
from tests.benchmarks.peers.gate import Answer, Gate

ORDER = {"gru": "look-then-step", "lstm": "step-then-look"}


def settings(case: Case, precision: str) -> tuple[ModelConfig, TrainConfig]:
    """The case as a model and a recipe of this project."""
    order = ORDER[case.cell]
    model = ModelConfig(
        score=case.score,
        window="global",
        order=order,
        feeding=case.feeding and order == "step-then-look",  # look-then-step feeds its context by itself
        embedding=EMBEDDING,
        encoder_hidden=ENCODER,
        hidden=DECODER,
        align_hidden=DECODER,
        attentional=DECODER,
        tied=False,
        dropout=0.0,
        output_dropout=0.0,
    )
    recipe = TrainConfig(
        batch=BATCH,
        epochs=1_000_000,
        optimizer="adam",
        rate=RATE,
        schedule="constant",
        warmup=0,
        clip=CLIP,
        label_smoothing=0.0,
        patience=0,
        criterion="perplexity",
        precision=precision,
        seed=SEED,
    )
    return model, recipe


class Counted(Translator):
    """A translator that tells the gate of the batches it is trained on."""

    positions = 0

    def loss(self, batch: Batch, *rest: Any, **more: Any) -> torch.Tensor:
        self.positions = batch.target_mask.numel()
        return super().loss(batch, *rest, **more)


class Contestant:
    def __init__(self, case: Case, precision: str, data: Path):
        self.gate = Gate({"translate": self.translate, "save": self.save, "load": self.load})
        config, self.recipe = settings(case, precision)
        texts = read_parallel(data / f"train.{SOURCE}", data / f"train.{TARGET}")
        source, target = (
            Tokenizer.train(lines, lang, min_frequency=MIN_FREQUENCY)
            for lines, lang in zip(texts, (SOURCE, TARGET), strict=True)
        )
        self.pairs = encode_pairs(source, target, *texts)
        torch.manual_seed(SEED)
        self.model = Counted(config, source, target)
        self.test = read_lines(data / f"test.{SOURCE}")

    def train(self) -> None:
        model = self.model
        self.gate.wait(
            {
                "parameters": sum(weight.numel() for weight in model.parameters()),
                "vocabulary": [len(model.source), len(model.target)],
                "version": version("torch"),
            }
        )
        # Validation is no part of what is measured: one pair of one word.
        valid, references = Pairs([[Tokenizer.unk]], [[Tokenizer.unk]]), ["."]
        with tempfile.TemporaryDirectory() as folder:
            fit(model, self.pairs, valid, references, self.recipe, Path(folder), watch=self.watch)

    def watch(self, event: Event) -> None:
        if event.scores is None:
            self.gate.passed(event.words, self.model.positions)
            self.gate.lost(event.loss * event.words)
            if self.gate.left == 0:
                self.gate.wait()

    @torch.no_grad()
    def translate(self, beam: str) -> Answer:
        model, width = self.model.eval(), int(beam)
        ids = [model.source.ids(model.source.tokens(line, tokenized=True)) for line in self.test]
        with autocast(torch.device("cpu"), self.recipe):
            said = best_words(model, ids, BATCH, width, limit=LIMIT)
        model.train()
        return {"lines": [model.target.text([model.target.token(word) for word in words]) for words in said]}

    def save(self, path: str) -> Answer:
        torch.save(self.model.state_dict(), path)
        return {}

    def load(self, path: str) -> Answer:
        self.model.load_state_dict(torch.load(path, weights_only=True))
        return {}


def main(case: str, data: str, threads: str, precision: str) -> None:
    keep_memory()  # as the command line does
    torch.set_num_threads(int(threads))
    fast_products()
    Contestant(CASES[case], precision, Path(data)).train()


if __name__ == "__main__":
    main(*sys.argv[1:])
