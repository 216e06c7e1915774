"""One registry per axis: a variant names itself, and its formulas, where it is defined."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module
from typing import Any, Generic, TypeVar


@dataclass(frozen=True)
class Letters:
    """What the paper of an order calls things. Source positions, and with them p_t, are counted from 0."""

    query: str  # the state that looks
    state: str  # an encoder state ...
    bare: str  # ... and without its index
    place: str  # the index of a source position
    step: str  # the index of a decoding step
    t: str  # the step counted from 0
    length: str
    value: str  # what is read, with {} for its place


LUONG = Letters("h_t", r"\bar h_s", r"\bar h", "s", "t", "t", "S", r"\bar h_{}")
BAHDANAU = Letters("s_{i-1}", "h_j", "h", "j", "i", "i-1", "T_x", "h_{}")  # s_0 makes the first look, so i begins at 1
VASWANI = Letters("q_t", "k_s", "k", "s", "t", "t", "S", "v_{}")


def letters(order: str) -> Letters:
    return {"attend-then-update": BAHDANAU, "transformer": VASWANI}.get(order, LUONG)


Kind = TypeVar("Kind")  # what the variants of an axis have in common: their base class
Variant = TypeVar("Variant", bound=type)


def meant(name: str, names: Iterable[str]) -> str:
    """What an error adds about `name` when one of `names` is spelled much like it: (did you mean ...?); or nothing."""
    near = get_close_matches(name, list(names), n=1, cutoff=0.7)
    return f" (did you mean {near[0]!r}?)" if near else ""


def offered(name: str, names: Iterable[str]) -> str:
    """What an error adds about `name` where there are many `names`: what was meant, or else all of them."""
    return meant(name, names) or f"; there are: {', '.join(names)}"


def load(where: str) -> Any:
    """What `package.module:name` names, imported now. This is the only deferred import of the project."""
    module, _, name = where.partition(":")
    return getattr(import_module(module), name)


class Registry(dict[str, type[Kind]], Generic[Kind]):
    """The variants of one axis by name.

    Each class carries `name` and `formula`, the paper's form in LaTeX; its `equations(config)` are what a model with
    that ModelConfig computes.
    """

    def __init__(self, axis: str):
        super().__init__()
        self.axis = axis

    def add(self, name: str, formula: str) -> Callable[[Variant], Variant]:
        """Register the decorated class under `name`."""

        def register(variant: Variant) -> Variant:
            named: Any = variant
            named.name, named.formula = name, formula
            self[name] = named
            return variant

        return register

    def check(self, name: str) -> str:
        """`name` itself, or a ValueError that lists what there is."""
        if name not in self:
            raise ValueError(f"unknown {self.axis} {name!r}{meant(name, self)}; choose one of: {', '.join(self)}")
        return name
