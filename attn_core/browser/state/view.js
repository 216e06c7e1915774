// The state of a view that a link holds. Each property is declared once: its name in a link, its kind, its usual value.

import { BEAMS, MOST_DRAWS, MOST_LETTERS, MOST_STEPS, MOST_WORDS } from "../engine/limits.js";
import { valueIn } from "../player/core/lookup.js";
import { MEAN } from "../player/core/looks.js";
import { t } from "../player/core/messages.js";
import { readEdits, writeEdits } from "./edits.js";
import { byIndex, flag, oneOf, realNumber, wholeNumber } from "./kinds.js";

/** @import { Facts, Kind, Property, Rule, Run, View } from "./types.d.ts" */

/** @type {Rule[]} the first is the usual one */
export const RULES = ["length", "none", "wu"];

/** How much a page shows. The first is the usual one. @type {View["level"][]} */
export const LEVELS = ["story", "workbench"];

const WITH = "with"; // the model that is compared; with_beam, ...: its other properties
const LONGEST = 40; // letters of a link's value in a notice
const FOREIGN = /^(utm_\w+|embed(_options)?|fbclid|gclid|ref)$/; // names that others add to links

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

const LAYER = { ...wholeNumber(0, MOST_STEPS), wanted: () => t("a whole number from 0") };
/** @type {Kind<number | "mean">} */
const HEAD = {
  read: (written) => (written === MEAN ? MEAN : LAYER.read(written)),
  write: String,
  wanted: () => t("{mean}, or a whole number from 0", { mean: MEAN }),
};

/**
 * The view of a link, and a line about each value of it that cannot be used.
 * @param {URLSearchParams} link
 * @param {Facts} facts
 * @returns {{ view: View, notices: string[] }}
 */
export function readView(link, facts) {
  const reader = readerOf(link, facts);
  const run = readRun(reader, facts, null, "");
  const beside = [...link.keys()].some((name) => name === WITH || name.startsWith(`${WITH}_`));
  /** @type {Record<string, any>} */
  const view = {
    ...run,
    text: reader.text(run.model),
    ...reader.head(),
    compared: beside ? readRun(reader, facts, run, WITH) : null,
  };
  for (const [name, property] of Object.entries(MORE)) view[name] = reader.value(property, view, null, "");
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
 * @param {ReturnType<typeof readerOf>} reader
 * @param {Facts} facts
 * @param {Run | null} beside
 * @param {string} prefix
 * @returns {Run}
 */
function readRun(reader, facts, beside, prefix) {
  const model = reader.model(beside, prefix);
  /** @type {Record<string, any>} */
  const run = { model };
  for (const [name, property] of Object.entries(RUN))
    if (name !== "model") run[name] = reader.value(property, run, beside, prefix);
  const live = liveProperties(facts).flatMap(([name, property]) => {
    const value = reader.value(property, run, beside, prefix);
    return value === undefined ? [] : [[name, value]];
  });
  return /** @type {Run} */ ({ ...run, live: Object.fromEntries(live), edits: reader.edits(prefix) });
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
  const taken = new Set([
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
      [...(/^[A-Z]$/.test(symbol) ? [symbol] : []), name, `window_${name}`].find((written) => !taken.has(written))
    );
    taken.add(link);
    return [name, { link, level: "story", kind: () => kind, usual: () => undefined }];
  });
}

/**
 * Reads the values of a link, and collects what cannot be used.
 * @param {URLSearchParams} link
 * @param {Facts} facts
 */
function readerOf(link, facts) {
  const query = new Map(link);
  const unread = new Set(query.keys());
  /** @type {string[]} */
  const notices = [];
  const take = (/** @type {string} */ name) => {
    unread.delete(name);
    return query.get(name) || undefined;
  };
  const refuse = (/** @type {string} */ name, /** @type {string} */ wanted, /** @type {string} */ written) => {
    notices.push(
      t("{name} in the link must be {wanted}, not “{value}”; it was ignored.", { name, wanted, value: short(written) }),
    );
  };
  /**
   * The value of a name; undefined if there is none, or none of its kind.
   * @template T
   * @param {string} name
   * @param {Kind<T>} kind
   */
  const valueOf = (name, kind) => {
    if (kind.bare !== undefined && query.get(name) === "") {
      unread.delete(name);
      return kind.bare;
    }
    const written = take(name);
    const value = written === undefined ? undefined : kind.read(written);
    if (written !== undefined && value === undefined) refuse(name, kind.wanted(), written);
    return value;
  };

  return {
    /** @param {Property<any>} property @param {Partial<View>} view @param {Run | null} beside @param {string} prefix */
    value({ link: name, kind, usual }, view, beside, prefix) {
      const value = valueOf(named(name, prefix), kind(facts));
      return value === undefined ? usual(facts, view, beside) : value;
    },

    /**
     * The model's name; the usual one for a model that is not there.
     * @param {Run | null} beside
     * @param {string} prefix
     */
    model(beside, prefix) {
      const usual = RUN.model.usual(facts, {}, beside);
      const name = take(prefix || "model");
      if (name === undefined || facts.models.includes(name)) return name ?? usual;
      notices.push(
        t("There is no model “{name}” here; {other} is shown instead.", { name: short(name), other: usual }),
      );
      return usual;
    },

    /** @param {string} model */
    text(model) {
      unread.delete("text");
      const written = query.get("text") ?? valueIn(facts.texts, model) ?? "";
      if (written.length > MOST_LETTERS)
        notices.push(t("The sentence in the link was cut to {most} characters.", { most: MOST_LETTERS }));
      return written.slice(0, MOST_LETTERS);
    },

    /** Both numbers of a head, or the mean. @returns {Pick<View, "layer" | "head">} */
    head() {
      const [layer, head] = [valueOf("layer", LAYER), valueOf("head", HEAD)];
      if (head === MEAN) return { layer: null, head };
      if (layer !== undefined && head !== undefined) return { layer, head };
      if (Boolean(query.get("layer")) !== Boolean(query.get("head"))) {
        notices.push(
          t("A head in the link needs both layer and head; {name} alone was ignored.", {
            name: query.get("layer") ? "layer" : "head",
          }),
        );
      }
      return { layer: null, head: null };
    },

    /** @param {string} prefix */
    edits(prefix) {
      const name = named("edit", prefix);
      const { edits, bad } = readEdits(take(name) ?? "");
      if (bad.length) refuse(name, t("edits such as w3-0.2_0.8 or n4-dog"), bad.join(" "));
      return edits;
    },

    /** All of them, with the names that are none of a view's. */
    notices() {
      const unknown = [...unread].filter((name) => !FOREIGN.test(name));
      return [
        ...notices,
        ...unknown.map((name) =>
          t("The link has “{name}”, which this page does not know; it was ignored.", { name: short(name) }),
        ),
      ];
    },
  };
}

/** @param {string} text */
const short = (text) => (text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`);
