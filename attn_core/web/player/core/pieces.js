// Tokens as people read them: no mark before a word, a dot before a piece that goes on with one, and what Moses escaped
// as itself.

/** @import { Trace } from "./types.d.ts" */

const WORD_START = "▁"; // of a vocabulary of word pieces
const WHOLE = ["<pad>", "<unk>", "<s>", "</s>", WORD_START];

/** @type {Record<string, string>} */
const ESCAPED = { amp: "&", "#124": "|", lt: "<", gt: ">", apos: "'", quot: '"', "#91": "[", "#93": "]" };

/**
 * The trace with its tokens as they are shown.
 * @param {Trace} trace
 * @returns {Trace}
 */
export function readable(trace) {
  const all = [...trace.source, ...trace.steps.map(({ token }) => token)];
  const shown = all.some((token) => token.startsWith(WORD_START)) ? piece : unescaped;
  return {
    ...trace,
    source: trace.source.map(shown),
    target: trace.target.map(shown),
    steps: trace.steps.map((step) => ({ ...step, token: shown(step.token), top: step.top.map(([token, p]) => /** @type {[string, number]} */ ([shown(token), p])) })),
  };
}

/** @param {string} token */
function piece(token) {
  if (WHOLE.includes(token)) return token;
  const said = unescaped(token);
  return said.startsWith(WORD_START) ? said.slice(1) : `·${said}`;
}

/** @param {string} token */
const unescaped = (token) => token.replace(/&(#?\w+);/g, (whole, /** @type {string} */ name) => ESCAPED[name] ?? whole);
