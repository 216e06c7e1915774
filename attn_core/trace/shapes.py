"""The types of jaxtyping for the records' annotations, such as Float[Tensor, "*b src"].

Importing jaxtyping imports numpy, which takes a quarter of a second: the dashboard's first picture would wait for it.
Annotations have an effect only where jaxtyping checks them, as in the tests, and there it is imported before.
"""

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING or "jaxtyping" in sys.modules:
    from jaxtyping import Bool, Float, Int
else:

    class Unchecked:
        """A type whose shapes and dtypes are not checked."""

        def __class_getitem__(cls, _shape: Any) -> Any:
            return Any

    Bool = Float = Int = Unchecked

__all__ = ["Bool", "Float", "Int"]
