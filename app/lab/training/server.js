// Requests to the server of the page.

/**
 * The JSON that the server answers; throws its reason for a refusal.
 * @param {string} address
 * @param {RequestInit} [options]
 */
export async function asked(address, options) {
  const response = await fetch(address, options);
  const found = await response.json().catch(() => null);
  if (!response.ok || !found) throw new Error(found?.error ?? `${address}: ${response.status}`);
  return found;
}
