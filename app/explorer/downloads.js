// The buttons below the player, each for a file of what the page shows; and the heatmap as a figure.

import { t } from "../../attn_core/web/player/core/messages.js";
import { el } from "../../attn_core/web/player/dom/elements.js";
import { csvText, saveCsv } from "../shell/csv.js";
import { save } from "../shell/save.js";
import { addressFor, asServed } from "../shell/share.js";
import { buildFigure } from "./figure.js";
import { weightRows } from "./weights.js";

/**
 * @import { HeadChoice, Theme } from "../../attn_core/web/player/core/types.d.ts"
 * @import { FetchFile, Shown } from "./types.d.ts"
 *
 * @typedef {object} FileKind
 * @property {string} label of its button
 * @property {(model: string) => string} title
 * @property {boolean} [ofAttention] whether there is none for a model without attention
 * @property {(shown: Shown, stem: string) => void | Promise<void>} download saves the file; `stem` is its name without an ending
 */

/** @type {FileKind[]} that the page makes itself */
const OWN = [
  {
    label: "CSV", title: (model) => t("Download all weights of {model}, one per line; positions count from 0", { model }), ofAttention: true,
    download: ({ trace }, stem) => saveCsv(`${stem}.csv`, csvText(weightRows(trace))),
  },
  {
    label: "JSON", title: (model) => t("Download the complete trace of {model}", { model }),
    download: ({ trace }, stem) => save(`${stem}.json`, "application/json", `${JSON.stringify(trace)}\n`),
  },
];

/**
 * @param {object} hooks
 * @param {FetchFile} [hooks.fetchFile] without it there are only the files that the page makes itself
 * @param {() => Theme} hooks.theme
 * @param {(line: string | null) => void} hooks.report gets a line on a download that failed, and null when one succeeds after it
 */
export function buildDownloads({ fetchFile, theme, report }) {
  /** @type {Shown | null} */
  let shown = null;
  let failed = false;
  const figure = fetchFile && buildFigure((heatmap) => fetchFile("svg", heatmap), () => theme() === "dark");
  const kinds = figure ? [...pictures(fetchFile, figure.head), ...OWN, handout(fetchFile)] : OWN;
  const buttons = kinds.map((kind) => {
    const button = el("button", { type: "button", class: "live-button", text: kind.label });
    button.addEventListener("click", () => download(kind, button));
    return button;
  });
  const row = el("div", { class: "ex-downloads", role: "group", "aria-label": t("Downloads") }, el("span", { text: t("Download") }), ...buttons);
  const root = el("div", { hidden: true }, row, ...(figure ? [figure.root] : []));

  /** @param {FileKind} kind @param {HTMLButtonElement} button */
  async function download(kind, button) {
    if (!shown || button.ariaBusy === "true") return;
    button.ariaBusy = "true";
    try {
      await kind.download(shown, `${shown.model}-${slug(shown.text)}`);
      if (failed) report(null);
      failed = false;
    } catch (problem) {
      failed = true;
      report(t("The download failed: {reason}", { reason: /** @type {Error} */ (problem).message }));
    } finally {
      button.ariaBusy = "false";
    }
  }

  return {
    root,
    /** Update buttons and figure to what the page shows. @param {Shown} now */
    show(now) {
      shown = now;
      const attends = Boolean(now.trace.steps[0]?.looks.length);
      kinds.forEach(({ title, ofAttention }, i) => {
        buttons[i].disabled = Boolean(ofAttention) && !attends;
        buttons[i].title = buttons[i].disabled ? t("This model has no attention to show.") : title(now.model);
      });
      root.hidden = false;
      figure?.show(attends ? now : null);
    },
    /** Draw the figure again if the page's theme has changed. */
    draw: () => figure?.draw(),
  };
}

/**
 * The heatmap as an image.
 * @param {FetchFile} fetchFile
 * @param {() => HeadChoice | null} chosenHead the head of which they are; null: the one on show
 * @returns {FileKind[]}
 */
function pictures(fetchFile, chosenHead) {
  const type = { png: "image/png", svg: "image/svg+xml" };
  const kind = (/** @type {"png" | "svg"} */ name, /** @type {FileKind["title"]} */ title) => ({
    label: name.toUpperCase(), title, ofAttention: true,
    download: async (/** @type {Shown} */ shown, /** @type {string} */ stem) => (
      save(`${stem}.${name}`, type[name], await fetchFile(name, { ...shown, ...chosenHead() }))
    ),
  });
  return [
    kind("png", (model) => t("Download the heatmap of {model} as an image", { model })),
    kind("svg", (model) => t("Download the heatmap of {model} as vector graphics", { model })),
  ];
}

/** @param {FetchFile} fetchFile @returns {FileKind} */
function handout(fetchFile) {
  return {
    label: t("Handout"),
    title: () => t("Download an HTML page that opens at this step and, if the model runs in the browser, translates offline"),
    async download(shown, stem) {
      document.dispatchEvent(new Event("view-link")); // the page brings its address up to date
      const served = await asServed();
      const address = served ? addressFor(location, served) : "";
      save(`${stem}.html`, "text/html", await fetchFile("handout", { ...shown, address }));
    },
  };
}

/** The first words of a text as part of a file's name that every system takes. @param {string} text */
function slug(text) {
  const plain = text.replaceAll("ß", "ss").normalize("NFKD").replace(/[^\0-\x7f]/g, "").toLowerCase();
  return (plain.match(/[a-z0-9]+/g) ?? []).slice(0, 5).join("-").slice(0, 50) || "sentence";
}
