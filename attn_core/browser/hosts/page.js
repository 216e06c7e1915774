// The player on a page of its own: the trace is part of the page, and nothing is fetched or decoded.

import { createPlayer } from "../player/player.js";

const host = /** @type {HTMLElement} */ (document.getElementById("player"));
const part = (/** @type {string} */ id) => JSON.parse(document.getElementById(id)?.textContent ?? "");
createPlayer(host, { trace: part("trace"), options: part("options") });
