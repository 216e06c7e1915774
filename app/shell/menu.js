// The menu of the dashboard. On a phone it covers the page, so it is closed when a page is chosen; Streamlit leaves
// that to the reader. The document gets the list of the pages that have lecture layout, which ends on all others.

{
  const pages = "PAGES".split(" ");
  document.documentElement.dataset.pages = pages.join(" ");
  if (!pages.some((page) => new URL(page, location.href).pathname === location.pathname)) {
    document.documentElement.classList.remove("lecture");
    if (document.fullscreenElement) document.exitFullscreen();
  }
  const shared = /** @type {{ attentionMenu?: boolean }} */ (globalThis);
  if (!shared.attentionMenu) {
    // Every page runs this script; one listener is enough
    shared.attentionMenu = true;
    document.addEventListener("click", ({ target }) => {
      const link = target instanceof Element && target.closest("[data-testid=stSidebarNav] a");
      const closeButton = document.querySelector("[data-testid=stSidebarCollapseButton] button");
      // In a wider window the menu is a bar beside the page
      if (link && innerWidth <= 768 && closeButton instanceof HTMLElement) closeButton.click();
    });
  }
}
