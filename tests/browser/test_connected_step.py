"""The step as one picture, by what it holds: the parts that the model's own quantities say that it has."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import torch

from attn_core.models.decoders.attend_then_update import AttendThenUpdate
from attn_core.models.settings import ORDERS, AttendThenUpdateSettings
from tests.helpers.engine import files_of
from tests.helpers.support import BAHDANAU, LUONG, TRANSFORMER, tiny
from tests.helpers.windows import registered

DRAWN = Path(__file__).with_name("drawn_step.js")
NO_ATTENTION = {"score": None, "window": None, "bidirectional": False}
MODELS = {
    "feeding": LUONG | {"feeding": True},
    "window": LUONG | {"window": "local-p"},
    "attends first": BAHDANAU,
    "starts with one vector": LUONG | NO_ATTENTION | {"encoder.hidden": 7},
    "one vector at each step": BAHDANAU | NO_ATTENTION,
    "heads": TRANSFORMER,
}


@pytest.fixture(scope="module")
def draw(open_script) -> Callable[..., list[dict[str, Any]]]:
    script = open_script(DRAWN)

    def steps(settings: dict, text: str = "a b c d", **options: Any) -> list[dict[str, Any]]:
        model = tiny(dtype=torch.float32, **settings)
        request = {"text": text} | options.pop("request", {})
        return script("drawSteps", {"files": files_of(model), "request": request} | options)

    return steps


@dataclass(frozen=True)
class UpdatedReadoutSettings(AttendThenUpdateSettings):
    """The new state enters the output layer."""

    name: str = "updated-readout"
    update: str = "printed"
    readout: str = "s_cur"


class UpdatedReadout(AttendThenUpdate):
    """An order of one's own."""


@pytest.mark.slow
def test_a_window_and_an_order_registered_in_a_script_are_drawn(draw):
    """The window moves from the last word to the first; the query and what enters the output layer are the order's."""
    own = BAHDANAU | {"order": "updated-readout", "window": "backwards"}
    del own["update"]
    ORDERS.add("updated-readout", UpdatedReadoutSettings)(UpdatedReadout)
    try:
        with registered():
            steps = draw(own)
    finally:
        del ORDERS["updated-readout"]
    for t, step in enumerate(steps[:3]):
        assert step["center"] == 3 - t
        assert step["bars"] == ["scores", "weights"]
        assert {"one for each word", "previous state", "score", "weights", "weight × state"} <= set(step["names"])
        assert {"context vector", "output", "layer", "new state", str(3 - t)} <= set(step["texts"])


@pytest.mark.quick(1)
@pytest.mark.parametrize("name", MODELS)
def test_a_step_has_the_parts_that_its_model_has(draw, name):
    """Feeding, heads, and the words that the decoder gets without attention, only where they are."""
    settings = MODELS[name]
    first, later, *_ = draw(settings, headIndex=0 if name == "heads" else None)
    for step in (first, later):
        assert ("input feeding" in step["names"]) == (name == "feeding")
        assert ("gaussian" in step["bars"]) == (name == "window")
        assert ("one vector" in step["names"]) == (settings.get("score", "") is None)
        assert step["lanes"] == (settings["attention.heads"] if name == "heads" else 0)
        assert {"output", "layer"} <= set(step["texts"])
        if settings.get("score", "") is not None:
            weights = "= weights" if name == "window" else "weights"
            assert {"score", weights, "weight × state"} <= set(step["names"])
    if name == "feeding":
        assert "previous attentional vector → new state: zeros at this step" in first["texts"]
        assert "previous attentional vector → new state" in later["texts"]
        assert (first["dashed"], later["dashed"]) == (0, 1)  # the arrow from the step before
    if name == "starts with one vector":
        assert ("starts the decoder" in first["texts"], "started 1 step ago" in later["texts"]) == (True, True)
    if name == "one vector at each step":
        assert {"same at each step", "one vector"} <= {*later["names"], *later["texts"]}
        assert {"previous state", "embedding"} <= set(later["texts"])


@pytest.mark.slow
def test_hard_attention_has_one_lane(draw):
    for step in draw(LUONG | {"type": "hard-argmax"}):
        assert step["curves"] == 1


@pytest.mark.slow
def test_no_state_flows_into_a_context_vector_that_was_set_by_hand(draw):
    edit = {"kind": "context", "step": 1, "layer": None, "head": None, "from": 0}
    before, edited, *_ = draw(LUONG, request={"edits": [edit]})
    assert (before["curves"] > 0, edited["curves"]) == (True, 0)
    assert edited["names"].count("not used") == 2  # the weights, and the states that they would add up


@pytest.mark.slow
@pytest.mark.parametrize("name", ["feeding", "heads", "starts with one vector"])
@pytest.mark.parametrize(
    "text", ["a", " ".join("abcd"[k % 4] for k in range(60)), "ж щ ю"], ids=["one", "sixty", "unknown"]
)
def test_sentences_of_one_word_of_sixty_and_of_unknown_words_are_drawn(draw, name, text):
    step, *_ = draw(MODELS[name], text, headIndex=0 if name == "heads" else None)
    assert step["col"] >= 17  # a column is never narrower than a finger
    assert 200 < step["height"] < 800
    assert {"output", "layer"} <= set(step["texts"])
    assert set(text.split()) <= {word.rstrip("…") for word in step["texts"]}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("id", "name"), [("state", "new state"), ("memory", "encoder states"), ("fed", "input feeding")]
)
def test_a_quantity_that_the_model_does_not_name_is_left_out(draw, id, name):
    full, fewer = (draw(MODELS["feeding"], without=without)[1] for without in ([], [id]))
    assert name in full["names"]
    assert name not in fewer["names"]
    assert {"score", "weights", "weight × state"} <= set(fewer["names"])
    assert {"output", "layer"} <= set(fewer["texts"])


@pytest.mark.slow
def test_a_step_in_words_tells_the_whole_chain(draw):
    first, later, *_ = draw(MODELS["feeding"])
    assert "previous attentional vector fed: zeros; new state compared with 4 words; largest weight" in first["spoken"]
    assert "previous attentional vector fed; new state compared with 4 words; largest weight" in later["spoken"]
    assert "; context vector " in later["spoken"]
    (step, *_) = draw(MODELS["starts with one vector"])
    assert step["spoken"].endswith("; one vector for all words, at the start")
    (step, *_) = draw(MODELS["one vector at each step"])
    assert step["spoken"].endswith("; one vector for all words, the same at each step")
