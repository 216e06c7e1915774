"""Base class of attribution methods. To add one, register a subclass in a script or a notebook:

@METHODS.add("first-word")
class FirstWord(Method):
    title, source, signed = "First word", "nobody", False

    def __call__(self, case):
        values = torch.zeros(len(case.target), len(case.source))
        values[:, 0] = 1
        return Found(values)
"""

from dataclasses import dataclass
from typing import Any, ClassVar

from jaxtyping import Float
from torch import Tensor

from attn_core.attribution.case import Case
from attn_core.models.translator import Translator


@dataclass(frozen=True)
class Found:
    """What a method computes: a row for each target token, and the error of each row if the method knows it."""

    values: Float[Tensor, "tgt src"]
    errors: Float[Tensor, "tgt"] | None = None


class Method:
    """Base class of attribution methods; `settings` is an instance of the settings class in the registry."""

    name: ClassVar[str]
    title: ClassVar[str]
    source: ClassVar[str]  # paper and section
    signed: ClassVar[bool]  # whether a value can be negative, and means that the source word lowers the quantity
    of_quantity: ClassVar[bool] = False  # whether it attributes a quantity, such as log p; otherwise only the step

    def __init__(self, settings: Any):
        self.settings = settings

    @classmethod
    def refusal(cls, model: Translator) -> str | None:
        """Why this model cannot have the method, in one sentence; None if it can."""
        return None

    def __call__(self, case: Case) -> Found:
        """The attribution of a case. Raises ValueError for a sentence that the method does not fit."""
        raise NotImplementedError
