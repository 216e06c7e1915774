// The player on a page of its own: the trace lies in the page, nothing is fetched and nobody decodes.

import { createPlayer } from "../player/player.js";

const trace = JSON.parse(document.getElementById("trace").textContent);
createPlayer(document.getElementById("player"), { trace });
