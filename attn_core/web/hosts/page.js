// The player on a page of its own: the trace is part of the page, and nothing is fetched or decoded.

import { createPlayer } from "../player/player.js";

const host = /** @type {HTMLElement} */ (document.getElementById("player"));
const trace = JSON.parse(document.getElementById("trace")?.textContent ?? "");
createPlayer(host, { trace });
