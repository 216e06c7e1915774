"""The colours of all figures and of the dashboard's charts, on light and on dark pages; the player's."""

from typing import Any

INK, DIM, GREY, PALE, LINE, PAPER = "#12151c", "#566074", "#8d97a8", "#c9cfdb", "#e4e7ed", "#ffffff"
BLUE, ORANGE = "#2443c4", "#c2570c"  # weight, window
BLUISH, ORANGISH = "#eef3fd", "#fdf1e7"  # what is filled with them

# Told apart by people who see no red or no green, and in print.
SERIES = (BLUE, ORANGE, "#0f8a6d", "#a2287f", "#7a6a00", DIM)

LIGHT: dict[str, Any] = {"ink": INK, "dim": DIM, "grey": GREY, "outside": LINE, "background": PAPER}
LIGHT |= {"weight": BLUE, "window": ORANGE, "ramp": ["#f1f5fe", "#8eb2f4", BLUE, "#0b1f7a"]}
DARK: dict[str, Any] = {"ink": "#f2f4f9", "dim": "#a7b0c2", "grey": "#7d889d", "outside": "#2a303e"}
DARK |= {"background": "transparent", "weight": "#9ccaff", "window": "#ffa94d"}
DARK["ramp"] = ["#1b2436", "#2f55a8", "#6ea3f5", "#d3e5ff"]


def share(color: str, part: float) -> str:
    """So much (0 to 1) of a colour on white."""
    parts = (int(color[place : place + 2], 16) for place in (1, 3, 5))
    return "#" + "".join(f"{round(255 + part * (value - 255)):02x}" for value in parts)
