"""The vocabulary of a step graph: what each paper calls the quantities of a decoding step, and what a quantity is.

The classes that compute a quantity describe it (`quantities` of encoders, scores, windows, attention and decoders);
`explain.step_graph` puts the descriptions together. Formulas, the Paths page and the figures derive from them.
"""

from dataclasses import dataclass
from enum import StrEnum


@dataclass(frozen=True)
class Letters:
    """The symbols of one paper. Source positions, and with them p_t, count from 0."""

    query: str  # the state that attends
    state: str  # an encoder state ...
    bare: str  # ... and without its index
    place: str  # the index of a source position
    step: str  # the index of a decoding step
    t: str  # the step counted from 0
    length: str
    value: str  # what is averaged, with {} for its place
    weights: str  # the alignment weights of a step


LUONG = Letters("h_t", r"\bar h_s", r"\bar h", "s", "t", "t", "S", r"\bar h_{}", "a_t")
# s_0 attends first, so i begins at 1
BAHDANAU = Letters("s_{i-1}", "h_j", "h", "j", "i", "i-1", "T_x", "h_{}", r"\alpha_i")
VASWANI = Letters("q_t", "k_s", "k", "s", "t", "t", "S", "v_{}", "a_t")


def letters(order: str) -> Letters:
    """The symbols of the paper that an order of the decoding step comes from."""
    return {"attend-then-update": BAHDANAU, "transformer": VASWANI}.get(order, LUONG)


class Part(StrEnum):
    """What a step of a recurrent decoder computes, and each of it as the step before computed it.

    STATE is the one that a step begins with or ends in: Luong's h_t, Bahdanau's s_i, the bottom layer's h^1_t of gnmt.
    OUTPUT is what the output layer reads where it has a row of its own in a figure: Luong's attentional vector, the
    layers above of gnmt. In Bahdanau's order it is a part of the WORD.
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
    Part.WORD: Part.WORD_BEFORE,
    Part.STATE: Part.STATE_BEFORE,
    Part.CONTEXT: Part.CONTEXT_BEFORE,
    Part.OUTPUT: Part.OUTPUT_BEFORE,
}


@dataclass(frozen=True)
class Quantity:
    """One named quantity of a decoding step.

    `lines` are its equations in LaTeX, empty where it is taken as it comes; `inputs` the quantities that it is computed
    from. In a `shape` "S" stands for the words of the source and "V" for those of the target's vocabulary.
    """

    id: str
    axis: str  # under which choice its equations stand: encoder, score, window, order, feeding
    symbol: str  # in LaTeX
    name: str  # in words
    lines: tuple[str, ...] = ()
    inputs: tuple[str, ...] = ()
    shape: tuple[int | str, ...] = ()
    given: bool = False  # there before the step begins
    carried: bool = False  # used by the next step
    part: Part | None = None  # which row of a figure it is
