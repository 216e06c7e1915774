// The buttons below the player, each for a file of what the page shows; and the heatmap as a figure.

import { headChoice, headIndex, looksOf, sameHead } from "../../attn_core/browser/player/core/looks.js";
import { t } from "../../attn_core/browser/player/core/messages.js";
import { html } from "../../attn_core/browser/player/dom/html.js";
import { useState } from "../../attn_core/browser/vendor/hooks.js";
import { csvText, saveCsv } from "../shell/csv.js";
import { save } from "../shell/save.js";
import { addressForOthers } from "../shell/share.js";
import { Figure } from "./figure.js";
import { weightRows } from "./weights.js";

/**
 * @import { Theme } from "../../attn_core/browser/player/core/types.d.ts"
 * @import { FetchFile, Shown } from "./types.d.ts"
 *
 * @typedef {object} FileKind
 * @property {string} label of its button
 * @property {(model: string) => string} title
 * @property {boolean} [ofAttention] whether there is none for a model without attention
 * @property {(shown: Shown, stem: string) => void | Promise<void>} download saves the file; `stem` is its name without
 * an ending
 */

/** @type {FileKind[]} that the page makes itself */
const OWN = [
  {
    label: "CSV",
    title: (model) => t("Download all weights of {model}, one per line; positions count from 0", { model }),
    ofAttention: true,
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
 * @param {Shown | null} props.shown what the page shows; null: nothing yet
 * @param {FetchFile} [props.fetchFile] without it there are only the files that the page makes itself
 * @param {Theme} props.theme
 * @param {(line: string | null) => void} props.onProblem gets a line on a download that failed, and null when the next
 * one begins
 */
export function Downloads({ shown, fetchFile, theme, onProblem }) {
  const [open, setOpen] = useState(false); // whether the figure is
  const [picked, setPicked] = useState(/** @type {Shown & { index: number | null } | null} */ (null));
  if (!shown) return null;
  const { model, text, trace } = shown;
  const looks = looksOf(trace);
  // The head that was picked, until the page shows another one.
  const index = picked?.model === model && sameHead(picked, shown) ? picked.index : headIndex(looks, shown);
  const figure = { ...shown, ...headChoice(looks, index) };
  const kinds = fetchFile ? [...pictures(fetchFile, open ? figure : shown), ...OWN, handout(fetchFile)] : OWN;

  /** @param {FileKind} kind */
  const download = async (kind) => {
    onProblem(null); // of the download before
    try {
      await kind.download(shown, `${model}-${slug(text)}`);
    } catch (problem) {
      onProblem(t("The download failed: {reason}", { reason: /** @type {Error} */ (problem).message }));
    }
  };
  return html`
    <div>
      <div class="ex-downloads" role="group" aria-label=${t("Downloads")}>
        <span>${t("Download")}</span>
        ${kinds.map(
          (kind) => html`
          <${FileButton} key=${kind.label} kind=${kind} model=${model}
          disabled=${Boolean(kind.ofAttention) && !looks.length} download=${download} />`,
        )}
      </div>
      ${
        fetchFile &&
        html`<${Figure} shown=${figure} dark=${theme === "dark"} open=${open} index=${index}
        draw=${(/** @type {Shown} */ drawn) => fetchFile("svg", drawn)} onToggle=${setOpen}
        onHead=${(/** @type {number | null} */ chosen) => setPicked({ ...shown, index: chosen })} />`
      }
    </div>`;
}

/** @param {{ kind: FileKind, model: string, disabled: boolean, download: (kind: FileKind) => Promise<void> }} props */
function FileButton({ kind, model, disabled, download }) {
  const [busy, setBusy] = useState(false);
  const click = async () => {
    if (busy) return;
    setBusy(true);
    await download(kind);
    setBusy(false);
  };
  const title = disabled ? t("This model has no attention to show.") : kind.title(model);
  return html`<button type="button" class="live-button" title=${title} disabled=${disabled} aria-busy=${busy}
    onClick=${click}>${kind.label}</button>`;
}

/**
 * The heatmap as an image.
 * @param {FetchFile} fetchFile
 * @param {Shown} figure what it shows
 * @returns {FileKind[]}
 */
function pictures(fetchFile, figure) {
  const kind = (
    /** @type {"png" | "svg"} */ name,
    /** @type {string} */ type,
    /** @type {FileKind["title"]} */ title,
  ) => ({
    label: name.toUpperCase(),
    title,
    ofAttention: true,
    download: async (/** @type {Shown} */ _, /** @type {string} */ stem) =>
      save(`${stem}.${name}`, type, await fetchFile(name, figure)),
  });
  return [
    kind("png", "image/png", (model) => t("Download the heatmap of {model} as an image", { model })),
    kind("svg", "image/svg+xml", (model) => t("Download the heatmap of {model} as vector graphics", { model })),
  ];
}

/** @param {FetchFile} fetchFile @returns {FileKind} */
function handout(fetchFile) {
  return {
    label: t("Handout"),
    title: () =>
      t("Download an HTML page that opens at this step and, if the model runs in the browser, translates offline"),
    download: async (shown, stem) =>
      save(`${stem}.html`, "text/html", await fetchFile("handout", { ...shown, address: await addressForOthers() })),
  };
}

/** The first words of a text as part of a file's name that every system takes. @param {string} text */
function slug(text) {
  const plain = text
    .replaceAll("ß", "ss")
    .normalize("NFKD")
    .replace(/[^\0-\x7f]/g, "")
    .toLowerCase();
  return (plain.match(/[a-z0-9]+/g) ?? []).slice(0, 5).join("-").slice(0, 50) || "sentence";
}
