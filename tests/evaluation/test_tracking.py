"""How closely p_t follows the translated words."""

from dataclasses import replace

import pytest
import torch

from attn_core.evaluation.tracking import tracking
from tests.browser import traces

SOURCE, TARGET = ["ein", "hund", "schläft", "."], ["a", "dog", ".", "</s>"]
LINKS = {(0, 0), (1, 1), (3, 1)}


def forced(centers: list[float], weights: list[list[float]]):
    """A trace of SOURCE and TARGET with these p_t and weights, with D = 1."""
    made = traces.make(words=(SOURCE, TARGET))
    words = []
    for word, center, row in zip(made.words, centers, weights, strict=True):
        low = int(center)
        inside = torch.tensor([abs(s - low) <= 1 for s in range(len(SOURCE))])
        focus = replace(word.step.looks[0].focus, center=torch.tensor(center), inside=inside)
        look = replace(word.step.looks[0], focus=focus, weights=torch.tensor(row))
        words.append(replace(word, step=replace(word.step, looks=(look,))))
    return replace(made, words=tuple(words))


def test_the_distance_is_that_to_the_nearest_link():
    """Word 2 has no link and </s> no place: two words count. "dog" is linked to 1 and 3, and 3 is nearer to 2.25.

    The straight line rises by 4 / 3 with each of the three target words.
    """
    first, second = [0.1, 0.2, 0.6, 0.1], [0.1, 0.7, 0.1, 0.1]
    made = forced([1.5, 2.25, 0.0, 0.0], [first, second, first, first])
    assert tracking([made], [LINKS]) == pytest.approx(
        {
            "p_t": (1.5 + 0.75) / 2,
            "straight line": (0 + 1 / 3) / 2,
            "largest weight": (2 + 0) / 2,
            "t": 0.0,
            "p_t within a word": 0.5,
            "straight line within a word": 1.0,
            "largest weight within a word": 0.5,
            "t within a word": 1.0,
            "in window": 1.0,
            "followed": (2.25 - 4 / 3 - 1.5) / (2 - 4 / 3),  # "dog" is linked to 1 and 3: 2 on average
        }
    )
    away = forced([2.5, 2.25, 0.0, 0.0], [first, second, first, first])
    assert tracking([away], [LINKS])["in window"] == 0.5
    both = tracking([made, away], [LINKS, LINKS])
    assert both["p_t"] == pytest.approx((1.5 + 0.75 + 2.5 + 0.75) / 4)
    assert both["in window"] == 0.75


def test_a_trace_without_p_t_is_refused():
    made = traces.make("global", words=(SOURCE, TARGET))
    with pytest.raises(ValueError, match="local-p"):
        tracking([made], [LINKS])


def test_the_end_that_a_model_adds_to_its_source_is_no_word():
    """Of 5 source tokens the last is `</s>`; the line is at 4 / 3 where t = 1, and 1 / 3 from link 1.

    A typed `</s>`, which is an unknown word, counts: then the line is at 5 / 3.
    """
    made = forced([1.5, 2.25, 0.0, 0.0], [[0.1, 0.2, 0.6, 0.1]] * 4)
    ended = replace(made, source=(*SOURCE, "</s>"))
    assert tracking([ended], [{(1, 1)}])["straight line"] == pytest.approx(4 / 3 - 1)
    typed = replace(ended, unknown=(4,))
    assert tracking([typed], [{(1, 1)}])["straight line"] == pytest.approx(5 / 3 - 1)
