// On a phone the menu covers the page. It closes when a page is chosen, which Streamlit leaves to the reader.

{
  const once = /** @type {{ attentionMenu?: boolean }} */ (globalThis); // of this document, which every page runs this in
  if (!once.attentionMenu) {
    once.attentionMenu = true;
    document.addEventListener("click", ({ target }) => {
      const chosen = target instanceof Element && target.closest("[data-testid=stSidebarNav] a");
      const close = document.querySelector("[data-testid=stSidebarCollapseButton] button");
      if (chosen && innerWidth < 768 && close instanceof HTMLElement) close.click(); // from this width on it is a bar
    });
  }
}
