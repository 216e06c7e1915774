// The Explorer of the site.

import { createExplorer } from "../explorer/stage.js";

createExplorer(
  /** @type {HTMLElement} */ (document.getElementById("player")),
  JSON.parse(document.getElementById("page")?.textContent ?? "null"),
);
if ("serviceWorker" in navigator) navigator.serviceWorker.register("sw.js").catch(() => {}); // it only adds offline use
