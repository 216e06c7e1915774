// Lets node import the modules of pages: each .js file is an ES module, and what the bundler generates is in JS_DATA.

import { readFile } from "node:fs/promises";
import { register } from "node:module";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { isMainThread } from "node:worker_threads";

if (isMainThread) register(import.meta.url);

const GENERATED = /\/(player\/core\/(palette|catalogue)|engine\/(code|function-words))\.js$/;

export async function resolve(specifier, context, next) {
  const url = /^[./]/.test(specifier) ? new URL(specifier, context.parentURL).href : specifier;
  return url.endsWith(".js") ? { url, format: "module", shortCircuit: true } : next(specifier, context);
}

export async function load(url, context, next) {
  if (!url.endsWith(".js")) return next(url, context);
  const path = GENERATED.test(url) ? `${process.env.JS_DATA}/${basename(url)}` : fileURLToPath(url);
  return { format: "module", source: await readFile(path, "utf8"), shortCircuit: true };
}
