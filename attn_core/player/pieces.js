// Tokens as people read them: no mark before a word, and a dot before a piece that goes on with one.

const WORD_START = "▁"; // of a vocabulary of word pieces
const WHOLE = ["<pad>", "<unk>", "<s>", "</s>", WORD_START];

/** The trace with its tokens as they are shown; the same object when its vocabulary is one of words. */
export function readable(trace) {
  const all = [...trace.source, ...trace.steps.map(({ token }) => token)];
  if (!all.some((token) => token.startsWith(WORD_START))) return trace;
  return {
    ...trace,
    source: trace.source.map(shown),
    target: trace.target.map(shown),
    steps: trace.steps.map((step) => ({ ...step, token: shown(step.token), top: step.top.map(([token, p]) => [shown(token), p]) })),
  };
}

function shown(token) {
  if (WHOLE.includes(token)) return token;
  return token.startsWith(WORD_START) ? token.slice(1) : `·${token}`;
}
