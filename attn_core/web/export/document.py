"""A model's graphs as one JSON document, browser.json, beside its weights in model.safetensors.

    format      1
    name, kind  of the model
    settings    those of a Trace (Translator.settings)
    special     ids of the tokens that searches need; source_eos: whether </s> is appended to the source; longest, if
                the decoder has learned positions: the number of words, </s> included, that it has them for
    heads       the [layer, head] of each attention in the record: of a step ("looks"), of a Transformer's decoder over
                its own words ("own"), and of the encoder ("encoder")
    diagrams    of the step, as it was trained (see diagrams.py)
    copies      names of shared weights, each with the name under which model.safetensors has the weight
    encoder     either {graphs} from "words" and "mask" to "memory.*", "carry.*" and "named.*", or, if it is recurrent,
                {embed, layers, reverse, finish}: `layers` has the cells of each layer, forward and backward
    steps       one object for each window and attention type that the model can be run with, first as it was trained:
                {window, type, half_width, sigma, settings, graphs, quantities, later, notation, first, formulas};
                `settings` are those of a Trace, `notation` has [symbol, name, *equations] of each quantity,
                `first` the equations of those that have a value of their own at the first step, and `formulas` LaTeX by
                axis (explain.step_graph.formulas), as in these settings ("own"), with a sigma of one's own ("sigma")
                and with D = 0 ("zero")

The file also has `rules`, those of Moses for the model's two languages (data/moses_rules), which take seconds to make.

`graphs` lists graphs (see `graphs.py`): the first is general, the others are for special cases. `quantities` maps the
ids of explain.step_graph to the inputs or outputs of the graph that hold them, or to outputs of the encoder: one for
each layer and head. `later` has those that the graph of the next step computes.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import torch

from attn_core.attention.settings import ATTENTION_TYPES, WINDOWS
from attn_core.data.moses_rules import rules
from attn_core.data.tokenizer import Tokenizer
from attn_core.explain.step_graph import formulas, step_graph
from attn_core.files import check_file, replacing
from attn_core.models.checkpoint import kind_named, load, read
from attn_core.models.config import ModelConfig
from attn_core.models.encoders.rnn import RNNEncoder
from attn_core.models.ensemble import Ensemble
from attn_core.models.folders import find, kind_of
from attn_core.models.own_files import is_browser_export
from attn_core.models.translator import Translator
from attn_core.web.export import synthetic
from attn_core.web.export.diagrams import diagrams
from attn_core.web.export.graphs import Traced, as_json, traced
from attn_core.web.export.pieces import EmbedPiece, EncoderPiece, FinishPiece, StepPiece, cells_of

FORMAT = 1
FILE = "browser.json"
ONE_WORD = {"words": 1}
# Where the record, or the state passed between steps, holds a quantity of the step graph that the model does not mark.
_FIELDS = {
    "memory": "memory.states",
    "fed": "carry.fed",
    "context": "carry.fed",  # without attention, the same at every step
    "state": "hidden",
    "readout": "attentional",
    "output": "log_probs",
}
# Where the next step has a quantity: in GroundHog's program a state is updated when its word is known.
_LATER = {"next": "named.previous"}
_OF_LOOKS = {
    "query": "query",
    "scores": "scores",
    "center": "focus.center",
    "view": "focus.inside",
    "gaussian": "focus.gaussian",
    "alignment": "alignment",
    "weights": "weights",
    "context": "context",
}


# What the document of each kind of model contains.
_SYNTHETIC = {"pointer": synthetic.pointer, "series": synthetic.series}

# Writes one program, given a name for it, and returns what the document says of it.
Encode = Callable[[str, Traced], Any]
# The graphs of a piece, given a name for them, the piece, and sizes at which its code may branch.
Graphs = Callable[..., list[Any]]


def document(
    model: Any, as_built: bool = False, encode: Encode = lambda name, program: as_json(program)
) -> dict[str, Any]:
    """The export of a model; of a translator, with `as_built`, only in its own window and attention type.

    Raises ValueError for an ensemble, and for a kind of model that cannot be exported.
    """
    if isinstance(model, Ensemble):
        raise ValueError(f"{model.name} is an ensemble, which cannot be exported as one model: export its members")

    def graphs(name: str, piece: Any, *special: dict[str, int]) -> list[Any]:
        return _written(name, traced(model, piece.compute, piece.sample, special), encode)

    head = {"format": FORMAT, "name": model.name, "kind": model.kind, "copies": {}}
    if isinstance(model, Translator):
        return head | _translator(model, as_built, encode, graphs)
    if model.kind not in _SYNTHETIC:
        raise ValueError(f"{model.name} is a model of kind {model.kind}, which cannot be exported")
    return head | {"settings": model.config.to_json()} | _SYNTHETIC[model.kind](model, graphs)


def _translator(model: Translator, as_built: bool, encode: Encode, graphs: Graphs) -> dict[str, Any]:
    views = [model] if as_built else _views(model)
    _, longest = model.limits
    return {
        "settings": model.settings,
        "special": {
            "pad": Tokenizer.pad,
            "bos": Tokenizer.bos,
            "eos": Tokenizer.eos,
            "unk": Tokenizer.unk,
            "source_eos": model.config.source_eos,
        }
        | ({"longest": longest} if longest else {}),
        "heads": _heads(model),
        "diagrams": diagrams(model.config),
        "copies": kind_named(model.kind).copies(model.config),
        "encoder": _encoder(model, graphs),
        "steps": [_step(view, f"step-{number}", encode) for number, view in enumerate(views)],
    }


@torch.no_grad()
def _heads(model: Translator) -> dict[str, list[tuple[int, int]]]:
    """The layer and head of each attention, from the record of one step of a sentence of one word."""
    word = torch.full((1, 1), Tokenizer.bos)
    memory, carry = model.encode(word, torch.ones_like(word, dtype=torch.bool))
    step, _ = model.step(word, carry, memory)
    found = {"looks": step.looks, "own": step.own, "encoder": memory.looks}
    return {name: [(look.layer, look.head) for look in looks] for name, looks in found.items()}


def _encoder(model: Translator, graphs: Graphs) -> dict[str, Any]:
    encoder = model.encoder
    if not isinstance(encoder, RNNEncoder):
        return {"graphs": graphs("encode", EncoderPiece(model), ONE_WORD)}
    cells = cells_of(encoder)
    return {
        "embed": graphs("embed", EmbedPiece(model), ONE_WORD),
        "layers": [[graphs(f"cell-{n}-{m}", one) for m, one in enumerate(layer)] for n, layer in enumerate(cells)],
        "reverse": encoder.reverse,
        "finish": graphs("finish", FinishPiece(model.decoder, encoder, cells), ONE_WORD),
    }


def _written(name: str, programs: Sequence[Traced], encode: Encode) -> list[Any]:
    return [encode(f"{name}-{number}" if number else name, one) for number, one in enumerate(programs)]


def _views(model: Translator) -> Iterator[Translator]:
    """The model in each window and attention type that it can be run with; first as it was trained."""
    yield model
    seen = {_way(model)}
    for window in (None, *WINDOWS):
        for kind in (None, *ATTENTION_TYPES):
            try:
                view = model.with_window(window).with_attention_type(kind)
            except ValueError:  # the model cannot be run in this way
                continue
            if _way(view) not in seen:
                seen.add(_way(view))
                yield view


def _way(model: Translator) -> tuple[str | None, str]:
    settings = model.settings
    return settings["window"], settings["attention_type"]


def _step(model: Translator, name: str, encode: Encode) -> dict[str, Any]:
    """The graphs of a decoding step in the model's window and attention type."""
    piece = StepPiece(model)
    special = [{"t": 0}, ONE_WORD, ONE_WORD | {"t": 0}]
    if piece.is_local:
        special += [one | {"half_width": 0} for one in ({}, *special)]
    programs = traced(model, piece.compute, piece.sample, special)
    window, kind = _way(model)
    names = [*programs[0].sample, *programs[0].outputs]
    quantities = _quantities(model, [*dict.fromkeys([*names, *piece.before])])
    return {
        "window": window,
        "type": kind,
        "half_width": model.settings["half_width"],
        "sigma": model.settings["sigma"],
        "settings": model.settings,
        "graphs": _written(name, programs, encode),
        "quantities": {id: found for id, found in quantities.items() if found},
        "later": {id: [_LATER[id]] for id, found in quantities.items() if not found},
        **equations(model.config),
        "formulas": step_formulas(model.config),
    }


def equations(config: ModelConfig) -> dict[str, dict[str, Any]]:
    """The entries `notation` and `first` of a step."""
    quantities = step_graph(config).quantities
    return {
        "notation": {one.id: [one.symbol, one.name, *one.lines] for one in quantities},
        "first": {one.id: one.first for one in quantities if one.first},
    }


def step_formulas(config: ModelConfig) -> dict[str, dict[str, list[str]]]:
    """The formulas of a step by axis, also with a sigma of one's own and with D = 0, where the model can have them."""
    ways: dict[str, dict[str, Any]] = {"own": {}, "sigma": {"sigma": 1.0}, "zero": {"half_width": 0}}
    found = {}
    for name, how in ways.items():
        with suppress(ValueError):
            found[name] = formulas(config.with_window(**how) if how else config)
    return found


def _quantities(model: Translator, names: list[str]) -> dict[str, list[str]]:
    """The names of the tensors that hold each quantity of the model's step."""
    found = {}
    for quantity in step_graph(model.config).quantities:
        field = _OF_LOOKS.get(quantity.id)
        looks = [name for name in names if name.startswith("looks.") and name.split(".", 2)[2] == field]
        marked = [name for name in names if f"{name}.".startswith(f"named.{quantity.id}.")]
        found[quantity.id] = marked or looks or [name for name in names if name == _FIELDS.get(quantity.id)]
    return found


def load_any(name_or_path: str | Path) -> Any:
    """A trained model of any kind; names of translators joined by "+" give an Ensemble."""
    if "+" in str(name_or_path) and not Path(name_or_path).exists():
        return load(name_or_path)
    folder = find(name_or_path)
    return read(folder, kind_of(folder))


def exported(name_or_path: str | Path) -> str:
    """The contents of a trained model's browser.json."""
    model = load_any(name_or_path)
    record = document(model)
    if isinstance(model, Translator):
        record |= {"rules": rules(*dict.fromkeys((model.source.lang, model.target.lang)))}
    return json.dumps(record, ensure_ascii=False, separators=(",", ":"), allow_nan=False) + "\n"


def write(name_or_path: str | Path, out: Path | None = None, force: bool = False) -> Path:
    """Export a trained model to browser.json in its folder, or to the file `out`; returns the file's path.

    Raises Unreplaceable for a file that is no such export, unless `force` is set, and for a folder.
    """
    path = out or find(name_or_path) / FILE
    check_file(path, is_browser_export, force)
    text = exported(name_or_path)
    with replacing(path) as part:
        part.write_text(text, "utf-8")
    return path
