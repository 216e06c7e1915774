"""Windows of one's own, as a script would register them."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from attn_core.attention.notation import live
from attn_core.attention.settings import WINDOWS, LocalMSettings, WindowSettings
from attn_core.attention.windows import LocalM
from attn_core.settings import setting


class Backwards(LocalM):
    """local-m from the last source word to the first."""

    @classmethod
    def latex(cls, config):
        return rf"{config.decoder.letters.length} - 1 - {super().latex(config)}"

    def center(self, queries, lengths, t):
        return lengths.unsqueeze(-1) - 1 - super().center(queries, lengths, t)


@dataclass(frozen=True)
class LopsidedSettings(WindowSettings):
    """A window that reaches further to one side; both half-widths may be moved in a trained model."""

    name: str = "lopsided"
    left: int = setting(1, "words in view before p_t", least=0, most=100, symbol="L", live=True)
    right: int = setting(2, "words in view after p_t", least=0, most=100, symbol="R", live=True)
    rule: str = "clamp"

    @property
    def is_local(self) -> bool:
        return True


class Lopsided(LocalM):
    """From `left` words before p_t = t to `right` words after it."""

    settings: LopsidedSettings

    @classmethod
    def view(cls, config):
        x, own = config.decoder.letters, config.attention.window
        return rf"{x.place} = t - {live('left', own.left)} \dots t + {live('right', own.right)}"

    def reach(self, widening=1.0):
        return max(self.settings.left, self.settings.right)

    @property
    def is_single(self):
        return self.reach() == 0

    def in_view(self, center, positions, lengths, reach):
        distance = positions - center.unsqueeze(-1)
        return (distance + self.settings.left >= 0) & (distance <= self.settings.right)


@contextmanager
def registered() -> Iterator[None]:
    """Both windows in the registry, as "backwards" and "lopsided"."""
    WINDOWS.add("backwards", LocalMSettings)(Backwards)
    WINDOWS.add("lopsided", LopsidedSettings)(Lopsided)
    try:
        yield
    finally:
        del WINDOWS["backwards"], WINDOWS["lopsided"]
