// The buttons below the player that download files of the translation, and the heatmap as a figure.

import { headChoice, headIndex, looksOf, sameHead } from "../../attn_core/browser/player/core/looks.js";
import { t } from "../../attn_core/browser/player/core/messages.js";
import { html } from "../../attn_core/browser/player/dom/html.js";
import { useState } from "../../attn_core/browser/vendor/hooks.js";
import { csvText, saveCsv } from "../shell/csv.js";
import { save } from "../../attn_core/browser/player/dom/save.js";
import { addressForOthers } from "../shell/share.js";
import { Figure } from "./figure.js";
import { weightRows } from "./weights.js";

/**
 * @import { Theme } from "../../attn_core/browser/player/core/types.d.ts"
 * @import { FetchFile, ShownTranslation } from "./types.d.ts"
 *
 * @typedef {object} FileKind
 * @property {string} label of its button
 * @property {(model: string) => string} title
 * @property {boolean} [needsAttention] whether a model without attention has no such file
 * @property {(translation: ShownTranslation, stem: string) => void | Promise<void>} download saves the file; `stem` is
 * its name without an ending
 */

/** @type {FileKind[]} the files that the page makes itself */
const LOCAL_FILES = [
  {
    label: "CSV",
    title: (model) => t("Download all weights of {model}, one per line; positions count from 0", { model }),
    needsAttention: true,
    download: ({ trace }, stem) => saveCsv(`${stem}.csv`, csvText(weightRows(trace))),
  },
  {
    label: "JSON",
    title: (model) => t("Download the complete trace of {model}", { model }),
    download: ({ trace }, stem) => save(`${stem}.json`, "application/json", `${JSON.stringify(trace)}\n`),
  },
];

/**
 * @param {object} props
 * @param {ShownTranslation | null} props.translation null: there is none yet
 * @param {FetchFile} [props.fetchFile] without it there are only the files that the page makes itself
 * @param {Theme} props.theme
 * @param {(line: string | null) => void} props.onProblem gets a line on a download that failed, and null when the next
 * one begins
 */
export function Downloads({ translation, fetchFile, theme, onProblem }) {
  const [isFigureOpen, setFigureOpen] = useState(false);
  const [picked, setPicked] = useState(/** @type {ShownTranslation & { index: number | null } | null} */ (null));
  if (!translation) return null;
  const { model, text, trace } = translation;
  const heads = looksOf(trace);
  // The head that was picked in the figure stays until the page shows another one
  const isPicked = picked?.model === model && sameHead(picked, translation);
  const index = isPicked ? picked.index : headIndex(heads, translation);
  const figure = { ...translation, ...headChoice(heads, index) };
  const files = fetchFile
    ? [...imageFiles(fetchFile, isFigureOpen ? figure : translation), ...LOCAL_FILES, handoutFile(fetchFile)]
    : LOCAL_FILES;

  /** @param {FileKind} file */
  const download = async (file) => {
    onProblem(null); // removes that of the last download
    try {
      await file.download(translation, `${model}-${slug(text)}`);
    } catch (problem) {
      onProblem(t("The download failed: {reason}", { reason: /** @type {Error} */ (problem).message }));
    }
  };
  return html`
    <div>
      <div class="ex-downloads" role="group" aria-label=${t("Downloads")}>
        <span>${t("Download")}</span>
        ${files.map(
          (file) => html`
          <${FileButton} key=${file.label} file=${file} model=${model}
          disabled=${Boolean(file.needsAttention) && !heads.length} download=${download} />`,
        )}
      </div>
      ${
        fetchFile &&
        html`<${Figure} translation=${figure} isDark=${theme === "dark"} isOpen=${isFigureOpen} index=${index}
        draw=${(/** @type {ShownTranslation} */ drawn) => fetchFile("svg", drawn)} onToggle=${setFigureOpen}
        onHead=${(/** @type {number | null} */ chosen) => setPicked({ ...translation, index: chosen })} />`
      }
    </div>`;
}

/** @param {{ file: FileKind, model: string, disabled: boolean, download: (file: FileKind) => Promise<void> }} props */
function FileButton({ file, model, disabled, download }) {
  const [isBusy, setBusy] = useState(false);
  const click = async () => {
    if (isBusy) return;
    setBusy(true);
    await download(file);
    setBusy(false);
  };
  const title = disabled ? t("This model has no attention to show.") : file.title(model);
  return html`<button type="button" class="live-button" title=${title} disabled=${disabled} aria-busy=${isBusy}
    onClick=${click}>${file.label}</button>`;
}

/**
 * The heatmap as image files.
 * @param {FetchFile} fetchFile
 * @param {ShownTranslation} figure what they show
 * @returns {FileKind[]}
 */
function imageFiles(fetchFile, figure) {
  const imageFile = (
    /** @type {"png" | "svg"} */ name,
    /** @type {string} */ type,
    /** @type {FileKind["title"]} */ title,
  ) => ({
    label: name.toUpperCase(),
    title,
    needsAttention: true,
    download: async (/** @type {ShownTranslation} */ _, /** @type {string} */ stem) =>
      save(`${stem}.${name}`, type, await fetchFile(name, figure)),
  });
  return [
    imageFile("png", "image/png", (model) => t("Download the heatmap of {model} as an image", { model })),
    imageFile("svg", "image/svg+xml", (model) => t("Download the heatmap of {model} as vector graphics", { model })),
  ];
}

/** @param {FetchFile} fetchFile @returns {FileKind} */
function handoutFile(fetchFile) {
  return {
    label: t("Handout"),
    title: () =>
      t("Download an HTML page that opens at this step and, if the model runs in the browser, translates offline"),
    download: async (translation, stem) => {
      const address = await addressForOthers();
      save(`${stem}.html`, "text/html", await fetchFile("handout", { ...translation, address }));
    },
  };
}

/** The first words of a text as part of a file name that is valid on every system. @param {string} text */
function slug(text) {
  const plain = text
    .replaceAll("ß", "ss")
    .normalize("NFKD")
    .replace(/[^\0-\x7f]/g, "")
    .toLowerCase();
  return (plain.match(/[a-z0-9]+/g) ?? []).slice(0, 5).join("-").slice(0, 50) || "sentence";
}
