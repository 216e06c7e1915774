// The files of a translation that the dashboard's server makes. A site has no server, and so no such file.

import { t } from "../../attn_core/browser/player/core/messages.js";
import { save } from "../../attn_core/browser/player/dom/save.js";
import { addressForOthers } from "../shell/share.js";
import { fetchFile } from "./server.js";

/** @import { FileKind } from "./types.d.ts" */

/**
 * The heatmap of the head on show; the player itself saves it as SVG.
 * @param {"png" | "pdf"} name
 * @param {string} type
 * @param {FileKind["title"]} title
 * @returns {FileKind}
 */
const heatmapFile = (name, type, title) => ({
  label: name.toUpperCase(),
  title,
  needsAttention: true,
  download: async (translation, stem) => save(`${stem}.${name}`, type, await fetchFile(name, translation)),
});

/** @type {FileKind[]} */
export const SERVER_FILES = [
  heatmapFile("png", "image/png", (model) => t("Download the heatmap of {model} as an image", { model })),
  heatmapFile("pdf", "application/pdf", (model) =>
    t("Download the heatmap of {model} as a PDF for a paper", { model }),
  ),
  {
    label: t("Handout"),
    title: () =>
      t("Download an HTML page that opens at this step and, if the model runs in the browser, translates offline"),
    download: async (translation, stem) => {
      const address = await addressForOthers();
      save(`${stem}.html`, "text/html", await fetchFile("handout", { ...translation, address }));
    },
  },
];
