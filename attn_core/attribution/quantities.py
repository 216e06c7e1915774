"""What is attributed: log p of the written words, a difference of two words, or a quantity of the step graph.

    "log_prob"                     log p(y_t | y_<t, x), natural
    "log_prob", against="fish"     log p(y_t | ...) - log p(fish | ...), which is the difference of their logits
    "state[3]"                     component 3, from 0, of a quantity of the step graph or of a gate
    "state"                        its Euclidean norm; of a single number, such as "center", the number itself

The quantities of the step graph are those of `explain.step_graph` that a model computes at every step, under the names
that models mark with `trace.naming.named`; those of a layer have its number, as in "context.1".
"""

import re
from dataclasses import dataclass
from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor

from attn_core.data.tokenizer import Tokenizer
from attn_core.messages import _, meant
from attn_core.models.translator import Translator
from attn_core.trace import Memory, Step
from attn_core.trace.naming import naming

LOG_PROB = "log_prob"


class Quantity:
    """A number at each step of forced decoding: `number` of a vector of the step."""

    name: str

    def vectors(
        self, model: Translator, memory: Memory, carry: Any, inputs: Int[Tensor, "tgt"]
    ) -> Float[Tensor, "rows tgt n"]:
        """The vector of each step with these `inputs`, for all rows of the memory."""
        raise NotImplementedError

    def number(
        self, model: Translator, vectors: Float[Tensor, "*b n"], words: Int[Tensor, "*b"]
    ) -> Float[Tensor, "*b"]:
        """The quantity of steps with these vectors, at which these `words` were written."""
        raise NotImplementedError


@dataclass(frozen=True)
class LogProb(Quantity):
    """log p of the written word, minus log p of the word with the id `against` if there is one."""

    name: str = LOG_PROB
    against: int | None = None

    def vectors(
        self, model: Translator, memory: Memory, carry: Any, inputs: Int[Tensor, "tgt"]
    ) -> Float[Tensor, "rows tgt n"]:
        return model.step(inputs.expand(len(memory.src_mask), -1), carry, memory)[0].attentional

    def number(
        self, model: Translator, vectors: Float[Tensor, "*b n"], words: Int[Tensor, "*b"]
    ) -> Float[Tensor, "*b"]:
        log_probs = model.log_probs(vectors)
        chosen = log_probs.gather(-1, words.unsqueeze(-1)).squeeze(-1)
        return chosen if self.against is None else chosen - log_probs[..., self.against]


@dataclass(frozen=True)
class StepQuantity(Quantity):
    """A component of a quantity of the step graph; without one, its norm, or the number itself if it is one."""

    name: str
    id: str
    component: int | None

    def vectors(
        self, model: Translator, memory: Memory, carry: Any, inputs: Int[Tensor, "tgt"]
    ) -> Float[Tensor, "rows tgt n"]:
        rows, found = len(memory.src_mask), []
        for word in inputs:
            vector, carry = step_quantity(model, memory, carry, word.expand(rows, 1))
            found.append(vector[self.id])
        return torch.stack(found, 1)

    def number(
        self, model: Translator, vectors: Float[Tensor, "*b n"], words: Int[Tensor, "*b"]
    ) -> Float[Tensor, "*b"]:
        if vectors.size(-1) == 1:
            return vectors.squeeze(-1)
        return vectors.norm(dim=-1) if self.component is None else vectors[..., self.component]


def step_quantity(
    model: Translator, memory: Memory, carry: Any, words: Int[Tensor, "rows 1"]
) -> tuple[dict[str, Float[Tensor, "rows n"]], Any]:
    """The quantities of one step by name, each as a vector, and the carry of the next step.

    Those with a number for each source position are left out.
    """
    with naming() as named:
        step, after = model.step(words, carry, memory)
    found = dict(_of_record(step)) | named
    return {name: value.reshape(len(words), -1) for name, value in found.items() if value.dim()}, after


def _of_record(step: Step) -> dict[str, Tensor]:
    """The quantities of the step graph that the record has and that have the same size for every sentence."""
    found = {"state": step.hidden, "readout": step.attentional}
    if step.looks:
        found |= {name: torch.cat([getattr(look, name) for look in step.looks], -1) for name in ("query", "context")}
        center = step.looks[0].focus.center
        found |= {} if center is None else {"center": center}
    return found


def read_quantity(model: Translator, name: str = LOG_PROB, against: str | None = None) -> Quantity:
    """The quantity `name` of a model's steps; see the module for the forms.

    Raises ValueError for a name that the model's step graph does not have, a component out of range, a word `against`
    that is not in the target vocabulary, and a step graph's quantity of an ensemble.
    """
    if name == LOG_PROB:
        if against is None:
            return LogProb()
        return LogProb(f"{LOG_PROB} - {against}", model.target.id_of(against))
    if against is not None:
        raise ValueError(_("against compares two words: it needs the quantity log_prob, not {name}").format(name=name))
    if hasattr(model, "members"):
        raise ValueError(
            _("{model} is an ensemble, whose members have steps of their own: attribute {name} in one of them").format(
                model=model.name, name=name
            )
        )
    form = re.fullmatch(r"([\w.]+)(?:\[(\d+)\])?", name)
    known = _known(model)
    if form is None or form[1] not in known:
        message = _("{model} has no quantity {name!r}{hint}; choose log_prob, or one of its steps: {names}").format(
            model=model.name, name=name, hint=meant(name, known), names=", ".join(known)
        )
        raise ValueError(message)
    component = None if form[2] is None else int(form[2])
    if component is not None and component >= known[form[1]]:
        raise ValueError(
            _("{name} has {n} components, which count from 0: there is no {component}").format(
                name=form[1], n=known[form[1]], component=component
            )
        )
    return StepQuantity(name, form[1], component)


@torch.no_grad()
def _known(model: Translator) -> dict[str, int]:
    """The quantities of a step by name, and the number of components of each."""
    words = torch.full((1, 1), Tokenizer.unk, device=next(model.parameters()).device)
    memory, carry = model.encode(words, torch.ones_like(words, dtype=torch.bool))
    found, _carry = step_quantity(model, memory, carry, torch.full_like(words, Tokenizer.bos))
    return {name: value.size(1) for name, value in found.items()}
