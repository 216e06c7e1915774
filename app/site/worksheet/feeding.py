"""Two steps of Luong's decoder as a figure, in SVG: with the arrow of input feeding, or with room to draw it."""

_BOX, _GAP, _NEXT = 92, 168, 330  # the width of a box; from a box to the one beside it; from a step to the next


def figure(*, fed: bool) -> str:
    """The figure; its letters are Luong's."""
    first, second = 20, 20 + _NEXT
    parts = [
        _step(first, "t"),
        _step(second, "t+1"),
        _arrow(f"M{first + _BOX} 233H{second}"),  # the state
        _arrow(f"M{first + _BOX} 37H{second - 20}V213H{second}"),  # the word
    ]
    if fed:
        parts.append(_arrow(f"M{first + _BOX} 97H{second - 45}V223H{second}", "fed"))
    return (
        '<svg class="figure" viewBox="0 0 640 265" role="img" xmlns="http://www.w3.org/2000/svg"><defs>'
        '<marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="11" markerHeight="11" '
        'markerUnits="userSpaceOnUse" orient="auto">'
        f'<path d="M0 0 8 4 0 8z"/></marker></defs>{"".join(parts)}</svg>'
    )


def _step(x: float, index: str) -> str:
    boxes = {"h": (x, 205), "c": (x + _GAP, 145), "h̃": (x, 85), "y": (x, 15)}
    middle = x + _BOX / 2
    arrows = (
        f"M{middle} 205V129",  # the state to h̃
        f"M{x + _BOX} 215L{x + _GAP + 20} 189",  # the state as the query
        f"M{x + _GAP} 155L{x + _BOX} 117",  # the context vector to h̃
        f"M{middle} 85V59",  # h̃ to the word
    )
    return "".join(_box(*place, name, index) for name, place in boxes.items()) + "".join(_arrow(one) for one in arrows)


def _box(x: float, y: float, name: str, index: str) -> str:
    return (
        f'<rect x="{x}" y="{y}" width="{_BOX}" height="44" rx="6"/><text x="{x + _BOX / 2}" y="{y + 28}">{name}'
        f'<tspan class="index" dy="5">{index}</tspan></text>'
    )


def _arrow(path: str, kind: str = "") -> str:
    return f'<path class="arrow {kind}" marker-end="url(#tip)" d="{path}"/>'
