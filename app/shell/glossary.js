// The glossary of the tour: the terms of the stops whose answers a reader has seen.

import { t } from "../../attn_core/browser/player/core/messages.js";
import { html } from "../../attn_core/browser/player/dom/html.js";
import { WithSubscripts } from "../../attn_core/browser/player/dom/parts.js";
import { useId } from "../../attn_core/browser/vendor/hooks.js";
import { STOPS } from "./stops.js";
import { readFromTab, storeInTab } from "./tab-storage.js";

/** The stops whose term is in the glossary, from 1. @returns {number[]} */
export const readMetStops = () =>
  (readFromTab("terms") ?? "")
    .split(" ")
    .map(Number)
    .filter((stop) => STOPS[stop - 1]);

/**
 * The stops in the glossary after the answer of `stop`. At the last one, the glossary has the terms of all stops.
 * @param {number[]} met
 * @param {number} stop
 */
export function withMetStop(met, stop) {
  const stops = stop === STOPS.length ? STOPS.map((_, i) => i + 1) : [...new Set([...met, stop])].sort((a, b) => a - b);
  storeInTab("terms", stops.join(" "));
  return stops;
}

/** A button that shows the terms. @param {{ met: number[] }} props `met`: the stops in the glossary, from 1 */
export function Glossary({ met }) {
  const id = useId();
  const terms = met.map((stop) => STOPS[stop - 1].term);
  return html`
    <button type="button" class="live-button" popovertarget=${id} hidden=${!terms.length}>
      ${t("Glossary ({n})", { n: terms.length })}</button>
    <div class="live-card tour-glossary" popover="auto" id=${id} role="group" aria-label=${t("Glossary")}>
      <dl>${terms.map(({ name, meaning }) => html`<dt>${name}</dt><dd><${WithSubscripts} text=${meaning} /></dd>`)}</dl>
    </div>`;
}
