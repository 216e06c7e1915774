"""The study of D: its plan, and how well p_t tracks the word that is translated."""

from dataclasses import replace

import pytest
import torch

from attn_core.cli.plan import read_plan
from attn_core.data.captions import captions
from tests.benchmarks import half_width
from tests.web import traces

PAIR = replace(
    captions()[0],
    de_tokens=("ein", "hund", "schläft", "."),
    en_tokens=("a", "dog", "."),
    sure=frozenset({(0, 0), (1, 1), (3, 1)}),
)


def forced(centers: list[float], weights: list[list[float]]):
    """A trace of PAIR with these p_t and weights, with D = 1."""
    made = traces.make(words=(list(PAIR.de_tokens), [*PAIR.en_tokens, "</s>"]))
    words = []
    for word, center, row in zip(made.words, centers, weights, strict=True):
        low = int(center)
        inside = torch.tensor([abs(s - low) <= 1 for s in range(len(PAIR.de_tokens))])
        focus = replace(word.step.looks[0].focus, center=torch.tensor(center), inside=inside)
        look = replace(word.step.looks[0], focus=focus, weights=torch.tensor(row))
        words.append(replace(word, step=replace(word.step, looks=(look,))))
    return replace(made, words=tuple(words))


def test_the_distance_is_that_to_the_nearest_link():
    """Word 2 has no link and </s> no place: two words count. "dog" is linked to 1 and 3, and 3 is nearer to 2.25."""
    first, second = [0.1, 0.2, 0.6, 0.1], [0.1, 0.7, 0.1, 0.1]
    made = forced([1.5, 2.25, 0.0, 0.0], [first, second, first, first])
    found = half_width.tracking([PAIR], [made])
    assert found == pytest.approx({
        "p_t": (1.5 + 0.75) / 2, "largest weight": (2 + 0) / 2, "t": 0.0, "in window": 1.0,
    })  # fmt: skip
    away = forced([2.5, 2.25, 0.0, 0.0], [first, second, first, first])
    assert half_width.tracking([PAIR], [away])["in window"] == 0.5


def test_the_links_of_joined_captions_are_those_of_each():
    other = replace(PAIR, de_tokens=("ja", "!"), en_tokens=("yes", "!"), sure=frozenset({(0, 0), (1, 1)}))
    first, second = half_width.successive([PAIR, other], 2)
    assert " ".join(first.de_tokens) == "ein hund schläft . ja !"
    assert first.sure == {(0, 0), (1, 1), (3, 1), (4, 3), (5, 4)}
    assert " ".join(second.en_tokens) == "yes ! a dog ."  # after the last one comes the first
    assert second.sure == {(0, 0), (1, 1), (2, 2), (3, 3), (5, 3)}


def test_a_trace_without_p_t_is_refused():
    made = traces.make("global", words=(list(PAIR.de_tokens), [*PAIR.en_tokens, "</s>"]))
    with pytest.raises(ValueError, match="local-p"):
        half_width.tracking([PAIR], [made])


def test_the_plan_differs_from_the_shipped_model_in_d_alone(tmp_path):
    path = tmp_path / "models.toml"
    path.write_text(half_width.plan("multi30k"), "utf-8")
    shipped = read_plan(half_width.PLAN)[half_width.MODEL]
    config, recipe = shipped.configured()
    for d, model in zip(half_width.WIDTHS, read_plan(path).values(), strict=True):
        assert model.corpus == shipped.corpus
        window = replace(config.attention.window, half_width=d)
        changed = replace(config, attention=replace(config.attention, window=window))
        assert model.configured() == (changed, recipe)
