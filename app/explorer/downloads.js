// The buttons below the player that download files of the translation.

import { looksOf } from "../../attn_core/browser/player/core/looks.js";
import { t } from "../../attn_core/browser/player/core/messages.js";
import { html } from "../../attn_core/browser/player/dom/html.js";
import { useState } from "../../attn_core/browser/vendor/hooks.js";
import { csvText, saveCsv } from "../shell/csv.js";
import { save } from "../../attn_core/browser/player/dom/save.js";
import { weightRows } from "./weights.js";

/**
 * @import { FileKind, ShownTranslation } from "./types.d.ts"
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
 * @param {FileKind[]} [props.serverFiles] files that a server makes
 * @param {(line: string | null) => void} props.onProblem gets a line on a download that failed, and null when the next
 * one begins
 */
export function Downloads({ translation, serverFiles = [], onProblem }) {
  if (!translation) return null;
  const { model, text, trace } = translation;
  const heads = looksOf(trace);

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
    <div class="ex-downloads" role="group" aria-label=${t("Downloads")}>
      <span>${t("Download")}</span>
      ${[...LOCAL_FILES, ...serverFiles].map(
        (file) => html`
        <${FileButton} key=${file.label} file=${file} model=${model}
        disabled=${Boolean(file.needsAttention) && !heads.length} download=${download} />`,
      )}
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

/** The first words of a text as part of a file name that is valid on every system. @param {string} text */
function slug(text) {
  const plain = text
    .replaceAll("ß", "ss")
    .normalize("NFKD")
    .replace(/[^\0-\x7f]/g, "")
    .toLowerCase();
  return (plain.match(/[a-z0-9]+/g) ?? []).slice(0, 5).join("-").slice(0, 50) || "sentence";
}
