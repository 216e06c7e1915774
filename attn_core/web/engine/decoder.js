// A model that translates for a page: in a worker or, where a page may not start one, in the page itself.
//
//   const decoder = await openDecoder(files);
//   const answer = await decoder.translate({ text, half_width: 2 });   null: a newer request came first
//   decoder.close();

import { engineCode } from "./code.js";

/** @typedef {import("./types").Answer} Answer */
/** @typedef {import("./types").Asked} Asked */
/** @typedef {import("./types").Request} Request */
/** @typedef {Required<Asked>["files"]} Files */
/** @typedef {{ ask: (request: Request) => Promise<Answer>, close: () => void }} Engine */

/** @typedef {{ translate: (request: Request) => Promise<Answer | null>, close: () => void, inWorker: boolean }} Decoder */

/**
 * Rejects with an Error that names the problem if a file is damaged.
 * @param {Files} files
 * @param {{ worker?: boolean }} options
 * @returns {Promise<Decoder>}
 */
export async function openDecoder(files, { worker = true } = {}) {
  const started = worker ? await startWorker() : null;
  const engine = started ? await inWorker(started, files) : inPage(files);
  return { translate: newest(engine.ask), close: engine.close, inWorker: Boolean(started) };
}

/**
 * Of several requests that wait while one is answered, only the newest is passed on; the others are answered by null.
 * @param {Engine["ask"]} ask
 * @returns {Decoder["translate"]}
 */
export function newest(ask) {
  /** @typedef {{ request: Request, resolve: (answer: Answer | null) => void, reject: (problem: Error) => void }} Call */
  /** @type {Call | null} */
  let waiting = null;
  let busy = false;
  const next = () => {
    if (busy || !waiting) return;
    const { request, resolve, reject } = waiting;
    waiting = null;
    busy = true;
    ask(request).then(resolve, reject).finally(() => {
      busy = false;
      next();
    });
  };
  return (request) => new Promise((resolve, reject) => {
    waiting?.resolve(null);
    waiting = { request, resolve, reject };
    next();
  });
}

/** A worker that runs the engine; null where the page may not start one. @returns {Promise<Worker | null>} */
async function startWorker() {
  if (typeof Worker !== "function") return null;
  const address = URL.createObjectURL(new Blob([`(${engineCode})().serve(self);`], { type: "text/javascript" }));
  try {
    const worker = new Worker(address);
    const ready = new Promise((resolve) => {
      worker.onmessage = () => resolve(true);
      worker.onerror = () => resolve(false); // also if the page's policy forbids workers
    });
    worker.postMessage({ id: 0 });
    if (await ready) return worker;
    worker.terminate();
  } catch {
    // this browser refuses workers made from a text
  } finally {
    URL.revokeObjectURL(address);
  }
  return null;
}

/** @param {Worker} worker @param {Files} files @returns {Promise<Engine>} */
async function inWorker(worker, files) {
  /** @type {Map<number, { resolve: (answer: any) => void, reject: (problem: Error) => void }>} */
  const calls = new Map();
  let count = 0;
  /** @param {Omit<Asked, "id">} message */
  const send = (message) => new Promise((resolve, reject) => {
    calls.set(++count, { resolve, reject });
    worker.postMessage({ id: count, ...message });
  });
  worker.onmessage = ({ data: { id, answer, problem } }) => {
    const call = calls.get(id);
    calls.delete(id);
    if (problem === undefined) call?.resolve(answer);
    else call?.reject(new Error(problem));
  };
  worker.onerror = (event) => {
    for (const { reject } of calls.values()) reject(new Error(event.message));
    calls.clear();
  };
  try {
    await send({ files });
  } catch (problem) {
    worker.terminate();
    throw problem;
  }
  return { ask: (request) => send({ request }), close: () => worker.terminate() };
}

/** @param {Files} files @returns {Engine} */
function inPage(files) {
  const translate = engineCode().open(files);
  /** @type {Engine["ask"]} after the page has drawn what else it has to */
  const ask = (request) => new Promise((resolve, reject) => {
    setTimeout(() => {
      try {
        resolve(translate(request));
      } catch (problem) {
        reject(problem);
      }
    });
  });
  return { ask, close() {} };
}
