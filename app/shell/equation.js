// Formulas in LaTeX as MathML, for the commands that the registry uses.

import { valueIn } from "../../attn_core/browser/engine/lookup.js";

const MATHML = "http://www.w3.org/1998/Math/MathML";
/** @typedef {string | Token[]} Token a command or a character, or a group of them */

/** @type {Record<string, string>} */
const SYMBOLS = {
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
// They have space around them
const OPERATORS = new Set(["in", "pm", "cdot", "lfloor", "rfloor", "le", "sim", "propto", "leftarrow"]);
// They have space before them
const FUNCTIONS = new Set(["exp", "tanh", "min", "max", "sin", "cos", "arg", "operatorname"]);
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
  const parts = latex.match(/\\[a-zA-Z]+|\\.|[0-9.]+|(?<=\\text\{[^}]*)\s|[^\s]/g) ?? [];
  /** @type {Token[][]} */
  const stack = [[]];
  for (const part of parts) {
    if (part === "{") stack.push([]);
    else if (part === "}" && stack.length > 1) {
      const group = /** @type {Token[]} */ (stack.pop());
      stack[stack.length - 1].push(group);
    } else stack[stack.length - 1].push(part);
  }
  return stack[0];
}

/**
 * The elements of a list of tokens.
 * @param {Token[]} parts
 * @returns {Element[]}
 */
function row(parts) {
  const rest = [...parts];
  /** @type {Element[]} */
  const elements = [];
  while (rest.length) {
    if (rest[0] === "_" || rest[0] === "^") {
      const isSubscript = rest.shift() === "_";
      const base = elements.pop() ?? node("mrow");
      const script = takeAtom(rest);
      if (!isSubscript && base.localName === "msub") elements.push(node("msubsup", ...base.children, script));
      else if (isSubscript && base.localName === "msup")
        elements.push(node("msubsup", base.children[0], script, base.children[1]));
      else elements.push(node(isSubscript ? "msub" : "msup", base, script));
    } else {
      const name = typeof rest[0] === "string" ? rest[0].slice(1) : "";
      const last = elements[elements.length - 1];
      if (FUNCTIONS.has(name) && last && !["mo", "mspace"].includes(last.localName)) elements.push(space("0.17em"));
      const next = takeAtom(rest);
      if (next) elements.push(next);
    }
  }
  return elements;
}

/**
 * Remove and return the next atom of `rest`; null for a command that is skipped.
 * @param {Token[]} rest
 * @returns {Element | null}
 */
function takeAtom(rest) {
  const part = rest.shift();
  if (part === undefined) return node("mrow");
  if (Array.isArray(part)) return node("mrow", ...row(part));
  if (!part.startsWith("\\")) return sign(part);
  const name = part.slice(1);
  if (SKIPPED.has(name)) return null;
  // As high as what is between them
  if (name === "left" || name === "right") return text("mo", charactersOf(rest.shift() ?? ""));
  const [width, accent, symbol] = [SPACES, ACCENTS, SYMBOLS].map((table) => valueIn(table, name));
  if (width !== undefined) return space(width);
  if (accent !== undefined) {
    const over = node("mover", takeAtom(rest), text("mo", accent));
    over.setAttribute("accent", "true");
    return over;
  }
  if (name === "sqrt") return node("msqrt", takeAtom(rest));
  if (name === "frac" || name === "tfrac") return node("mfrac", takeAtom(rest), takeAtom(rest));
  if (name === "operatorname") return text("mi", charactersOf(rest.shift() ?? ""));
  // MathML would strip the spaces at its ends
  if (name === "text") return text("mi", charactersOf(rest.shift() ?? "").replaceAll(" ", "\u00a0"));
  return symbol === undefined ? text("mtext", part) : text(OPERATORS.has(name) ? "mo" : "mi", symbol);
}

/** @param {string} width */
function space(width) {
  const element = node("mspace");
  element.setAttribute("width", width);
  return element;
}

/**
 * The characters of a group without its structure.
 * @param {Token} token
 * @returns {string}
 */
function charactersOf(token) {
  return Array.isArray(token) ? token.map(charactersOf).join("") : token;
}

/** @param {string} part */
function sign(part) {
  if (/^[0-9.]+$/.test(part)) return text("mn", part);
  if (/^\p{L}$/u.test(part)) return text("mi", part);
  const element = text("mo", part === "-" ? "\u2212" : part);
  if ("()[]".includes(part)) element.setAttribute("stretchy", "false");
  return element;
}

/**
 * @param {string} tag
 * @param {string} content
 */
function text(tag, content) {
  const element = node(tag);
  element.textContent = content;
  return element;
}

/**
 * @param {string} tag
 * @param {...(Element | null)} children
 */
function node(tag, ...children) {
  const element = document.createElementNS(MATHML, tag);
  element.append(...children.filter((child) => child !== null));
  return element;
}
