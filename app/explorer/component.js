// The Explorer as a Streamlit component (v2). It sends a message to the server only when a download is near, which is made
// from what the page shows, and where a model cannot run in the page.

import { sent } from "../../attn_core/web/hosts/sent.js";
import { t } from "../../attn_core/web/player/core/messages.js";
import { ANSWERED } from "./answered.js";
import { createExplorer } from "./stage.js";
import { telling } from "./telling.js";

/**
 * @import { Answer, Request } from "../../attn_core/web/engine/types.d.ts"
 * @import { End, Streamlit } from "../../attn_core/web/hosts/types.d.ts"
 * @import { Stage } from "../shell/types.d.ts"
 * @import { Answers, Page, Served } from "./types.d.ts"
 *
 * @typedef {{ calls: number, text?: string, end?: () => void, stage?: Stage }} Kept
 * @typedef {Streamlit<Page>["setStateValue"]} Send
 */

const PATIENCE = 30_000; // ms for the server to translate, which may have to load the model

/**
 * @param {Streamlit<Page>} given
 * @returns {End}
 */
export default function ({ data: given, parentElement, setStateValue }) {
  const page = sent(given);
  const host = /** @type {HTMLElement & { kept?: Kept }} */ (parentElement.querySelector(".ap-host"));
  const kept = (host.kept ??= { calls: 0 });
  const call = ++kept.calls;
  const text = JSON.stringify(page);
  if (kept.text === text) kept.stage?.update();
  else {
    kept.end?.();
    Object.assign(kept, { text }, start(host, page, setStateValue));
  }
  return () => {
    if (call !== kept.calls) return; // there has been a later call
    kept.end?.();
    delete host.kept;
  };
}

/** @param {HTMLElement} host @param {Page} page @param {Send} send */
function start(host, page, send) {
  const [tell, serve] = [telling(send), serving(send)];
  const stage = createExplorer(host, page, { serve: serve.ask, onShown: tell.shown });
  const hear = (/** @type {Event} */ event) => {
    const { served, known } = /** @type {CustomEvent<Answers>} */ (event).detail;
    tell.known(known);
    if (served) serve.answered(served);
  };
  document.addEventListener(ANSWERED, hear);
  const end = () => {
    document.removeEventListener(ANSWERED, hear);
    tell.stop();
    stage.destroy();
  };
  return { stage, end };
}

/**
 * Lets the server translate, one request after the other: it hears of the last message only.
 * @param {Send} send
 */
function serving(send) {
  let last = 0;
  /** @type {Promise<unknown>} */
  let before = Promise.resolve();
  /** @type {{ id: number, timer: ReturnType<typeof setTimeout>, resolve: (answer: Answer) => void, reject: (problem: Error) => void } | null} */
  let waiting = null;

  /** @param {string} model @param {Request} request @returns {Promise<Answer>} */
  function one(model, request) {
    last = Math.max(last + 1, Date.now());
    const id = last;
    send("asked", { id, model, request });
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(t("the server does not answer"))), PATIENCE);
      waiting = { id, timer, resolve, reject };
    });
  }

  return {
    /** @param {string} model @param {Request} request */
    ask(model, request) {
      const answer = before.then(() => one(model, request));
      before = answer.catch(() => {});
      return answer;
    },
    /** @param {Served} served */
    answered({ id, answer, problem }) {
      if (waiting?.id !== id) return;
      clearTimeout(waiting.timer);
      if (answer) waiting.resolve(answer);
      else waiting.reject(new Error(problem));
      waiting = null;
    },
  };
}
