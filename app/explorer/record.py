"""The data of the Explorer (stage.js), the same for the dashboard and the site."""

from pathlib import Path
from typing import Any

from app.explorer.setup_words import setting_in_words
from app.service import first
from app.service.catalogue import AXES, Axis, Shipped, choices, has_lowest_bleu, varying
from app.service.files import Addresses
from app.shell.component import NOTES as NOTES_SHEET
from app.shell.component import NUMBERS, SHARE
from app.shell.notes import Notes
from attn_core.attention.notation import GROUPS
from attn_core.data.examples import Example, examples
from attn_core.data.glosses import glossed
from attn_core.data.language import LANGUAGES, language_name
from attn_core.data.unspaced import UNSPACED
from attn_core.export import facts
from attn_core.messages import N_, _
from attn_core.registry import load
from attn_core.training.snapshots_file import FILE as SNAPSHOTS

_HERE = Path(__file__).parent
_PARTS = ("explorer.css", "compare/compare.css", "beam/beam.css", "atlas/atlas.css", "surgery/surgery.css")
SHEETS = (*(_HERE / part for part in _PARTS), SHARE, NUMBERS, NOTES_SHEET)  # of the stage
TITLE = N_("Attention explorer")
ABOUT = N_(
    "See how a trained model chooses each word of a translation, and which source words it attends to. "
    "Press play, type a sentence, or click any number."
)
QUESTION = N_("What does the model attend to at each step?")
NOTES = Notes(
    (
        N_("Before each step, ask which source word the next word needs."),
        N_(
            "Follow the widest band from its weight to the context vector, and on through the output layer to the word."
        ),
        N_("Then read the heatmap: each row holds the attention weights of one step."),
    ),
    N_(
        "Mostly to the one word that it translates next. Where the word orders differ, attention jumps: ahead to "
        "“fangen” for “catch”, then back."
    ),
    10,
)
PAIR = "pair"  # of languages: an axis of the page that is chosen first; the menus of the others have models of one pair
# Fields equal in many models, stored once.
SHARED = ("group", "label", "languages", "measured", "note", "setup", "tested")
_POINT = [PAIR, *(axis.name for axis in AXES)]  # the axes of a model's point, in the order in which it is stored
_ORDER = next(axis for axis in AXES if axis.name == "order")
TASK_EXAMPLES = 8  # inputs of a synthetic task that the Explorer offers
LUONGS_BEST = ("general", "local-p")  # score and window; Luong 2015, Table 4


def record(models: dict[str, Shipped], addresses: Addresses, trace: dict[str, Any], ending: str = "") -> dict[str, Any]:
    """What stage.js needs (types.d.ts, Page): the first example's `trace`, and the `addresses` of the models' files.

    `ending` ends the addresses of other pages: "" in the dashboard, ".html" on the site, which has no Training page and
    hence no `recorded` trainings. The fields in SHARED are stored once, in `shared`; each model has an index into that
    list. The names of its axes and settings are stored once, too. modelsOf() in model-list.js reads all of it.
    """
    names, setups = _setups(models)
    pairs = list(dict.fromkeys(model.languages for model in models.values()))
    full = [_model(models, model, addresses) | {"setup": setups[name]} for name, model in models.items()]
    shared, offered = _shared(full)
    return {
        "ending": ending,
        "title": _(TITLE),
        "about": _(ABOUT),
        "notes": NOTES.record(_(QUESTION)),
        "trace": trace,
        "step": first.step(trace),
        "text": first.TEXT,
        "examples": {"-".join(pair): _examples(pair, models) for pair in pairs},
        "glosses": {" ".join(sentence.tokens): sentence.glosses for sentence in glossed()}
        | {" ".join(example.source_tokens): _glosses(example) for pair in pairs for example in examples(*pair)},
        "axes": _pairs(pairs) + [_axis(models, axis) for axis in AXES if len(choices(models, axis)) > 1],
        "points": _POINT,
        "setups": names,
        "shared": shared,
        "models": offered,
        "recorded": [] if ending else [model.name for model in models.values() if _recorded(model)],
        "equations": [[axis, _(title)] for axis, title in GROUPS.items()],
    } | facts.windows_and_types()


def _shared(models: list[dict[str, Any]]) -> tuple[dict[str, list[Any]], list[dict[str, Any]]]:
    """The distinct values of each field in SHARED, and the models with indices into these lists."""
    shared: dict[str, list[Any]] = {name: [] for name in SHARED}
    for model in models:
        for name, values in shared.items():
            if model[name] not in values:
                values.append(model[name])
    return shared, [model | {name: values.index(model[name]) for name, values in shared.items()} for model in models]


def _examples(pair: tuple[str, str], models: dict[str, Shipped]) -> list[str]:
    """Sentences for models of these languages; for models of a synthetic task, inputs of the first one's task."""
    sentences = [*([first.TEXT] if pair == first.LANGUAGES else []), *(example.source for example in examples(*pair))]
    names = (model.about.get("data", {}).get("task") for model in models.values() if model.languages == pair)
    name = None if sentences else next(filter(None, names), None)
    if name is None or name not in (tasks := load("attn_core.data.toy_tasks:TASKS")):
        return sentences
    return [" ".join(example.source) for example in tasks[name]().sample(TASK_EXAMPLES)]


def _recorded(model: Shipped) -> bool:
    """Whether the Training page can show its attention during training."""
    return model.config.attention is not None and (model.folder / SNAPSHOTS).is_file()


def _glosses(example: Example) -> dict[str, tuple[str, ...]]:
    """The glosses of an example's tokens, by language."""
    return {language: example.token_glosses(language) for language in example.glosses}


def _pairs(pairs: list[tuple[str, str]]) -> list[dict[str, Any]]:
    """The choice of the languages, as an axis; none where all models have the same."""
    if len(pairs) < 2:
        return []
    about = _("The languages that the model reads and writes. The other menus offer the models of this pair.")
    values = [["-".join(pair), " → ".join(map(language_name, pair))] for pair in pairs]
    return [{"name": PAIR, "chip": True, "label": _("Translate"), "help": about, "values": values}]


def _axis(models: dict[str, Shipped], axis: Axis) -> dict[str, Any]:
    values = choices(models, axis)
    words = [[value, axis.word(value)] for value in values]
    record = {"name": axis.name, "chip": axis.chip, "label": _(axis.label), "help": _(axis.help), "values": words}
    if axis.phrase:
        record["phrase"] = _(axis.phrase)
    if axis.brings:
        record["brings"] = axis.brings
    if without := axis.unattended:
        record["unattended"] = {
            "label": _(without.label),
            "phrase": _(without.phrase),
            "help": _(without.help),
            "values": [[value, _(without.words[value])] for value in values if value in without.words],
        }
    return record


def _setups(models: dict[str, Shipped]) -> tuple[list[str], dict[str, list[str | None]]]:
    """The settings that differ between models, in words, and each model's values as text; None where it has none."""
    names = varying(models)
    setups = {
        model.name: [str(model.setup[name]) if name in model.setup else None for name in names]
        for model in models.values()
    }
    return [setting_in_words(name) for name in names], setups


def _model(models: dict[str, Shipped], model: Shipped, addresses: Addresses) -> dict[str, Any]:
    scores = [_bleu(model)] if "bleu" in model.scores else []
    if "perplexity" in model.scores:
        scores.append(_("perplexity {value:.1f}").format(value=model.scores["perplexity"]))
    scores += [_("on {data}: BLEU {bleu:.1f}").format(data=data, bleu=bleu) for data, bleu in model.more_tests.items()]
    remarks = [" · ".join(scores), lowest(models, model)]
    source, target = map(language_name, model.languages)
    place = {PAIR: "-".join(model.languages)} | model.point
    return {
        "name": model.name,
        "label": _("{language} sentence").format(language=source) if model.languages[0] in LANGUAGES else _("Sentence"),
        "languages": [source, target],
        "group": group(model),
        "point": [place[name] for name in _POINT],
        "scores": " — ".join(filter(None, remarks)),
        "note": model.about.get("note") or "",
        "measured": _measured(model) if scores else "",
        "tested": model.measured_on if scores else "",
        "files": addresses.get(model.name),
    } | ({"joined": True} if model.join > 1 else {})  # of others it would enlarge the first view


def _bleu(model: Shipped) -> str:
    if not model.interval:
        return _("BLEU {bleu:.1f}").format(**model.scores)
    low, high = model.interval
    return _("BLEU {bleu:.1f} ({low:.1f} to {high:.1f})").format(low=low, high=high, **model.scores)


def _measured(model: Shipped) -> str:
    lines = [_("Measured on {data}.").format(data=model.measured_on)]
    if model.interval:
        lines.append(_("The 95% interval of BLEU is in parentheses."))
    return " ".join([*lines, _("Higher BLEU and lower perplexity are better.")])


def group(model: Shipped) -> str:
    """The heading under which menus list the model."""
    point = model.point
    if model.join > 1:
        return _("Trained on joined sentences")
    if model.config.attention is None:
        return _("No attention")
    order = _ORDER.word(model.config.decoder.name)
    return _("{order}, with input feeding").format(order=order) if point["feeding"] == "yes" else order


def lowest(models: dict[str, Shipped], model: Shipped) -> str:
    """A remark where the configuration of Luong's best row has the lowest BLEU of the attention models, or ""."""
    length = model.about.get("test", {}).get("mean_source_length")
    if not length or (model.point["score"], model.point["window"]) != LUONGS_BEST or not has_lowest_bleu(models, model):
        return ""
    if model.languages[0] in UNSPACED:  # whose characters the card counts
        remark = _(
            "Lowest BLEU of the attention models on this test set ({n:.0f} characters per sentence on average); the "
            "best in Luong's Table 4 (long WMT sentences)."
        )
    else:
        remark = _(
            "Lowest BLEU of the attention models on this test set ({n:.0f} words per sentence on average); the best in "
            "Luong's Table 4 (long WMT sentences)."
        )
    return remark.format(n=length)
