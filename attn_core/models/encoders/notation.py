"""The encoder states in LaTeX, in the symbols of the order's paper."""

from typing import Any


def ends(config: Any) -> list[str]:
    """The last state computed in each direction of an encoder that has last states."""
    x, own = config.decoder.letters, config.encoder
    end = x.length if config.source_eos else f"{x.length} - 1"  # S does not count </s>
    if not all(own.reading):
        return [f"{x.bare}_{{{'0' if own.reverse else end}}}"]
    there, back = rf"\overrightarrow{{{x.bare}}}_{{{end}}}", rf"\overleftarrow{{{x.bare}}}_{{0}}"
    return [back, there] if own.reverse else [there, back]


def both_ends(config: Any) -> str:
    """The last states of both directions of the top layer, as one vector."""
    found = ends(config)
    if len(found) == 1:
        return found[0]
    # Summed directions: Bahdanau's order adds the directions in the memory only, other orders in the last state too.
    summed = config.encoder.summed and config.decoder.name != "attend-then-update"
    return f"({' + '.join(found)})" if summed else f"[{'; '.join(found)}]"
