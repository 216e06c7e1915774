// Byte-pair encoding of one word (Sennrich 2016): of all pairs of neighbours, the one that training merged first is
// merged first, and of equal pairs the leftmost.

import { UNK } from "./vocabulary.js";

/** @import { Vocabulary } from "./types.d.ts" */

/** @typedef {{ id: number, start: number, end: number, before: number, after: number, alive: boolean }} Piece */
/** @typedef {{ rank: number, at: number }} Merge of the piece `at` with the one after it */

/**
 * A function that splits a word into the pieces of a vocabulary; a character that it never saw is a piece.
 * @param {Vocabulary} vocabulary
 */
export function createPieces({ ids, merges }) {
  /** @param {number} left @param {number} right */
  const key = (left, right) => left * ids.size + right;
  /** @param {string} piece */
  const idOf = (piece) => ids.get(piece) ?? UNK;
  const ranks = new Map(merges.map(([left, right], rank) => [key(idOf(left), idOf(right)), rank]));
  const merged = merges.map((pair) => idOf(pair.join("")));

  return (/** @type {string} */ word) => {
    const characters = [...word];
    /** @type {Piece[]} */
    const pieces = characters.map((character, i) => ({
      id: idOf(character),
      start: i,
      end: i + 1,
      before: i - 1,
      after: i + 1,
      alive: true,
    }));
    const queue = createQueue();

    /** @param {number} left */
    function queueMerge(left) {
      const rank = rankAt(left);
      if (rank !== undefined) queue.push({ rank, at: left });
    }

    /** @param {number} left */
    function rankAt(left) {
      const after = pieces[pieces[left]?.after];
      return after && ranks.get(key(pieces[left].id, after.id));
    }

    for (let i = 0; i < pieces.length; i++) queueMerge(i);
    for (let next = queue.pop(); next; next = queue.pop()) {
      const piece = pieces[next.at];
      const rank = piece.alive ? rankAt(next.at) : undefined;
      if (rank !== next.rank) continue; // an earlier merge changed the pair
      const other = pieces[piece.after];
      Object.assign(piece, { id: merged[rank], end: other.end, after: other.after });
      other.alive = false;
      if (pieces[other.after]) pieces[other.after].before = next.at;
      queueMerge(piece.before);
      queueMerge(next.at);
    }
    return pieces.filter(({ alive }) => alive).map(({ start, end }) => characters.slice(start, end).join(""));
  };
}

/** A binary heap: `pop` returns the merge of the lowest rank, of equal ones the leftmost. */
function createQueue() {
  /** @type {Merge[]} */
  const heap = [];

  /** @param {number} i @param {number} j */
  const precedes = (i, j) => heap[i].rank < heap[j].rank || (heap[i].rank === heap[j].rank && heap[i].at < heap[j].at);

  /** @param {number} i @param {number} j */
  function swap(i, j) {
    [heap[i], heap[j]] = [heap[j], heap[i]];
  }

  return {
    /** @param {Merge} merge */
    push(merge) {
      let i = heap.push(merge) - 1;
      for (let parent = (i - 1) >> 1; i > 0 && precedes(i, parent); parent = (i - 1) >> 1) {
        swap(i, parent);
        i = parent;
      }
    },

    pop() {
      const top = heap[0];
      const last = heap.pop();
      if (heap.length && last) {
        heap[0] = last;
        for (let i = 0; ;) {
          let first = i;
          for (const child of [2 * i + 1, 2 * i + 2]) if (child < heap.length && precedes(child, first)) first = child;
          if (first === i) break;
          swap(i, first);
          i = first;
        }
      }
      return top;
    },
  };
}
