// What a reader chose on a page of the dashboard, in the page's address: a link reopens the view. Nothing goes to the
// server, and the address is replaced, not pushed, so that Back leaves the page.

const PAUSE = 300; // ms; a replacement costs some, and browsers refuse more than a few hundred a minute

/**
 * The value that the page was opened with under `name`; null where there is none.
 * @param {string} name
 */
export function fromAddress(name) {
  return new URLSearchParams(location.search).get(name);
}

/**
 * Puts `address()`, a URL, into the bar of this page a while after `soon()`, and before it is copied, until `stop()`.
 * @param {() => URL} address
 */
export function inBar(address) {
  const { pathname } = location;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let later;
  const put = () => {
    if (location.pathname !== pathname) return; // the reader has gone to another page
    const { href } = address();
    if (href !== location.href) history.replaceState(history.state, "", href);
  };
  document.addEventListener("view-link", put); // the address is about to be copied
  return {
    soon() {
      clearTimeout(later);
      later = setTimeout(put, PAUSE);
    },
    stop() {
      clearTimeout(later);
      document.removeEventListener("view-link", put);
    },
  };
}

/** Keeps values in the address of this page: `keep({name: value})`, null for none, until `stop()`. */
export function inAddress() {
  /** @type {Record<string, string | number | null>} */
  const kept = {};
  const bar = inBar(() => {
    const url = new URL(location.href);
    for (const [name, value] of Object.entries(kept)) {
      if (value === null) url.searchParams.delete(name);
      else url.searchParams.set(name, String(value));
    }
    return url;
  });
  return {
    /** @param {typeof kept} values */
    keep(values) {
      Object.assign(kept, values);
      bar.soon();
    },
    stop: bar.stop,
  };
}
