"""The encoder's states in LaTeX, in the letters of its order's paper."""

from typing import Any

from attn_core.attention.notation import letters


def ends(config: Any) -> list[str]:
    """The last state that each direction of a recurrent encoder computes."""
    x, own = letters(config.decoder.name), config.encoder
    end = x.length if config.source_eos else f"{x.length} - 1"  # S counts words, and </s> is none
    if not own.bidirectional:
        return [f"{x.bare}_{{{'0' if own.reverse else end}}}"]
    there, back = rf"\overrightarrow{{{x.bare}}}_{{{end}}}", rf"\overleftarrow{{{x.bare}}}_{{0}}"
    return [back, there] if own.reverse else [there, back]


def both_ends(config: Any) -> str:
    """The last states of both directions as one vector: of the top layer."""
    found = ends(config)
    if len(found) == 1:
        return found[0]
    # A GRU's directions are added up where they are attended to, not at the ends; a stack's are at both.
    summed = config.encoder.directions == "sum" and config.decoder.name != "attend-then-update"
    return f"({' + '.join(found)})" if summed else f"[{'; '.join(found)}]"
