"""Options of a forward call. Modules hold only parameters, so the options are passed with each call."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from attn_core.attention.types import AttentionType
    from attn_core.attention.windows import Window


@dataclass(frozen=True)
class Mode:
    """How a model attends in one call; by default, as it was built.

    `window` and `type` replace the model's own (for a view with another window or attention type). `head` is the index
    of the head that is computed, for its Look and its edits. The others are for training: `widening` multiplies D and
    sigma of a window with a learned centre (inf: all words in view), `expected` takes the expectation instead of a
    sample (Xu 2015, section 4.2), and `recorded` makes a Transformer return the Looks of its cross-attention, which
    other models always return.
    """

    window: "Window | None" = None
    type: "AttentionType | None" = None
    widening: float = 1.0
    expected: bool = False
    recorded: bool = False
    head: int = 0


AS_BUILT = Mode()
