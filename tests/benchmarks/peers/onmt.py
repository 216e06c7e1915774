"""OpenNMT-py's own training loop and search, behind the gate. Runs in OpenNMT-py's environment: see install.py.

Changes, in memory only: batches come through the gate, the loss of each step is recorded, no checkpoints are written,
and spacy and fasttext, imported for filters that are not used here, are empty modules. (OpenNMT-py's torch.load does
not work with this torch, so the gate saves the weights; its vocabulary builder writes an empty token, so text.py writes
the vocabulary.) Buckets hold one epoch: the default of 262,144 pairs would sort nine epochs together.
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
    DECODER,
    EMBEDDING,
    LIMIT,
    RATE,
    SEED,
    SOURCE,
    TARGET,
    Case,
)
from tests.benchmarks.peers.gate import Answer, Toolkit  # noqa: E402


def parsed(add: Any, options: dict[str, Any]) -> Any:
    """Parse options as on a command line."""
    parser = ArgumentParser()
    add(parser)
    return parser.parse_args([word for name, value in options.items() for word in (f"-{name}", str(value))])


def settings(case: Case, data: Path, work: Path) -> Any:
    """The options of OpenNMT-py's train command."""
    paths = {"path_src": str(data / f"train.{SOURCE}"), "path_tgt": str(data / f"train.{TARGET}")}
    with (data / f"train.{SOURCE}").open(encoding="utf-8") as file:
        pairs = sum(1 for _ in file)
    options = {
        "data": json.dumps({"train": paths | {"transforms": [], "weight": 1}}),
        "src_vocab": data / f"vocab.{SOURCE}",
        "tgt_vocab": data / f"vocab.{TARGET}",
        "vocab_size_multiple": 1,
        "save_model": work / "model",
        "encoder_type": "brnn",
        "decoder_type": "rnn",
        "rnn_type": case.cell.upper(),
        "word_vec_size": EMBEDDING,
        "hidden_size": DECODER,  # the encoder's two directions have half of it each
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
        "bucket_size": pairs,
        "num_workers": 0,
        "train_steps": 1_000_000_000,
        "valid_steps": 1_000_000_000,
        "seed": SEED,
    }
    return parsed(opts.train_opts, options)


class Contestant(Toolkit):
    """Keeps the objects that OpenNMT-py creates before its training loop."""

    torch = torch

    def train(self) -> None:
        """Insert the gate into OpenNMT-py and start its training."""
        self.build_trainer, train_single.build_trainer = train_single.build_trainer, self.trainer
        train_single.build_dynamic_dataset_iter = self.batches
        train_single.build_model_saver = lambda *_: None
        with tempfile.TemporaryDirectory() as work:
            train(settings(self.case, self.data, Path(work)))

    def trainer(self, opt: Any, device: int, model: torch.nn.Module, vocabs: dict, *rest: Any, **more: Any) -> Any:
        """build_trainer with a hook that records the loss."""
        made = self.build_trainer(opt, device, model, vocabs, *rest, **more)
        made.train_loss.register_forward_hook(lambda module, given, found: self.gate.lost(found[1].loss))
        self.opt, self.model, self.vocabs = opt, model, vocabs
        return made

    def batches(self, *rest: Any, **more: Any) -> Any:
        """build_dynamic_dataset_iter with training batches through the gate."""
        made = build_dynamic_dataset_iter(*rest, **more)
        if more["task"] != CorpusTask.TRAIN:
            return made
        pad = self.vocabs["tgt"].lookup_token("<blank>")

        def measure(batch: Any) -> tuple[int, int]:
            words = batch[0]["tgt"][:, 1:, 0]
            return int((words != pad).sum()), words.numel()

        self.ready(version("OpenNMT-py"), len(self.vocabs["src"]), len(self.vocabs["tgt"]))
        return self.gate.through(made, measure)

    def translate(self, beam: str) -> Answer:
        options = {"model": "none", "src": self.data / f"test.{SOURCE}", "beam_size": beam, "gpu": -1}
        options |= {"batch_type": "sents", "batch_size": BATCH, "max_length": LIMIT, "max_length_ratio": 0}
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
