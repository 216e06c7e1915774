// A model that translates for a page: in a worker or, where a page may not start one, in the page itself.
//
//   const decoder = await openDecoder(files);
//   const answer = await decoder.translate({ text, half_width: 2 }); // null after a newer request or close()
//   decoder.close();

import { loadEngine } from "./code.js";

/** @typedef {import("./types").Answer} Answer */
/** @typedef {import("./code.js").Code} Code */
/** @typedef {import("./types").Asked} Asked */
/** @typedef {import("./types").Request} Request */
/** @typedef {import("./types").Files} Files */
/** @typedef {Omit<Files, "weights"> & { weights: Uint8Array | string }} EncodedFiles the weights may be in base64 */
/** @typedef {import("./types").LineRead} LineRead */
/** @typedef {import("./types").NumberAsked} NumberAsked */
/** @typedef {import("./types").Origin} Origin */
/**
 * @typedef {(request: Request, number: NumberAsked) => Promise<Origin>} TakeApart what a number of a translation was
 * computed from
 */
/** @typedef {import("./types").Weighed} Weighed */
/** @typedef {import("./types").WeightsAsked} WeightsAsked */
/**
 * Answers every call, in order: the weights of a sentence, and what a vocabulary reveals about lines.
 * @typedef {{ weights: (asked: WeightsAsked) => Promise<Weighed | null>, lines: (texts: string[]) =>
 * Promise<LineRead[]> }} Measurer
 */
/** @typedef {Measurer & { ask: (request: Request) => Promise<Answer>, origin: TakeApart, close: () => void }} Engine */
/** @typedef {(request: Request, background?: boolean) => Promise<Answer | null>} Translate */
/** @typedef {{ translate: Translate, origin?: TakeApart, close: () => void, inWorker: boolean }} Decoder */

/** What ends the calls that a closed model has not answered. */
class Closed extends Error {
  constructor() {
    super("the model was closed");
  }
}

/**
 * Rejects with an Error that names the problem if a file is damaged. The bytes of the weights go to the worker: they
 * are empty here afterwards.
 * @param {EncodedFiles} files
 * @param {{ worker?: boolean }} options
 * @returns {Promise<Decoder & Measurer>}
 */
export async function openDecoder({ weights, ...others }, { worker = true } = {}) {
  const files = { ...others, weights: typeof weights === "string" ? decoded(weights) : weights };
  const code = await loadEngine();
  const started = worker ? await startWorker(code) : null;
  const engine = started ? await inWorker(started, files) : inPage(code, files);
  const { ask, ...calls } = engine;
  return { ...calls, translate: newest(ask), inWorker: Boolean(started) };
}

/**
 * Of several requests that wait while one is answered, only the newest is passed on; the others are answered by null.
 * Those of the background are answered in their order, whenever no other request waits.
 * @param {Engine["ask"]} ask
 * @returns {Translate}
 */
export function newest(ask) {
  /**
   * @typedef {{ request: Request, resolve: (answer: Answer | null) => void, reject: (problem: Error) => void }} Call
   */
  /** @type {Call | null} */
  let waiting = null;
  /** @type {Call[]} */
  const later = [];
  let busy = false;
  const next = () => {
    const call = busy ? null : (waiting ?? later.shift());
    if (!call) return;
    if (call === waiting) waiting = null;
    busy = true;
    const failed = (/** @type {Error} */ problem) =>
      problem instanceof Closed ? call.resolve(null) : call.reject(problem);
    ask(call.request)
      .then(call.resolve, failed)
      .finally(() => {
        busy = false;
        next();
      });
  };
  return (request, background = false) =>
    new Promise((resolve, reject) => {
      const call = { request, resolve, reject };
      if (background) later.push(call);
      else {
        waiting?.resolve(null);
        waiting = call;
      }
      next();
    });
}

/**
 * A worker that runs the engine; null where the page may not start one.
 * @param {Code} code
 * @returns {Promise<Worker | null>}
 */
async function startWorker(code) {
  if (typeof Worker !== "function") return null;
  const address = URL.createObjectURL(new Blob([`(${code})().serve(self);`], { type: "text/javascript" }));
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
  let closed = false;
  /** @param {Omit<Asked, "id">} message @param {Transferable[]} [transferred] */
  const send = (message, transferred = []) =>
    new Promise((resolve, reject) => {
      if (closed) return reject(new Closed());
      calls.set(++count, { resolve, reject });
      worker.postMessage({ id: count, ...message }, transferred);
    });
  worker.onmessage = ({ data: { id, answer, problem } }) => {
    const call = calls.get(id);
    calls.delete(id);
    if (problem === undefined) call?.resolve(answer);
    else call?.reject(new Error(problem));
  };
  const end = (/** @type {Error} */ problem) => {
    for (const { reject } of calls.values()) reject(problem);
    calls.clear();
  };
  worker.onerror = (event) => end(new Error(event.message));
  try {
    await send({ files }, [files.weights.buffer]);
  } catch (problem) {
    worker.terminate();
    throw problem;
  }
  return {
    ask: (request) => send({ request }),
    origin: (request, number) => send({ request, number }),
    weights: (weights) => send({ weights }),
    lines: (lines) => send({ lines }),
    close() {
      closed = true;
      worker.terminate();
      end(new Closed());
    },
  };
}

/** @param {Code} code @param {Files} files @returns {Engine} */
function inPage(code, files) {
  const { translate, origin, weights, lines } = code().open(files);
  /** After the page has drawn what else it has to. @template T @param {() => T} work @returns {Promise<T>} */
  const soon = (work) =>
    new Promise((resolve, reject) => {
      setTimeout(() => {
        try {
          resolve(work());
        } catch (problem) {
          reject(problem);
        }
      });
    });
  return {
    ask: (request) => soon(() => translate(request)),
    origin: (request, number) => soon(() => origin(request, number)),
    weights: (asked) => soon(() => weights(asked)),
    lines: (texts) => soon(() => lines(texts)),
    close() {},
  };
}

const PART = 1 << 16; // letters of base64 that are decoded at a time: a whole model's would be a second copy in memory

/** @param {string} base64 */
function decoded(base64) {
  const padding = base64.endsWith("==") ? 2 : Number(base64.endsWith("="));
  const bytes = new Uint8Array(Math.max((base64.length / 4) * 3 - padding, 0));
  let end = 0;
  for (let i = 0; i < base64.length; i += PART) {
    const letters = binary(base64.slice(i, i + PART));
    for (let k = 0; k < letters.length; k++) bytes[end++] = letters.charCodeAt(k);
  }
  return bytes;
}

/** @param {string} base64 */
function binary(base64) {
  try {
    return atob(base64);
  } catch {
    throw new Error("model.safetensors is damaged: it is not base64");
  }
}
