// What stands beside the step: the heatmap, or another view of the translation. Several are the panels of tabs.

import { html, Guarded } from "../dom/html.js";
import { useEffect, useId, useState } from "../../vendor/hooks.js";
import { t } from "../core/messages.js";
import { FocusRow } from "./focus-row.js";

/**
 * @import { Panel } from "./types.d.ts"
 */

export const HEATMAP = "heatmap";

/**
 * The chosen tab; the heatmap where another one is gone. A panel that `opens` takes its place when it comes.
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
 * One of the views, below their tabs or, without others, the title of the only one. Without a view of the chosen tab
 * there are only tabs.
 * @param {object} props
 * @param {Panel[]} props.panels
 * @param {string} props.tab the name of the chosen one
 * @param {(tab: string) => void} props.choose
 * @param {import("../../vendor/preact.js").ComponentChildren} props.actions beside the tabs
 * @param {boolean} props.tabbed whether there are tabs
 * @param {boolean} props.large whether the view has the whole width
 */
export function Views({ panels, tab, choose, actions, tabbed, large }) {
  const id = useId();
  const idOf = (/** @type {string} */ part, /** @type {number} */ i) => `${id}-${part}-${i}`;
  const chosen = panels.findIndex(({ name }) => name === tab);
  const panel = tabbed ? { role: "tabpanel", id: idOf("panel", chosen), "aria-labelledby": idOf("tab", chosen) } : {};
  return html`<div class=${`ap-section ap-section-view${large ? " ap-large" : ""}`}>
    <div class="ap-map-head">
      ${
        tabbed
          ? html`<${FocusRow} class="ap-tabs" role="tablist" aria-label=${t("Views of the translation")}>
        ${panels.map(
          ({ name, title }, i) => html`<button key=${name} type="button" class="ap-tab" role="tab" id=${idOf("tab", i)}
            aria-selected=${name === tab}
          aria-controls=${name === tab ? idOf("panel", i) : null} onClick=${() => choose(name)}>${title}</button>`,
        )}
      <//>`
          : html`<h2 class="ap-title">${panels[0]?.title}</h2>`
      }
      ${actions}
    </div>
    ${panels[chosen] && html`<div key=${tab} ...${panel}><${Guarded}>${panels[chosen].content}<//></div>`}
  </div>`;
}
