"""A Transformer's sublayers in LaTeX, for the settings of its stack."""

from attn_core.models.encoders.settings import StackSettings

HEADS = r"\operatorname{MH}"  # MultiHead, abbreviated for narrow columns


def input_lines(name: str, embedding: str, place: str, d: int, own: StackSettings) -> list[str]:
    """The input of the first layer and the position encodings, in LaTeX."""
    lines = [rf"{name} = \sqrt{{{d}}}\,{embedding} + P_{place}"]
    if own.positions == "learned":
        return lines
    angle = rf"({place} / 10000^{{2i/{d}}})"
    return [*lines, rf"P_{{{place},2i}} = \sin {angle}", rf"P_{{{place},2i+1}} = \cos {angle}"]


def layer_lines(states: str, own: StackSettings) -> tuple[list[str], str]:
    """The input u of a layer's self-attention and the residual that its output is added to ({}: position), in LaTeX."""
    layers = rf", \quad n = 1 \dots {own.layers}"
    if own.norm == "pre":
        return [rf"u = \operatorname{{LN}}({states}){layers}"], states.replace("{", "{{").replace("}", "}}") + "_{}"
    return [f"u = {states}{layers}"], "u_{}"


def inner(name: str, own: StackSettings) -> str:
    """The input of a sublayer, in LaTeX."""
    return rf"\operatorname{{LN}}({name})" if own.norm == "pre" else name


def sublayer(name: str, before: str, sublayer: str, own: StackSettings) -> str:
    """A sublayer with its residual connection and norm, in LaTeX."""
    added = f"{before} + {sublayer}"
    return f"{name} = {added}" if own.norm == "pre" else rf"{name} = \operatorname{{LN}}({added})"


def last_lines(name: str, own: StackSettings) -> list[str]:
    """The norm after the last layer, in LaTeX, if any."""
    last = f"{name}^{{{own.layers}}}"
    return [rf"{last} \leftarrow \operatorname{{LN}}({last})"] if own.norm == "pre" else []
