// The heatmap as a figure, which the PNG and SVG files contain. A reader can choose another head for it.

import { headName, looksOf, meanName, sameHead } from "../../attn_core/browser/player/core/looks.js";
import { t } from "../../attn_core/browser/player/core/messages.js";
import { withValue } from "../../attn_core/browser/player/dom/changes.js";
import { html } from "../../attn_core/browser/player/dom/html.js";
import { useEffect, useRef, useState } from "../../attn_core/browser/vendor/hooks.js";

/**
 * @import { ShownTranslation } from "./types.d.ts"
 * @typedef {ShownTranslation & { dark: boolean }} FigureContent
 */

/**
 * A folded figure, drawn while it is open; hidden for a model without attention.
 * @param {object} props
 * @param {ShownTranslation} props.translation with the head of the figure
 * @param {boolean} props.isDark whether the page is dark
 * @param {boolean} props.isOpen
 * @param {number | null} props.index of the head; null: the mean over all heads
 * @param {(content: FigureContent) => Promise<Blob>} props.draw
 * @param {(open: boolean) => void} props.onToggle
 * @param {(index: number | null) => void} props.onHead called when another head is chosen
 */
export function Figure({ translation, isDark, isOpen, index, draw, onToggle, onHead }) {
  const heads = looksOf(translation.trace);
  const content = isOpen && heads.length ? { ...translation, dark: isDark } : null;
  const { address, alt, problem } = useImage(content, draw);
  const choose = withValue((value) => onHead(value ? Number(value) : null));
  return html`
    <details class="ex-details ex-figure" hidden=${!heads.length}
      onToggle=${(/** @type {{ currentTarget: HTMLDetailsElement }} */ { currentTarget }) =>
        onToggle(currentTarget.open)}>
      <summary>${t("Heatmap as a figure")}</summary>
      <label hidden=${heads.length < 2}>
        <span>${t("Head in the figure")}</span>
        <select title=${t(
          "While this is open, the PNG and SVG files show this head; otherwise the one on the " + "page.",
        )} value=${index ?? ""} onChange=${choose}>
          <option value="">${meanName(heads.length)}</option>
          ${heads.map((head, i) => html`<option key=${i} value=${i}>${headName(head)}</option>`)}
        </select>
      </label>
      <p role="status">${problem}</p>
      <img alt=${alt} src=${address || undefined} hidden=${!address} />
    </details>`;
}

/**
 * The image of a figure. One image is drawn at a time; contents that have been replaced meanwhile are skipped.
 * @param {FigureContent | null} content
 * @param {(content: FigureContent) => Promise<Blob>} draw
 */
function useImage(content, draw) {
  const [image, setImage] = useState({ address: "", alt: "", problem: "" });
  const latest = useRef({ content, draw });
  latest.current = { content, draw };
  const drawn = useRef(/** @type {FigureContent | null} */ (null)); // it may still be being drawn
  const isDrawing = useRef(false);

  async function update() {
    if (isDrawing.current) return;
    isDrawing.current = true;
    for (let next = latest.current.content; next && !isSame(next, drawn.current); next = latest.current.content) {
      drawn.current = next;
      try {
        const address = URL.createObjectURL(await latest.current.draw(next));
        setImage({ address, alt: t("Heatmap of {model}", { model: next.model }), problem: "" });
      } catch (error) {
        drawn.current = null; // another attempt may succeed
        setImage({
          address: "",
          alt: "",
          problem: t("The figure cannot be drawn: {reason}", { reason: /** @type {Error} */ (error).message }),
        });
        if (isSame(next, latest.current.content)) break;
      }
    }
    isDrawing.current = false;
  }

  useEffect(() => {
    update();
  }, [content?.trace, content?.step, content?.layer, content?.head, content?.byWords, content?.dark]);
  useEffect(() => () => URL.revokeObjectURL(image.address), [image.address]);
  return image;
}

/** Whether two figures look the same. @param {FigureContent} content @param {FigureContent | null} other */
const isSame = (content, other) =>
  content.trace === other?.trace &&
  sameHead(content, other) &&
  content.byWords === other.byWords &&
  content.dark === other.dark;
