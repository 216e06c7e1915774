// Each page of the site opens without a network after the first visit of any of them.

/** Start the service worker (sw.js). */
export function keepOffline() {
  if ("serviceWorker" in navigator) navigator.serviceWorker.register("sw.js").catch(() => {}); // it only adds offline use
}
