// The state of a view that a link holds. Each property is declared once: its name in a link, its kind, its usual value.

import { BEAMS, MOST_DRAWS, MOST_STEPS, MOST_WORDS } from "../engine/limits.js";
import { valueIn } from "../engine/lookup.js";
import { writeEdits } from "./edits.js";
import { byIndex, flag, oneOf, realNumber, wholeNumber } from "./kinds.js";
import { LinkReader } from "./link-reader.js";

/** @import { Facts, Property, Rule, Run, View } from "./types.d.ts" */

/** @type {Rule[]} the first is the usual one */
export const RULES = ["length", "none", "wu"];

/** How much a page shows. The first is the usual one. @type {View["level"][]} */
export const LEVELS = ["story", "workbench"];

const WITH = "with"; // the model that is compared; with_beam, ...: its other properties

/**
 * The search of a second translation is that of the first, unless both are by one model.
 * @param {Partial<View>} view
 * @param {Run | null} beside
 */
const searchBeside = (view, beside) => (beside && beside.model !== view.model ? beside : null);

/** How a sentence is translated. @type {Record<string, Property<any>>} */
const RUN = {
  model: {
    link: "model",
    level: "story",
    kind: ({ models }) => oneOf(models),
    usual: ({ model }, _, beside) => beside?.model ?? model,
  },
  window: { link: "window", level: "story", kind: ({ windows }) => oneOf(Object.keys(windows)), usual: () => null },
  centers: { link: "p", level: "story", kind: () => byIndex(MOST_WORDS), usual: () => null },
  type: { link: "attention_type", level: "workbench", kind: ({ types }) => oneOf(types), usual: () => null },
  beam: {
    link: "beam",
    level: "workbench",
    kind: () => oneOf(BEAMS),
    usual: (_, view, beside) => searchBeside(view, beside)?.beam ?? 1,
  },
  normalise: {
    link: "normalise",
    level: "workbench",
    kind: () => oneOf(RULES),
    usual: (_, view, beside) => searchBeside(view, beside)?.normalise ?? RULES[0],
  },
  alpha: { link: "alpha", level: "workbench", kind: () => realNumber(0, 10), usual: () => 1 },
  unk: { link: "unk", level: "workbench", kind: () => flag("replace"), usual: () => false },
  draw: { link: "draw", level: "workbench", kind: () => wholeNumber(0, MOST_DRAWS), usual: () => 0 },
  keep: { link: "keep", level: "workbench", kind: () => flag("1"), usual: () => false },
};

/** The names of the properties of a run. */
export const OF_RUN = [...Object.keys(RUN), "live", "edits"];

/** The rest of a view. @type {Record<string, Property<any>>} */
const MORE = {
  step: { link: "step", level: "story", kind: () => wholeNumber(0, MOST_STEPS), usual: () => 0 },
  race: { link: "race", level: "workbench", kind: ({ axes }) => oneOf(axes), usual: () => null },
  gloss: {
    link: "gloss",
    level: "workbench",
    kind: ({ glosses }) => oneOf(glosses),
    usual: ({ glosses }) => glosses[0],
  },
  tour: { link: "tour", level: "story", kind: ({ stops }) => wholeNumber(1, stops), usual: () => null },
  level: {
    link: "level",
    level: "story",
    kind: () => oneOf(LEVELS),
    usual: (facts, view) => (!view.tour && needsWorkbench(view, facts) ? "workbench" : "story"),
  },
  present: { link: "present", level: "story", kind: () => ({ ...flag("1"), bare: true }), usual: () => false },
};

/** Whether a view has something that the workbench alone shows. @param {Partial<View>} view @param {Facts} facts */
function needsWorkbench(view, facts) {
  const isUnusual = Object.entries({ ...RUN, ...MORE }).some(
    ([name, { level, usual }]) =>
      level === "workbench" && view[/** @type {keyof View} */ (name)] !== usual(facts, view, null),
  );
  return isUnusual || Boolean(view.compared || view.edits?.length);
}

/**
 * The view of a link, and a line about each value of it that cannot be used.
 * @param {URLSearchParams} link
 * @param {Facts} facts
 * @returns {{ view: View, notices: string[] }}
 */
export function readView(link, facts) {
  const reader = new LinkReader(link);
  const run = readRun(reader, facts, null, "");
  const beside = [...link.keys()].some((name) => name === WITH || name.startsWith(`${WITH}_`));
  /** @type {Record<string, any>} */
  const view = {
    ...run,
    text: reader.text(valueIn(facts.texts, run.model) ?? ""),
    ...reader.head(),
    compared: beside ? readRun(reader, facts, run, WITH) : null,
  };
  for (const [name, { link: written, kind, usual }] of Object.entries(MORE))
    view[name] = reader.value(written, kind(facts)) ?? usual(facts, view, null);
  return { view: /** @type {View} */ (view), notices: reader.notices() };
}

/**
 * The view as the query of a link, without what is usual.
 * @param {View} view
 * @param {Facts} facts
 */
export function writeView(view, facts) {
  /** @type {[name: string, value: string][]} */
  const query = [["text", view.text], ["model", view.model], ...writeRun(view, facts, null, "")];
  const head =
    view.head === null
      ? []
      : [...(view.layer === null ? [] : [["layer", String(view.layer)]]), ["head", String(view.head)]];
  query.push(.../** @type {[string, string][]} */ (head));
  for (const [name, { link, kind, usual }] of Object.entries(MORE)) {
    const value = view[/** @type {keyof View} */ (name)];
    if (value !== usual(facts, view, null)) query.push([link, kind(facts).write(value)]);
  }
  const { compared } = view;
  if (compared) query.push([WITH, compared.model], ...writeRun(compared, facts, view, WITH));
  return new URLSearchParams(query);
}

/**
 * @param {LinkReader} reader
 * @param {Facts} facts
 * @param {Run | null} beside
 * @param {string} prefix
 * @returns {Run}
 */
function readRun(reader, facts, beside, prefix) {
  const { model, ...properties } = RUN;
  /** @type {Record<string, any>} */
  const run = { model: reader.model(prefix || model.link, facts.models, model.usual(facts, {}, beside)) };
  for (const [name, { link, kind, usual }] of Object.entries(properties))
    run[name] = reader.value(named(link, prefix), kind(facts)) ?? usual(facts, run, beside);
  const live = liveProperties(facts).flatMap(([name, { link, kind }]) => {
    const value = reader.value(named(link, prefix), kind(facts));
    return value === undefined ? [] : [[name, value]];
  });
  return /** @type {Run} */ ({ ...run, live: Object.fromEntries(live), edits: reader.edits(named("edit", prefix)) });
}

/**
 * @param {Run} run
 * @param {Facts} facts
 * @param {Run | null} beside
 * @param {string} prefix
 * @returns {[name: string, value: string][]}
 */
function writeRun(run, facts, beside, prefix) {
  const changed = Object.entries(RUN).flatMap(([name, { link, kind, usual }]) => {
    const value = run[/** @type {keyof Run} */ (name)];
    return name === "model" || value === usual(facts, run, beside) ? [] : [[link, kind(facts).write(value)]];
  });
  const live = liveProperties(facts).flatMap(([name, { link }]) =>
    Object.hasOwn(run.live, name) ? [[link, String(run.live[name])]] : [],
  );
  const edits = run.edits.length ? [["edit", writeEdits(run.edits)]] : [];
  return [...changed, ...live, ...edits].map(([name, value]) => [named(name, prefix), value]);
}

/**
 * The name of a property in a link; that of a second translation has a prefix.
 * @param {string} name
 * @param {string} prefix
 */
const named = (name, prefix) => (prefix ? `${prefix}_${name}` : name);

/**
 * The live settings of all windows, each name once; in a link by the symbol, if that is a capital letter, such as D.
 * One whose name a link has for something else is `window_` and the name.
 * @param {Facts} facts
 * @returns {[name: string, property: Property<number | undefined>][]}
 */
function liveProperties({ windows }) {
  const settings = new Map(
    Object.values(windows).flatMap(({ live }) => live.map((setting) => [setting.name, setting])),
  );
  const usedNames = new Set([
    "text",
    "layer",
    "head",
    "edit",
    WITH,
    ...[...Object.values(RUN), ...Object.values(MORE)].map(({ link }) => link),
  ]);
  return [...settings.values()].map(({ name, symbol, whole, least, most }) => {
    const [low, high] = [least ?? 0, Math.min(most ?? MOST_WORDS, MOST_WORDS)];
    const kind = whole ? wholeNumber(low, high) : realNumber(low, high);
    const link = /** @type {string} */ (
      [...(/^[A-Z]$/.test(symbol) ? [symbol] : []), name, `window_${name}`].find((written) => !usedNames.has(written))
    );
    usedNames.add(link);
    return [name, { link, level: "story", kind: () => kind, usual: () => undefined }];
  });
}
