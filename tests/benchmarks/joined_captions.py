"""Joins several of our own aligned captions into one longer pair."""

from collections.abc import Sequence
from dataclasses import replace

from attn_core.data.captions import Caption, Links


def as_one(pairs: Sequence[Caption]) -> Caption:
    """All tokens and links of the pairs, one pair after the other; the other fields are those of the first pair."""
    de: tuple[str, ...] = ()
    en: tuple[str, ...] = ()
    sure: Links = frozenset()
    possible: Links = frozenset()
    for pair in pairs:
        moved = [{(len(de) + s, len(en) + t) for s, t in links} for links in (pair.sure, pair.possible)]
        sure, possible = sure | moved[0], possible | moved[1]
        de, en = de + pair.de_tokens, en + pair.en_tokens
    return replace(pairs[0], de_tokens=de, en_tokens=en, sure=sure, possible=possible)
