"""Training recipes."""

from dataclasses import dataclass

from attn_core.attention.settings import LocalSettings
from attn_core.models.config import ModelConfig
from attn_core.settings import Settings, check_choice


@dataclass(frozen=True)
class TrainConfig(Settings):
    """A training recipe. Sizes are counted in sentence pairs, rates per update, epochs in passes over the data."""

    batch: int = 64  # read at a time, by each process
    accumulate: int = 1  # batches that each process reads for one update
    epochs: int = 20
    optimizer: str = "adam"  # "sgd", "adadelta"
    rate: float = 3e-3
    # "constant"; "halving": from `halve_after` on, the rate halves with every epoch; "inverse-sqrt": Vaswani's (eq. 3)
    schedule: str = "cosine"
    halve_after: int = 8
    warmup: int = 400  # updates over which the rate rises from 0
    weight_decay: float = 0.0
    wide: int = 4  # epochs before a window whose centre is learned closes: none in view is hidden, then D x 4, x 2, x 1
    clip: float = 1.0  # largest L2 norm of the gradient
    label_smoothing: float = 0.1
    average: float = 0.0  # decay of the running mean of the weights that is validated and kept; 0: the weights
    max_length: int = 50  # longer pairs are left out, in words of either side
    min_frequency: int = 2
    subword: str = "word"  # "bpe"
    vocabulary: int | None = None  # the most entries a vocabulary may have
    patience: int = 5  # epochs without improvement before training stops; 0: never
    criterion: str = "bleu"  # "perplexity": what improvement means, on the validation set
    precision: str = "auto"  # of matrix products: "bf16", "fp32"; auto: bf16 where it is fast. Weights stay fp32
    graphs: bool = False  # on a GPU: record the decoder's loop once for each shape, then replay it (see replay.py)
    # Terms of the loss beside that of the words, by weight; see objective.TERMS.
    doubly_stochastic: float = 0.0  # every source word gets one look in all (Xu 2015, section 4.2.1)
    coverage: float = 0.0  # no source word is looked at twice (See 2017, section 2.3)
    attention_entropy: float = 0.0  # looks are sharp; below 0: they are flat (Xu 2015: -0.002)
    # Of read hard-sample (Xu 2015, section 4.1, and the authors' code).
    reward: float = 0.1  # lambda_r; 1: the gradient of the expected loss
    credit: str = "sentence"  # "to_go", "word": which losses a draw answers for, see reinforce.CREDITS
    soft_share: float = 0.5  # of the batches read the expectation instead
    loss_per: str = "word"  # "sentence": the loss is summed over words and divided by the pairs (Luong's code)
    teacher_forcing: float = 1.0  # share of the steps that read the given word; the others read the model's own
    seed: int = 1
    save_every: int = 0  # updates after which the state is saved, for --resume; 0: only when an epoch ends

    def __post_init__(self) -> None:
        check_choice("optimizer", self.optimizer, ("adam", "sgd", "adadelta"))
        check_choice("schedule", self.schedule, ("constant", "halving", "cosine", "inverse-sqrt"))
        check_choice("criterion", self.criterion, ("bleu", "perplexity"))
        check_choice("subword", self.subword, ("word", "bpe"))
        check_choice("precision", self.precision, ("auto", "bf16", "fp32"))
        check_choice("loss_per", self.loss_per, ("word", "sentence"))
        check_choice("credit", self.credit, ("sentence", "to_go", "word"))
        if self.graphs and self.accumulate > 1:
            raise ValueError("graphs needs accumulate=1: each replay writes its gradients over those of the one before")
        for name in ("batch", "accumulate", "epochs", "max_length", "min_frequency"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be 1 or more, not {getattr(self, name)}")
        if self.vocabulary is not None and self.vocabulary < 5:
            raise ValueError(f"vocabulary must be 5 or more, with four special tokens, not {self.vocabulary}")
        for name in ("rate", "clip"):
            if not getattr(self, name) > 0:
                raise ValueError(f"{name} must be above 0, not {getattr(self, name)}")
        for name in ("warmup", "weight_decay", "wide", "patience", "halve_after", "save_every"):
            if not 0 <= getattr(self, name) < float("inf"):
                raise ValueError(f"{name} must be 0 or more, not {getattr(self, name)}")
        for name in ("doubly_stochastic", "coverage", "reward"):
            if not 0 <= getattr(self, name) < float("inf"):
                raise ValueError(f"{name} must be 0 or more, not {getattr(self, name)}")
        if not abs(self.attention_entropy) < float("inf"):
            raise ValueError(f"attention_entropy must be a number, not {self.attention_entropy}")
        for name in ("soft_share", "teacher_forcing"):
            if not 0 <= getattr(self, name) <= 1:
                raise ValueError(f"{name} must be from 0 to 1, not {getattr(self, name)}")
        for name in ("label_smoothing", "average"):
            if not 0 <= getattr(self, name) < 1:
                raise ValueError(f"{name} must be at least 0 and below 1, not {getattr(self, name)}")


def check_together(model: ModelConfig, recipe: TrainConfig) -> None:
    """Raises ValueError where a model cannot be trained by a recipe, and for settings that change nothing in it."""
    attention = model.attention
    if attention is not None and isinstance(attention.window, LocalSettings):
        if attention.window.gaussian != "after_softmax" and not attention.gaussian:
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
