// Copies the page's JavaScript into a folder, with each template of components as calls on the same lines, so that
// TypeScript checks the props: html`<${Chip} name=${name} />` becomes html([], propsOf((Chip), { "name": (name) })).
//
// node --expose-internals .ci/typed-templates.cjs FOLDER        the option gives access to node's own parser

"use strict";

const { cpSync, readdirSync, readFileSync, writeFileSync } = require("node:fs");
const { extname } = require("node:path");
const { parse } = require("internal/deps/acorn/acorn/dist/acorn");

const HOLE = "\0"; // stands for an expression in the text of a template
const CONTENT = /<!--[^]*?-->|<\/[^>]*>|<(?<tag>\0|[\w:-]+)|\0|[^<\0]+/y;
const IN_TAG =
  /\s+|\.\.\.(?<spread>\0)|(?<name>[\w:-]+)(?:=(?<value>"[^"]*"|'[^']*'|(?:[^\s"'>/]|\/(?!>))+))?|(?<close>\/?>)/y;

const isNode = (value) => typeof value?.type === "string";
const children = (node) => Object.values(node).flat().filter(isNode);

/** The outermost templates of components in a tree. */
const templatesIn = (node) =>
  node.type === "TaggedTemplateExpression" && node.tag.name === "html" ? [node] : children(node).flatMap(templatesIn);

/** The text from `start` to `end`, which is that of a node, with its templates as calls. */
function rewritten(node, text, start = 0, end = text.length) {
  let result = "";
  for (const template of templatesIn(node)) {
    result += text.slice(start, template.start) + callsOf(template.quasi, text);
    start = template.end;
  }
  return result + text.slice(start, end);
}

/** A template as calls. */
function callsOf({ quasis, expressions }, text) {
  const template = quasis.map(({ value }) => value.raw).join(HOLE);
  const holes = expressions.map(
    (hole, i) => `(${rewritten(hole, text, quasis[i].end + "${".length, quasis[i + 1].start - "}".length)})`,
  );
  const valueOf = (value) =>
    value === HOLE
      ? holes.shift()
      : `\`${value.replaceAll(/["']/g, "").replaceAll(HOLE, () => `\${${holes.shift()}}`)}\``;
  let result = "html(/** @type {any} */ ([])";
  let tag = ""; // in which the scanner is: the expression of a component, the name of an element, or "" between tags
  for (let end = 0; end < template.length;) {
    const scanner = tag ? IN_TAG : CONTENT;
    scanner.lastIndex = end;
    const match = scanner.exec(template);
    if (!match) throw new Error(`no template of components: ${template.slice(end)}`);
    end = scanner.lastIndex;
    const [token] = match;
    const { spread, name, value, close } = match.groups;
    if (!tag) {
      tag = match.groups.tag === HOLE ? holes.shift() : (match.groups.tag ?? "");
      if (tag === "(Part)")
        result += ", Part, propsOf("; // Part draws the component `of` with its other props
      else if (tag.startsWith("(")) result += `, propsOf(${tag}, {`;
      else if (token.includes(HOLE)) result += `, ${holes.shift()}`;
    } else if (close) {
      result += tag.startsWith("(") ? "})" : "";
      tag = "";
    } else if (tag === "(Part)" && name === "of") result += `${holes.shift()}, {`;
    else if (tag.startsWith("(") && spread) result += `...${holes.shift()}, `;
    else if (tag.startsWith("(") && name) result += `${JSON.stringify(name)}: ${value ? valueOf(value) : true}, `;
    else if (token.includes(HOLE)) result += `, ${valueOf(spread ?? value)}`;
    result += "\n".repeat(token.split("\n").length - 1);
  }
  return `${result})`;
}

const [folder] = process.argv.slice(2);
for (const room of ["app", "attn_core"]) {
  cpSync(room, `${folder}/${room}`, { recursive: true, filter: (path) => ["", ".js", ".ts"].includes(extname(path)) });
  for (const name of readdirSync(`${folder}/${room}`, { recursive: true }).filter((name) => name.endsWith(".js"))) {
    const text = readFileSync(`${room}/${name}`, "utf8");
    const tree = parse(text, { ecmaVersion: "latest", sourceType: "module" });
    writeFileSync(`${folder}/${room}/${name}`, rewritten(tree, text));
  }
}
