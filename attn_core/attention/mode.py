"""What one call asks of attention beyond its inputs; modules hold parameters only, so it travels with the call."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from attn_core.attention.types import AttentionType
    from attn_core.attention.windows import Window


@dataclass(frozen=True)
class Mode:
    """How a model attends in a call; the default is as it was built.

    `window` and `type` stand in place of the model's own (a view with another window or attention type). The others
    are for training: `widening` multiplies D and sigma of a window whose centre is learned (inf: all words in view),
    `expected` averages where the attention type would draw (Xu 2015, section 4.2), and `recorded` asks a Transformer
    for the Looks of its cross-attention, which other models always give.
    """

    window: "Window | None" = None
    type: "AttentionType | None" = None
    widening: float = 1.0
    expected: bool = False
    recorded: bool = False


AS_BUILT = Mode()
