// Promises that are kept by name until they fail.

import assert from "node:assert/strict";
import { test } from "node:test";

import { loadOnce } from "../../attn_core/browser/hosts/model-files.js";

const fail = () => Promise.reject(new Error("no"));

test("a promise is kept", async () => {
  const map = new Map();
  const kept = loadOnce(map, "a", async () => 1);
  assert.equal(loadOnce(map, "a", fail), kept);
});

test("a failed promise is tried again", async () => {
  const map = new Map();
  await assert.rejects(loadOnce(map, "b", fail), { message: "no" });
  assert.equal(await loadOnce(map, "b", async () => 2), 2);
});

test("a promise that was removed does not take the newer one with it when it fails", async () => {
  const map = new Map();
  let reject = () => {};
  const slow = loadOnce(
    map,
    "c",
    () =>
      new Promise((_, refuse) => {
        reject = refuse;
      }),
  );
  map.delete("c");
  const newer = loadOnce(map, "c", async () => 3);
  reject(new Error("late"));
  await assert.rejects(slow, { message: "late" });
  assert.equal(map.get("c"), newer);
});
