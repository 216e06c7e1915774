"""A model's graphs as one JSON document, browser.json, beside its weights in model.safetensors.

    format      2
    name, kind  of the model
    settings    those of a Trace (Translator.settings)
    special     ids of the special tokens: pad, unk, bos (with which every target begins) and eos; source_eos: whether
                the last is appended to the source; longest, if the decoder has learned positions: the number of words,
                eos included, that it has them for
    heads       the [layer, head] of each attention in the record: of a step ("looks"), of a Transformer's decoder over
                its own words ("own"), and of the encoder ("encoder")
    diagrams    of the step, as it was trained (see diagrams.py)
    copies      names of shared weights, each with the name under which model.safetensors has the weight
    encoder     either {graphs} from "words" and "mask" to "memory.*", "carry.*" and "named.*", or, if it is recurrent,
                {embed, layers, reverse, finish}: `layers` has the cells of each layer, forward and backward
    equations   symbols and equations in MathML, which `steps` names by their places in this list; <mn data-live="NAME">
                is the value of a live setting
    quantities  by id the name of each quantity in words, the axis (the group of its equations), its roles: of query,
                key, value, score, weight, context, output, feeding, start; its inputs, the ids of the quantities that
                it is computed from in any of `steps`; and "element": what one number of it is called, if that is not
                its name
    steps       one object for each window and attention type that the model can be run with, first as it was trained:
                {window, type, live, settings, graphs, cases, quantities}; `live` are the window's live settings, and
                `settings` are those of a Trace
    windows     by name, what a page must know of each window of `steps`: whether it is "centered" (it has a p_t) and
                "learned" (p_t is computed from the query), and its "live" settings, which are inputs of the graphs:
                {name, symbol, meaning, whole, least, most, default, nullable, multiple}; `multiple` is [name, factor]
                if null stands for a multiple of another live setting

The file also has `rules`, those of Moses for the model's two languages (data/moses_rules), which take seconds to make.

`graphs` lists graphs (see `graphs.py`): the first is general, the others are for special cases.

`quantities` of a step has those of explain.step_graph by id, in the order in which their equations are read:

    tensors     the inputs or outputs of the graph, or the outputs of the encoder, that hold it: one for each layer and
                head
    later       instead of these, those of the next step's graph, which computes it
    forms       for each of `cases`, or one for all of them: its symbol and its equations {symbol, lines, first}, of
                which `first` are those of a value of its own at the first step; null where the step does not have it.
                A case says of live settings that they are "zero" or "more", "none" or "given".
"""

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import torch

from attn_core.attention.settings import ATTENTION_TYPES, WINDOWS
from attn_core.data.moses_rules import rules
from attn_core.data.tokenizer import Tokenizer
from attn_core.explain.step_graph import step_graph
from attn_core.export import synthetic
from attn_core.export.diagrams import diagrams
from attn_core.export.graphs import Traced, as_json, traced
from attn_core.export.pieces import EmbedPiece, EncoderPiece, FinishPiece, StepPiece, cells_of
from attn_core.export.quantities import Equations, cases, live, names_of, quantities, windows
from attn_core.files import check_file, replacing
from attn_core.models.checkpoint import kind_named, load, read
from attn_core.models.encoders.rnn import RNNEncoder
from attn_core.models.ensemble import Ensemble
from attn_core.models.folders import find, kind_of
from attn_core.models.own_files import is_browser_export
from attn_core.models.translator import Translator

FORMAT = 2
FILE = "browser.json"
ONE_WORD = {"words": 1}
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
    views = [model] if as_built else [*_views(model)]
    _, longest = model.limits
    inside = _named_in_cells(model.encoder)
    equations = Equations()
    steps = [_step(view, inside, f"step-{number}", encode, equations) for number, view in enumerate(views)]
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
        "windows": windows(view.config for view in views),
        "encoder": _encoder(model, graphs),
        "equations": equations.table,
        "quantities": names_of(step_graph(config) for view in views for _, config in cases(view.config)),
        "steps": steps,
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


@torch.no_grad()
def _named_in_cells(encoder: Any) -> list[str]:
    """The outputs of a recurrent encoder's cells that hold their gates."""
    cells = [cell for layer in cells_of(encoder) for cell in layer] if isinstance(encoder, RNNEncoder) else []
    return [name for cell in cells for name in cell.compute(cell.sample()) if name.startswith("named.")]


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


def _step(model: Translator, inside: Sequence[str], name: str, encode: Encode, equations: Equations) -> dict[str, Any]:
    """The graphs of a decoding step in the model's window and attention type; `inside` are outputs of encoder cells."""
    piece = StepPiece(model)
    special = [{"t": 0}, ONE_WORD, ONE_WORD | {"t": 0}]
    for setting in (setting for setting, whole in piece.whole.items() if whole):
        special += [one | {setting: 0} for one in ({}, *special)]
    programs = traced(model, piece.compute, piece.sample, special)
    window, kind = _way(model)
    names = [*programs[0].sample, *programs[0].outputs, *piece.before, *inside]
    ways = cases(model.config)
    graphs = [step_graph(config) for _, config in ways]
    return {
        "window": window,
        "type": kind,
        "live": live(model.config),
        "settings": model.settings,
        "graphs": _written(name, programs, encode),
        "cases": [case for case, _ in ways],
        "quantities": quantities(graphs, [*dict.fromkeys(names)], equations),
    }


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
    with replacing(path) as part:  # which finds at once that the path cannot be written
        part.write_text(exported(name_or_path), "utf-8")
    return path
