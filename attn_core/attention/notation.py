"""The notation of a step graph: each paper's symbols for a decoding step, and the record of a quantity.

The classes that compute a quantity describe it (`quantities` of encoders, scores, windows, attention and decoders), and
`explain.step_graph` combines the descriptions. Formulas, the Paths page and the figures derive from them.
"""

import re
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from attn_core.messages import N_

GROUPS = {  # the titles of a step's equations, by axis, in the order in which they are shown
    "encoder": N_("Encoder"),
    "score": N_("Score"),
    "window": N_("Window and weights"),
    "order": N_("Decoding step"),
    "feeding": N_("Decoder input"),
    "output": N_("Output layer"),
}


@dataclass(frozen=True)
class Letters:
    """The symbols of one paper. Source positions, and so p_t, count from 0."""

    query: str  # the state that attends
    state: str  # an encoder state
    bare: str  # an encoder state without its index
    place: str  # the index of a source position
    step: str  # the index of a decoding step, with the paper's base
    t: str  # the index of a decoding step, from 0
    length: str  # the number of source words
    value: str  # a value, with {} for its position
    scores: str  # the scores of a step
    score: str  # the score of one position
    weights: str  # the attention weights of a step
    weight: str  # the attention weight of one position


LUONG = Letters("h_t", r"\bar h_s", r"\bar h", "s", "t", "t", "S", r"\bar h_{}", "e_t", "e_t(s)", "a_t", "a_t(s)")
# i counts from 1, as in the paper: s_0 is the first state that attends.
BAHDANAU = Letters("s_{i-1}", "h_j", "h", "j", "i", "i-1", "T_x", "h_{}", "e_i", "e_{ij}", r"\alpha_i", r"\alpha_{ij}")
VASWANI = Letters("q_t", "h_s", "h", "s", "t", "t", "S", "v_{}", "e_t", "e_t(s)", "a_t", "a_t(s)")


def attention_letters(config: Any) -> Letters:
    """The symbols of the attention of a model with this ModelConfig; with the index m, where heads have their own."""
    x = config.decoder.letters
    if not has_heads(config):
        return x
    names = ("scores", "score", "weights", "weight")
    return replace(x, **{name: re.sub(r"^(\\?[a-z]+_(\w|\{\w+\}))", r"\1^m", getattr(x, name)) for name in names})


def has_heads(config: Any) -> bool:
    """Whether the queries and the states are projected for each head."""
    return config.decoder.name == "transformer" or config.attention.projected


class Node(StrEnum):
    """The vectors that figures draw for a step of a recurrent decoder; `*_BEFORE` is that of the previous step.

    STATE is the recurrent state: Luong's h_t, Bahdanau's s_i, the bottom layer's h^1_t of gnmt. OUTPUT is the input of
    the output layer, if figures give it a row of its own: Luong's attentional vector, the upper layers of gnmt. In
    Bahdanau's order it belongs to WORD.
    """

    WORD = "word"
    STATE = "state"
    CONTEXT = "context"
    OUTPUT = "output"
    WORD_BEFORE = "word before"
    STATE_BEFORE = "state before"
    CONTEXT_BEFORE = "context before"
    OUTPUT_BEFORE = "output before"


BEFORE = {
    Node.WORD: Node.WORD_BEFORE,
    Node.STATE: Node.STATE_BEFORE,
    Node.CONTEXT: Node.CONTEXT_BEFORE,
    Node.OUTPUT: Node.OUTPUT_BEFORE,
}


LIVE = re.compile(r"\\live\{(\w+)\}\{([^}]*)\}")  # what `live` writes


def live(name: str, value: float) -> str:
    """The value of the live setting `name` in LaTeX, marked so that a page can write another one in its place."""
    return rf"\live{{{name}}}{{{value:g}}}"


@dataclass(frozen=True)
class Quantity:
    """One named quantity of a decoding step.

    `marked` are its equations in LaTeX, if any, with marked numbers (`live`), and `first` those of the first step,
    where it has a value of its own; `inputs` the ids of the quantities that it is computed from. In `shape`, "S" is the
    number of source words and "V" the size of the target vocabulary.
    """

    id: str
    axis: str  # the axis that its equations belong to, one of GROUPS
    symbol: str  # in LaTeX
    name: str  # in words
    marked: tuple[str, ...] = ()
    inputs: tuple[str, ...] = ()
    shape: tuple[int | str, ...] = ()
    given: bool = False  # available before the step begins
    node: Node | None = None  # its place in figures
    first: tuple[str, ...] = ()
    element: str = ""  # one number of it in words, where that is not its name

    @property
    def lines(self) -> tuple[str, ...]:
        """Its equations in LaTeX."""
        return tuple(LIVE.sub(r"\2", line) for line in self.marked)
