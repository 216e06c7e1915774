// Pages of test_components.py: `draw(name, here)` draws one of them into an element. `window.step` is a signal.

import { useEffect, useState } from "../../attn_core/browser/vendor/hooks.js";
import { Fragment, render } from "../../attn_core/browser/vendor/preact.js";
import { effect, signal } from "../../attn_core/browser/vendor/signals-core.js";
import { Guarded, Part, html } from "../../attn_core/browser/player/dom/html.js";

const step = signal(0);

function Counter() {
  const [count, setCount] = useState(0);
  return html`<button onClick=${() => setCount(count + 1)}>pressed ${count}</button>`;
}

function Step({ step: shown }) {
  if (shown > 1) throw new Error(`no step <b>${shown}</b>`);
  return html`<p class="step">step ${shown}</p>`;
}

function BrokenAtFirst() {
  throw "no model";
}

function BrokenInEffect() {
  useEffect(() => {
    throw new Error("no canvas");
  });
  return html`<p>drawn</p>`;
}

const draws = [];
function Half({ half }) {
  draws.push(half);
  return html`<p>${half}</p>`;
}

function Named({ name, children }) {
  return html`
    <h2>${name}</h2>
    <p class=${name}>
      one two
      <b>three</b>

      ${children}
    </p>
  `;
}

let ended = 0;
function Ending() {
  useEffect(
    () => () => {
      ended += 1;
    },
    [],
  );
  return html`<${Fragment}><p>part</p><//>`;
}

const guardedCounter = html`<${Guarded}><${Counter} /><//>`;
const words = signal(["ein", "hund", "läuft"]);
const MARKUP = "<img src=x onerror=alert(1)>";

const PAGES = {
  counter: () => html`<${Counter} />`,
  "step and counter": () => html`<${Guarded}><${Step} step=${step.value} /><//>${guardedCounter}`,
  "step and number": () => html`<p>${step.value} of 3</p><${Guarded}><${Step} step=${step.value} /><//>`,
  "broken at first": () => html`<${Guarded}><${BrokenAtFirst} /><//>${guardedCounter}`,
  "broken in an effect": () => html`<${Guarded}><${BrokenInEffect} /><//><${Counter} />`,
  "half a step": () => html`<${Part} of=${Half} half=${Math.floor(step.value / 2)} same=${words} />`,
  words: () => html`<ul>${words.value.map((word) => html`<li key=${word}>${word}</li>`)}</ul>`,
  markup: () => html`<p title=${MARKUP}>${MARKUP}</p>`,
  "several roots": () => html`<${Named} name="a">four<//><${Named} ...${{ name: "b" }} />`,
  ending: () => html`<${Ending} />`,
};

export function draw(name, here) {
  Object.assign(window, { step, words, draws, remove: () => render(null, here), countEnded: () => ended });
  effect(() => render(PAGES[name](), here));
}
