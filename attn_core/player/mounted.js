// What every part of the lab needs of the page it stands on.

import { themeOf } from "./colors.js";

/**
 * Keep `root` in the page's theme, and call `draw` in the next frame after `ask()`, and when the theme, the fonts or
 * the width of an element given to `watch` change. `wish`: see themeOf.
 */
export function onPage(root, draw) {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  let wanted = "auto";
  let frameId = 0;
  const frame = () => {
    frameId = 0;
    draw();
  };
  const ask = () => { frameId ||= requestAnimationFrame(frame); };
  const restyle = (wish = wanted) => {
    wanted = typeof wish === "string" ? wish : wanted;
    const theme = themeOf(root, wanted);
    if (root.dataset.theme === theme) return;
    root.dataset.theme = theme;
    ask();
  };
  const resized = new ResizeObserver(ask);
  const themed = new MutationObserver(() => restyle());
  themed.observe(document.body, { attributes: true });
  dark.addEventListener("change", restyle);
  document.fonts?.ready.then(ask);
  return {
    ask,
    restyle,
    watch: (element) => resized.observe(element),
    stop() {
      cancelAnimationFrame(frameId);
      resized.disconnect();
      themed.disconnect();
      dark.removeEventListener("change", restyle);
      root.remove();
    },
  };
}

/**
 * A lab as a Streamlit component (v2). Streamlit calls it again at every change of data; `create(host, {data, options})`
 * is called once and gives {update, destroy}.
 */
export function mounted(create) {
  return ({ data, parentElement }) => {
    const host = parentElement.querySelector(".ap-host");
    const kept = (host.mountedLab ??= { calls: 0 });
    const call = ++kept.calls;
    const shown = JSON.parse(new TextDecoder().decode(data));
    if (kept.lab) kept.lab.update(shown.data, shown.options);
    else kept.lab = create(host, shown);
    return () => {
      if (call !== kept.calls) return; // a call that a later one has overtaken must not end the lab
      kept.lab.destroy();
      delete host.mountedLab;
    };
  };
}
