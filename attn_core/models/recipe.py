"""Training recipes: batches, optimizer, schedule, vocabulary and loss."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from attn_core.attention.settings import LocalPSettings, LocalSettings
from attn_core.messages import N_
from attn_core.settings import COUNT, POSITIONS, WEIGHT, Settings, setting

if TYPE_CHECKING:
    from attn_core.models.config import ModelConfig

MOST_JOINED = 16  # pairs of sentences that are joined into one

# The words whose losses are credited to a sampled position. "sentence": all (Xu 2015, and RL_sumCost in the authors'
# code). "to_go": its own and later words, since it cannot change earlier ones; the same mean with less variance.
# "word": only its own word, the default of the authors' code; still less variance, but another mean.
CREDITS = {"sentence": "the whole sentence", "to_go": "its word and later words", "word": "its word"}


@dataclass(frozen=True)
class Recipe(Settings):
    """Settings of all recipes, whatever the kind of model. Schedules are counted in updates."""

    batch: int = setting(64, "batch size of each process, in examples (sentence pairs)", least=1, most=1_000_000)
    epochs: int = setting(
        20, "epochs: passes over a corpus, or `updates` updates on generated examples", least=1, most=COUNT
    )
    optimizer: str = setting(
        "adam",
        "optimisation algorithm; adam: with the betas and epsilon of Vaswani 2017; sgd: without momentum, as in Luong "
        "2015; adadelta: with the rho and epsilon of Bahdanau 2015",
        source="Vaswani 2017, 5.3; Luong 2015, 4.1; Bahdanau 2015, B.2",
        allowed=("adam", "sgd", "adadelta"),
    )
    rate: float = setting(3e-3, "peak learning rate", above=0, most=1000)
    schedule: str = setting(
        "cosine",
        "learning rate schedule; halving: halve the rate every epoch after `halve_after` epochs",
        source="inverse-sqrt: Vaswani 2017, eq. 3; halving: Luong 2015, section 4.1",
        allowed=("constant", "halving", "cosine", "inverse-sqrt"),
    )
    halve_after: int = setting(8, "epochs before schedule halving first halves the rate", least=0, most=COUNT)
    warmup: int = setting(400, "updates over which the rate rises from 0", least=0, most=COUNT)
    weight_decay: float = setting(0.0, "weight decay (L2 penalty) of the optimizer", least=0, most=WEIGHT)
    clip: float = setting(1.0, "clip the gradient to this L2 norm", above=0, most=COUNT)
    precision: str = setting(
        "auto",
        "precision of matrix products; auto: bf16 if the processor multiplies it faster; weights stay in fp32",
        allowed=("auto", "bf16", "fp32"),
    )
    seed: int = setting(1, "seed of all random numbers", least=0, most=2**32 - 1)

    def check_hardware(self, device: str, processes: int) -> None:
        """Raise ValueError if `processes` processes on this type of device ("cpu", "cuda") cannot run the recipe."""


@dataclass(frozen=True)
class TrainConfig(Recipe):
    """A recipe for translators. Sizes are counted in sentence pairs."""

    accumulate: int = setting(
        1, "batches per process whose gradients are accumulated for an update", least=1, most=10_000
    )
    wide: float = setting(
        1,
        "epochs in which a window with a learned centre has all words in view; then come 4 D and 2 D, each for as long "
        "but for at most one epoch",
        least=0,
        most=COUNT,
        unit=N_("epochs"),
    )
    label_smoothing: float = setting(
        0.1,
        "label smoothing: share of the target distribution that is spread over the whole vocabulary",
        source="Vaswani 2017, section 5.4",
        least=0,
        below=1,
    )
    average: float = setting(
        0.0, "decay of the moving average of the weights, which is evaluated and saved; 0: no average", least=0, below=1
    )
    join: int = setting(
        1,
        "join from 2 to this many successive pairs into one, a number drawn at random; 1: off",
        least=1,
        most=MOST_JOINED,
    )
    max_length: int = setting(
        50, "skip pairs with more words (or pieces) than this on either side", least=1, most=POSITIONS
    )
    min_frequency: int = setting(2, "minimum frequency of words in the vocabulary", least=1, most=COUNT)
    subword: str = setting("word", "unit of the vocabulary", allowed=("word", "bpe"))
    vocabulary: int | None = setting(
        None,
        "maximum vocabulary size, including four special tokens; none: all words, or 8,000 pieces with bpe",
        least=5,
        most=10_000_000,
    )
    subword_dropout: float = setting(
        0.0,
        "BPE-dropout: probability of leaving out each merge; words are split differently in every epoch, in memory",
        source="Provilkov 2020, section 3",
        least=0,
        most=1,
    )
    patience: int = setting(5, "epochs without improvement before training stops; 0: never", least=0, most=COUNT)
    criterion: str = setting("bleu", "validation score that selects the best epoch", allowed=("bleu", "perplexity"))
    graphs: bool = setting(False, "on a GPU, record the decoder's loop as CUDA graphs, one per shape")
    doubly_stochastic: float = setting(
        0.0,
        "weight of the regulariser that makes each source word's attention sum to 1",
        source="Xu 2015, section 4.2.1",
        least=0,
        most=WEIGHT,
    )
    coverage: float = setting(
        0.0,
        "weight of the regulariser that penalises attending to a source word repeatedly",
        source="See 2017, section 2.3",
        least=0,
        most=WEIGHT,
    )
    attention_entropy: float = setting(
        0.0,
        "weight of the entropy of the alignment weights; above 0: sharper weights, below 0: flatter weights",
        source="Xu 2015, the authors' code: -0.002",
        least=-WEIGHT,
        most=WEIGHT,
    )
    reward: float = setting(
        0.1,
        "weight lambda_r of REINFORCE for hard-sample; 1: the gradient of the expected loss",
        source="Xu 2015, section 4.1",
        least=0,
        most=WEIGHT,
    )
    credit: str = setting(
        "sentence",
        f"words whose losses are credited to a sampled position; {'; '.join(map(': '.join, CREDITS.items()))}",
        source="Xu 2015 and the authors' code",
        allowed=tuple(CREDITS),
    )
    soft_share: float = setting(
        0.5,
        "share of the batches in which hard-sample uses the expectation",
        source="Xu 2015, section 4.1",
        least=0,
        most=1,
    )
    loss_per: str = setting(
        "word",
        "divide the loss by the number of words, or of sentence pairs as in Luong's code",
        allowed=("word", "sentence"),
    )
    teacher_forcing: float = setting(
        1.0, "share of the steps whose input is the reference word, not the model's own", least=0, most=1
    )
    save_every: int = setting(0, "updates between saved states; 0: save when an epoch ends", least=0, most=COUNT)
    snapshots: int = setting(
        24,
        "stored snapshots of the attention on fixed sentences, evenly spaced on a logarithmic scale; 0: none",
        least=0,
        most=500,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.graphs and self.accumulate > 1:
            raise ValueError("graphs needs accumulate=1: each replay overwrites the gradients of the previous one")

    def check_hardware(self, device: str, processes: int) -> None:
        if self.graphs and device != "cuda":
            raise ValueError(f"graphs=true needs a GPU, but this run is on {device}: set graphs=false")
        if self.graphs and processes > 1:
            raise ValueError(f"graphs=true needs a single process, not {processes}: set graphs=false")


@dataclass(frozen=True)
class DrawnConfig(Recipe):
    """A recipe for models trained on examples that are generated as needed, so that none is seen twice."""

    epochs: int = setting(30, "epochs, of `updates` updates each", least=1, most=COUNT)
    warmup: int = setting(200, "updates over which the rate rises from 0", least=0, most=COUNT)
    precision: str = setting("fp32", "precision of matrix products", allowed=("auto", "bf16", "fp32"))
    updates: int = setting(1000, "updates per epoch, as there is no corpus", least=1, most=COUNT)


# Settings of a recipe that have an effect only with one value of another setting, of the recipe or of the model.
NEEDS = {
    "halve_after": ("schedule", "halving"),
    "reward": ("attention.type", "hard-sample"),
    "credit": ("attention.type", "hard-sample"),
    "soft_share": ("attention.type", "hard-sample"),
}


def check_effect(model: Settings, recipe: Recipe, preset: Recipe) -> None:
    """Raise ValueError for a setting without effect, unless it has its default or the value of the `preset`."""
    own, usual = recipe.to_json(), recipe.defaults()
    for name, (other, value) in NEEDS.items():
        changed = name in own and own[name] not in (usual[name], preset[name])
        if changed and (recipe if other in own else model)[other] != value:
            raise ValueError(f"{name} has no effect without {other}={value}: set that too, or omit {name}")


def check_together(model: "ModelConfig", recipe: TrainConfig) -> None:
    """Raise ValueError if a model cannot be trained with a recipe, or if a setting of the recipe has no effect."""
    attention = model.attention
    window = attention and attention.window
    if recipe.subword_dropout and recipe.subword != "bpe":
        raise ValueError("subword_dropout has no effect on whole words: set subword=bpe, or subword_dropout=0")
    if isinstance(window, LocalSettings) and window.gaussian != "after_softmax" and window.gaussian_width is None:
        raise ValueError(
            f"gaussian={window.gaussian} has no effect in a window without a Gaussian: use window local-p with D above "
            "0, or local-m with a sigma"
        )
    if (
        isinstance(window, LocalPSettings)
        and window.half_width == 0
        and (window.gaussian_width is None or window.gaussian != "after_softmax")
    ):
        raise ValueError(
            "local-p with half_width=0 gives p_t no gradient unless its Gaussian multiplies the weights: set a sigma "
            "with gaussian=after_softmax, or half_width=1 or more"
        )
    longest = recipe.max_length + model.source_eos, recipe.max_length + 1
    for side, words, limits in zip(("sources", "targets with <s>"), longest, model.limits, strict=True):
        for name, most in limits.items():
            if most < words:
                raise ValueError(
                    f"{side} may have {words} words, but {name} is {most}: increase {name}, or decrease max_length"
                )
    if model["attention.type"] == "hard-argmax":
        raise ValueError(
            "attention type hard-argmax has no gradient: train with soft or hard-sample, and translate with hard-argmax"
        )
    summed = [name for name in ("doubly_stochastic", "coverage") if getattr(recipe, name)]
    if attention is None and (summed or recipe.attention_entropy):
        raise ValueError(
            "doubly_stochastic, coverage and attention_entropy need attention: set them to 0, or set a score"
        )
    if recipe.graphs and recipe.teacher_forcing < 1:
        raise ValueError("graphs needs teacher_forcing=1: set it, or graphs=false")
    if recipe.graphs and (model["attention.type"] != "soft" or summed or recipe.attention_entropy):
        raise ValueError("graphs needs soft attention and no regularisers of attention: set graphs=false")
    if recipe.graphs and model.decoder.name == "transformer":
        raise ValueError(
            "graphs records a recurrent decoder's loop, which a Transformer does not have: set graphs=false"
        )
    if summed and attention is not None and attention.window.is_local:
        raise ValueError(f"{summed[0]} sums each source word's weights over a sentence: set window=global")
