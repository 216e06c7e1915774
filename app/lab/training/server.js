// Requests to the server of the page.

/**
 * The JSON that the server answers; throws its reason for a refusal.
 * @param {string} address
 * @param {RequestInit} [options]
 */
export async function requestJson(address, options) {
  const response = await fetch(address, options);
  const answer = await response.json().catch(() => null);
  if (!response.ok || !answer) throw new Error(answer?.error ?? `${address}: ${response.status}`);
  return answer;
}

/**
 * Call `work` now and every `wait` ms while the page is visible.
 * @param {() => Promise<void>} work
 * @param {number} wait
 * @param {(error: Error) => void} onError the next call follows all the same
 * @returns {() => void} ends it
 */
export function repeatWhileVisible(work, wait, onError) {
  let isEnded = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  async function beat() {
    try {
      if (!document.hidden) await work();
    } catch (error) {
      if (!isEnded) onError(/** @type {Error} */ (error));
    }
    if (!isEnded) timer = setTimeout(beat, wait);
  }
  beat();
  return () => {
    isEnded = true;
    clearTimeout(timer);
  };
}
