// A step as a graph: its order is Python's, the query is exchanged as there, and boxes and arrows are apart.

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  arrowPath,
  cycleThrough,
  dependentsOf,
  placeNodes,
  queriedInstead,
  schedule,
} from "../../../app/lab/paths/graph.js";
import { data } from "../../helpers/data.js";

const PATHS = Object.values(data.paths);

test("a step is ordered as in Python, also with the other state as its query", () => {
  for (const { graph, scheduled, instead } of PATHS) {
    const { order, stuck } = schedule(graph);
    assert.deepEqual(stuck, []);
    assert.deepEqual(order.toSorted(), scheduled.toSorted());
    for (const [before, after] of graph.edges) assert.ok(order.indexOf(before) < order.indexOf(after));
    const other = queriedInstead(graph);
    assert.deepEqual(new Set(other.edges.map(String)), new Set(instead.edges.map(String)));
    const tried = schedule(other);
    assert.equal(tried.stuck.length > 0, instead.scheduled === null);
    if (instead.scheduled) assert.deepEqual(tried.order.toSorted(), instead.scheduled.toSorted());
    else assert.ok(instead.cycle.every((id) => tried.stuck.includes(id)));
  }
});

test("the cycle is the shortest one", () => {
  const { graph } = data.paths.groundhog;
  assert.deepEqual(cycleThrough(queriedInstead(graph), "weights"), ["weights", "context", "next"]);
  assert.deepEqual(cycleThrough(graph, "weights"), []);
  assert.deepEqual([...dependentsOf(graph, "context")].sort(), ["next", "output", "readout"]);
});

/** The end points of the segments of an SVG path with M, L and Q. */
const cornersOf = (drawn) =>
  drawn
    .split(/[MLQ]/)
    .slice(1)
    .map((piece) => piece.trim().split(/\s+/).slice(-2).map(Number));

test("boxes stand apart, and arrows run between them", () => {
  for (const { graph } of PATHS) {
    for (const width of [340, 760, 1200]) {
      const grid = placeNodes(graph, width, 1);
      const boxes = Object.values(grid.boxes);
      for (const a of boxes) {
        assert.ok(a.x >= 0 && a.x + a.w <= width + 1e-6);
        for (const b of boxes) {
          const isApart = a.x + a.w <= b.x || b.x + b.w <= a.x || a.y + a.h <= b.y || b.y + b.h <= a.y;
          assert.ok(a === b || isApart);
        }
      }
      const isCrossed = (x, y) =>
        boxes.some((box) => box.x + 1 < x && x < box.x + box.w - 1 && box.y + 1 < y && y < box.y + box.h - 1);
      for (const [start, end] of [graph, queriedInstead(graph)].flatMap(({ edges }) => edges)) {
        const corners = cornersOf(arrowPath(grid, start, end));
        corners.slice(1).forEach(([x1, y1], i) => {
          const [x0, y0] = corners[i];
          for (let k = 0; k <= 20; k++) {
            const isThrough = isCrossed(x0 + ((x1 - x0) * k) / 20, y0 + ((y1 - y0) * k) / 20);
            assert.ok(!isThrough, `${start} to ${end}, ${width}`);
          }
        });
      }
    }
  }
});
