// Downloads of files that a page makes.

const LOADED = 10_000; // ms after which the browser has taken a file

/**
 * Download texts, one after another, as a file.
 * @param {string} name
 * @param {string} type
 * @param {string[]} texts
 */
export function save(name, type, ...texts) {
  const address = URL.createObjectURL(new Blob(texts, { type }));
  const link = document.createElement("a");
  Object.assign(link, { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), LOADED);
}
