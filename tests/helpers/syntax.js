// Prints the facts that syntax.py describes, for each module of a JSON list of paths on standard input. The option
// --expose-internals gives access to node's own parser.

"use strict";

const { readFileSync } = require("node:fs");
const { parse } = require("internal/deps/acorn/acorn/dist/acorn");

const CHANGING = new Set([
  "set",
  "add",
  "delete",
  "clear",
  "push",
  "pop",
  "shift",
  "unshift",
  "splice",
  "fill",
  "sort",
  "reverse",
]);

const isNode = (value) => typeof value?.type === "string";
const isFunction = ({ type }) => /Function/.test(type);
const children = (node) => Object.values(node).flat().filter(isNode);

/** The names that a pattern binds. */
function bound(pattern) {
  switch (pattern?.type) {
    case "Identifier":
      return [pattern.name];
    case "ObjectPattern":
      return pattern.properties.flatMap((property) => bound(property.value ?? property.argument));
    case "ArrayPattern":
      return pattern.elements.flatMap(bound);
    case "AssignmentPattern":
      return bound(pattern.left);
    case "RestElement":
      return bound(pattern.argument);
    default:
      return [];
  }
}

/** The names declared in a function, but not in those inside it. */
function declared(node) {
  const names = node.params.flatMap(bound);
  const walk = (inner) => {
    if (inner.type === "VariableDeclarator") names.push(...bound(inner.id));
    if (inner.type === "CatchClause") names.push(...bound(inner.param));
    if (inner.type === "FunctionDeclaration" || inner.type === "ClassDeclaration") names.push(inner.id.name);
    if (!isFunction(inner)) children(inner).forEach(walk);
  };
  children(node.body).forEach(walk);
  return names;
}

/** The variable in which a changed value is held: x for x, x.y and x[y].z; "" for others. */
function holder(node) {
  while (node.type === "MemberExpression") node = node.object;
  return node.type === "Identifier" ? node.name : "";
}

/** The variable that a node changes, with its value's properties; "" if it changes none. */
function changed(node) {
  if (node.type === "AssignmentExpression") return holder(node.left);
  if (node.type === "UpdateExpression") return holder(node.argument);
  if (node.type === "UnaryExpression" && node.operator === "delete") return holder(node.argument);
  if (node.type !== "CallExpression" || node.callee.type !== "MemberExpression") return "";
  const { object, property } = node.callee;
  if (object.name === "Object" && property.name === "assign") return holder(node.arguments[0]);
  return CHANGING.has(property.name) ? holder(object) : "";
}

/**
 * The component that a statement exports: a function whose name begins with a capital letter, or a class of Preact's;
 * "" if none.
 */
function componentOf({ type, declaration }) {
  if (type !== "ExportNamedDeclaration" || !declaration) return "";
  const { id, init = declaration } = declaration.declarations?.[0] ?? declaration;
  const isComponent =
    init?.type === "ClassDeclaration"
      ? init.superClass?.name === "Component"
      : init && isFunction(init) && /^[A-Z]/.test(id.name);
  return isComponent ? id.name : "";
}

/** The names between the braces of an import, with their module; none for other statements. */
const importsOf = ({ type, specifiers, source }) =>
  type === "ImportDeclaration"
    ? specifiers.map(({ imported, local }) => ({
        name: imported?.name ?? "default",
        local: local.name,
        module: source.value,
      }))
    : [];

/** The names of the components in a template: html`<${Name} />` or html`<${Part} of=${Name} />`. */
function drawnIn(node) {
  if (node.type !== "TaggedTemplateExpression" || node.tag.name !== "html") return [];
  const { quasis, expressions } = node.quasi;
  return expressions.filter((_, i) => /(<|\sof=)$/.test(quasis[i].value.raw)).map(({ name }) => name);
}

function tree(path) {
  try {
    return parse(readFileSync(path, "utf8"), { ecmaVersion: "latest", sourceType: "module", locations: true });
  } catch (problem) {
    throw new Error(`${path}: ${problem.message}`);
  }
}

function facts(path) {
  const { body } = tree(path);
  let nodes = 1; // the module itself
  const functions = [];
  const events = [];
  const listeners = [];
  const drawn = new Set();
  const statements = body.map((statement) => statement.declaration ?? statement);
  const variables = new Map(
    statements.flatMap(({ type, kind, declarations }) =>
      type === "VariableDeclaration" ? declarations.flatMap(({ id }) => bound(id).map((name) => [name, kind])) : [],
    ),
  );
  const mutable = new Set([...variables].filter(([, kind]) => kind !== "const").map(([name]) => name));

  function visit(node, name, hidden) {
    nodes += 1;
    const line = node.loc.start.line;
    if (isFunction(node)) {
      functions.push({ name: node.id?.name ?? name, line, lines: node.loc.end.line - line + 1 });
      hidden = new Set([...hidden, ...declared(node)]);
    }
    const variable = changed(node);
    if (variables.has(variable) && !hidden.has(variable)) mutable.add(variable);
    if (node.type === "NewExpression" && node.callee.name === "CustomEvent") events.push(line);
    if (
      node.type === "CallExpression" &&
      node.callee.object?.name === "document" &&
      node.callee.property.name === "addEventListener"
    )
      listeners.push(line);
    for (const component of drawnIn(node)) drawn.add(component);
    for (const child of children(node)) visit(child, (node.id ?? node.key)?.name ?? "", hidden);
  }

  for (const statement of body) visit(statement, "", new Set());
  const imports = body.flatMap(importsOf).map(({ name, local, module }) => ({ name, module, drawn: drawn.has(local) }));
  return {
    nodes,
    functions,
    mutable: [...mutable],
    events,
    listeners,
    components: body.map(componentOf).filter(Boolean),
    imports,
  };
}

const paths = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify(Object.fromEntries(paths.map((path) => [path, facts(path)]))));
