// On a phone the menu covers the page. It closes when a page is chosen, which Streamlit leaves to the reader. The
// document gets the pages of lecture layout, which ends on others.

{
  const pages = "PAGES".split(" ");
  document.documentElement.dataset.pages = pages.join(" ");
  if (!pages.some((page) => new URL(page, location.href).pathname === location.pathname)) {
    document.documentElement.classList.remove("lecture");
    if (document.fullscreenElement) document.exitFullscreen();
  }
  const page = /** @type {{ attentionMenu?: boolean }} */ (globalThis);
  if (!page.attentionMenu) {
    // every page runs this script; one listener is enough
    page.attentionMenu = true;
    document.addEventListener("click", ({ target }) => {
      const chosen = target instanceof Element && target.closest("[data-testid=stSidebarNav] a");
      const close = document.querySelector("[data-testid=stSidebarCollapseButton] button");
      if (chosen && innerWidth <= 768 && close instanceof HTMLElement) close.click(); // wider, the menu is a bar
    });
  }
}
