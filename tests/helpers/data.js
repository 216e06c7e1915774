// The data of page_data.py; each test file gets its own copy.

import { readFileSync } from "node:fs";

const read = (name) => readFileSync(`${process.env.JS_DATA}/${name}`);

export const data = JSON.parse(read("data.json").toString());

/** The files of luong-general-local-p, as the engine takes them. */
export const modelFiles = () => ({
  ...JSON.parse(read("model.json").toString()),
  weights: Uint8Array.from(read("weights")),
});
