// The Pointer page's elements and their texts.

import { t, tn } from "../../../attn_core/browser/player/core/messages.js";
import { exact, short } from "../../../attn_core/browser/player/core/numbers.js";
import { el } from "../../../attn_core/browser/player/dom/elements.js";
import { markStep } from "../../../attn_core/browser/player/dom/steps.js";
import { equation, withFormulas } from "../../shell/equation.js";
import { buildNumberDetails, numberTable } from "../kit/number-table.js";
import { RowPlot } from "../kit/row-plot.js";
import { choose, pointedAt, STOP, TASKS } from "./net.js";

/** @import { Deck } from "../kit/deck.js" */
/** @import { Choice, Input, PointerData, Problem } from "./types.d.ts" */

const RANDOM = [5, 10, 15, 20];

/**
 * The name of an input of a problem.
 * @param {Problem} problem
 */
export const nameOf = (problem) => (problem === "sort" ? t("number") : t("point"));

/**
 * The elements of the stage; those that are used later are returned by name.
 * @param {Problem} problem
 * @param {Deck} deck
 */
export function buildPointer(problem, deck) {
  const canvas = el("canvas", { "aria-hidden": "true" });
  const squareName =
    problem === "sort"
      ? t("Numbers: click to add one, drag it, or use the arrow keys")
      : t("Points: click to add one, drag it, or use the arrow keys");
  const square = el("div", { class: "pt-square", role: "group", "aria-label": squareName }, canvas);
  const { root: toolLine, ...tools } = buildTools(problem);
  const { root: answers, ...answerParts } = buildAnswers(deck);
  const { root: table, body: tableBody } = buildNumberDetails();
  const frame = el(
    "div",
    {
      class: "ap pt",
      role: "group",
      tabindex: "0",
      "aria-label": t("A pointer network, step by step"),
      "aria-keyshortcuts": "Space ArrowLeft ArrowRight Home End",
    },
    el("div", { class: "pt-body" }, el("div", { class: "pt-left" }, square, toolLine), answers),
    table,
  );
  const root = el("div", { class: "ap-root pt-root" }, frame);
  return { root, canvas, square, ...tools, ...answerParts, tableBody, table, frame };
}

/** The buttons that change the inputs, and whether the correct answer is drawn. @param {Problem} problem */
function buildTools(problem) {
  const isSort = problem === "sort";
  const button = (/** @type {string} */ text, /** @type {string} */ title) =>
    el("button", { type: "button", class: "ap-button", text, title });
  const random = RANDOM.map((n) => {
    const title = isSort
      ? tn("{n} random number", "{n} random numbers", n)
      : tn("{n} random point", "{n} random points", n);
    return { n, button: button(String(n), title) };
  });
  const addTitle = isSort
    ? t("Add a random number; click the square to choose its height")
    : t("Add a random point; click the square to choose its place");
  const add = button(t("Add"), addTitle);
  const remove = button(t("Remove"), t("Remove the selected input; or press Delete or double-click it"));
  const clear = button(t("Clear"), t("Remove all inputs"));
  const shuffle = button(t("Shuffle"), t("The same inputs in a different order"));
  const truth = el("input", { type: "checkbox", checked: problem === "hull" });
  const truthName = isSort ? t("correct order") : t("correct hull");
  const randomName = el("span", { class: "pt-say", text: t("random:") });
  const root = el(
    "div",
    { class: "pt-tools" },
    el("span", { class: "pt-tool" }, randomName, ...random.map((numbered) => numbered.button)),
    el("span", { class: "pt-tool" }, add, remove, clear, shuffle),
    el("label", { class: "ap-check" }, truth, el("span", {}, el("i", { class: "pt-key" }), " ", truthName)),
  );
  return { root, random, add, remove, clear, shuffle, truth };
}

/** The choices of the network: whether they are correct, a picture of one step, and a map of all. @param {Deck} deck */
function buildAnswers(deck) {
  const verdict = el("p", { class: "pt-verdict", role: "status" });
  const why = el("p", { class: "ap-fine pt-why" });
  const beside = el("p", { class: "ap-fine pt-beside" });
  const words = el("div", { class: "pt-walk", role: "group", "aria-label": t("Choices, step by step") });
  const rowPlot = new RowPlot();
  const tip = el("div", { class: "pt-tip" });
  const picture = el("div", { class: "pt-picture" }, rowPlot.root, tip);
  const stepTitle = el("h3", { class: "ap-title" });
  const map = el("canvas", { role: "img", "aria-label": t("Weights of all steps; the table below has the numbers") });
  const mapBox = el("div", { class: "pt-map" }, map);
  const mapTitle = el("h3", { class: "ap-title", text: t("All steps") });
  const root = el(
    "div",
    { class: "pt-right" },
    el("div", { class: "pt-head" }, verdict, why),
    words,
    el("div", { class: "ap-deck pt-deck" }, deck.buttons, deck.scrub),
    el("section", { class: "pt-step", "aria-label": t("This step") }, stepTitle, picture),
    el("div", { class: "pt-pair" }, el("section", { "aria-label": t("All steps") }, mapTitle, mapBox), buildFormulas()),
    beside,
  );
  return { root, verdict, why, beside, words, rowPlot, tip, picture, stepTitle, map, mapBox };
}

function buildFormulas() {
  const explanation = t(
    "The weights are the output; no layer follows. $e_j$ is the encoder state of point j, $d_i$ the " +
      "decoder state of step i; $W_1$, $W_2$ and v are learned. (As in the paper, i and j count from 1.)",
  );
  return el(
    "p",
    { class: "ap-fine pt-formula" },
    equation("u^i_j = v^\\top \\tanh(W_1 e_j + W_2 d_i)"),
    el("br"),
    equation("p(C_i) = \\operatorname{softmax}(u^i)"),
    el("br"),
    el("span", {}, ...withFormulas(explanation)),
  );
}

/** @typedef {ReturnType<typeof buildPointer>} PointerUi */

/**
 * @param {Input[]} inputs
 * @param {number} place
 */
export const label = (inputs, place) =>
  place === STOP ? t("end") : inputs[0].length === 1 ? inputs[place - 1][0].toFixed(3) : String(place);

/**
 * Whether an answer is correct, and why: {right, text}.
 * @param {Problem} problem
 * @param {number[]} answer the correct one
 * @param {Choice[]} steps
 */
export function verdictOf(problem, answer, steps) {
  const chosen = pointedAt(steps);
  const right = TASKS[problem].right(answer, chosen);
  const reason = problem === "sort" ? sortReason(right, answer, chosen) : hullReason(right, answer, chosen);
  return { right, text: right ? t("✓ Correct: {reason}", { reason }) : t("✗ Wrong: {reason}", { reason }) };
}

/**
 * Show whether the answer is correct, and how the number of inputs compares with training.
 * @param {PointerUi} ui
 * @param {PointerData} data
 * @param {Input[]} inputs
 * @param {Choice[]} steps
 * @param {number[] | null} answer
 */
export function showVerdict(ui, { problem, least, trained }, inputs, steps, answer) {
  const n = inputs.length;
  ui.frame.classList.toggle("pt-waits", !answer);
  if (answer) {
    const { right, text } = verdictOf(problem, answer, steps);
    ui.verdict.className = `pt-verdict ${right ? "pt-yes" : "pt-no"}`;
    ui.verdict.textContent = text;
  } else {
    ui.verdict.className = "pt-verdict";
    ui.verdict.textContent =
      problem === "sort"
        ? tn("Click the square to add {n} more number.", "Click the square to add {n} more numbers.", least - n)
        : tn("Click the square to add {n} more point.", "Click the square to add {n} more points.", least - n);
  }
  ui.why.textContent = answer
    ? `${comparedWithTraining(n, trained)} ${t("The encoder reads them in the order of their positions.")}`
    : "";
}

/**
 * How the number of inputs compares with training.
 * @param {number} n
 * @param {[least: number, most: number]} trained
 */
function comparedWithTraining(n, [least, most]) {
  if (n > most) return t("{n} inputs, more than the maximum of {most} in training.", { n, most });
  if (n < least) return t("{n} inputs, fewer than the minimum of {least} in training.", { n, least });
  return t("{n} inputs, as in training ({least} to {most}).", { n, least, most });
}

/**
 * Show the output of the plain attention model for the same inputs.
 * @param {PointerUi} ui
 * @param {Pick<PointerData, "problem" | "beside">} data
 * @param {Input[]} inputs
 * @param {number[] | null} answer
 */
export function showPlainModel(ui, { problem, beside }, inputs, answer) {
  ui.beside.hidden = !beside || !answer;
  if (!beside || !answer) return;
  const { model, longest, net } = beside;
  const output = () => {
    if (inputs.length > longest)
      return t("cannot answer: it has words for {longest} positions, and there are {n}.", {
        longest,
        n: inputs.length,
      });
    const steps = choose(net, inputs, "none");
    const right = TASKS[problem].right(answer, pointedAt(steps));
    return `${steps.map(({ place }) => label(inputs, place)).join(" → ")}: ${right ? t("correct") : t("wrong")}.`;
  };
  ui.beside.replaceChildren(
    el("b", { text: t("Plain attention") }),
    ` (${t("{model}: the same attention, then an output layer", { model })}) `,
    el("span", { class: "pt-plain", text: output() }),
  );
}

/** @param {number[]} places */
const positions = (places) => places.map((i) => i + 1).join(", ");

/**
 * @param {boolean} right
 * @param {number[]} answer
 * @param {number[]} chosen
 */
function hullReason(right, answer, chosen) {
  if (right) return t("this is the hull, with {n} corners.", { n: answer.length });
  const missed = answer.filter((i) => !chosen.includes(i));
  const extra = [...new Set(chosen.filter((i) => !answer.includes(i)))];
  const twice = [...new Set(chosen.filter((i, k) => chosen.indexOf(i) !== k))];
  const parts = [
    missed.length && t("missing: {points}", { points: positions(missed) }),
    extra.length && t("inside the hull: {points}", { points: positions(extra) }),
    twice.length && t("chosen twice: {points}", { points: positions(twice) }),
  ].filter(Boolean);
  return parts.length ? `${parts.join("; ")}.` : t("the correct corners in the wrong order.");
}

/**
 * @param {boolean} right
 * @param {number[]} answer
 * @param {number[]} chosen
 */
function sortReason(right, answer, chosen) {
  if (right) return t("all {n} in increasing order.", { n: answer.length });
  const places = answer.filter((i, k) => chosen[k] === i).length;
  return t("{places} of {n} positions have the correct number.", { places, n: answer.length });
}

/**
 * Show the choices as buttons, one for each step.
 * @param {PointerUi} ui
 * @param {Input[]} inputs
 * @param {Choice[]} steps
 * @param {number} step
 * @param {(step: number) => void} jump
 */
export function showChoices(ui, inputs, steps, step, jump) {
  while (ui.words.children.length < steps.length) {
    const t = ui.words.children.length;
    const button = el("button", { type: "button", class: "ap-word" });
    button.addEventListener("click", () => jump(t));
    ui.words.append(button);
  }
  while (ui.words.children.length > steps.length) ui.words.lastElementChild?.remove();
  markStep(ui.words, step, (button, t) => {
    button.textContent = label(inputs, steps[t].place);
    button.classList.toggle("pt-later", t > step);
  });
}

/**
 * Say in words what the picture of a step shows: its choice, and the weight of the end and of each input.
 * @param {PointerUi} ui
 * @param {string[]} names of the positions
 * @param {Choice | undefined} choice
 * @param {number} step
 */
export function describeStep(ui, names, choice, step) {
  ui.stepTitle.textContent = choice
    ? t("Step {n} chooses {place}: weight {weight}", {
        n: step + 1,
        place: names[choice.place],
        weight: short(choice.weights[choice.place]),
      })
    : "";
  if (choice)
    ui.rowPlot.plot.setAttribute(
      "aria-label",
      t("Weights: {weights}", {
        weights: choice.weights.map((weight, s) => `${names[s]} ${exact(weight)}`).join(", "),
      }),
    );
}

/**
 * Fill the table with the weights of all steps.
 * @param {PointerUi} ui
 * @param {Input[]} inputs
 * @param {Choice[]} steps
 */
export function fillStepTable(ui, inputs, steps) {
  const head = [t("step"), t("choice"), ...Array.from({ length: inputs.length + 1 }, (_, s) => label(inputs, s))];
  ui.tableBody.replaceChildren(
    numberTable(
      head,
      steps.map(({ weights, place }, t) => [t + 1, label(inputs, place), ...weights.map(exact)]),
    ),
  );
}
