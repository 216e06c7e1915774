// The data of a Streamlit component: JSON in bytes (streamlit.py), or on other pages the data themselves.

/**
 * @template Data
 * @param {Data | Uint8Array} data
 * @returns {Data}
 */
export function sent(data) {
  return data instanceof Uint8Array ? JSON.parse(new TextDecoder().decode(data)) : data;
}
