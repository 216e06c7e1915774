"""What a caller sets by hand in a translation: attention weights, context vectors, heads that are off, and words.

An edit is a mapping, as in a trace's settings and in the page (browser/engine/types/request.d.ts, Edit). Steps, layers
and heads count from 0; layer and head None, or left out, stand for all heads.

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
from dataclasses import dataclass
from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor

from attn_core.data.tokenizer import Tokenizer
from attn_core.messages import _, offered
from attn_core.models.translator import Translator
from attn_core.trace import Trace
from attn_core.trace.editing import Put

Edit = Mapping[str, Any]
Head = tuple[int, int]  # layer and head
Change = Callable[[int, tuple[str, ...], Float[Tensor, "src"]], Float[Tensor, "src"]]

# The names that each kind of edit needs, beside its kind, and those that it may have.
KINDS: dict[str, tuple[set[str], set[str]]] = {
    "weights": ({"weights"}, {"step", "layer", "head"}),
    "context": ({"step", "from"}, {"layer", "head"}),
    "off": ({"layer", "head"}, set()),
    "word": ({"step", "word"}, set()),
}


@dataclass(frozen=True)
class Edits:
    """Edits of one sentence, which fit its model: what they set at each step."""

    model: Translator
    edits: tuple[Edit, ...]
    heads: tuple[Head, ...]
    plain: Trace  # the translation without edits
    given: tuple[int, ...] = ()  # in forced decoding the ids of all words

    def puts(self, t: int, words: Int[Tensor, "rows t"]) -> list[Put]:
        """The weights and context vectors at step t, for rows of a search that have chosen these `words`."""
        return [
            Put("weights" if edit["kind"] == "weights" else "context", *head, self._change(edit, head, t, words))
            for edit in self.edits
            if edit["kind"] == "off" or (edit["kind"] in ("weights", "context") and edit.get("step") in (None, t))
            for head in _heads_of(edit, self.heads)
        ]

    def word(self, t: int) -> int | None:
        """The id of the word of step t; None if it is not set. Of several edits, the last one counts."""
        if self.given:
            return self.given[t]
        words = [edit["word"] for edit in self.edits if edit["kind"] == "word" and edit["step"] == t]
        return _id(self.model, words[-1]) if words else None

    def settings(self) -> dict[str, Any]:
        """The entries in the settings of a trace; a function is given by its name."""
        return {
            "intervention": True,
            "edits": [{name: _json(one) for name, one in edit.items()} for edit in self.edits],
        }

    def _change(self, edit: Edit, head: Head, t: int, words: Int[Tensor, "rows t"]) -> Callable[[Tensor], Tensor]:
        """The function from what a head computes to what it uses instead."""
        if edit["kind"] == "off":
            return torch.zeros_like
        if edit["kind"] == "context":
            context = self.plain.words[edit["from"]].step.looks[self.heads.index(head)].context
            return lambda computed: context.to(computed).expand_as(computed)
        weights = edit["weights"]
        if not callable(weights):
            return lambda computed: torch.as_tensor(weights).to(computed).expand_as(computed)

        def changed(computed: Float[Tensor, "rows 1 src"]) -> Float[Tensor, "rows 1 src"]:
            tokens = [tuple(self.model.target.token(word) for word in row) for row in words.tolist()]
            rows = zip(tokens, computed.squeeze(1), strict=True)
            return torch.stack([_checked(weights(t, row, one.clone()), one, t) for row, one in rows]).unsqueeze(1)

        return changed


def read_edits(model: Translator, edits: Sequence[Any], plain: Trace, given: Sequence[int] = ()) -> Edits:
    """The edits of a sentence whose translation without them is `plain`; in forced decoding, `given` are its words.

    Raises ValueError, with the number of the edit and what was expected, for an edit that the model, the sentence or
    its translation cannot have, and for an ensemble.
    """
    if "ensemble" in plain.settings:
        raise ValueError(_("an ensemble cannot be edited: edit the translation of one of its members"))
    heads = tuple((look.layer, look.head) for look in plain.words[0].step.looks)
    for number, edit in enumerate(edits):
        for error in _errors(model, edit, heads, plain):
            raise ValueError(_("edit {number}: {error}").format(number=number, error=error))
        if given and edit["kind"] == "word":
            raise ValueError(
                _("edit {number}: in forced decoding all words are given: change the target instead").format(
                    number=number
                )
            )
    return Edits(model, tuple(edits), heads, plain, tuple(given))


def _id(model: Translator, word: Any) -> int | None:
    """The id of a token, also of a special one, as the page takes it; None if the vocabulary has none."""
    ids = (*model.target.ids([word]), *range(Tokenizer.eos + 1))
    return next((id for id in ids if model.target.token(id) == word), None)


def _json(value: Any) -> Any:
    if callable(value):
        return getattr(value, "__name__", "function")
    return value if value is None or isinstance(value, str | int) else [float(one) for one in value]


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
    if missing := needed - edit.keys():
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
    if kind == "word":
        if _id(model, edit["word"]) is None:
            yield _("{word!r} is not a token of the target vocabulary of {model}").format(
                model=model.name, word=edit["word"]
            )
        return
    if not _heads_of(edit, heads):
        there = ", ".join(f"({layer}, {head})" for layer, head in heads)
        yield (
            _("{model} has no layer {layer} with a head {head}; it has (layer, head) {heads}").format(
                model=model.name, layer=edit.get("layer"), head=edit.get("head"), heads=there
            )
            if heads
            else _("{model} has no attention, only words can be edited").format(model=model.name)
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
    """What a caller's function returned for step t. Raises ValueError unless it is a row of weights."""
    if error := _wrong_row(row, len(computed)):
        raise ValueError(
            _("the function of an edit returned a wrong row at step {t}: {error}").format(t=t, error=error)
        )
    return torch.as_tensor(row).to(computed)
