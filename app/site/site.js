// The Explorer of the site.

import { createExplorer } from "../explorer/stage.js";
import { keepOffline } from "./offline.js";

createExplorer(
  /** @type {HTMLElement} */ (document.getElementById("player")),
  JSON.parse(document.getElementById("page")?.textContent ?? "null"),
);
keepOffline();
