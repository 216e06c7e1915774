// The theme of the page around a player. Hosts change it by attributes of the body or by their colours.

import { useLayoutEffect, useState } from "../../vendor/hooks.js";
import { onPrint } from "../dom/print.js";
import { themeOf } from "../dom/theme.js";

/** @type {import("../core/types.d.ts").Theme} */
const LIGHT = "light"; // until the player is on its page
const SETTLES = 150; // ms after the last change of the player

/**
 * @param {{ current: HTMLElement | null }} root
 * @param {string} wish "auto", "light" or "dark"
 */
export function useTheme(root, wish) {
  const [theme, setTheme] = useState(LIGHT);
  const restyle = () => {
    if (root.current) setTheme(themeOf(root.current, wish));
  };
  useLayoutEffect(() => {
    // Reading the host's colours costs a layout, so not at each change of the player
    const timer = setTimeout(restyle, SETTLES);
    return () => clearTimeout(timer);
  });
  useLayoutEffect(() => {
    restyle();
    const dark = matchMedia("(prefers-color-scheme: dark)");
    const bodyObserver = new MutationObserver(restyle);
    const stopPrint = onPrint(restyle);
    dark.addEventListener("change", restyle);
    bodyObserver.observe(document.body, { attributes: true });
    return () => {
      dark.removeEventListener("change", restyle);
      bodyObserver.disconnect();
      stopPrint();
    };
  }, [wish]);
  return theme;
}
