// What a reader chose on a stage of the dashboard, in the page's address: a link reopens the view. Nothing goes to the
// server, and the address is replaced, not pushed, so that Back leaves the page.

const PAUSE = 300; // ms; a replacement costs some, and browsers refuse more than a few hundred a minute

/** The value that the page was opened with under `name`; null where there is none. */
export function fromAddress(name) {
  return new URLSearchParams(location.search).get(name);
}

/** Keeps values in the address of this page: `keep({name: value})`, null for none, until `stop()`. */
export function inAddress() {
  const { pathname } = location;
  const kept = {};
  let later = 0;
  const put = () => {
    if (location.pathname !== pathname) return; // the reader has gone to another page
    const url = new URL(location.href);
    for (const [name, value] of Object.entries(kept)) {
      if (value === null) url.searchParams.delete(name);
      else url.searchParams.set(name, value);
    }
    if (url.href !== location.href) history.replaceState(history.state, "", url);
  };
  document.addEventListener("view-link", put); // the address is about to be copied
  return {
    keep(values) {
      Object.assign(kept, values);
      clearTimeout(later);
      later = setTimeout(put, PAUSE);
    },
    stop() {
      clearTimeout(later);
      document.removeEventListener("view-link", put);
    },
  };
}
