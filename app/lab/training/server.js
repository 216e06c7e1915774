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
