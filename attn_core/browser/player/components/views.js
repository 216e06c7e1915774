// The views beside the step, of which one is shown: the heatmap, or a panel of the page. Tabs choose among several.

import { html, Guarded } from "../dom/html.js";
import { useEffect, useId, useState } from "../../vendor/hooks.js";
import { t } from "../core/messages.js";
import { FocusRow } from "./focus-row.js";

/**
 * @import { Panel } from "./types.d.ts"
 */

export const HEATMAP = "heatmap";

/**
 * The chosen tab. The heatmap replaces a panel that is gone; a panel that `opens` replaces the heatmap when it appears.
 * @param {Panel[]} panels
 * @returns {[tab: string, choose: (tab: string) => void]}
 */
export function useTab(panels) {
  const [tab, setTab] = useState(HEATMAP);
  const opening = panels.find(({ opens }) => opens)?.name ?? null;
  useEffect(() => {
    if (opening) setTab((chosen) => (chosen === HEATMAP ? opening : chosen));
  }, [opening]);
  return [panels.some(({ name }) => name === tab) ? tab : HEATMAP, setTab];
}

/**
 * The chosen view below the tabs or, if it is the only one, below its title. If the chosen tab has no view, there are
 * only tabs.
 * @param {object} props
 * @param {Panel[]} props.panels
 * @param {string} props.tab the name of the chosen one
 * @param {(tab: string) => void} props.choose
 * @param {import("../../vendor/preact.js").ComponentChildren} props.controls beside the tabs
 * @param {boolean} props.hasTabs
 * @param {boolean} props.large whether the view has the whole width
 */
export function Views({ panels, tab, choose, controls, hasTabs, large }) {
  const id = useId();
  const idOf = (/** @type {string} */ part, /** @type {number} */ i) => `${id}-${part}-${i}`;
  const chosen = panels.findIndex(({ name }) => name === tab);
  const panel = hasTabs ? { role: "tabpanel", id: idOf("panel", chosen), "aria-labelledby": idOf("tab", chosen) } : {};
  return html`<div class=${`ap-section ap-section-view${large ? " ap-large" : ""}`}>
    <div class="ap-map-head">
      ${
        hasTabs
          ? html`<${FocusRow} class="ap-tabs" role="tablist" aria-label=${t("Views of the translation")}>
        ${panels.map(
          ({ name, title }, i) => html`<button key=${name} type="button" class="ap-tab" role="tab" id=${idOf("tab", i)}
            aria-selected=${name === tab}
          aria-controls=${name === tab ? idOf("panel", i) : null} onClick=${() => choose(name)}>${title}</button>`,
        )}
      <//>`
          : html`<h2 class="ap-title">${panels[0]?.title}</h2>`
      }
      ${controls}
    </div>
    ${panels[chosen] && html`<div key=${tab} ...${panel}><${Guarded}>${panels[chosen].content}<//></div>`}
  </div>`;
}
