"""The numbers of the panel are those of the step on show, however late an answer arrives."""

from pathlib import Path

import pytest

from tests.helpers.javascript import evaluator

NUMBERS = Path(__file__).parents[2] / "app" / "shell" / "numbers"

# A panel on a translation of 9 words, whose answers arrive when a test says so; `seen` is what it has shown.
PANEL = """async (act) => {
  const waiting = [], seen = [];
  const numberOf = (frame) => ({ value: 0, op: "mul", ref: { frame, node: 5, index: [0, 3] } });
  const answer = (asked) => ({ kind: "formula", number: numberOf(asked.frame ?? `step.${asked.step}`) });
  const ask = (asked) => new Promise((resolve) => waiting.push({ asked, arrive: () => resolve(answer(asked)) }));
  const panel = {
    show: ({ path, step }) => seen.push([step, path.map(({ asked }) => asked)]),
    setBusy: (busy) => { panel.busy = busy; },
    focus: { begin() {}, enter() {}, note() {}, leave() {} }, onClose() {},
  };
  const source = { ask, trace: { target: [..."abcdefghi"] } };
  const later = () => new Promise((done) => setTimeout(done));
  const arrive = async (place = 0) => { waiting.splice(place, 1)[0].arrive(); await later(); };
  const all = async () => { while (waiting.length) await arrive(); };
  await act({ ...js.createOpening(panel), panel, source, waiting, arrive, all });
  return { seen, busy: panel.busy };
}"""


@pytest.fixture(scope="module")
def run_panel(node, tmp_path_factory):
    run = evaluator(node, tmp_path_factory.mktemp("opened"), (NUMBERS / "opened.js",))
    return lambda act, given=None: run(f"await ({PANEL})(async (at) => {{ {act} }})", given)


WEIGHT = {"step": 2, "output": "looks.0.weights", "rank": 0}
SCORE = {"frame": "step.2", "node": 7, "index": [0, 1]}


def test_a_number_that_is_asked_for_while_the_steps_go_on_is_that_of_the_last_step(run_panel):
    """Enter opens another number at step 2, and before its answer the player has gone to step 4."""
    act = """
      at.follow({ ...input, step: 0 }, at.source, 0); await at.all();
      at.follow(input, at.source, 2); at.follow(input, at.source, 3); at.follow(input, at.source, 4); await at.all();"""
    found = run_panel(act, WEIGHT)
    assert found == {"seen": [[0, [WEIGHT | {"step": 0}]], [4, [WEIGHT | {"step": 4}]]], "busy": False}


def test_an_answer_that_arrives_late_is_not_shown(run_panel):
    """That of step 3 arrives after that of step 4; until then the panel is busy."""
    act = """
      at.follow(input, at.source, 2); await at.all();
      at.follow(input, at.source, 3); at.follow(input, at.source, 4); const busy = at.panel.busy;
      await at.arrive(1); await at.arrive(0); at.panel.busy = [busy, at.panel.busy];"""
    found = run_panel(act, WEIGHT)
    assert found == {"seen": [[2, [WEIGHT]], [4, [WEIGHT | {"step": 4}]]], "busy": [True, False]}


def test_a_number_opened_in_the_panel_is_that_of_the_step_to_which_the_reader_has_gone(run_panel):
    """What it belongs to is then that very weight, whichever is the largest one."""
    act = """
      at.follow(input[0], at.source, 2); await at.all();
      at.follow(input[0], at.source, 3); at.open(input[1]); await at.all();
      at.follow(input[0], at.source, 5); await at.all(); at.back(0); await at.all();"""
    found = run_panel(act, [WEIGHT, SCORE])
    weight = {"output": "looks.0.weights", "place": 3}
    assert found["seen"][1:] == [
        [3, [weight | {"step": 3}, SCORE | {"frame": "step.3"}]],
        [5, [weight | {"step": 5}, SCORE | {"frame": "step.5"}]],
        [5, [weight | {"step": 5}]],
    ]
