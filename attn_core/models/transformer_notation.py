"""A Transformer's sublayers in LaTeX, as its stack's settings have them."""

from attn_core.models.settings import StackSettings

HEADS = r"\operatorname{MH}"  # MultiHead, as short as a narrow column needs it


def input_lines(name: str, word: str, place: str, d: int, own: StackSettings) -> list[str]:
    """What goes into the first layer, in LaTeX, and what the positions are."""
    lines = [rf"{name} = \sqrt{{{d}}}\,E\,{word} + P_{place}"]
    if own.positions == "learned":
        return lines
    angle = rf"({place} / 10000^{{2i/{d}}})"
    return [*lines, rf"P_{{{place},2i}} = \sin {angle}, \quad P_{{{place},2i+1}} = \cos {angle}"]


def layer_lines(states: str, own: StackSettings) -> tuple[list[str], str]:
    """What a layer's self-attention reads, u, in LaTeX; and to what its result is added, with {} for a place."""
    layers = rf", \quad n = 1 \dots {own.layers}"
    if own.norm == "pre":
        return [rf"u = \operatorname{{LN}}({states}){layers}"], states.replace("{", "{{").replace("}", "}}") + "_{}"
    return [f"u = {states}{layers}"], "u_{}"


def inner(name: str, own: StackSettings) -> str:
    """What a sublayer reads."""
    return rf"\operatorname{{LN}}({name})" if own.norm == "pre" else name


def sublayer(name: str, before: str, sublayer: str, own: StackSettings) -> str:
    """A sublayer with what is around it."""
    added = f"{before} + {sublayer}"
    return f"{name} = {added}" if own.norm == "pre" else rf"{name} = \operatorname{{LN}}({added})"


def last_lines(name: str, own: StackSettings) -> list[str]:
    """What is done with the last layer's output."""
    last = f"{name}^{{{own.layers}}}"
    return [rf"{last} \leftarrow \operatorname{{LN}}({last})"] if own.norm == "pre" else []
