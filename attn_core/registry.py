"""One registry per axis: a variant names itself, and its formula, where it is defined."""

from collections.abc import Callable
from typing import TypeVar

Variant = TypeVar("Variant", bound=type)


class Registry(dict[str, type]):
    """The variants of one axis by name. Each class carries `name` and `formula` (LaTeX)."""

    def __init__(self, axis: str):
        super().__init__()
        self.axis = axis

    def add(self, name: str, formula: str) -> Callable[[Variant], Variant]:
        """Register the decorated class under `name`."""

        def register(variant: Variant) -> Variant:
            variant.name, variant.formula = name, formula
            self[name] = variant
            return variant

        return register

    def check(self, name: str) -> str:
        """`name` itself, or a ValueError that lists what there is."""
        if name not in self:
            raise ValueError(f"unknown {self.axis} {name!r}; choose one of: {', '.join(self)}")
        return name
