// The player of a recording on a page of its own: the page contains the trace, and fetches and decodes nothing.

import { createPlayer } from "../player/player.js";

const host = /** @type {HTMLElement} */ (document.getElementById("player"));
const dataOf = (/** @type {string} */ id) => JSON.parse(document.getElementById(id)?.textContent ?? "");
createPlayer(host, { trace: dataOf("trace"), options: dataOf("options") });
