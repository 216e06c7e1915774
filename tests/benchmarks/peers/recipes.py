"""The recipes of the comparison of time to quality, in each toolkit's own options."""

from dataclasses import dataclass, replace
from typing import Any

from tests.benchmarks.peers.cases import CASES, SEED, SMALL
from tests.benchmarks.peers.contestants import CONTESTANTS, Contestant

TOOLKITS = {contestant.key: contestant for contestant in CONTESTANTS}

# Our recipe: Vaswani's betas, label smoothing, dropout, and the loss per word are options of the toolkits; the initial
# weights and the rate of each update are set by our_recipe.py. Neither toolkit ties the output matrix to the target
# embeddings where their sizes differ.
EMBEDDED = {"dropout": 0.3}
OURS_IN_JOEYNMT = {
    "training": {"adam_betas": [0.9, 0.98], "label_smoothing": 0.1},
    "model": {
        "encoder": {"embeddings": EMBEDDED},
        "decoder": {"embeddings": EMBEDDED, "hidden_dropout": 0.3},
    },
}
OURS_IN_ONMT = {"adam_beta2": 0.98, "label_smoothing": 0.1, "dropout": 0.3}

# configs/iwslt_deen_bahdanau.yaml of JoeyNMT's repository, an example for words of German and English, from version 1:
# Adam at 0.001, halved when the perplexity of an epoch is not lower, no clipping; other settings are the defaults.
JOEYNMT_DOCUMENTED = {
    "training": {
        "learning_rate": 0.001,
        "learning_rate_min": 0.00005,
        "scheduling": "plateau",
        "patience": 0,
        "decrease_factor": 0.5,
        "early_stopping_metric": "ppl",
        "clip_grad_norm": None,
        "normalization": "batch",
    },
    "model": {"decoder": {"embeddings": {"dropout": 0.2}, "hidden_dropout": 0.2}},
}

# OpenNMT-py's quick start (docs/source/quickstart.md) trains with the defaults of its command, given here: SGD at 1,
# gradients of norm 5, dropout 0.3, and parameters from U[-0.1, 0.1]. The rate is first halved after 50,000 updates.
ONMT_QUICK_START = {
    "optim": "sgd",
    "learning_rate": 1.0,
    "max_grad_norm": 5.0,
    "dropout": 0.3,
    "normalization": "sents",
    "param_init": 0.1,
}
# With Adam, and the rate that the help of `--learning_rate` recommends for it (onmt/opts.py).
ONMT_ADAM = ONMT_QUICK_START | {"optim": "adam", "learning_rate": 0.001}

# The sizes of the other toolkits' models: an output matrix of its own, as wide as the decoder.
AS_PEERS = {"tied": False, "attentional": SMALL.decoder, "precision": "fp32"}

# The step of the toolkits' additive models: PyTorch's GRU, attention after its update, and a tanh layer before the
# output. Bahdanau's attends before the update, and has a GRU and a maxout layer of its own.
PEERS_STEP = {"order": "update-then-attend", "feeding": True, "encoder.cell": "torch-gru", "decoder.cell": "torch-gru"}


@dataclass(frozen=True)
class Contender:
    """A toolkit with a recipe."""

    toolkit: str  # a key of TOOLKITS
    recipe: str
    title: str
    options: dict[str, Any]
    as_ours: bool = False  # whether another toolkit has the start and the rates of our_recipe.py
    cases: tuple[str, ...] = tuple(CASES)  # those in which it takes part
    once_an_epoch: bool = False  # whether the toolkit validates after every epoch, as its scheduler requires

    @property
    def key(self) -> str:
        return f"{self.name}-{self.recipe}"

    @property
    def name(self) -> str:
        """The toolkit's name in keys; the precision of ours is the processor's."""
        return "ours" if self.ours else self.toolkit

    @property
    def ours(self) -> bool:
        return TOOLKITS[self.toolkit].module == "ours"

    def contestant(self, seed: int, per_epoch: int) -> Contestant:
        """The toolkit, to train with this recipe; an epoch has `per_epoch` updates."""
        options = self.options
        if self.once_an_epoch:
            # JoeyNMT takes only a validation interval that is a multiple of the logging interval.
            often = {"validation_freq": per_epoch, "logging_freq": per_epoch}
            options = options | {"training": options["training"] | often}
        epoch = per_epoch if self.as_ours else 0
        conditions = {"sizes": "small", "seed": seed, "options": options, "our_updates_per_epoch": epoch}
        return replace(TOOLKITS[self.toolkit], conditions=conditions)


# In the order of the queue and of the table.
CONTENDERS = (
    Contender("fp32", "shipped", "ours, as shipped", {}),
    Contender("onmt", "adam", "OpenNMT-py, Adam", ONMT_ADAM),
    Contender("onmt", "ours", "OpenNMT-py, our recipe", OURS_IN_ONMT, as_ours=True),
    Contender("fp32", "before", "ours, before", {"init": "glorot", "rate": 0.003, "warmup": 400}),
    Contender("fp32", "as-peers", "ours, peers' sizes", AS_PEERS),
    Contender("fp32", "peers-step", "ours, peers' step", PEERS_STEP, cases=("a",)),
    Contender("joeynmt", "ours", "JoeyNMT, our recipe", OURS_IN_JOEYNMT, as_ours=True),
    Contender("joeynmt", "documented", "JoeyNMT, documented", JOEYNMT_DOCUMENTED, once_an_epoch=True),
    Contender("onmt", "quick-start", "OpenNMT-py, quick start", ONMT_QUICK_START),
)
SEEDS = (SEED, SEED + 1, SEED + 2)
