// On a phone the menu covers the page. It closes when a page is chosen, which Streamlit leaves to the reader.

{
  const page = /** @type {{ attentionMenu?: boolean }} */ (globalThis);
  if (!page.attentionMenu) { // every page runs this script; one listener is enough
    page.attentionMenu = true;
    document.addEventListener("click", ({ target }) => {
      const chosen = target instanceof Element && target.closest("[data-testid=stSidebarNav] a");
      const close = document.querySelector("[data-testid=stSidebarCollapseButton] button");
      if (chosen && innerWidth <= 768 && close instanceof HTMLElement) close.click(); // wider, the menu is a bar
    });
  }
}
