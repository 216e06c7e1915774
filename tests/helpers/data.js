// The data of page_data.py; each test file gets its own copy.

import { readFileSync } from "node:fs";

export const data = JSON.parse(readFileSync(`${process.env.JS_DATA}/data.json`, "utf8"));
