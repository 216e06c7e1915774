"""LaTeX of the step graph as plain text, with `_{...}` around subscripts, for canvases and tooltips."""

import re

_WORDS = {
    r"\\textstyle": "", r"\\operatorname\{([^{}]*)\}": r"\1", r"\\text\{([^{}]*)\}": r"\1",
    r"\\t?frac\{([^{}]*)\}\{([^{}]*)\}": r"\1 / \2",
    r"\\overrightarrow\{([^{}]*)\}": r"→\1", r"\\overleftarrow\{([^{}]*)\}": r"←\1",
    r"\\bar h": "h̄", r"\\tilde h": "h̃", r"\\tilde t": "t̃", r"\\hat (\w)": "\\1̂",
    r"\^\\top": "ᵀ", r"\^\{\\!\\top\}": "ᵀ",
    r"\\lfloor\s*": "⌊", r"\s*\\rfloor": "⌋", r"\\lVert\s*": "|", r"\s*\\rVert": "|", r"\\sqrt\{([^{}]*)\}": r"√\1",
    r"\\sum_(\w)": r"Σ_{\1}", r"\\alpha": "α", r"\\sigma": "σ", r"\\propto": "∝", r"\\cdot": "·", r"\\in\b": "∈",
    r"\\leftarrow": "←",
    r"\\pm": "±", r"\\le\b": "≤", r"\\sim": "∼", r"\\dots ?": "…", r"\\circ": "∘", r"\\arg\\max": "argmax", r"\^2": "²",
    r"\\(tanh|exp|sin|cos|min|max|log)": r"\1", r"\\(left|right|big|Big)\b": "", r"\\[!;:]": "",
    r"\\,": " ", r"\\ ": " ", r"\\quad": " ",
}  # fmt: skip


def plain(latex: str) -> str:
    """One equation of the step graph as plain text: s_{i-1} stays `s_{i-1}`, h_t becomes `h_{t}`."""
    text = latex
    for _ in range(2):  # commands may be nested
        for pattern, written in _WORDS.items():
            text = re.sub(pattern, written, text)
    text = re.sub(r"_([A-Za-z0-9])(?![A-Za-z0-9{])", r"_{\1}", text)
    text = text.replace(" - ", " − ")
    text = re.sub(r"(?<=[\w)}])-(?=[\w({\\])", " − ", text)
    text = re.sub(r"_\{([^{}]*)\}", lambda found: "_{" + found[1].replace(" − ", "−").replace("-", "−") + "}", text)
    text = re.sub(r"(?<![\w)}\s])-", "−", text)
    return re.sub(r"\s+", " ", text).strip()
