// Operations that choose elements by index.

import { copied, tensor } from "./elementwise.js";
import { count, expanded, fromFront, packed, viewOf } from "./shapes.js";
import { dense, permuted, places } from "./views.js";

/** @typedef {import("./types").View} View */
/** @typedef {import("./types").Builder} Builder */
/** @typedef {import("./types").Operation} Operation */

/** Rows of a table. @type {Operation} */
function embedding(build, table, ids) {
  const [, size] = table.shape;
  const from = dense(build, table);
  const chosen = places(ids);
  const out = build.make([...ids.shape, size]);
  const heap = build.heap;
  build.code.push(() => {
    const F = heap.floats;
    chosen.forEach((offset, row) => {
      const start = from.offset + F[offset] * size;
      F.copyWithin(out.offset + row * size, start, start + size);
    });
  });
  return out;
}

/** Whole slices of one axis. @type {Operation} */
function indexSelect(build, x, axis, index) {
  const along = fromFront(axis, x.shape.length);
  const order = [along, ...[...x.shape.keys()].filter((dimension) => dimension !== along)];
  const moved = dense(build, permuted(x, order));
  const sliceShape = moved.shape.slice(1);
  const table = viewOf(moved, [moved.shape[0], count(sliceShape)], [count(sliceShape), 1]);
  const slices = /** @type {View} */ (embedding(build, table, index));
  const shape = [...index.shape, ...sliceShape];
  return permuted(
    viewOf(slices, shape, packed(shape)),
    order.map((_, i) => order.indexOf(i)),
  );
}

/** x[i][index[i][j]]: along one axis, for each position of the others. @type {Operation} */
function gather(build, x, axis, index) {
  const along = fromFront(axis, x.shape.length);
  const step = x.strides[along];
  const out = build.make(index.shape);
  const chosen = places(index);
  const bases = places(
    viewOf(
      x,
      index.shape,
      x.strides.map((/** @type {number} */ s, /** @type {number} */ i) => (i === along ? 0 : s)),
    ),
  );
  const heap = build.heap;
  build.code.push(() => {
    const F = heap.floats;
    for (let i = 0; i < chosen.length; i++) F[out.offset + i] = F[bases[i] + F[chosen[i]] * step];
  });
  return out;
}

/** A copy of `x` in which the chosen elements are those of `from`, or a number. @type {Operation} */
function scatter(build, x, axis, index, from) {
  const along = fromFront(axis, x.shape.length);
  const out = copied(build, x);
  const step = out.strides[along];
  const chosen = places(index);
  const bases = places(
    viewOf(
      out,
      index.shape,
      out.strides.map((s, i) => (i === along ? 0 : s)),
    ),
  );
  const source = tensor(build, from);
  const values = places(
    source.shape.length ? viewOf(source, index.shape, source.strides) : expanded(source, index.shape),
  );
  const heap = build.heap;
  build.code.push(() => {
    const F = heap.floats;
    for (let i = 0; i < chosen.length; i++) F[bases[i] + F[chosen[i]] * step] = F[values[i]];
  });
  return out;
}

/** x[index] with a list of index tensors, of which one is given. @type {Operation} */
function index(build, x, indices) {
  const axis = indices.findIndex((/** @type {View | null} */ ids) => ids !== null);
  if (indices.filter(Boolean).length !== 1) throw new Error("only one tensor of indices at a time");
  const ids = indices[axis];
  const flat = viewOf(dense(build, ids), [count(ids.shape)], [1]);
  const slices = /** @type {View} */ (indexSelect(build, x, axis, flat));
  const shape = [...x.shape.slice(0, axis), ...ids.shape, ...x.shape.slice(axis + 1)];
  return viewOf(dense(build, slices), shape, packed(shape));
}

/** Operations with indices, by their names in a graph. @type {Record<string, Operation>} */
export const INDEXING = { embedding, gather, index, index_select: indexSelect, scatter };
