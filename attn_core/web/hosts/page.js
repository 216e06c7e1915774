// The player on a page of its own: the trace lies in the page, nothing is fetched and nobody decodes.

import { createPlayer } from "../player/player.js";

const host = /** @type {HTMLElement} */ (document.getElementById("player"));
const trace = JSON.parse(document.getElementById("trace")?.textContent ?? "");
createPlayer(host, { trace });
