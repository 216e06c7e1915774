// Downloads of files that a page makes.

const LOADED = 10_000; // ms after which the browser has taken a file

/**
 * Download texts or contents of files, one after another, as a file.
 * @param {string} name
 * @param {string} type
 * @param {BlobPart[]} parts
 */
export function save(name, type, ...parts) {
  const address = URL.createObjectURL(new Blob(parts, { type }));
  const link = document.createElement("a");
  Object.assign(link, { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), LOADED);
}
