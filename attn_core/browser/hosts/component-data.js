// The data of a Streamlit component: JSON in bytes (streamlit.py), or on other pages the parsed data.

/**
 * @template Data
 * @param {Data | Uint8Array} data
 * @returns {Data}
 */
export function readData(data) {
  return data instanceof Uint8Array ? JSON.parse(new TextDecoder().decode(data)) : data;
}
