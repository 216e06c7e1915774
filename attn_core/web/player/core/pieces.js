// Tokens for display: no marker before a word, a dot before a piece inside a word, and Moses' escapes replaced.

/** @import { Trace } from "./types.d.ts" */

const WORD_START = "▁"; // marks the first piece of a word in a subword vocabulary
const WHOLE = ["<pad>", "<unk>", "<s>", "</s>", WORD_START];

/** @type {Record<string, string>} */
const ESCAPED = { amp: "&", "#124": "|", lt: "<", gt: ">", apos: "'", quot: '"', "#91": "[", "#93": "]" };

/**
 * The trace with its tokens in the form for display.
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
