// The heatmap as a figure of its own, of a head of one's choice: what the PNG and SVG files show.

import { headName, looksOf, meanName, sameHead } from "../../attn_core/browser/player/core/looks.js";
import { t } from "../../attn_core/browser/player/core/messages.js";
import { withValue } from "../../attn_core/browser/player/dom/changes.js";
import { html } from "../../attn_core/browser/player/dom/html.js";
import { useEffect, useRef, useState } from "../../attn_core/browser/vendor/hooks.js";

/**
 * @import { Shown } from "./types.d.ts"
 * @typedef {Shown & { dark: boolean }} Drawn
 */

/**
 * A folded figure, drawn while it is open; hidden for a model without attention.
 * @param {object} props
 * @param {Shown} props.shown with the head of the figure
 * @param {boolean} props.dark whether the page is
 * @param {boolean} props.open
 * @param {number | null} props.index of the head; null: the mean over all heads
 * @param {(figure: Drawn) => Promise<Blob>} props.draw
 * @param {(open: boolean) => void} props.onToggle
 * @param {(index: number | null) => void} props.onHead another head is chosen
 */
export function Figure({ shown, dark, open, index, draw, onToggle, onHead }) {
  const looks = looksOf(shown.trace);
  const { address, alt, problem } = useDrawing(open && looks.length ? { ...shown, dark } : null, draw);
  const choose = withValue((value) => onHead(value ? Number(value) : null));
  return html`
    <details class="ex-details ex-figure" hidden=${!looks.length}
      onToggle=${(/** @type {{ currentTarget: HTMLDetailsElement }} */ { currentTarget }) =>
        onToggle(currentTarget.open)}>
      <summary>${t("Heatmap as a figure")}</summary>
      <label hidden=${looks.length < 2}>
        <span>${t("Head in the figure")}</span>
        <select title=${t(
          "While this is open, the PNG and SVG files show this head; otherwise the one on the " + "page.",
        )} value=${index ?? ""} onChange=${choose}>
          <option value="">${meanName(looks.length)}</option>
          ${looks.map((look, i) => html`<option key=${i} value=${i}>${headName(look)}</option>`)}
        </select>
      </label>
      <p role="status">${problem}</p>
      <img alt=${alt} src=${address || undefined} hidden=${!address} />
    </details>`;
}

/**
 * The picture of a figure; one is drawn at a time, then the one that is wanted by then.
 * @param {Drawn | null} wanted
 * @param {(figure: Drawn) => Promise<Blob>} draw
 */
function useDrawing(wanted, draw) {
  const [picture, setPicture] = useState({ address: "", alt: "", problem: "" });
  const latest = useRef({ wanted, draw });
  latest.current = { wanted, draw };
  const drawn = useRef(/** @type {Drawn | null} */ (null)); // or being drawn
  const drawing = useRef(false);

  async function update() {
    if (drawing.current) return;
    drawing.current = true;
    for (let next = latest.current.wanted; next && !isSame(next, drawn.current); next = latest.current.wanted) {
      drawn.current = next;
      try {
        const address = URL.createObjectURL(await latest.current.draw(next));
        setPicture({ address, alt: t("Heatmap of {model}", { model: next.model }), problem: "" });
      } catch (error) {
        drawn.current = null; // another attempt may succeed
        setPicture({
          address: "",
          alt: "",
          problem: t("The figure cannot be drawn: {reason}", { reason: /** @type {Error} */ (error).message }),
        });
        if (isSame(next, latest.current.wanted)) break;
      }
    }
    drawing.current = false;
  }

  useEffect(() => {
    update();
  }, [wanted?.trace, wanted?.step, wanted?.layer, wanted?.head, wanted?.byWords, wanted?.dark]);
  useEffect(() => () => URL.revokeObjectURL(picture.address), [picture.address]);
  return picture;
}

/** Whether two figures are the same. @param {Drawn} figure @param {Drawn | null} other */
const isSame = (figure, other) =>
  figure.trace === other?.trace &&
  sameHead(figure, other) &&
  figure.byWords === other.byWords &&
  figure.dark === other.dark;
