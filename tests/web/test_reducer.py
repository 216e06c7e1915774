"""What each action makes of the state of a page; in plain node, without a page."""

import pytest

from tests.web.states import EDITS, FRENCH, LIVE, LONG, ONE, OTHER, RUN, VIEW, answered, reduced, state_js, trace


@pytest.fixture(scope="module")
def run_js(node, tmp_path_factory):
    return state_js(node, tmp_path_factory.mktemp("state"))


def test_a_sentence_goes_on_in_its_language(run_js):
    """Typed in German, then to French and back; a model of joined sentences gets its form of an example."""
    states = reduced(
        run_js,
        [
            {"type": "sentence typed", "text": "mein hund"},
            {"type": "model chosen", "model": FRENCH},
            {"type": "sentence typed", "text": "mon chien"},
            {"type": "model chosen", "model": OTHER},
            {"type": "model chosen", "model": FRENCH},
            {"type": "model chosen", "model": ONE, "text": "ein kind"},
            {"type": "model chosen", "model": LONG},
            {"type": "model chosen", "model": ONE},
        ],
    )
    assert [one["view"]["text"] for one in states] == [
        *(
            "mein hund",
            "un chien",
            "mon chien",
            "mein hund",
            "mon chien",
            "ein kind",
            "ein kind . ein hund .",
            "ein kind",
        ),
    ]
    assert [one["view"]["model"] for one in states[1::2]] == [FRENCH, OTHER, ONE, ONE]


def test_the_last_sentence_that_a_model_has_read_is_the_one_of_its_language(run_js):
    english = answered("a dog", trace("a dog", "a </s>"))
    english["answer"]["reading"]["swapped"] = True
    states = reduced(
        run_js,
        [
            {"type": "sentence typed", "text": "mein hund"},
            answered("mein hund", trace("mein hund", "my dog </s>")),
            {"type": "sentence typed", "text": "a dog"},
            english,
            {"type": "model chosen", "model": FRENCH},
            {"type": "model chosen", "model": ONE},
        ],
    )
    assert states[-1]["view"]["text"] == "mein hund"


def test_what_belongs_to_another_model_or_sentence_is_removed_and_that_is_told(run_js):
    edited = VIEW | {"window": "local-m", "live": {"half_width": 2}, "centers": {"1": 2.5}, "edits": EDITS, "step": 4}
    (typed,) = reduced(run_js, [{"type": "sentence typed", "text": "eine katze"}], edited)
    assert typed["removed"] == ["edits"]
    assert typed["view"] == edited | {"text": "eine katze", "centers": None, "edits": []}
    (chosen,) = reduced(run_js, [{"type": "model chosen", "model": OTHER}], edited)
    assert chosen["removed"] == ["window", "edits"]
    assert chosen["view"] == VIEW | {"model": OTHER, "step": 4}
    same, after = reduced(
        run_js, [{"type": "sentence typed", "text": "ein hund"}, {"type": "step chosen", "step": 1}], edited
    )
    assert same["view"] == edited
    assert after["removed"] == []


def test_a_second_model_follows_the_search_of_the_first_until_it_has_its_own(run_js):
    beside = VIEW | {"compared": RUN | {"model": OTHER}}
    (both,) = reduced(run_js, [{"type": "search chosen", "beam": 5}], beside)
    assert (both["view"]["beam"], both["view"]["compared"]["beam"]) == (5, 5)
    own = VIEW | {"compared": RUN | {"model": OTHER, "beam": 3}}
    (kept,) = reduced(run_js, [{"type": "search chosen", "beam": 5}], own)
    assert (kept["view"]["beam"], kept["view"]["compared"]["beam"]) == (5, 3)
    (alone,) = reduced(run_js, [{"type": "search chosen", "beam": 5}], VIEW | {"compared": RUN})
    assert alone["view"]["compared"]["beam"] == 1  # one model with two searches


def test_swapped_twice_is_as_before(run_js):
    beside = VIEW | {"compared": RUN | {"model": OTHER, "beam": 3, "edits": EDITS}, "step": 2}
    once, twice = reduced(run_js, [{"type": "sides swapped"}] * 2, beside)
    assert (once["view"]["model"], once["view"]["compared"]["model"], once["view"]["step"]) == (OTHER, ONE, 2)
    assert twice["view"] == beside


def test_a_translation_bounds_the_step_and_ends_edits_that_it_cannot_have(run_js):
    late = VIEW | {"step": 9, "edits": EDITS}
    arrived = answered("ein hund", trace("ein hund", "one dog runs </s>"), unfit=[{"edit": EDITS[0], "why": "length"}])
    (found,) = reduced(run_js, [arrived], late)
    assert found["view"] == late | {"step": 3, "edits": EDITS[1:]}


def test_another_sentence_begins_at_its_first_step_but_that_of_a_link_at_its_own(run_js):
    arrived = answered("ein kind", trace("ein kind", "a child runs </s>"))
    (typed,) = reduced(run_js, [arrived], VIEW | {"step": 2})
    assert typed["view"]["step"] == 0
    link = {"type": "view opened", "view": VIEW | {"text": "ein kind", "step": 2}, "notices": ["-"]}
    opened, there = reduced(run_js, [link, arrived])
    assert (opened["isLinked"], there["isLinked"]) == (True, False)
    assert (there["view"]["step"], there["notices"]) == (2, ["-"])


def test_a_late_answer_is_shown_and_changes_nothing_of_the_view(run_js):
    """It is that of the text before a link: the link's step and edits wait for their own."""
    link = {"type": "view opened", "view": VIEW | {"text": "ein kind", "step": 2, "edits": EDITS[1:]}, "notices": []}
    late = answered("ein", trace("ein", "a </s>"), key="late", unfit=[{"edit": EDITS[1], "why": "head"}])
    failed = {"type": "translation failed", "key": "late", "text": "ein", "problem": "gone"}
    own = answered("ein kind", trace("ein kind", "a child runs </s>"))
    opened, shown, still, there = reduced(run_js, [link, late, failed, own])
    assert shown["shown"]["trace"]["target"] == ["a", "</s>"]
    assert [each["view"] for each in (shown, still, there)] == [opened["view"]] * 3
    assert [each["isLinked"] for each in (opened, shown, still, there)] == [True, True, True, False]
    assert still["result"] is None


def test_a_link_to_what_was_refused_or_failed_is_there_at_once(run_js):
    link = {"type": "view opened", "view": VIEW, "notices": []}
    failed = {"type": "translation failed", "key": "", "text": "ein hund", "problem": "gone"}
    for arrival in (answered("ein hund", None), failed):
        assert reduced(run_js, [arrival, link])[-1]["isLinked"] is False


def test_edits_of_a_link_wait_for_their_model_where_the_server_ran_the_one_before(run_js):
    served = {"type": "model opened", "model": ONE, "files": None}
    link = {"type": "view opened", "view": VIEW | {"model": OTHER, "edits": EDITS}, "notices": []}
    _, opened = reduced(run_js, [served, link])
    assert (opened["view"]["edits"], opened["model"]["status"], opened["result"]) == (EDITS, "opening", None)
    (none,) = reduced(run_js, [served], VIEW | {"edits": EDITS, "type": "hard-argmax"})
    assert (none["view"], none["removed"]) == (VIEW, ["edits"])  # a server has the trained type, and edits nothing


def test_a_trace_of_the_same_request_goes_on_with_its_answer(run_js):
    given = {"type": "trace given", "trace": trace("ein hund", "a dog runs </s>"), "view": VIEW}
    _, same = reduced(run_js, [answered("ein hund", trace("ein hund", "a dog </s>")), given])
    assert same["result"]["text"] == "ein hund"
    _, other = reduced(run_js, [answered("ein", trace("ein", "a </s>")), given | {"view": VIEW | {"beam": 3}}])
    assert other["result"] is None


def test_swapped_sides_have_no_edits_to_undo(run_js):
    edited = {"type": "edits set", "edits": EDITS[:1]}
    begun = {"type": "comparison begun", "with": RUN | {"model": OTHER}}
    states = reduced(run_js, [edited, begun, {"type": "sides swapped"}, {"type": "edits undone"}])
    assert states[-1]["view"]["edits"] == []
    assert states[-1]["view"]["model"] == OTHER


def test_a_head_goes_on_where_the_next_model_has_as_many_heads(run_js):
    four, two = (trace("ein kind", "a child </s>", heads=heads) for heads in (4, 2))
    chosen = {"type": "head chosen", "layer": 1, "head": 0}
    head = [(each["view"]["layer"], each["view"]["head"]) for each in reduced(
        run_js, [chosen, answered("a", four), answered("a", two), answered("a", trace("ein", "a"))], shown=four
    )]  # fmt: skip
    assert head == [(1, 0), (1, 0), (0, 0), (None, None)]


def test_a_text_without_a_translation_keeps_the_picture_and_its_step(run_js):
    refused = answered("?!", None)
    (found,) = reduced(run_js, [refused], VIEW | {"step": 1})
    assert found["view"] == VIEW | {"step": 1}
    assert found["shown"]["trace"]["target"] == ["a", "dog", "</s>"]
    assert found["result"]["answer"]["trace"] is None


GRAPHS = {
    "steps": [
        {"window": "local-p", "type": "soft", "graphs": []},
        {"window": "local-p", "type": "hard-argmax", "graphs": []},
        {"window": "global", "type": "soft", "graphs": []},
    ],
    "windows": {
        "local-p": {"centered": True, "learned": True, "live": LIVE[:2]},
        "global": {"centered": False, "learned": False, "live": []},
    },
    "heads": {"looks": [[0, 0]]},
}
MANY = GRAPHS | {"heads": {"looks": [[0, 0], [0, 1], [1, 0], [1, 1]]}}


@pytest.mark.parametrize(
    ("graphs", "asked", "said"),
    [
        (GRAPHS, {"window": "local-m"}, "The window in the link was ignored: one cannot be run with it."),
        (GRAPHS, {"live": {"left": 1}}, "The window in the link was ignored"),
        (GRAPHS, {"window": "global", "centers": {"0": 1}}, "The window in the link was ignored"),
        (GRAPHS, {"window": "global", "type": "hard-argmax"}, "The attention type in the link was ignored"),
        (GRAPHS, {"layer": 0, "head": 0}, "has a single head"),
        (GRAPHS | {"heads": {"looks": []}}, {"layer": 0, "head": 0}, "has no attention"),
        (MANY, {"layer": 0, "head": 8}, "one has no layer 0, head 8; its last is layer 1, head 1."),
        (MANY, {"layer": 1, "head": 0}, None),
        (MANY, {"head": "mean"}, None),
        (GRAPHS, {"type": "soft", "live": {"sigma": 2}}, None),
    ],
)
def test_what_of_a_link_the_model_cannot_have_is_said(run_js, graphs, asked, said):
    link = {"type": "view opened", "view": VIEW | asked, "notices": []}
    opened = {"type": "model opened", "model": ONE, "files": {"graphs": graphs}}
    _, found = reduced(run_js, [link, opened])
    assert len(found["notices"]) == (said is not None)
    assert said is None or said in found["notices"][0]
    moved = found["view"]["window"] or found["view"]["live"] or found["view"]["centers"]
    assert bool(moved) == ("window" not in (said or "") and bool(asked.get("live") or asked.get("window")))


def test_an_attention_type_that_a_window_does_not_have_gives_way_to_the_trained_one(run_js):
    opened = {"type": "model opened", "model": ONE, "files": {"graphs": GRAPHS}}
    chosen = {"type": "attention type chosen", "attention": "hard-argmax"}
    states = reduced(run_js, [opened, chosen, {"type": "window set", "window": "global", "live": {}, "centers": None}])
    assert [each["view"]["type"] for each in states] == [None, "hard-argmax", None]


def test_a_comparison_ends_where_the_other_model_has_other_languages(run_js):
    beside = VIEW | {"compared": RUN | {"model": OTHER}}
    french, same = (reduced(run_js, [{"type": "model chosen", "model": model}], beside)[0] for model in (FRENCH, LONG))
    assert (french["view"]["compared"], len(french["notices"])) == (None, 1)
    assert (same["view"]["compared"], same["notices"]) == (beside["compared"], [])


def test_edits_are_undone_and_redone_until_another_sentence(run_js):
    steps = ["editing begun", "edits undone", "editing ended", "edits undone", "edits redone"]
    begun, undone, ended, back, again = ({"type": name} for name in steps)
    one, two = ({"type": "edits set", "edits": EDITS[:n]} for n in (1, 2))
    other = {"type": "sentence typed", "text": "ein kind"}
    actions = [begun, one, two, undone, ended, begun, back, again, other, undone]
    states = reduced(run_js, actions)
    assert [each["view"]["edits"] for each in states] == [
        [], EDITS[:1], EDITS[:2], EDITS[:1], [], [], EDITS[:1], [], [], [],
    ]  # fmt: skip


def test_a_next_word_is_taken_apart_or_while_a_reader_edits_chosen(run_js):
    two = trace("ein hund", "a dog </s>")
    two["steps"][1]["top"] = [["dog", -0.1], ["cat", -2.0]]
    clicked = {"type": "number opened", "rank": 1}
    (opened,) = reduced(run_js, [clicked], VIEW | {"step": 1}, two)
    assert (opened["number"], opened["view"]["edits"]) == ({"step": 1, "rank": 1}, [])
    _, chosen = reduced(run_js, [{"type": "editing begun"}, clicked], VIEW | {"step": 1}, two)
    assert (chosen["number"], chosen["view"]["edits"]) == (None, [{"kind": "word", "step": 1, "word": "cat"}])


def test_the_edits_of_a_stop_end_with_the_tour(run_js):
    view = VIEW | {"tour": 2, "edits": EDITS}
    opened, left = reduced(run_js, [{"type": "view opened", "view": view, "notices": []}, {"type": "tour left"}])
    assert (opened["isEditing"], opened["view"]["edits"]) == (True, EDITS)
    assert (left["isEditing"], left["view"]["edits"], left["view"]["tour"]) == (False, [], None)
