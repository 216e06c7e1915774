"""The measured half-widths D: the study's plan, and what the models' notes and the pages say of its numbers."""

from dataclasses import replace

import pytest

from attn_core.cli.plan import read_plan
from attn_core.data.captions import captions
from attn_core.evaluation.tracking import half_widths
from attn_core.models.checkpoint import read_config
from attn_core.models.folders import find
from tests.benchmarks import half_width

PAIR = replace(
    captions()[0],
    de_tokens=("ein", "hund", "schläft", "."),
    en_tokens=("a", "dog", "."),
    sure=frozenset({(0, 0), (1, 1), (3, 1)}),
)


def test_the_links_of_joined_captions_are_those_of_each():
    other = replace(PAIR, de_tokens=("ja", "!"), en_tokens=("yes", "!"), sure=frozenset({(0, 0), (1, 1)}))
    first, second = half_width.successive([PAIR, other], 2)
    assert " ".join(first.de_tokens) == "ein hund schläft . ja !"
    assert first.sure == {(0, 0), (1, 1), (3, 1), (4, 3), (5, 4)}
    assert " ".join(second.en_tokens) == "yes ! a dog ."  # after the last one comes the first
    assert second.sure == {(0, 0), (1, 1), (2, 2), (3, 3), (5, 3)}


@pytest.mark.parametrize(
    "name",
    [name if name == half_width.MODEL else pytest.param(name, marks=pytest.mark.slow) for name in half_width.local_p()],
)
def test_the_measures_of_the_shipped_models_are_current(name):
    stored = half_widths()["models"].get(name)
    assert stored is not None, "the study lacks this model: run python -m tests.benchmarks half_width --models"
    assert half_width.measured(name) == pytest.approx(stored, abs=0.02)


def test_every_d_was_measured_on_the_same_captions():
    study = half_widths()
    assert [record["half_width"] for record in study["widths"]] == list(half_width.WIDTHS)
    own = study["models"][half_width.MODEL]
    for name in ("straight line", "t"):  # which need no model
        assert {record[name] for record in study["widths"]} == {own[name]}
    same = next(record for record in study["widths"] if record["half_width"] == own["half_width"])
    for name in half_width.MEASURES:  # the same settings and seed
        assert same[name] == pytest.approx(own[name], abs=0.02)


@pytest.mark.parametrize(("name", "one"), half_widths()["models"].items())
def test_the_notes_of_the_models_hold(name, one):
    about = read_config(find(name))["about"]
    note, unit = about["note"], "character" if about.get("source_lang") == "zh" else "word"
    if f"On average, p_t is no closer to the source {unit} being translated than a straight line" in note:
        assert one["p_t"] > one["straight line"]
        assert "but only part of the way." in note
        assert 0.25 < one["followed"] < 0.75
        assert f"The position with the largest weight is usually within one {unit} of that source {unit}." in note
        assert one["largest weight within a word"] > 0.75
    elif note.startswith("Neither p_t nor the position with the largest weight is closer"):
        assert min(one["p_t"], one["largest weight"]) > one["straight line"]
    else:
        assert f"p_t is {one['p_t']:.1f} words away" in note
        assert f"a straight line through the sentence {one['straight line']:.1f} words" in note
        assert (
            "in only {p_t within a word:.0%} of the steps, the line in {straight line within a word:.0%}".format(**one)
            in note
        )


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
