// Each page of the site opens without a network after the first visit of any of them.

/** Start the service worker (sw.js). */
export function keepOffline() {
  // It only adds offline use
  if ("serviceWorker" in navigator) navigator.serviceWorker.register("sw.js").catch(() => {});
}
