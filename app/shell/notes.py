"""Speaker's notes on a page, which `?notes` shows for a second screen (notes.js)."""

from dataclasses import dataclass
from typing import Any

from attn_core.messages import _


@dataclass(frozen=True)
class Notes:
    """What to point at, the answer to the page's question, and the minutes that it takes."""

    points: tuple[str, ...]
    answer: str
    minutes: int

    def record(self, question: str) -> dict[str, Any]:
        """What notes.js needs, with the question of the page."""
        points = [_(point) for point in self.points]
        return {"question": question, "points": points, "answer": _(self.answer), "minutes": self.minutes}
