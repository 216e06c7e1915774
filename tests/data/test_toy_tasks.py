"""Synthetic tasks: their examples and gold links."""

from datetime import date

import pytest

from attn_core.data.toy_tasks import ADJECTIVES, ADVERBS, NOUNS, TASKS, VERBS, draw_texts

WORDS = NOUNS | ADJECTIVES | ADVERBS | VERBS


def examples(name: str, n: int = 200, length=None, seed: int = 3):
    return TASKS[name]().sample(n, length, seed)


@pytest.mark.parametrize("name", TASKS)
def test_a_task_is_described_and_draws_the_same_for_the_same_seed(name):
    task = TASKS[name]
    assert task.name == name
    assert task.formula
    assert task.__doc__
    assert examples(name) == examples(name)
    assert examples(name) != examples(name, seed=4)


@pytest.mark.parametrize("name", TASKS)
def test_gold_links_lie_within_the_example_and_sure_ones_are_possible(name):
    for example in examples(name):
        assert example.gold.sure <= example.gold.possible
        assert {i for i, _ in example.gold.possible} <= set(range(len(example.source)))
        assert {j for _, j in example.gold.possible} <= set(range(len(example.target)))


@pytest.mark.parametrize("name", ["copy", "reverse", "sort", "verb-final"])
def test_each_word_of_a_one_to_one_task_comes_from_its_own(name):
    """The links are a permutation, and each target word follows from its source word."""
    for example in examples(name):
        links = sorted(example.gold.sure)
        n = len(example.source)
        assert example.gold.possible == example.gold.sure
        assert [i for i, _ in links] == list(range(n)) == sorted(j for _, j in links)
        for i, j in links:
            word = example.source[i]
            assert example.target[j] == WORDS.get(word, word)


@pytest.mark.parametrize("name", ["copy", "reverse", "sort", "verb-final"])
def test_lengths_are_those_asked_for(name):
    assert {len(example.source) for example in examples(name, length=7)} == {7}
    assert {len(example.source) for example in examples(name, length=(4, 6))} == {4, 5, 6}
    assert {len(example.source) for example in examples(name)} == set(range(3, 11))


def test_the_alignments_are_those_of_the_tasks():
    assert {i - j for example in examples("copy") for i, j in example.gold.sure} == {0}
    assert {i + j for example in examples("reverse", length=5) for i, j in example.gold.sure} == {4}
    for example in examples("sort"):
        assert list(example.target) == sorted(example.source, key=int)


def test_dates_are_dates():
    """Parsed by Python's datetime; the digits of year and day are linked to themselves."""
    for example in examples("dates"):
        words = "".join(example.source).split("_")
        year, day = words[2], next(word for word in words[:2] if word.isdecimal())
        month = next(word for word in words[:2] if not word.isdecimal())
        said = date.fromisoformat("".join(example.target))
        assert (said.year, said.day) == (int(year), int(day))
        assert said.strftime("%B").lower().startswith(month)
        assert all(example.source[i] == example.target[j] for i, j in example.gold.sure)
        assert len(example.gold.sure) == len(year) + len(day)
        assert {example.source[i] for i, j in example.gold.possible if j == 5} == set(month)
        assert {j for _, j in example.gold.possible} == {0, 1, 2, 3, 5, 6, 8, 9}


def test_several_dates_are_in_order():
    example = examples("dates", 1, length=3)[0]
    assert [len(part) for part in "".join(example.target).split("_")] == [10, 10, 10]
    assert all(example.source[i] == example.target[j] for i, j in example.gold.sure)
    assert {j for _, j in example.gold.possible} == {k + j for k in (0, 11, 22) for j in (0, 1, 2, 3, 5, 6, 8, 9)}


def test_verbs_are_last_in_the_source_and_after_the_subject_in_the_target():
    verbs = set(VERBS.values())
    for example in examples("verb-final", length=9):
        subject = 2 if example.source[0] in ADJECTIVES else 1
        assert example.source[-1] in VERBS
        assert [place for place, word in enumerate(example.target) if word in verbs] == [subject]
        for place, word in enumerate(example.source):
            if word in ADJECTIVES:
                j = example.target.index(ADJECTIVES[word])
                assert example.source[place + 1] in NOUNS
                assert example.target[j - 1] in NOUNS.values()


def test_no_source_is_both_trained_on_and_validated_on():
    """There are 26 sources of one letter; held-out sources do not occur in training."""
    train, valid = draw_texts("copy", 300, 1, held_out=8)
    sides = [set(text.lines(0)) for text in (train, valid)]
    assert all(sides)
    assert sides[0] & sides[1] == set()
    assert [" ".join(example.target) for example in valid.examples] == list(valid.lines(1))
    assert train.identity() != valid.identity()
    for other in (draw_texts("copy", 300, 1, held_out=8, seed=2), draw_texts("copy", 300, 1, held_out=9)):
        assert train.examples != other[0].examples
        assert train.identity() != other[0].identity()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nosuch",), "unknown task 'nosuch'; choose one of: copy"),
        (("verb-final", 10, 1), "lengths from 2 to 40 tokens, not 1 to 1"),
        (("copy", 10, (5, 3)), "not 5 to 3"),
        (("copy", 0), "must be at least 1, not 0"),
        (
            ("copy", 10, 1, 2000),
            "all 10 training examples of task copy with 1 to 1 tokens are among the 2000 held-out ones",
        ),
    ],
)
def test_an_impossible_task_raises_a_value_error(arguments, message):
    with pytest.raises(ValueError, match=message):
        draw_texts(*arguments)
