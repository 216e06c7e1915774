// Downloads of files that the page itself makes.

const PATIENCE = 10_000; // ms in which the browser reads a file

/**
 * Download a file.
 * @param {string} name
 * @param {string} type
 * @param {BlobPart[]} parts its contents, one after another
 */
export function save(name, type, ...parts) {
  const address = URL.createObjectURL(new Blob(parts, { type }));
  const link = document.createElement("a");
  Object.assign(link, { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), PATIENCE);
}
