// Offline use: after a visit of any page of the site, all its pages open without a network.

/** Start the service worker (sw.js). */
export function keepOffline() {
  // A failure only means that there is no offline use
  if ("serviceWorker" in navigator) navigator.serviceWorker.register("sw.js").catch(() => {});
}
