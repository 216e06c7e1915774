"""OpenNMT-py's own training loop and search, behind the gate. Runs in OpenNMT-py's environment: see install.py.

Changes, in memory only: batches come through the gate, the loss of each step is recorded, no checkpoints are written,
and spacy and fasttext, imported for filters that are not used here, are empty modules. (OpenNMT-py's torch.load does
not work with this torch, so the gate saves the weights; its vocabulary builder writes an empty token, so text.py writes
the vocabulary.) With our recipe, the initial weights and the learning rates are ours. Buckets hold one epoch: the
default of 262,144 pairs would sort nine epochs together.
"""

import codecs
import json
import os
import sys
import tempfile
import types
from importlib.metadata import version
from pathlib import Path
from typing import Any

import torch

for absent in ("spacy", "fasttext"):
    sys.modules[absent] = types.ModuleType(absent)

from onmt import opts, train_single  # noqa: E402
from onmt.bin.train import train  # noqa: E402
from onmt.constants import CorpusTask  # noqa: E402
from onmt.inputters.dynamic_iterator import build_dynamic_dataset_iter  # noqa: E402
from onmt.translate import GNMTGlobalScorer, Translator  # noqa: E402
from onmt.utils.parse import ArgumentParser  # noqa: E402

from tests.benchmarks.peers.cases import (  # noqa: E402
    BATCH,
    BETAS,
    CLIP,
    LIMIT,
    RATE,
    ROWS,
    SOURCE,
    TARGET,
    Case,
    Conditions,
)
from tests.benchmarks.peers.gate import Answer, Toolkit  # noqa: E402
from tests.benchmarks.peers.our_recipe import begin, rate  # noqa: E402


def parsed(add: Any, options: dict[str, Any]) -> Any:
    """Parse options as on a command line."""
    parser = ArgumentParser()
    add(parser)
    words = [[f"-{name}"] if value is True else [f"-{name}", str(value)] for name, value in options.items()]
    return parser.parse_args([word for pair in words for word in pair])


def corpus(data: Path, name: str) -> dict[str, Any]:
    """A corpus as an entry of the option `data`."""
    paths = {"path_src": str(data / f"{name}.{SOURCE}"), "path_tgt": str(data / f"{name}.{TARGET}")}
    return paths | {"transforms": [], "weight": 1}


def count(path: Path) -> int:
    """The number of lines."""
    with path.open(encoding="utf-8") as file:
        return sum(1 for _ in file)


def settings(case: Case, data: Path, work: Path, conditions: Conditions) -> Any:
    """The options of OpenNMT-py's train command."""
    units = conditions.units
    options = {
        "data": json.dumps({"train": corpus(data, "train"), "valid": corpus(data, "test")}),
        "src_vocab": data / f"vocab.{SOURCE}",
        "tgt_vocab": data / f"vocab.{TARGET}",
        "vocab_size_multiple": 1,
        "save_model": work / "model",
        "encoder_type": "brnn",
        "decoder_type": "rnn",
        "rnn_type": case.cell.upper(),
        "word_vec_size": units.embedding,
        "hidden_size": units.decoder,  # the encoder's two directions have half of it each
        "layers": 1,
        "dropout": 0.0,
        "attention_dropout": 0.0,
        "global_attention": {"additive": "mlp", "general": "general"}[case.score],
        "input_feed": int(case.feeding),
        "optim": "adam",
        "learning_rate": RATE,
        "adam_beta1": BETAS[0],
        "adam_beta2": BETAS[1],
        "max_grad_norm": CLIP,
        "normalization": "tokens",
        "batch_type": "sents",
        "batch_size": BATCH,
        "bucket_size": count(data / f"train.{SOURCE}"),
        "num_workers": 0,
        "train_steps": 1_000_000_000,
        "valid_steps": 1_000_000_000,
        "seed": conditions.seed,
    }
    return parsed(opts.train_opts, options | conditions.options)


class Contestant(Toolkit):
    """Keeps the objects that OpenNMT-py creates before its training loop."""

    torch = torch

    def train(self) -> None:
        """Insert the gate into OpenNMT-py and start its training."""
        self.build_trainer, train_single.build_trainer = train_single.build_trainer, self.trainer
        train_single.build_dynamic_dataset_iter = self.batches
        train_single.build_model_saver = lambda *_: None
        with tempfile.TemporaryDirectory() as work:
            train(settings(self.case, self.data, Path(work), self.conditions))

    def trainer(self, opt: Any, device: int, model: torch.nn.Module, vocabs: dict, *rest: Any, **more: Any) -> Any:
        """build_trainer with a hook that records the loss, and with our recipe."""
        made = self.build_trainer(opt, device, model, vocabs, *rest, **more)
        if epoch := self.conditions.our_updates_per_epoch:
            begin(model, model.generator.weight, self.conditions.seed)
            made.optim._learning_rate, made.optim._learning_rate_decay_fn = 1.0, lambda step: rate(step - 1, epoch)
        made.train_loss.register_forward_hook(lambda module, given, found: self.gate.lost(found[1].loss))
        self.opt, self.model, self.vocabs, self.made = opt, model, vocabs, made
        return made

    def batches(self, *rest: Any, **more: Any) -> Any:
        """build_dynamic_dataset_iter with training batches through the gate."""
        made = build_dynamic_dataset_iter(*rest, **more)
        if more["task"] != CorpusTask.TRAIN:
            self.held = made
            return made
        pad = self.vocabs["tgt"].lookup_token("<blank>")

        def measure(batch: Any) -> tuple[int, int]:
            words = batch[0]["tgt"][:, 1:, 0]
            return int((words != pad).sum()), words.numel()

        self.ready(version("OpenNMT-py"), len(self.vocabs["src"]), len(self.vocabs["tgt"]))
        return self.gate.through(made, measure)

    def score(self, rest: str) -> Answer:
        criterion = self.made.valid_loss.criterion
        smoothing, criterion.label_smoothing = criterion.label_smoothing, 0.0
        found = self.made.validate(self.held)
        criterion.label_smoothing = smoothing
        return {"loss": float(found.loss), "words": int(found.n_words)}

    def translate(self, beam: str) -> Answer:
        options = {"model": "none", "src": self.data / f"test.{SOURCE}", "beam_size": beam, "gpu": -1}
        options |= {"batch_type": "sents", "batch_size": ROWS // int(beam)}
        options |= {"max_length": LIMIT, "max_length_ratio": 0}
        opt = parsed(opts.translate_opts, options)
        ArgumentParser.validate_translate_opts(opt)
        ArgumentParser._get_all_transform_translate(opt)
        ArgumentParser._validate_transforms_opts(opt)
        ArgumentParser.validate_translate_opts_dynamic(opt)
        self.model.eval()
        with codecs.open(os.devnull, "w", "utf-8") as out:
            scorer = GNMTGlobalScorer.from_opt(opt)
            translator = Translator.from_opt(
                self.model, self.vocabs, opt, self.opt, global_scorer=scorer, out_file=out, report_score=False
            )
            sentences = build_dynamic_dataset_iter(opt, {}, self.vocabs, task=CorpusTask.INFER, device_id=-1)
            _, found = translator._translate(sentences)
        self.model.train()
        return {"lines": [best[0] for best in found]}


if __name__ == "__main__":
    Contestant.main()
