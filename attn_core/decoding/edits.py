"""What a caller sets by hand in a translation: attention weights, context vectors, heads that are off, and words.

An edit is a mapping, as in a trace's settings and in the page (browser/engine/types/request.d.ts, Edit). Steps, layers
and heads count from 0; leave out layer and head for all heads. An edit of a step that is not reached has no effect.

    {"kind": "weights", "step": 2, "layer": 0, "head": 1, "weights": [0, 1, 0]}   one weight for each source token
    {"kind": "weights", "step": 2, "weights": change}   weights computed by `change` from those of the model
    {"kind": "context", "step": 2, "from": 0}           the context vector of step 0 of the translation without edits
    {"kind": "off", "layer": 0, "head": 1}              the context vector of a head is 0 at all steps
    {"kind": "word", "step": 2, "word": "fish"}         the word of a step

Without a step, `weights` are set at every step. `change` is called with the step, the tokens of the translation so far
and the row of weights, a tensor of one number for each source token, and returns such a row. A step is computed as
always, with these numbers in place of the computed ones, so what follows from them is as the model computes it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor

from attn_core.messages import _, offered
from attn_core.models.translator import Translator
from attn_core.trace import Trace
from attn_core.trace.editing import Replacement

Edit = Mapping[str, Any]
Head = tuple[int, int]  # layer and head

# The names that each kind of edit needs, beside its kind, and those that it may have.
KINDS: dict[str, tuple[set[str], set[str]]] = {
    "weights": ({"weights"}, {"step", "layer", "head"}),
    "context": ({"step", "from"}, {"layer", "head"}),
    "off": ({"layer", "head"}, set()),
    "word": ({"step", "word"}, set()),
}


@dataclass(frozen=True)
class Edits:
    """The checked edits of one sentence. `replacements` and `word` return what they set at a step."""

    model: Translator
    edits: tuple[Edit, ...]
    heads: tuple[Head, ...]
    plain: Trace  # the translation without edits

    def replacements(self, t: int, words: Int[Tensor, "rows t"]) -> list[Replacement]:
        """The weights and context vectors at step t, for rows of a search that have chosen these `words`."""
        return [
            Replacement(
                "weights" if edit["kind"] == "weights" else "context", *head, self._replacement(edit, head, t, words)
            )
            for edit in self.edits
            if edit["kind"] == "off" or (edit["kind"] in ("weights", "context") and edit.get("step") in (None, t))
            for head in _heads_of(edit, self.heads)
        ]

    def word(self, t: int) -> int | None:
        """The id of the word of step t; None if it is not set. Of several edits, the last one counts."""
        words = [edit["word"] for edit in self.edits if edit["kind"] == "word" and edit["step"] == t]
        return self.model.target.id_of(words[-1]) if words else None

    def recorded(self, trace: Trace) -> Trace:
        """The `trace` of an edited translation with its edits in the settings, in the form that the page reads.

        Weights from a function, and those of all steps, become one edit for each step and head.
        """
        edits = [one for edit in self.edits for one in self._by_step(edit, trace)]
        return replace(trace, settings=trace.settings | {"edits": edits})

    def _by_step(self, edit: Edit, trace: Trace) -> Iterator[dict[str, Any]]:
        """An edit in the page's form, with `layer` and `head`."""
        kind, step = edit["kind"], edit.get("step")
        where = {"layer": edit.get("layer"), "head": edit.get("head")}
        if kind == "weights" and (step is None or callable(edit["weights"])):
            for word in trace.words:
                for head in _heads_of(edit, self.heads) if step in (None, word.t) else []:
                    weights = word.step.looks[self.heads.index(head)].weights.tolist()
                    yield {"kind": kind, "step": word.t, "layer": head[0], "head": head[1], "weights": weights}
        elif kind == "weights":
            yield dict(edit) | where | {"weights": [float(weight) for weight in edit["weights"]]}
        else:
            yield dict(edit) | (where if kind == "context" else {})

    def _replacement(self, edit: Edit, head: Head, t: int, words: Int[Tensor, "rows t"]) -> Callable[[Tensor], Tensor]:
        """The function from what a head computes to what it uses instead."""
        if edit["kind"] == "off":
            return torch.zeros_like
        if edit["kind"] == "context":
            context = self.plain.words[edit["from"]].step.looks[self.heads.index(head)].context
            return lambda computed: context.to(computed).expand_as(computed)
        weights = edit["weights"]
        if not callable(weights):
            return lambda computed: torch.as_tensor(weights, dtype=computed.dtype).to(computed).expand_as(computed)

        def replaced(computed: Float[Tensor, "rows 1 src"]) -> Float[Tensor, "rows 1 src"]:
            prefixes = [tuple(map(self.model.target.token, ids)) for ids in words.tolist()]
            pairs = zip(prefixes, computed.squeeze(1), strict=True)
            return torch.stack([_checked(weights(t, prefix, own.clone()), own, t) for prefix, own in pairs]).unsqueeze(
                1
            )

        return replaced


def read_edits(model: Translator, edits: Sequence[Any], plain: Trace) -> Edits:
    """The edits of a sentence whose translation without them is `plain`, which may be that of forced decoding.

    Raises ValueError, with the number of the edit and what was expected, for an edit that the model, the sentence or
    its translation cannot have, and for an ensemble.
    """
    if "ensemble" in plain.settings:
        raise ValueError(_("an ensemble cannot be edited: edit the translation of one of its members"))
    heads = tuple((look.layer, look.head) for look in plain.words[0].step.looks)
    for number, edit in enumerate(edits):
        for error in _errors(model, edit, heads, plain):
            raise ValueError(_("edit {number}: {error}").format(number=number, error=error))
    return Edits(model, tuple(edits), heads, plain)


def _heads_of(edit: Edit, heads: Sequence[Head]) -> list[Head]:
    """The heads that an edit changes."""
    layer, head = edit.get("layer"), edit.get("head")
    return [one for one in heads if head is None or one == (layer, head)]


def _errors(model: Translator, edit: Any, heads: Sequence[Head], plain: Trace) -> Iterator[str]:
    """What is wrong with an edit; later errors may follow from the first."""
    kind = edit.get("kind") if isinstance(edit, Mapping) else None
    if kind not in KINDS:
        yield _("expected a mapping whose kind is one of {kinds}, not {edit!r:.80}").format(
            kinds=", ".join(KINDS), edit=edit
        )
        return
    needed, possible = KINDS[kind]
    if missing := {name for name in needed if edit.get(name) is None}:
        yield _("an edit of kind {kind} needs {names}").format(kind=kind, names=", ".join(sorted(missing)))
    for name in edit.keys() - needed - possible - {"kind"}:
        known = sorted(needed | possible)
        yield _("an edit of kind {kind} has no {name!r}{hint}; it has {names}").format(
            kind=kind, name=name, hint=offered(name, known), names=", ".join(known)
        )
    for name in ("step", "from", "layer", "head"):
        value = edit.get(name)
        if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 0):
            yield _("{name} must be a whole number from 0, not {value!r}").format(name=name, value=value)
    if plain.settings["search"] == "forced":
        if kind == "word":
            yield _("in forced decoding all words are given: change the target instead")
        if (edit.get("step") or 0) >= len(plain.words):
            yield _("step must be one of the target's steps, 0 to {last}, not {value}").format(
                last=len(plain.words) - 1, value=edit["step"]
            )
    if kind == "word":
        try:
            model.target.id_of(str(edit["word"]))
        except ValueError as unknown:
            yield str(unknown)
        return
    if (edit.get("layer") is None) != (edit.get("head") is None):
        yield _("layer and head must be given together, or both left out for all heads")
    if not _heads_of(edit, heads):
        there = ", ".join(f"({layer}, {head})" for layer, head in heads)
        yield (
            _("{model} has no layer {layer} with a head {head}; it has (layer, head) {heads}").format(
                model=model.name, layer=edit.get("layer"), head=edit.get("head"), heads=there
            )
            if heads
            else _("{model} has no attention: only words can be edited").format(model=model.name)
        )
    if kind == "context" and edit["from"] >= len(plain.words):
        yield _("from must be a step of the translation without edits, 0 to {last}, not {value}").format(
            last=len(plain.words) - 1, value=edit["from"]
        )
    row = edit.get("weights")
    if kind == "weights" and not callable(row) and (error := _wrong_row(row, len(plain.source))):
        yield error


def _wrong_row(row: Any, n: int) -> str | None:
    """What is wrong with a row of weights; None if nothing is."""
    try:
        values = torch.as_tensor(row, dtype=torch.float64)
    except (TypeError, ValueError, RuntimeError):
        return _("weights must be numbers or a function, not {row!r:.60}").format(row=row)
    if values.shape != (n,):
        return _("expected {n} weights, one for each source token, not {shape}").format(
            n=n, shape=" x ".join(map(str, values.shape)) or row
        )
    return None if bool(values.isfinite().all()) else _("weights must be finite")


def _checked(row: Any, computed: Float[Tensor, "src"], t: int) -> Float[Tensor, "src"]:
    """`row`, returned by a caller's function for step t, as a tensor (src).

    Raises ValueError unless it has one finite number for each source token.
    """
    if error := _wrong_row(row, len(computed)):
        raise ValueError(
            _("the function of an edit returned a wrong row at step {t}: {error}").format(t=t, error=error)
        )
    return torch.as_tensor(row).to(computed)
