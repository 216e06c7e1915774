// The tabs of what stands beside the step: the heatmap, and other views of the translation.

import { html } from "../dom/html.js";
import { useEffect, useState } from "../../vendor/hooks.js";
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
  useEffect(() => { if (opening) setTab((chosen) => (chosen === HEATMAP ? opening : chosen)); }, [opening]);
  return [panels.some(({ name }) => name === tab) ? tab : HEATMAP, setTab];
}

/** @param {{ panels: Pick<Panel, "name" | "title">[], tab: string, choose: (tab: string) => void }} props */
export function Tabs({ panels, tab, choose }) {
  /** The tabs stand with the view that is chosen: another one has others, which get the focus. @param {string} name @param {HTMLElement} button */
  const open = (name, button) => {
    const frame = button.closest(".ap-side");
    choose(name);
    requestAnimationFrame(() => /** @type {HTMLElement | null} */ (frame?.querySelector("section:not([hidden]) [role=tab][aria-selected=true]"))?.focus({ preventScroll: true }));
  };
  return html`<${FocusRow} class="ap-tabs" role="tablist" aria-label=${t("Views of the translation")}>
    ${panels.map(({ name, title }) => html`<button key=${name} type="button" class="ap-tab" role="tab" aria-selected=${name === tab}
      onClick=${(/** @type {{ currentTarget: HTMLElement }} */ { currentTarget }) => open(name, currentTarget)}>${title}</button>`)}
  <//>`;
}
