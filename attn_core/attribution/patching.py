"""Patching: run one sentence with a vector of another one, and see how log p of each word changes.

Also called activation patching or interchange intervention (Vig 2020, section 3; Meng 2022, section 2). The two
sentences have equal lengths and differ in one word, so that every vector of one has its counterpart in the other.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace

import torch
from jaxtyping import Float
from torch import Tensor

from attn_core.attribution.attention import chosen, ensemble, no_attention
from attn_core.attribution.case import Case
from attn_core.messages import _
from attn_core.models.translator import Translator
from attn_core.settings import check_choice
from attn_core.trace import Look, Step
from attn_core.trace.editing import Replacement, editing

WHAT = ("encoder", "context", "state")


@dataclass(frozen=True)
class Patch:
    """How log p of each word changes if one vector of a sentence is replaced by that of another sentence.

    `changes[place, t]` is log p of word t with the replacement at `place`, minus log p without. Places are source
    positions (`what` "encoder"), or steps ("context", "state"); words before the step change by rounding only.
    `log_probs` are those of the sentence as it is, and `of_other` those of the same words for the other sentence: what
    exchanging everything would give.
    """

    model: str
    what: str
    layer: int | None
    head: int | None
    source: tuple[str, ...]
    other: tuple[str, ...]
    target: tuple[str, ...]
    changes: Float[Tensor, "place tgt"]
    log_probs: Float[Tensor, "tgt"]
    of_other: Float[Tensor, "tgt"]


@torch.no_grad()
def patch(
    model: Translator,
    text: str,
    other: str,
    target: str | None = None,
    *,
    what: str = "encoder",
    layer: int | None = None,
    head: int | None = None,
    tokenized: bool = False,
) -> Patch:
    """Replace vectors of `text` by those of `other`, one place at a time, in forced decoding of `target`.

    Without `target`, it is the greedy translation of `text`. `what` is replaced:

    - "encoder": the encoder state of a position, as key and as value at all steps; the decoder's first state stays
    - "context": the context vector of a step; with `layer` and `head`, counted from 0, only theirs (before W_O)
    - "state": the state with which a step begins; a Transformer's are the keys and values of the words before

    Raises ValueError for text without a word, sentences of different lengths or that do not differ in exactly one
    token, another `what`, a head that is not there or given for something else than a context, a context of a model
    without attention, and an ensemble.
    """
    check_choice("what", what, WHAT)
    if what != "context" and (layer, head) != (None, None):
        raise ValueError(_("layer and head select a context: they have no effect on {what}").format(what=what))
    if why := ensemble(model) or (no_attention(model) if what == "context" else None):
        raise ValueError(_("{what} cannot be patched: {why}").format(what=what, why=why))
    case = Case.read(model, text, target, tokenized=tokenized)
    theirs = case.with_source(other, tokenized)
    _check_pair(case, theirs)
    if what == "encoder":
        found = _encoder(case, theirs)
    elif what == "context":
        found = _context(case, theirs, chosen(case.plain.step.looks, layer, head))
    else:
        found = _state(case, theirs)
    return Patch(
        *(model.name, what, layer, head, case.source, theirs.source, case.target),
        *(part.cpu() for part in (found - case.attributed, case.attributed, theirs.attributed)),
    )


def _check_pair(case: Case, other: Case) -> None:
    """Raise ValueError unless two sources have the same length and differ in one token."""
    sizes = len(case.source), len(other.source)
    if sizes[0] != sizes[1]:
        raise ValueError(
            _("the two sentences must have the same number of tokens, not {one} and {other}").format(
                one=sizes[0], other=sizes[1]
            )
        )
    different = int((case.source_ids != other.source_ids).sum())
    if different != 1:
        raise ValueError(
            _("the two sentences must differ in exactly one token of the vocabulary, not in {n}").format(n=different)
        )


def _encoder(case: Case, other: Case) -> Float[Tensor, "src tgt"]:
    """Log p of each word; in row s, position s of all vectors of the memory is that of the other sentence."""
    n = len(case.source_ids)
    memory, carry = case.encode(case.source_ids.expand(n, n))
    theirs = other.plain.memory
    at = torch.eye(n, dtype=torch.bool, device=case.source_ids.device).unsqueeze(2)
    of_sentence = {one.name: getattr(memory, one.name) for one in fields(memory)}
    exchanged = {
        name: torch.where(at, getattr(theirs, name), part)
        for name, part in of_sentence.items()
        if isinstance(part, Tensor) and name != "src_mask"
    }
    vectors = case.quantity.vectors(case.model, replace(memory, looks=(), **exchanged), carry, case.inputs)
    return case.quantity.number(case.model, vectors, case.target_ids.expand(n, -1))


def _context(case: Case, other: Case, looks: Sequence[Look]) -> Float[Tensor, "tgt tgt"]:
    """Log p of each word; in row k, the contexts of step k that these `looks` have are those of the other sentence."""
    theirs = {(look.layer, look.head): look.context[0] for look in other.plain.step.looks}
    where = [(look.layer, look.head) for look in looks]
    n = len(case.inputs)
    memory, carry = case.encode(case.source_ids.expand(n, -1))
    found = []
    for t, word in enumerate(case.inputs):
        with editing([Replacement("context", *head, _in_row(t, theirs[head][t])) for head in where]):
            step, carry = case.model.step(word.expand(n, 1), carry, memory)
        found.append(_log_probs(case, step, t))
    return torch.cat(found, 1)


def _state(case: Case, other: Case) -> Float[Tensor, "tgt tgt"]:
    """Log p of each word; in row k, the state before step k is that of the other sentence."""
    n = len(case.inputs)
    memory, carry = case.encode(case.source_ids.expand(n, -1))
    theirs = other.stepwise(*other.encode(other.source_ids.unsqueeze(0)))
    found = []
    for t, (word, (before, _named, _step)) in enumerate(zip(case.inputs, theirs, strict=True)):
        state = tuple(_in_row(t, there[0])(own) for own, there in zip(carry.state, before.state, strict=True))
        step, carry = case.model.step(word.expand(n, 1), replace(carry, state=state), memory)
        found.append(_log_probs(case, step, t))
    return torch.cat(found, 1)


def _in_row(row: int, vector: Tensor) -> Callable[[Tensor], Tensor]:
    """A function that puts `vector` in one row of a batch."""

    def change(values: Tensor) -> Tensor:
        values = values.clone()
        values[row] = vector
        return values

    return change


def _log_probs(case: Case, step: Step, t: int) -> Float[Tensor, "rows 1"]:
    """Log p of word t."""
    return case.quantity.number(case.model, step.attentional, case.target_ids[t].expand(step.attentional.shape[:2]))
