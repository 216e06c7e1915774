// The numbers of the panel are those of the step on show, however late an answer arrives.

import assert from "node:assert/strict";
import { test } from "node:test";

import { OpenNumbers } from "../../app/shell/numbers/open-numbers.js";

const WEIGHT = { step: 2, output: "looks.0.weights", rank: 0 };
const SCORE = { frame: "step.2", node: 7, index: [0, 1] };

/** A panel on a translation of 9 words, whose answers wait until a test lets them arrive. `seen`: what it has shown. */
function openPanel() {
  const [waiting, seen] = [[], []];
  const panel = {
    isBusy: false,
    show: ({ path, step }) => seen.push([step, path.map(({ asked }) => asked)]),
    setBusy: (isBusy) => {
      panel.isBusy = isBusy;
    },
    focus: { rememberOpener() {}, enter() {}, noteInside() {}, leave() {} },
    onClose() {},
  };
  const ask = ({ frame, step }) =>
    new Promise((resolve) => {
      const number = { value: 0, op: "mul", ref: { frame: frame ?? `step.${step}`, node: 5, index: [0, 3] } };
      waiting.push(() => resolve({ kind: "formula", number }));
    });
  const arrive = async (place = 0) => {
    waiting.splice(place, 1)[0]();
    await new Promise((done) => setTimeout(done));
  };
  const arriveAll = async () => {
    while (waiting.length) await arrive();
  };
  const numbers = new OpenNumbers(panel);
  const source = { ask, trace: { target: [..."abcdefghi"] } };
  const follow = (asked, step) => numbers.follow(asked, source, step);
  return { panel, seen, arrive, arriveAll, numbers, follow };
}

// Enter opens another number at step 2, and before its answer the player has gone to step 4.
test("a number that is asked for while the steps go on is that of the last step", async () => {
  const { panel, seen, follow, arriveAll } = openPanel();
  follow({ ...WEIGHT, step: 0 }, 0);
  await arriveAll();
  for (const step of [2, 3, 4]) follow(WEIGHT, step);
  await arriveAll();
  assert.deepEqual(seen, [
    [0, [{ ...WEIGHT, step: 0 }]],
    [4, [{ ...WEIGHT, step: 4 }]],
  ]);
  assert.equal(panel.isBusy, false);
});

test("a late answer is not shown, and until the current one the panel is busy", async () => {
  const { panel, seen, follow, arrive, arriveAll } = openPanel();
  follow(WEIGHT, 2);
  await arriveAll();
  follow(WEIGHT, 3);
  follow(WEIGHT, 4);
  assert.equal(panel.isBusy, true);
  await arrive(1);
  await arrive(0);
  assert.equal(panel.isBusy, false);
  assert.deepEqual(seen, [
    [2, [WEIGHT]],
    [4, [{ ...WEIGHT, step: 4 }]],
  ]);
});

test("a number opened in the panel is that of the step to which the reader has gone", async () => {
  const { seen, follow, numbers, arriveAll } = openPanel();
  follow(WEIGHT, 2);
  await arriveAll();
  follow(WEIGHT, 3);
  numbers.open(SCORE);
  await arriveAll();
  follow(WEIGHT, 5);
  await arriveAll();
  numbers.back(0);
  await arriveAll();
  const weight = { output: "looks.0.weights", place: 3 }; // that very weight, whichever is the largest one
  assert.deepEqual(seen.slice(1), [
    [
      3,
      [
        { ...weight, step: 3 },
        { ...SCORE, frame: "step.3" },
      ],
    ],
    [
      5,
      [
        { ...weight, step: 5 },
        { ...SCORE, frame: "step.5" },
      ],
    ],
    [5, [{ ...weight, step: 5 }]],
  ]);
});
