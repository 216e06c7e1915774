"""The recipes of the comparison of time to quality, in each toolkit's own options."""

from dataclasses import dataclass, replace
from typing import Any

from tests.benchmarks.peers.cases import SEED, SMALL
from tests.benchmarks.peers.contestants import CONTESTANTS, Contestant

TOOLKITS = {contestant.key: contestant for contestant in CONTESTANTS}

# Our recipe, as far as the other toolkits have options for it: embeddings ~ N(0, 0.3^2), other matrices by Glorot, Adam
# with Vaswani's betas, a rate that rises to 0.006 in 200 updates, label smoothing, dropout, and the loss per word.
# Neither has a cosine; both decay with the inverse square root of the update. Neither ties output and target embeddings
# of different sizes.
DEVIATION, PEAK, WARMUP = 0.3, 0.006, 200
EMBEDDED = {"dropout": 0.3}
OURS_IN_JOEYNMT = {
    "training": {
        "adam_betas": [0.9, 0.98],
        "learning_rate": PEAK,
        "learning_rate_min": 1e-5,
        "learning_rate_warmup": WARMUP,
        "scheduling": "warmupinversesquareroot",
        "label_smoothing": 0.1,
    },
    "model": {
        "initializer": "xavier_uniform",
        "embed_initializer": "normal",
        "embed_init_weight": DEVIATION,
        "init_rnn_orthogonal": True,
        "lstm_forget_gate": 0.5,  # of each of the two biases that are added
        "encoder": {"embeddings": EMBEDDED},
        "decoder": {"embeddings": EMBEDDED, "hidden_dropout": 0.3},
    },
}
OURS_IN_ONMT = {
    "adam_beta2": 0.98,
    "decay_method": "noam",
    "warmup_steps": WARMUP,
    "learning_rate": PEAK * (WARMUP * SMALL.decoder) ** 0.5,  # a factor: Vaswani 2017, eq. 3, with the size as d_model
    "label_smoothing": 0.1,
    "dropout": 0.3,
    "param_init": 0.0,
    "param_init_glorot": True,
}

# configs/iwslt_deen_bahdanau.yaml of JoeyNMT's repository, an example for words of German and English: Adam at 0.001,
# halved when the perplexity of an epoch is not lower, no clipping; other settings are the defaults.
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


@dataclass(frozen=True)
class Contender:
    """A toolkit with a recipe."""

    toolkit: str  # a key of TOOLKITS
    recipe: str
    title: str
    options: dict[str, Any]
    embeddings: float = 0.0  # see Conditions
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

    def contestant(self, seed: int, updates: int) -> Contestant:
        """The toolkit, to train with this recipe; an epoch has `updates` updates."""
        options = self.options
        if self.once_an_epoch:
            often = {"validation_freq": updates, "logging_freq": max(1, updates // 4)}  # the first must be the larger
            options = options | {"training": options["training"] | often}
        conditions = {"sizes": "small", "seed": seed, "options": options, "embeddings": self.embeddings}
        return replace(TOOLKITS[self.toolkit], conditions=conditions)


# In the order of the queue and of the table.
CONTENDERS = (
    Contender("fp32", "shipped", "ours, as shipped", {}),
    Contender("onmt", "adam", "OpenNMT-py, Adam", ONMT_ADAM),
    Contender("onmt", "ours", "OpenNMT-py, our recipe", OURS_IN_ONMT, embeddings=DEVIATION),
    Contender("fp32", "before", "ours, before", {"init": "glorot", "rate": 0.003, "warmup": 400}),
    Contender("joeynmt", "ours", "JoeyNMT, our recipe", OURS_IN_JOEYNMT),
    Contender("joeynmt", "documented", "JoeyNMT, documented", JOEYNMT_DOCUMENTED, once_an_epoch=True),
    Contender("onmt", "quick-start", "OpenNMT-py, quick start", ONMT_QUICK_START),
)
SEEDS = (SEED, SEED + 1, SEED + 2)
