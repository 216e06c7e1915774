"""Training recipes: how long, how fast and on what a model is trained."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Self

from attn_core.attention.settings import LocalSettings
from attn_core.settings import Settings, setting

if TYPE_CHECKING:
    from attn_core.models.config import ModelConfig


@dataclass(frozen=True)
class Recipe(Settings):
    """What every recipe has, whichever kind of model it trains. Rates are counted in updates."""

    batch: int = setting(64, "examples (sentence pairs) that each process computes at a time", least=1)
    epochs: int = setting(20, "epochs: passes over a corpus, or `updates` updates on drawn examples", least=1)
    optimizer: str = setting("adam", "optimizer", allowed=("adam", "sgd", "adadelta"))
    rate: float = setting(3e-3, "learning rate, at its peak", above=0)
    schedule: str = setting(
        "cosine",
        "how the rate changes: halving halves it with every epoch from `halve_after` on",
        source="inverse-sqrt: Vaswani 2017, eq. 3; halving: Luong 2015, section 4.1",
        allowed=("constant", "halving", "cosine", "inverse-sqrt"),
    )
    halve_after: int = setting(8, "epochs before the rate is halved, with schedule halving", least=0)
    warmup: int = setting(400, "updates over which the rate rises from 0", least=0)
    weight_decay: float = setting(0.0, "L2 penalty of the optimizer", least=0)
    clip: float = setting(1.0, "largest L2 norm of the gradient", above=0)
    precision: str = setting(
        "auto",
        "precision of matrix products: auto is bf16 where the processor multiplies it faster; weights stay fp32",
        allowed=("auto", "bf16", "fp32"),
    )
    seed: int = setting(1, "seed of all random numbers")

    def check_hardware(self, device: str, processes: int) -> None:
        """Raises ValueError for what `processes` on devices of this type ("cpu", "cuda") cannot do."""


@dataclass(frozen=True)
class TrainConfig(Recipe):
    """A recipe for translators. Sizes are counted in sentence pairs."""

    accumulate: int = setting(1, "batches that each process reads for one update", least=1)
    wide: int = setting(
        4, "epochs before a window whose center is learned narrows: none, D x 4, x 2, x 1", least=0, unit="epochs"
    )
    label_smoothing: float = setting(0.1, "label smoothing", source="Vaswani 2017, section 5.4", least=0, below=1)
    average: float = setting(
        0.0, "decay of the running mean of the weights, which is validated and kept; 0: the weights", least=0, below=1
    )
    max_length: int = setting(50, "longer pairs are left out, in words of either side", least=1)
    min_frequency: int = setting(2, "how often a word must occur to enter the vocabulary", least=1)
    subword: str = setting("word", "unit of the vocabulary", allowed=("word", "bpe"))
    vocabulary: int | None = setting(
        None, "largest size of a vocabulary, four special tokens included; none: no limit", least=5
    )
    patience: int = setting(5, "epochs without improvement before training stops; 0: never", least=0)
    criterion: str = setting(
        "bleu", "the validation score that decides which epoch is best", allowed=("bleu", "perplexity")
    )
    graphs: bool = setting(False, "on a GPU: record the decoder's loop as CUDA graphs, one for each shape")
    doubly_stochastic: float = setting(
        0.0,
        "weight of the term by which every source word gets attention 1 in all",
        source="Xu 2015, section 4.2.1",
        least=0,
    )
    coverage: float = setting(
        0.0,
        "weight of the term that penalizes attending to a source word repeatedly",
        source="See 2017, section 2.3",
        least=0,
    )
    attention_entropy: float = setting(
        0.0,
        "weight of the entropy of the alignment: above 0 for sharp weights, below 0 for flat ones",
        source="Xu 2015, the authors' code: -0.002",
    )
    reward: float = setting(
        0.1,
        "lambda_r of hard-sample: the weight of REINFORCE; 1 is the gradient of the expected loss",
        source="Xu 2015, section 4.1",
        least=0,
    )
    credit: str = setting(
        "sentence",
        "which words' losses a draw is responsible for (see reinforce.CREDITS)",
        source="Xu 2015 and the authors' code",
        allowed=("sentence", "to_go", "word"),
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
        "what the loss is divided by: words, or sentence pairs as in Luong's code",
        allowed=("word", "sentence"),
    )
    teacher_forcing: float = setting(
        1.0, "share of the steps that are fed the given word; the others get the model's own", least=0, most=1
    )
    save_every: int = setting(0, "updates after which the state is saved; 0: when an epoch ends", least=0)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.graphs and self.accumulate > 1:
            raise ValueError("graphs needs accumulate=1: each replay writes its gradients over those of the one before")

    def check_hardware(self, device: str, processes: int) -> None:
        if self.graphs and device != "cuda":
            raise ValueError(f"graphs=true needs a GPU, and this run is on {device}; leave it out")
        if self.graphs and processes > 1:
            raise ValueError(f"graphs=true is for one process, not {processes}; leave it out")


@dataclass(frozen=True)
class DrawnConfig(Recipe):
    """A recipe for models whose examples are drawn as they are needed, so that none is seen twice."""

    epochs: int = setting(30, "epochs, of `updates` updates each", least=1)
    warmup: int = setting(200, "updates over which the rate rises from 0", least=0)
    precision: str = setting("fp32", "precision of matrix products", allowed=("auto", "bf16", "fp32"))
    updates: int = setting(1000, "updates in an epoch: there is no corpus to pass over", least=1)

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """As `Settings.from_json`. Recipes were whole TrainConfigs once; settings that only those have are left out."""
        text = {one.name for one in fields(TrainConfig)} - {one.name for one in fields(cls)}
        return super().from_json({name: value for name, value in values.items() if name not in text})


def check_together(model: "ModelConfig", recipe: TrainConfig) -> None:
    """Raises ValueError where a model cannot be trained by a recipe, and for settings that change nothing in it."""
    attention = model.attention
    window = attention and attention.window
    if isinstance(window, LocalSettings) and window.gaussian != "after_softmax" and window.gaussian_width is None:
        raise ValueError(
            "gaussian says where the Gaussian acts, and this window has none: take window local-p with D above 0, "
            "or local-m with a sigma"
        )
    longest, width = recipe.max_length + model.source_eos, model["location_width"]
    if width is not None and width < longest:
        raise ValueError(
            f"a source may have {longest} words, and location_width is {width}: raise location_width, or lower "
            "max_length"
        )
    if model["attention_type"] == "hard-argmax":
        raise ValueError(
            "attention type hard-argmax has no gradient: train with soft or hard-sample, and translate with hard-argmax"
        )
    summed = [name for name in ("doubly_stochastic", "coverage") if getattr(recipe, name)]
    if attention is None and (summed or recipe.attention_entropy):
        raise ValueError(
            "doubly_stochastic, coverage and attention_entropy are terms of attention, and this model has none"
        )
    if recipe.graphs and recipe.teacher_forcing < 1:
        raise ValueError("graphs records a loop over given words: set graphs=false, or teacher_forcing=1")
    if recipe.graphs and (model["attention_type"] != "soft" or summed or recipe.attention_entropy):
        raise ValueError(
            "graphs records the loss of the words alone: set graphs=false for hard attention or another term"
        )
    if recipe.graphs and model.decoder.name == "transformer":
        raise ValueError("graphs records a decoder's loop, and a Transformer has none: set graphs=false")
    if summed and attention is not None and attention.window.is_local:
        raise ValueError(f"{summed[0]} adds up the weights of a sentence at each source word: set window=global")
