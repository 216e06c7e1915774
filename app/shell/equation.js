// The registry's LaTeX as MathML, for the commands that the registry uses.

import { valueIn } from "../../attn_core/browser/engine/lookup.js";

const SPACE = "http://www.w3.org/1998/Math/MathML";
/** @typedef {string | Token[]} Token a command or a character, or a group of them */

/** @type {Record<string, string>} */
const WORDS = {
  top: "⊤",
  sigma: "σ",
  alpha: "α",
  cdot: "·",
  sum: "∑",
  exp: "exp",
  tanh: "tanh",
  in: "∈",
  pm: "±",
  dots: "…",
  min: "min",
  sin: "sin",
  cos: "cos",
  arg: "arg",
  max: "max",
  lfloor: "⌊",
  rfloor: "⌋",
  lVert: "‖",
  rVert: "‖",
  le: "≤",
  sim: "∼",
  propto: "∝",
  leftarrow: "←",
};
/** @type {Record<string, string>} */
const ACCENTS = { bar: "¯", tilde: "~", hat: "^", vec: "→", overrightarrow: "→", overleftarrow: "←" };
// With space around
const OPERATORS = new Set(["in", "pm", "cdot", "lfloor", "rfloor", "le", "sim", "propto", "leftarrow"]);
const FUNCTIONS = new Set(["exp", "tanh", "min", "max", "sin", "cos", "arg", "operatorname"]); // with space before
const SKIPPED = new Set(["big", "Big", "textstyle", ",", "!"]);
/** @type {Record<string, string>} */
const SPACES = { " ": "0.3em", quad: "1em" };

/**
 * A <math> element of `latex`; an unknown command is shown as text.
 * @param {string} latex
 */
export function equation(latex) {
  const root = node("math");
  root.append(...row(tokens(latex)));
  return root;
}

/**
 * Text with formulas between dollar signs, as children of an element.
 * @param {string} text
 */
export const withFormulas = (text) => text.split("$").map((part, i) => (i % 2 ? equation(part) : part));

/**
 * The parts of a formula: commands, groups (as lists) and single characters.
 * @param {string} latex
 * @returns {Token[]}
 */
export function tokens(latex) {
  /** @type {string[]} */
  const found = latex.match(/\\[a-zA-Z]+|\\.|[0-9.]+|(?<=\\text\{[^}]*)\s|[^\s]/g) ?? [];
  /** @type {Token[][]} */
  const stack = [[]];
  for (const part of found) {
    if (part === "{") stack.push([]);
    else if (part === "}" && stack.length > 1) {
      const group = /** @type {Token[]} */ (stack.pop());
      stack[stack.length - 1].push(group);
    } else stack[stack.length - 1].push(part);
  }
  return stack[0];
}

/**
 * @param {Token[]} parts
 * @returns {Element[]}
 */
function row(parts) {
  const rest = [...parts];
  /** @type {Element[]} */
  const made = [];
  while (rest.length) {
    if (rest[0] === "_" || rest[0] === "^") {
      const low = rest.shift() === "_";
      const base = made.pop() ?? node("mrow");
      const script = atom(rest);
      if (!low && base.localName === "msub") made.push(node("msubsup", ...base.children, script));
      else if (low && base.localName === "msup") made.push(node("msubsup", base.children[0], script, base.children[1]));
      else made.push(node(low ? "msub" : "msup", base, script));
    } else {
      const name = typeof rest[0] === "string" ? rest[0].slice(1) : "";
      const before = made[made.length - 1];
      if (FUNCTIONS.has(name) && before && !["mo", "mspace"].includes(before.localName)) made.push(space("0.17em"));
      const next = atom(rest);
      if (next) made.push(next);
    }
  }
  return made;
}

/**
 * Removes and returns the next atom of `rest`; null for a space.
 * @param {Token[]} rest
 * @returns {Element | null}
 */
function atom(rest) {
  const part = rest.shift();
  if (part === undefined) return node("mrow");
  if (Array.isArray(part)) return node("mrow", ...row(part));
  if (!part.startsWith("\\")) return sign(part);
  const name = part.slice(1);
  if (SKIPPED.has(name)) return null;
  if (name === "left" || name === "right") return text("mo", written(rest.shift() ?? "")); // as high as what is between
  const [width, accent, word] = [SPACES, ACCENTS, WORDS].map((table) => valueIn(table, name));
  if (width !== undefined) return space(width);
  if (accent !== undefined) {
    const over = node("mover", atom(rest), text("mo", accent));
    over.setAttribute("accent", "true");
    return over;
  }
  if (name === "sqrt") return node("msqrt", atom(rest));
  if (name === "frac" || name === "tfrac") return node("mfrac", atom(rest), atom(rest));
  if (name === "operatorname") return text("mi", written(rest.shift() ?? ""));
  // Spaces at its ends are kept
  if (name === "text") return text("mi", written(rest.shift() ?? "").replaceAll(" ", "\u00a0"));
  return word === undefined ? text("mtext", part) : text(OPERATORS.has(name) ? "mo" : "mi", word);
}

/** @param {string} width */
function space(width) {
  const made = node("mspace");
  made.setAttribute("width", width);
  return made;
}

/**
 * The characters of a group, without structure.
 * @param {Token} token
 * @returns {string}
 */
function written(token) {
  return Array.isArray(token) ? token.map(written).join("") : token;
}

/** @param {string} part */
function sign(part) {
  if (/^[0-9.]+$/.test(part)) return text("mn", part);
  if (/^\p{L}$/u.test(part)) return text("mi", part);
  const made = text("mo", part === "-" ? "\u2212" : part);
  if ("()[]".includes(part)) made.setAttribute("stretchy", "false");
  return made;
}

/**
 * @param {string} tag
 * @param {string} content
 */
function text(tag, content) {
  const made = node(tag);
  made.textContent = content;
  return made;
}

/**
 * @param {string} tag
 * @param {...(Element | null)} children
 */
function node(tag, ...children) {
  const made = document.createElementNS(SPACE, tag);
  made.append(...children.filter((child) => child !== null));
  return made;
}
