// The view of the Explorer as the query of a link: what a link says, and what of it cannot be used.

import { BEAMS, MOST_LETTERS, MOST_STEPS, MOST_WORDS } from "../../attn_core/web/engine/limits.js";
import { isChanged } from "../../attn_core/web/hosts/opened.js";
import { MOST_DRAWS } from "../../attn_core/web/hosts/sentence.js";
import { headName, MEAN, NO_HEAD, sameHead } from "../../attn_core/web/player/core/looks.js";
import { t } from "../../attn_core/web/player/core/messages.js";
import { RULES } from "./beam/rules.js";
import { GLOSSES } from "./gloss.js";
import { read as editsIn, written as editsText } from "./surgery/edits.js";

/**
 * @import { LiveSetting, ModelJSON } from "../../attn_core/web/engine/types.d.ts"
 * @import { How } from "../../attn_core/web/player/core/types.d.ts"
 * @import { LiveView, Rule } from "../../attn_core/web/hosts/types.d.ts"
 * @import { HeadChoice } from "../../attn_core/web/player/core/types.d.ts"
 * @import { Page, Place, Start } from "./types.d.ts"
 */

const WITH = "with"; // the model that is compared; with_D, ...: its settings
const LONGEST = 40; // letters of a link's value in a notice

/**
 * The view of a link, and a line about each value that was left out because it cannot be used.
 * @param {URLSearchParams} link
 * @param {Start} start
 * @returns {{ view: LiveView, place: Place, gloss: string, compared: LiveView | null, race: string | null, notices: string[] }}
 */
export function read(link, start) {
  const { view, notices, ...others } = readOne(link, start);
  const beside = [...link].filter(([name]) => name === WITH || name.startsWith(`${WITH}_`));
  if (!beside.length) return { view, ...others, compared: null, notices };
  const query = new URLSearchParams(beside.map(([name, value]) => [name === WITH ? "model" : name.slice(WITH.length + 1), value]));
  const compared = readOne(query, { ...start, model: view.model }, view);
  return { view, ...others, compared: compared.view, notices: [...notices, ...compared.notices] };
}

/**
 * One view of a link.
 * @param {URLSearchParams} link
 * @param {Start} start
 * @param {LiveView} [beside] the view that it is compared with
 */
function readOne(link, { models, axes, texts, model: first, windows, types }, beside) {
  const query = new Map(link);
  /** @type {string[]} */
  const notices = [];
  const left = (/** @type {string} */ name, /** @type {string} */ wanted) => {
    const written = beside ? `${WITH}_${name}` : name;
    notices.push(t("{name} in the link must be {wanted}, not “{value}”; it was ignored.", { name: written, wanted, value: short(query.get(name) ?? "") }));
    return null;
  };
  /**
   * A number of the link; null where there is none.
   * @param {string} name @param {(value: number) => boolean} fits @param {string} wanted
   */
  const number = (name, fits, wanted) => {
    const written = query.get(name);
    if (!written) return null;
    const value = /^\d+(\.\d+)?$/.test(written) ? Number(written) : NaN;
    return fits(value) ? value : left(name, wanted);
  };
  /** @param {string} name @param {string[]} values */
  const one = (name, values) => {
    const written = query.get(name);
    return !written || values.includes(written) ? written || null : left(name, oneOf(values));
  };
  const whole = (/** @type {number} */ most) => (/** @type {number} */ value) => Number.isInteger(value) && value <= most;

  const asked = query.get("model") || first;
  const model = models.includes(asked) ? asked : first;
  if (model !== asked) notices.push(t("There is no model “{name}” here; {other} is shown instead.", { name: short(asked), other: first }));
  const live = liveIn(windows).map((setting) => {
    const [low, high] = [setting.least ?? 0, Math.min(setting.most ?? MOST_WORDS, MOST_WORDS)];
    const wanted = setting.whole ? t("a whole number from {low} to {high}", { low, high }) : t("a number from {low} to {high}", { low, high });
    return [setting.name, number(inLink(setting), (value) => value >= low && value <= high && (!setting.whole || Number.isInteger(value)), wanted)];
  });
  const how = {
    window: one("window", Object.keys(windows)), ...Object.fromEntries(live),
    centers: query.get("p") ? centersIn(query.get("p") ?? "") ?? left("p", t("pairs of a step and a position, both from 0, joined by _, such as 3-7.5_4-8")) : null,
  };
  if (one("keep", ["1"]) !== null) Object.assign(how, { keep_states: true });
  const edits = editsIn(query.get("edit") ?? "");
  if (edits.bad.length) notices.push(t("{name} in the link must be {wanted}, not “{value}”; it was ignored.", { name: "edit", wanted: t("edits such as w3-0.2_0.8 or n4-dog"), value: short(edits.bad.join(" ")) }));
  const typed = query.get("text") ?? texts[model];
  if (typed.length > MOST_LETTERS) notices.push(t("The sentence in the link was cut to {most} characters.", { most: MOST_LETTERS }));
  const usual = searchOf(model, beside);
  const rule = /** @type {Rule} */ (one("normalise", RULES) ?? usual.normalise ?? RULES[0]);
  const unk = one("unk", ["replace"]) !== null;
  const draw = number("draw", whole(MOST_DRAWS), t("a whole number from {low} to {high}", { low: 0, high: MOST_DRAWS })) ?? 0;
  const beam = number("beam", (value) => BEAMS.includes(value), oneOf(BEAMS)) ?? usual.beam;
  const step = number("step", whole(MOST_STEPS), t("a whole number from {low} to {high}", { low: 0, high: MOST_STEPS }));
  /** The head of the link: both its layer and its number, or the mean. @returns {HeadChoice} */
  const chosenHead = () => {
    const layer = number("layer", Number.isInteger, t("a whole number from 0"));
    if (query.get("head") === MEAN) return { layer: null, head: MEAN };
    const head = number("head", Number.isInteger, t("{mean}, or a whole number from 0", { mean: MEAN }));
    if (layer !== null && head !== null) return { layer, head };
    if (Boolean(query.get("layer")) !== Boolean(query.get("head"))) notices.push(t("A head in the link needs both layer and head; {name} alone was ignored.", { name: query.get("layer") ? "layer" : "head" }));
    return NO_HEAD;
  };
  return {
    view: { text: typed.slice(0, MOST_LETTERS), model, beam, normalise: rule === RULES[0] ? null : rule, unk, type: one("attention_type", Object.keys(types)), draw, edits: edits.edits, how },
    place: { step: step ?? 0, ...chosenHead() },
    gloss: one("gloss", GLOSSES) ?? GLOSSES[0],
    race: one("race", axes),
    notices,
  };
}

/**
 * What of a link the model cannot do, once its files are there.
 * @param {LiveView} asked
 * @param {HeadChoice} choice
 * @param {LiveView} view what is shown
 * @param {ModelJSON} graphs
 */
export function unfit(asked, choice, view, graphs) {
  const notices = [];
  const named = { model: view.model };
  if (isChanged(asked.how) && !isChanged(view.how)) {
    notices.push(t("The window in the link was ignored: {model} cannot be run with it.", named));
  }
  const types = graphs.steps.filter((step) => step.window === (view.how.window ?? graphs.steps[0].window)).map(({ type }) => type);
  if (asked.type && !types.includes(asked.type)) notices.push(t("The attention type in the link was ignored: {model} cannot be run with it.", named));
  const heads = graphs.heads.looks.map(([layer, head]) => ({ layer, head }));
  const { layer, head } = choice;
  if (head === null) return notices;
  if (!heads.length) notices.push(t("{model} has no attention, so the layer and head in the link were ignored.", named));
  else if (heads.length < 2) notices.push(t("{model} has a single head, so the layer and head in the link were ignored.", named));
  else if (layer !== null && head !== MEAN && !heads.some((one) => sameHead(one, choice))) {
    const last = heads[heads.length - 1];
    notices.push(t("{model} has no {head}; its last is {last}. The layer and head in the link were ignored.", { ...named, head: headName({ layer, head }), last: headName(last) }));
  }
  return notices;
}

/** The live settings of all windows, each name once. @param {Page["windows"]} windows @returns {LiveSetting[]} */
const liveIn = (windows) => [...new Map(Object.values(windows).flatMap(({ live }) => live.map((one) => [one.name, one]))).values()];

/** A live setting in a link: by its symbol, if that is a capital letter, such as D. @param {LiveSetting} setting */
const inLink = ({ name, symbol }) => (/^[A-Z]$/.test(symbol) ? symbol : name);

/**
 * The view as the query of a link.
 * @param {LiveView} view
 * @param {Place} place
 * @param {Page["windows"]} windows
 * @param {string | null} gloss
 * @param {{ compared: LiveView | null, race: string | null }} beside
 */
export function written(view, { step, layer, head }, windows, gloss = null, { compared, race } = { compared: null, race: null }) {
  const beside = Object.entries(compared ? settings(compared, windows, view) : {}).map(([name, value]) => [name === "model" ? WITH : `${WITH}_${name}`, value]);
  const values = { text: view.text, ...settings(view, windows), step: step || null, layer, head, gloss, race, ...Object.fromEntries(beside) };
  const given = Object.entries(values).filter(([, value]) => value != null);
  return new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
}

/**
 * The search of a view whose link says nothing about it: that of the view beside it, if that is of another model.
 * @param {string} model
 * @param {LiveView} [beside]
 * @returns {Pick<LiveView, "beam" | "normalise">}
 */
const searchOf = (model, beside) => (beside && beside.model !== model ? beside : { beam: 1, normalise: null });

/**
 * A view in a link's words, without its sentence.
 * @param {LiveView} view
 * @param {Page["windows"]} windows
 * @param {LiveView} [beside]
 */
function settings({ model, beam, normalise, unk, type, draw, how, edits = [] }, windows, beside) {
  const usual = searchOf(model, beside);
  const values = /** @type {Record<string, unknown>} */ (how);
  const live = liveIn(windows).map((setting) => [inLink(setting), values[setting.name]]);
  return {
    model, beam: beam === usual.beam ? null : beam, normalise: normalise === usual.normalise ? null : normalise ?? RULES[0], unk: unk ? "replace" : null, window: how.window, ...Object.fromEntries(live),
    p: centersText(how.centers), attention_type: type, draw: draw || null, edit: editsText(edits) || null, keep: how.keep_states ? 1 : null,
  };
}

/** p_t by step: "3-7.5_4-8"; null for anything else. @param {string} text @returns {How["centers"]} */
function centersIn(text) {
  const parts = text.split("_").map((one) => /^(\d+)-(\d+(?:\.\d+)?)$/.exec(one));
  if (!parts.every((part) => part && Number(part[2]) <= MOST_WORDS)) return null;
  return Object.fromEntries(parts.map((part) => [Number(part?.[1]), Number(part?.[2])]));
}

/** @param {How["centers"]} centers */
function centersText(centers) {
  return centers ? Object.entries(centers).map(([step, place]) => `${step}-${place}`).join("_") : null;
}

/** @param {(string | number)[]} values */
const oneOf = (values) => (values.length > 1 ? t("one of {values}", { values: values.join(", ") }) : String(values[0]));

/** @param {string} text */
const short = (text) => (text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`);
