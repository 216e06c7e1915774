"""The trained models that pages offer, read without torch: names, values on every axis, scores."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from attn_core.attention.settings import SCORES, WINDOWS, AttentionSettings
from attn_core.messages import N_, _
from attn_core.models import folders
from attn_core.models.about import VALIDATED, conditions_of, languages, tests_of
from attn_core.models.config import ModelConfig
from attn_core.models.recipe import TrainConfig
from attn_core.registry import Registry, Unregistered

_TEXT_KINDS = {  # of training text, by corpus: the same text in other languages is of the same kind
    **dict.fromkeys(("multi30k", "multi30k-en-de", "multi30k-en-fr"), "captions"),
    **dict.fromkeys(("multi30k-tatoeba", "3am-tatoeba-zh-en"), "everyday"),
}
FIRST = "bahdanau-everyday"  # shown to a new visitor: its alignments are easy to read, and it knows everyday sentences


@dataclass(frozen=True)
class Wording:
    """What an axis is called in models without attention."""

    label: str
    words: dict[str, str]
    help: str
    phrase: str = "{value}"


@dataclass(frozen=True)
class Axis:
    """One way in which models differ. `value` returns a model's value, None where the axis does not apply to it."""

    name: str
    label: str
    words: dict[str, str]  # the values' names on the page, in the order of display, after those of the registry
    value: Callable[["Shipped"], str | None]
    help: str
    phrase: str | None = None  # a value with the words around it in a sentence; None: the label is before it
    chip: bool = True  # whether it always has a menu, or only where its value prevents other choices
    unattended: Wording | None = None  # None: as in models with attention
    registry: Registry[Any] | None = None  # whose classes are the values
    # Maps a value of this axis to the axes whose values it brings: a Transformer has its own size and heads.
    brings: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def word(self, value: str) -> str:
        """The name of `value` on the page."""
        if self.registry and value in self.registry:
            return self.registry.label(value)
        return _(self.words.get(value, value))

    def order(self) -> list[str]:
        """The values that are known without looking at models, in the order of display."""
        return [*(self.registry or ()), *self.words]


def _of_attention(name: Callable[[AttentionSettings], str]) -> Callable[["Shipped"], str | None]:
    return lambda model: None if model.config.attention is None else name(model.config.attention)


def _feeding(model: "Shipped") -> str | None:
    decoder = model.config.decoder
    if decoder.name == "transformer":  # it has no recurrent input to feed
        return None
    return "yes" if decoder.feeding else "no"


def _update(model: "Shipped") -> str | None:
    if model.config.attention is None:  # without attention the two are the same
        return None
    return getattr(model.config.decoder, "update", None)


_OF_SCORE = N_("The function that computes how well the decoder state matches each source word.")

# In the order of the menus.
AXES = (
    Axis(
        "score",
        N_("Score"),
        {"none": N_("no attention")},
        lambda model: model.config.attention.score.name if model.config.attention else "none",
        _OF_SCORE,
        phrase=N_("{value} score"),
        unattended=Wording(N_("Score"), {"none": N_("no attention")}, _OF_SCORE),
        registry=SCORES,
    ),
    Axis(
        "window",
        N_("Window"),
        {},
        _of_attention(lambda attention: attention.window.name),
        N_(
            "Which source words the decoder can attend to: all of them (global), those around a position that advances "
            "by one word per step (local-m), or those around a position that the model predicts (local-p)."
        ),
        phrase=N_("{value} window"),
        registry=WINDOWS,
    ),
    Axis(
        "order",
        N_("Order"),
        {
            "attend-then-update": N_("attend → update"),
            "update-then-attend": N_("update → attend"),
            "gnmt": "GNMT",
            "transformer": "Transformer",
        },
        lambda model: model.config.decoder.name,  # without attention, too: such a model has the decoder of an order
        N_(
            "Bahdanau computes attention from the previous decoder state and then updates the state. Luong updates the "
            "state first and computes attention from the new one. In GNMT, attention is computed from the bottom layer "
            "of the decoder, and all layers receive the result. A Transformer has no recurrent state: every layer "
            "attends, with several heads."
        ),
        phrase="{value}",
        unattended=Wording(
            N_("Decoder"),
            {"attend-then-update": N_("as in Bahdanau 2015"), "update-then-attend": N_("as in Luong 2015")},
            N_(
                "Without attention, Bahdanau's decoder reads the encoder's last state at every step. Luong's decoder "
                "only starts from it."
            ),
            phrase=N_("decoder {value}"),
        ),
        brings={"transformer": ("size", "heads")},
    ),
    Axis(
        "feeding",
        N_("Input feeding"),
        {"no": N_("no"), "yes": N_("yes")},
        _feeding,
        N_(
            "Whether each step receives the previous attentional vector as an input: the context and decoder state, "
            "combined, or without attention a function of the state alone."
        ),
    ),
    Axis(
        "size",
        N_("Decoder units"),
        {},
        lambda model: str(model.config.hidden),
        N_("The size of the decoder state."),
        chip=False,
    ),
    Axis(
        "update",
        N_("State update"),
        {"printed": N_("as in the paper"), "groundhog": N_("as in the authors' code")},
        _update,
        N_("The order of operations in Bahdanau's decoder step: as printed in the paper, or as in the authors' code."),
        chip=False,
    ),
    Axis(
        "heads",
        N_("Heads"),
        {},
        _of_attention(lambda attention: str(attention.heads)),
        N_("How many heads attend to the source at each step."),
        chip=False,
    ),
    Axis(
        "normalizer",
        N_("Normaliser"),
        {},
        _of_attention(lambda attention: attention.normalizer),
        N_("The function that turns the scores into weights."),
        chip=False,
    ),
    Axis(
        "corpus",
        N_("Training text"),
        {"captions": N_("captions"), "everyday": N_("captions and everyday sentences")},
        lambda model: _TEXT_KINDS.get(model.corpus, model.corpus) if model.corpus else None,
        N_("The sentences that the model was trained on."),
        chip=False,
    ),
    Axis(
        "join",
        N_("Joined sentences"),
        {"1": N_("no"), "4": N_("2 to 4")},
        lambda model: str(model.join),
        N_("How many sentences of the training text were joined into one."),
        chip=False,
    ),
)


# The settings that the axes stand for, and those that change no result by intent.
ON_AXES = (
    "attention.score",
    "attention.window",
    "decoder.name",
    "decoder.feeding",
    "decoder.hidden",
    "decoder.update",
    "attention.heads",
    "attention.normalizer",
    "train.join",
    "train.seed",
    "train.save_every",
    "train.snapshots",
    "train.accumulate",
)


@dataclass(frozen=True)
class Shipped:
    """One trained model: its folder, settings and card (`about`), and a stamp that changes with its files."""

    name: str
    folder: Path
    config: ModelConfig
    about: dict[str, Any]
    stamp: str
    setup: dict[str, Any]  # its other settings and those of its training, by their dotted names
    join: int = 1  # how many sentences of its training text were joined into one, at most

    @cached_property
    def point(self) -> dict[str, str | None]:
        """Its value on every axis."""
        return {axis.name: axis.value(self) for axis in AXES}

    @property
    def scores(self) -> dict[str, float]:
        """Its BLEU and perplexity, where its card has them."""
        _name, test = self._measured
        return {key: float(test[key]) for key in ("bleu", "perplexity") if key in test}

    @property
    def languages(self) -> tuple[str, str]:
        """The codes of its source and target language, German and English where its card has none."""
        return languages(self.about)

    @property
    def corpus(self) -> str | None:
        """The name of the text that it was trained on; None where its card has none."""
        return self.about.get("data", {}).get("corpus")

    @property
    def measured_on(self) -> str:
        """The data, the form of its text and the search that the scores were measured with."""
        name, test = self._measured
        return conditions_of(test, name)

    @property
    def more_tests(self) -> dict[str, float]:
        """Its BLEU on other test sets, by what it was measured on."""
        return {conditions_of(test): float(test["bleu"]) for test in tests_of(self.about)[1:]}

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95% interval of its BLEU, where its card has one."""
        _name, test = self._measured
        return (test["bleu_low"], test["bleu_high"]) if {"bleu_low", "bleu_high"} <= test.keys() else None

    @property
    def _measured(self) -> tuple[str, dict[str, Any]]:
        if "test" in self.about:
            return _("test set"), self.about["test"]
        if "valid" in self.about:
            return _("validation set"), VALIDATED | self.about["valid"]
        return "", {}


def catalogue() -> tuple[dict[str, Shipped], list[str]]:
    """The translators that pages offer (`folders.offered`) by name, and a line about each that cannot be read."""
    models, broken = {}, []
    for path in (folders.find(name) / "config.json" for name in folders.offered()):
        try:
            model = _read(path)
            models[model.name] = model
        except (OSError, ValueError, KeyError, TypeError, AttributeError, OverflowError) as error:
            reason = str(error) or type(error).__name__
            broken.append(
                _("The model in {folder} cannot be read ({reason}).").format(folder=path.parent.name, reason=reason)
            )
    return models, broken


def _read(path: Path) -> Shipped:
    weights = (path.parent / "model.safetensors").stat()
    return _shipped(path, f"{path.stat().st_mtime_ns}-{weights.st_mtime_ns}-{weights.st_size}")


@lru_cache(maxsize=64)  # reading all settings takes a millisecond a model, and every run of a page asks for them
def _shipped(path: Path, stamp: str) -> Shipped:
    record = folders.read_record(path.parent, folders.TRANSLATOR)
    try:
        config = ModelConfig.from_json(record["model"])
    except Unregistered as error:
        raise folders.not_registered(path, record["about"], error) from error
    recipe = _recipe(record.setdefault("train", {}))
    setup = {name: value for name, value in _flat(record) if not name.startswith(ON_AXES)}
    return Shipped(path.parent.name, path.parent, config, record["about"], stamp, setup, recipe.join)


def _recipe(values: Any) -> TrainConfig:
    if not isinstance(values, dict):
        raise ValueError(_("train must be a JSON object, not {values!r:.60}").format(values=values))
    return TrainConfig.from_json(values)


def _flat(record: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """The settings of the model and of its training, by dotted names such as "encoder.cell", and its teacher."""

    def walk(value: Any, name: str) -> Iterator[tuple[str, Any]]:
        if isinstance(value, dict):
            for key, inner in value.items():
                yield from walk(inner, f"{name}.{key}" if name else key)
        else:
            yield name, value

    yield from walk(record["model"], "")
    yield from walk(record["train"], "train")
    yield "teacher", record["about"].get("data", {}).get("teacher", "none")


def has_lowest_bleu(models: dict[str, Shipped], model: Shipped) -> bool:
    """Whether `model` has the lowest BLEU of the attention models that were measured with the same data and search.

    False if it is the only one, or has no attention or no BLEU.
    """
    bleu = {
        name: other.scores["bleu"]
        for name, other in models.items()
        if other.config.attention and "bleu" in other.scores
        if (other.languages, other.measured_on) == (model.languages, model.measured_on)
    }
    own = bleu.pop(model.name, None)
    return own is not None and bool(bleu) and own < min(bleu.values())


def first(models: dict[str, Shipped]) -> str:
    """The model that a new visitor sees."""
    return FIRST if FIRST in models else next(iter(models))


def varying(models: dict[str, Shipped]) -> list[str]:
    """The names in `setup` of which at least two models have different values."""
    names = dict.fromkeys(name for model in models.values() for name in model.setup)
    return [
        name for name in names if len({str(model.setup[name]) for model in models.values() if name in model.setup}) > 1
    ]


def choices(models: dict[str, Shipped], axis: Axis) -> list[str]:
    """The values on `axis` that at least one model has."""
    values = {value for model in models.values() if (value := model.point[axis.name]) is not None}
    order = axis.order()
    return sorted(values, key=lambda value: (order.index(value) if value in order else len(order), len(value), value))
