// node call.mjs SCRIPT FUNCTION calls an exported function of a script with each list of arguments of stdin, and prints
// the answers, or the error of the first call that fails.

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [script, name] = process.argv.slice(2);
const functions = await import(pathToFileURL(script).href);
const answers = [];
let error = null;
try {
  for (const values of JSON.parse(readFileSync(0, "utf8"))) answers.push((await functions[name](...values)) ?? null);
} catch ({ message, stack }) {
  error = { message, stack };
}
console.log(JSON.stringify({ answers, error }));
