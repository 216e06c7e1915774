// Requests to the dashboard's server: translations by models that cannot run in the page, and files.

import { t } from "../../attn_core/browser/player/core/messages.js";

/**
 * @import { Answer, Request } from "../../attn_core/browser/engine/types.d.ts"
 * @import { Download } from "./types.d.ts"
 */

const PATIENCE = 30_000; // ms for an answer: the server may have to load the model

/**
 * The server's translation. Rejects with an Error whose message is the server's reason in one line.
 * @param {string} model
 * @param {Request} request
 * @returns {Promise<Answer>}
 */
export const serve = (model, request) => post("/translate", { model, request }, (response) => response.json());

/**
 * A file that the server makes. Rejects as `serve` does.
 * @param {"png" | "pdf" | "handout"} kind
 * @param {Download} download
 */
export const fetchFile = (kind, download) => post(`/download/${kind}`, download, (response) => response.blob());

/**
 * @template Content
 * @param {string} path
 * @param {unknown} body
 * @param {(response: Response) => Promise<Content>} read
 * @returns {Promise<Content>}
 */
async function post(path, body, read) {
  /** @type {Content | string} */
  let content;
  let response;
  try {
    response = await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(PATIENCE),
    });
    content = await (response.ok ? read(response) : response.text());
  } catch {
    throw new Error(t("the server does not answer"));
  }
  if (!response.ok) throw new Error(reasonIn(response, String(content)));
  return /** @type {Content} */ (content);
}

/**
 * The server's reason for a refusal. A proxy in between may answer with its own page, which has no such line.
 * @param {Response} response
 * @param {string} text
 */
function reasonIn({ status, headers }, text) {
  const line = headers.get("Content-Type")?.startsWith("text/plain") ? text.trim() : "";
  return line || t("the server answered with status {status}", { status });
}
