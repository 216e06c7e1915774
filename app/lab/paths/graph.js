// A decoding step as a graph, and the order in which it can be computed. Pure functions; a path is
// {nodes, edges, query, instead}.

/** @import { Box, Gap, Graph, Grid, Spot } from "./types.d.ts" */

/**
 * The node with this id.
 * @param {Pick<Graph, "nodes">} graph
 * @param {string} id
 */
export function nodeOf({ nodes }, id) {
  const node = nodes.find((candidate) => candidate.id === id);
  if (!node) throw new Error(`a path without the node ${id}`);
  return node;
}

/**
 * The same step with the state `instead` as the query.
 * @template {Graph} P
 * @param {P} path
 * @returns {P}
 */
export function queriedInstead(path) {
  const { nodes, edges, query, instead } = path;
  const attending = attendingNodes({ edges, query });
  const symbol = (/** @type {string} */ id) => nodeOf(path, id).symbol;
  return {
    ...path,
    query: instead,
    instead: query,
    edges: edges.map(([from, to]) => [from === query && attending.includes(to) ? instead : from, to]),
    nodes: nodes.map((node) =>
      attending.includes(node.id)
        ? { ...node, equation: node.equation.replaceAll(symbol(query), symbol(instead)) }
        : node,
    ),
  };
}

/**
 * The nodes of attention that are computed directly from the query.
 * @param {Pick<Graph, "edges" | "query">} graph
 */
function attendingNodes({ edges, query }) {
  return edges.filter(([from, to]) => from === query && (to === "weights" || to === "center")).map(([, to]) => to);
}

/**
 * Every node whose values would differ with another query.
 * @param {Graph} graph
 */
export function changedBy(graph) {
  return new Set(attendingNodes(graph).flatMap((id) => [id, ...dependentsOf(graph, id)]));
}

/**
 * The nodes in an order in which they can be computed, attention as early as possible; `stuck`: those that depend on
 * each other in a cycle.
 * @param {Pick<Graph, "nodes" | "edges">} graph
 */
export function schedule({ nodes, edges }) {
  const first = dependentsOf({ edges: edges.map(([from, to]) => [to, from]) }, "context").add("context");
  /** @type {string[]} */
  const order = [];
  let waiting = nodes.map(({ id }) => id);
  for (;;) {
    const ready = waiting.filter((id) => edges.every(([from, to]) => to !== id || order.includes(from)));
    if (!ready.length) return { order, stuck: waiting };
    const next = ready.find((id) => first.has(id)) ?? ready[0];
    order.push(next);
    waiting = waiting.filter((id) => id !== next);
  }
}

/**
 * The nodes of the shortest cycle through `start`; [] if there is none.
 * @param {Pick<Graph, "edges">} graph
 * @param {string} start
 * @returns {string[]}
 */
export function cycleThrough({ edges }, start) {
  const cameFrom = new Map();
  let frontier = [start];
  while (frontier.length) {
    const next = [];
    for (const from of frontier) {
      for (const to of edges.filter(([before]) => before === from).map(([, after]) => after)) {
        if (to === start) return pathTo(cameFrom, from, start);
        if (cameFrom.has(to)) continue;
        cameFrom.set(to, from);
        next.push(to);
      }
    }
    frontier = next;
  }
  return [];
}

/**
 * The nodes from `start` to `last`.
 * @param {Map<string, string>} cameFrom
 * @param {string} last
 * @param {string} start
 */
function pathTo(cameFrom, last, start) {
  const ids = [last];
  while (ids[0] !== start) ids.unshift(cameFrom.get(ids[0]) ?? start);
  return ids;
}

/**
 * Every node that depends on `start`, directly or indirectly.
 * @param {Pick<Graph, "edges">} graph
 * @param {string} start
 */
export function dependentsOf({ edges }, start) {
  const nodes = new Set();
  const visit = (/** @type {string} */ id) =>
    edges
      .filter(([from]) => from === id)
      .forEach(([, to]) => {
        if (nodes.has(to)) return;
        nodes.add(to);
        visit(to);
      });
  visit(start);
  return nodes;
}

/**
 * The positions of the nodes for each order: column (time runs to the right), lane, and width in columns.
 * @type {Record<string, Record<string, number[]>>}
 */
const PLACES = {
  "attend-then-update": {
    memory: [1, 0, 2],
    previous: [0, 2],
    center: [0, 1],
    weights: [1, 1],
    context: [2, 1],
    readout: [3, 2],
    word: [2, 3],
    output: [4, 2],
    next: [5, 2],
  },
  "update-then-attend": {
    memory: [2, 0, 2],
    previous: [0, 2],
    word: [0, 3],
    fed: [0, 1],
    state: [1, 2],
    center: [1, 1],
    weights: [2, 1],
    context: [3, 1],
    readout: [4, 2],
    output: [5, 2],
  },
};

// In the paper's equation 4 the new state is computed before the output layer, which uses it.
/** @type {Record<string, number[]>} */
const PRINTED = { ...PLACES["attend-then-update"], next: [3, 2], readout: [4, 2], output: [5, 2], word: [2, 3] };

/**
 * The positions of a path's nodes.
 * @param {Graph} graph
 */
function placesOf({ order, edges }) {
  const read = edges.some(([from, to]) => from === "next" && to === "readout");
  return order === "attend-then-update" && read ? PRINTED : PLACES[order];
}

// In sixteenths of the font size.
const NARROW = 130; // in narrower columns, captions wrap to four lines
const SHORTEST = 72; // of a box: its symbol, its name, its vector and a line of text

/**
 * Boxes of the nodes in pixels: {boxes: {id: {x, y, w, h}}, height, down, gap}. On narrow screens time runs downwards;
 * elsewhere boxes are lower than usual where there is less `room` in height.
 * @param {Graph} path
 * @param {number} width
 * @param {number} u
 * @param {number} [room]
 * @returns {Grid}
 */
export function placeNodes(path, width, u, room = Infinity) {
  const down = width < 620 * u;
  const places = placesOf(path);
  const ids = path.nodes.map(({ id }) => id);
  const columns = Math.max(...ids.map((id) => places[id][0] + (places[id][2] ?? 1)));
  const lanes = Math.max(...ids.map((id) => places[id][1])) + 1;
  const gap = down ? { x: 16 * u, y: 26 * u } : { x: 30 * u, y: 16 * u };
  const across = down ? lanes : columns;
  const w = (width - gap.x * (across - 1)) / across;
  const usual = (down ? 120 : w < NARROW * u ? 116 : 100) * u;
  const cell = { w, h: down ? usual : Math.min(Math.max(room / lanes - gap.y, SHORTEST * u), usual) };
  /** @type {Record<string, Box>} */
  const boxes = {};
  for (const id of ids) {
    const [column, lane, span = 1] = places[id];
    const [i, j] = down ? [lane, column] : [column, lane];
    boxes[id] = {
      x: i * (cell.w + gap.x),
      y: j * (cell.h + gap.y),
      w: down ? cell.w : cell.w * span + gap.x * (span - 1),
      h: down ? cell.h * span + gap.y * (span - 1) : cell.h,
    };
  }
  const bottom = Math.max(...Object.values(boxes).map(({ y, h }) => y + h));
  return { boxes, height: bottom + gap.y, down, gap };
}

/**
 * An arrow from one box to another as an SVG path with right angles, which runs between the boxes and through none.
 * `down` and `gap` as `placeNodes` gave them.
 * @param {Grid} grid
 * @param {string} from
 * @param {string} to
 */
export function arrowPath({ boxes, down, gap }, from, to) {
  const turned = (/** @type {Box} */ { x, y, w, h }) => (down ? { x: y, y: x, w: h, h: w } : { x, y, w, h });
  const all = Object.fromEntries(Object.entries(boxes).map(([id, box]) => [id, turned(box)]));
  const step = down ? { x: gap.y, y: gap.x } : gap;
  const points = route(all, from, to, step).map(([x, y]) => /** @type {Spot} */ (down ? [y, x] : [x, y]));
  return joinedPoints(points, Math.min(gap.x, gap.y) * 0.4);
}

/**
 * The corners of an arrow, with time running to the right.
 * @param {Record<string, Box>} boxes
 * @param {string} from
 * @param {string} to
 * @param {Gap} gap
 * @returns {Spot[]}
 */
function route(boxes, from, to, gap) {
  const [a, b] = [boxes[from], boxes[to]];
  const [p, q] = [a, b].map(({ x, y, w, h }) => ({ x: x + w / 2, y: y + h / 2 }));
  const right = a.x + a.w;
  const bottom = (/** @type {Box} */ box) => box.y + box.h;
  const free = (/** @type {number} */ x0, /** @type {number} */ x1, /** @type {number} */ y) =>
    !Object.entries(boxes).some(
      ([id, box]) => id !== from && id !== to && box.x < x1 && box.x + box.w > x0 && box.y < y && bottom(box) > y,
    );
  const level = a.y < bottom(b) && b.y < bottom(a);
  const below = b.y >= bottom(a);
  if (level && b.x >= right && free(right, b.x, p.y))
    return [
      [right, p.y],
      [b.x, q.y],
    ];
  if (level) {
    const y = Math.max(bottom(a), bottom(b)) + gap.y / 2;
    return [
      [p.x, bottom(a)],
      [p.x, y],
      [q.x, y],
      [q.x, bottom(b)],
    ];
  }
  const end = below ? b.y : bottom(b);
  const beside = below ? b.y - gap.y / 2 : bottom(b) + gap.y / 2;
  if (a.x < b.x + b.w && b.x < right) {
    const x = a.w > b.w ? q.x : p.x;
    return [
      [x, below ? bottom(a) : a.y],
      [x, end],
    ];
  }
  if (b.x + b.w <= a.x) {
    const y = below ? bottom(a) + gap.y / 2 : a.y - gap.y / 2;
    return [
      [p.x, below ? bottom(a) : a.y],
      [p.x, y],
      [q.x, y],
      [q.x, end],
    ];
  }
  if (free(right, q.x, p.y))
    return [
      [right, p.y],
      [q.x, p.y],
      [q.x, end],
    ];
  const [x, into] = [right + gap.x / 2, q.x - b.w / 4];
  return [
    [right, p.y],
    [x, p.y],
    [x, beside],
    [into, beside],
    [into, end],
  ];
}

/**
 * Points joined by lines with rounded corners.
 * @param {Spot[]} points
 * @param {number} radius
 */
function joinedPoints(points, radius) {
  const parts = [`M${points[0].join(" ")}`];
  points.slice(1).forEach(([x, y], i) => {
    const [before, after] = [points[i], points[i + 2]];
    if (!after) return parts.push(`L${x} ${y}`);
    const toward = (/** @type {Spot} */ [a, b]) => {
      const far = Math.hypot(a - x, b - y);
      const k = Math.min(radius, far / 2) / (far || 1);
      return `${x + (a - x) * k} ${y + (b - y) * k}`;
    };
    return parts.push(`L${toward(before)} Q${x} ${y} ${toward(after)}`);
  });
  return parts.join(" ");
}
