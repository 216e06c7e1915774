"""What each paper calls the quantities of a decoding step."""

from dataclasses import dataclass


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


LUONG = Letters("h_t", r"\bar h_s", r"\bar h", "s", "t", "t", "S", r"\bar h_{}")
BAHDANAU = Letters("s_{i-1}", "h_j", "h", "j", "i", "i-1", "T_x", "h_{}")  # s_0 attends first, so i begins at 1
VASWANI = Letters("q_t", "k_s", "k", "s", "t", "t", "S", "v_{}")


def letters(order: str) -> Letters:
    """The symbols of the paper that an order of the decoding step comes from."""
    return {"attend-then-update": BAHDANAU, "transformer": VASWANI}.get(order, LUONG)
