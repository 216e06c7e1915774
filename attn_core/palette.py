"""The colours of figures, player, lab stages and dashboard. No other file of the project defines a colour.

Style sheets use them as custom properties (`--ap-ink`) and JavaScript modules import `palette.js`;
attn_core.browser.bundle generates both. `.streamlit/config.toml`, which cannot import, repeats DASHBOARD; a test
compares them.
"""

from typing import Any

INK, DIM, GREY, PALE, LINE, PAPER = "#12151c", "#566074", "#8d97a8", "#c9cfdb", "#e4e7ed", "#ffffff"
BLUE, ORANGE = "#2443c4", "#c2570c"  # weight; window: p_t, bracket and Gaussian, and nothing else
RED, GREEN = "#a51d2d", "#086b53"  # a negative number of a vector; what a reader has changed, or what differs
BLUISH, ORANGISH = "#eef3fd", "#fdf1e7"  # their fills

# Distinguishable with red-green colour blindness, and in print.
SERIES = (BLUE, GREEN, "#a2287f", "#7a6a00", "#2f8fc9", DIM)
SERIES_ON_DARK = ("#9ccaff", "#4fd1b0", "#e79bd8", "#d9c65c", "#4f9fe0", "#a7b0c2")

LIGHT: dict[str, Any] = {"ink": INK, "dim": DIM, "grey": GREY, "outside": LINE, "background": PAPER}
LIGHT |= {"weight": BLUE, "window": ORANGE, "changed": GREEN}
LIGHT |= {"ramp": ["#f1f5fe", "#8eb2f4", BLUE, "#0b1f7a"]}
LIGHT |= {"signed": [RED, PAPER, BLUE]}  # from -1 to 1
DARK: dict[str, Any] = {"ink": "#f2f4f9", "dim": "#a7b0c2", "grey": "#7d889d", "outside": "#2a303e"}
DARK |= {"background": "transparent", "weight": "#9ccaff", "window": "#ffa94d", "changed": "#4fd1b0"}
DARK["ramp"] = ["#1b2436", "#2f55a8", "#6ea3f5", "#d3e5ff"]

# Palettes for print, by name: what replaces colours of LIGHT and SERIES in a figure. In all of them a larger weight
# is darker. "colour-blind" is for any colour blindness, "grey" for a printer without colours.
PALETTES: dict[str, dict[str, Any]] = {
    "screen": {},
    # From yellow to blue, as Cividis (Nuñez 2018) but paler; the series are the colours of Okabe and Ito.
    "colour-blind": {
        "ramp": ["#fef3b8", "#bcae6c", "#575c6d", "#00204d"],
        "signed": ["#d55e00", "#ffffff", "#0072b2"],
        "series": ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#000000"],
        "window": "#d55e00",
    },
    "grey": {
        "ramp": ["#ededed", "#b8b8b8", "#858585", "#595959"],
        "signed": ["#ffffff", "#b8b8b8", "#000000"],
        "series": ["#000000", "#6e6e6e", "#a6a6a6", "#3d3d3d", "#c4c4c4", "#8a8a8a"],
        "window": "#000000",
        "outside": "#ffffff",  # blank: a pale grey would be a small weight
    },
}

PAGE = {"dark": "#0b0d12"}  # background of the player's own page; the light theme uses the browser's default

# Colours of the player and the lab stages, by theme. Each becomes a custom property: on-window is --ap-on-window.
PLAYER = {
    "light": {
        "surface": PAPER,
        "ink": INK,
        "dim": DIM,
        "line": "#dde1e9",
        "well": "#f4f5f8",
        "hatch": LINE,
        "outside": "#f0f1f4",
        "score": GREY,
        "alignment": LIGHT["ramp"][1],
        "weight": BLUE,
        "window": ORANGE,
        "window-soft": "rgb(240 130 40 / 0.2)",
        "window-text": "#a8480a",
        "on-window": PAPER,
        "lost": "rgb(240 130 40 / 0.13)",
        "negative": RED,
        "changed": GREEN,
        "changed-soft": "rgb(8 107 83 / 0.14)",
        "forecast": SERIES[2],
        "ring": BLUE,
    },
    "dark": {
        "surface": "#10131a",
        "ink": DARK["ink"],
        "dim": DARK["dim"],
        "line": "#2f3645",
        "well": "#1b202b",
        "hatch": DARK["outside"],
        "outside": "#1b202a",
        "score": DARK["grey"],
        "alignment": "#5579cf",
        "weight": DARK["weight"],
        "window": DARK["window"],
        "window-soft": "rgb(255 169 77 / 0.2)",
        "window-text": "#ffb566",
        "on-window": "#1d1203",
        "lost": "rgb(255 169 77 / 0.14)",
        "negative": "#ff8098",
        "changed": DARK["changed"],
        "changed-soft": "rgb(79 209 176 / 0.2)",
        "forecast": SERIES_ON_DARK[2],
        "ring": DARK["weight"],
    },
}

# Heatmap colours by theme, from a weight of 0 to the largest, as OKLCH (lightness, chroma, hue); `chroma` in between.
HEAT = {
    "light": {"from": (0.972, 0.008, 255), "chroma": 0.13, "to": (0.36, 0.19, 264)},
    "dark": {"from": (0.25, 0.03, 266), "chroma": 0.15, "to": (0.88, 0.1, 238)},
}
ON_HEAT = {"bright": "#ffffff", "dark": "#000000"}  # text on the heatmap: the one with more contrast

# Streamlit's theme: [theme.light] and [theme.dark] of .streamlit/config.toml. Contrast is chosen for projectors.
DASHBOARD: dict[str, dict[str, Any]] = {
    "light": {
        "primaryColor": "#1558b0",
        "backgroundColor": PAPER,
        "secondaryBackgroundColor": "#f1f4f9",
        "textColor": "#12161c",
        "linkColor": "#1558b0",
        "borderColor": "#b4bdca",
        "chartCategoricalColors": [
            *("#0072b2", "#d55e00", "#009e73", "#cc79a7"),
            *("#e69f00", "#56b4e9", "#8a6d00", "#7f7f7f"),
        ],
    },
    "dark": {
        "primaryColor": "#3a7ae0",
        "backgroundColor": "#0f1319",
        "secondaryBackgroundColor": "#1b212b",
        "textColor": "#f2f5f9",
        "linkColor": "#8ab8ff",
        "borderColor": "#4a5566",
        "chartCategoricalColors": [
            *("#56b4e9", "#ff8f4d", "#2fc79a", "#e39bc4"),
            *("#f0b429", "#9ad0f5", "#d8c46a", "#a9b1bc"),
        ],
    },
}


def share(color: str, part: float) -> str:
    """`color` mixed with white; `part` (0 to 1) is its share."""
    parts = (int(color[place : place + 2], 16) for place in (1, 3, 5))
    return "#" + "".join(f"{round(255 + part * (value - 255)):02x}" for value in parts)
