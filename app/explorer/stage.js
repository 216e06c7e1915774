// The Explorer: a sentence, a model by its settings, and the player. The models are fetched when they are chosen, and the
// view is in the address.

import { PAIR } from "../../attn_core/web/hosts/chips.js";
import { takeKeys } from "../../attn_core/web/hosts/keys.js";
import { createLive } from "../../attn_core/web/hosts/live.js";
import { pairOf, textsOf } from "../../attn_core/web/hosts/sentence.js";
import { sameHead } from "../../attn_core/web/player/core/looks.js";
import { t } from "../../attn_core/web/player/core/messages.js";
import { el } from "../../attn_core/web/player/dom/elements.js";
import { onPage } from "../shell/onpage.js";
import { inBar } from "../shell/address.js";
import { arrived, found, leave } from "../shell/tabstore.js";
import { STOPS } from "../shell/stops.js";
import { stopIn } from "../shell/tour.js";
import { buildCompare, buildSurgery } from "./legacy-c.js";
import { besides } from "./compare/pairs.js";
import { sentenceBesides } from "./compare/summary.js";
import {
  buildAtlas, buildBeam, buildDownloads, buildFormulas, buildGloss, buildHead, buildNumbers, GLOSSES, searches, windows,
} from "./legacy-b.js";
import { askedFor } from "./clicked.js";
import { offeredBy } from "./offered.js";
import { leftOut } from "./surgery/edits.js";
import { read, unfit, written } from "./view.js";
import { isComposing } from "../../attn_core/web/player/dom/typing.js";

/**
 * @import { Answer, ModelJSON, Request, TraceJSON } from "../../attn_core/web/engine/types.d.ts"
 * @import { LiveView } from "../../attn_core/web/hosts/types.d.ts"
 * @import { Facts } from "../../attn_core/web/state/types.d.ts"
 * @import { Stage } from "../shell/types.d.ts"
 * @import { Clicked, Options, Painted } from "../../attn_core/web/player/core/types.d.ts"
 * @import { Source } from "../shell/numbers/numbers.js"
 * @import { FetchFile, OfferedHere, Page, Place, Shown } from "./types.d.ts"
 *
 * @typedef {object} Hooks
 * @property {(model: string, request: Request) => Promise<Answer>} [serve] translates where a model cannot run in the page
 * @property {FetchFile} [fetchFile] fetches files that a server makes; without it, there are those that the page makes
 */

/**
 * @param {HTMLElement} host
 * @param {Page} page
 * @param {Hooks} [hooks]
 * @returns {Stage}
 */
export function createExplorer(host, page, { serve, fetchFile } = {}) {
  const surgery = buildSurgery({
    theme: () => theme.theme(), jump: (step) => live.jump(step), change: (edits) => live.edit(edits),
    onOpen: () => live.update(page.trace, { ...place, ...options() }),
  });
  const head = buildHead(page, (stop) => visit(stop), () => (comparing() ? compare.compare(null) : compare.begin()), surgery.begin);
  const note = el("p", { class: "ex-note", role: "status", "aria-label": t("Notices") });
  const body = el("div");
  const formulas = buildFormulas(page.equations);
  const numbers = buildNumbers();
  const downloads = buildDownloads({ fetchFile, theme: () => theme.theme(), report: (line) => tell(line ? [line] : []) });
  const root = el("div", { class: "ap-root ex" }, head.root, note, body, downloads.root, formulas.root, numbers.root);
  root.dataset.numbers = t("Click to see what it was computed from");
  host.replaceChildren(root);
  const theme = onPage(root, () => {
    compare.draw();
    surgery.draw();
    beam.draw();
    downloads.draw();
    for (const atlas of atlases) atlas.draw();
  });
  const letKeys = takeKeys(root);
  const editKey = (/** @type {KeyboardEvent} */ event) => {
    if (!isComposing(event)) surgery.key(event);
  };
  const models = offeredBy(page);
  const opening = models.find(({ name }) => name === page.trace.model) ?? models[0];
  /** @type {Facts} */
  const facts = {
    model: page.trace.model, models: models.map(({ name }) => name),
    texts: Object.fromEntries(models.map((model) => [model.name, startsWith(model)])),
    windows: page.windows, types: Object.keys(page.types),
    axes: page.axes.filter(({ name, chip }) => chip && name !== PAIR).map(({ name }) => name),
    glosses: GLOSSES, stops: STOPS.length,
  };
  const gloss = buildGloss(page.glosses, () => {
    live.update(page.trace, { ...place, ...options() });
    keep();
  });
  const training = el("a", { class: "live-button", hidden: true, text: t("See how it was trained"), title: t("How its attention on four sentences changed during training") });
  const compare = buildCompare({
    models, axes: page.axes, known: page, serve, theme: () => theme.theme(),
    jump: (step) => live.jump(step),
    show: (wanted) => live.show(wanted, place),
    onChange() {
      head.comparing(comparing());
      live.update(page.trace, { ...place, ...options() });
      keep();
    },
    onClose: () => head.focus(),
    onEnd: () => tell([note.textContent ?? "", t("The comparison has ended: the other model translates between other languages.")].filter(Boolean)),
  });
  const beam = buildBeam({ choose: (rule) => live.normalise(rule), jump: (step) => live.jump(step), theme: () => theme.theme() });
  theme.watch(compare.root);
  const translate = (/** @type {Partial<Request>} */ changed) => live.translate(changed);
  const atlases = [
    buildAtlas(windows(page.windows), { translate, theme: () => theme.theme(), go: ({ window, live: set }) => live.show({ ...view, how: { ...view.how, window, ...set, centers: null } }, place) }),
    buildAtlas(searches(page.windows), { translate, theme: () => theme.theme(), go: ({ beam, normalise }) => live.show({ ...view, beam, normalise }, place) }),
  ];
  formulas.root.before(surgery.maps, ...atlases.map((atlas) => atlas.root));
  let { view, place, compared, race, asked, stop } = opened(location.search ? new URLSearchParams(location.search) : left());
  /** @type {Shown | null} */
  let shown = null;
  /** @type {Source | null} the translation on show, whose numbers can be opened */
  let source = null;
  let typing = false;
  let sentences = 0; // that were begun: each is an entry of the browser's history, not each letter

  const live = createLive(body, {
    trace: page.trace, text: page.text, options: { ...place, ...options() }, axes: page.axes, windows: page.windows, types: page.types, more: [gloss.root, training], examples: page.examples, serve,
    view: asked ? view : null, models, between: el("div", {}, surgery.root, compare.root, beam.root),
    onView(chosen, files, trace, answer) {
      const more = view.model === chosen.model ? [] : otherChanges(view.model, chosen.model);
      view = chosen;
      const removed = trace ? (answer?.unfit ?? []).map((one) => leftOut(one, trace)) : [];
      if (files && asked) tell([...asked.notices, ...unfit(asked.view, asked.place, view, files.graphs), ...removed]);
      else if (!asked) tell([...more, ...removed]);
      asked = null;
      const said = /** @type {const} */ (`said-${readBy(view.model)}`);
      if (!answer?.reading.swapped && (view.text !== facts.texts[view.model] || found(said))) leave(said, view.text);
      formulas.root.hidden = !files;
      if (files) formulas.show(files.graphs, runOf(view));
      if (trace) gloss.fit(trace.source);
      training.hidden = !page.recorded.includes(view.model);
      training.href = `training?${new URLSearchParams({ training: `shipped/${view.model}` })}`;
      if (trace) compare.shown(view, trace);
      surgery.begin.hidden = !files;
      if (trace) surgery.shown(view, trace, answer?.unedited ?? null);
      if (trace) beam.show(answer?.tree ?? null, trace);
      if (trace) shown = { text: view.text, model: view.model, trace, ...place };
      for (const atlas of atlases) atlas.show(files && trace, view.draw);
      numbers.renew(source = trace && files ? sourceOf(trace, files.graphs) : null);
      if (shown) downloads.show(shown);
      keep();
    },
  });
  if (gloss.chosen()) live.openAll();

  const bar = inBar(
    () => new URL(`?${link()}`, location.href),
    (url) => `${url.searchParams.get("model")} ${url.searchParams.get("tour")} ${sentences}`,
    () => show(new URLSearchParams(location.search)),
  );
  document.addEventListener("attention-player", follow);
  body.addEventListener("attention-number", openNumber);
  body.addEventListener("attention-paint", (event) => surgery.paint(/** @type {CustomEvent<Painted>} */ (event).detail));
  document.addEventListener("keydown", editKey); // a button that was clicked has lost the focus
  if (location.search) keep();
  compare.at(place);
  beam.at(place.step);
  surgery.at(place);
  if (compared || race) reopen();
  const begun = (/** @type {Event} */ event) => {
    if (isComposing(event) || !isText(event.target) || typing) return;
    typing = true;
    sentences += 1;
  };
  body.addEventListener("input", begun);
  body.addEventListener("compositionend", begun);
  body.addEventListener("change", ({ target }) => { typing &&= !isText(target); });

  /** A sentence on the other settings that changed with the chosen model; none if no others did. @param {string} before @param {string} after */
  function otherChanges(before, after) {
    const [one, other] = [before, after].map((wanted) => models.find(({ name }) => name === wanted));
    const found = one && other && besides(page.axes, one, other);
    return found ? [sentenceBesides(found.others)] : [];
  }

  /** The code of the language that a model reads. @param {string} model */
  function readBy(model) {
    return pairOf(models.find(({ name }) => name === model) ?? opening).split("-")[0];
  }

  /** The sentence that a model opens with. @param {OfferedHere} model */
  function startsWith(model) {
    const [example = page.text] = textsOf(page.examples, model);
    return pairOf(model) === pairOf(opening) && !model.joined ? page.text : example;
  }

  /** @returns {Options} of the player */
  function options() {
    return { glosses: gloss.now(), paint: surgery.isOpen(), map: !comparing() }; // a comparison has the heatmap
  }

  /** The view that the reader left, with the sentence of another page since; nothing where the address was typed. */
  function left() {
    if (arrived()) return new URLSearchParams();
    const link = new URLSearchParams(found("left") ?? "");
    const said = found(`said-${readBy(link.get("model") ?? page.trace.model)}`);
    if (said) link.set("text", said);
    return link;
  }

  /**
   * The view of a link; `asked` is null for a link that says nothing. One that names a stop of the tour and no model is that of the stop.
   * @param {URLSearchParams} link
   */
  function opened(link) {
    const tour = stopIn(link, "");
    const { notices, gloss: language, ...at } = read(tour && !link.has("model") ? new URLSearchParams(STOPS[tour - 1].link) : link, facts);
    tell(notices);
    head.show(tour);
    gloss.choose(language);
    return { ...at, stop: tour, asked: link.size ? { view: at.view, place: at.place, notices } : null };
  }

  /** @param {URLSearchParams} link */
  function show(link) {
    typing = false; // what is typed now is another sentence
    ({ view, place, compared, race, asked, stop } = opened(link));
    if (gloss.chosen()) live.openAll();
    compare.at(place);
    beam.at(place.step);
    surgery.at(place);
    reopen();
    live.update(page.trace, { ...place, ...options() });
    live.show(view, place);
  }

  /** @param {TraceJSON} trace @param {ModelJSON} graphs @returns {Source} */
  function sourceOf(trace, graphs) {
    return { trace, graphs, how: runOf(view), ask: live.origin };
  }

  /** Take a number apart that was clicked. @param {Event} event */
  function openNumber(event) {
    const clicked = /** @type {CustomEvent<Clicked>} */ (event).detail;
    if (surgery.isOpen() && "rank" in clicked) return surgery.word(clicked.rank);
    const asked = source && askedFor(clicked, source.trace, place);
    if (source && asked) numbers.open(asked, source);
  }

  /** Another stop of the tour; null: the tour is over, and the view stays. @param {number | null} next */
  function visit(next) {
    if (next) return show(new URLSearchParams({ tour: String(next) }));
    stop = null;
    head.show(null);
    keep();
  }

  /** The comparison of the link. */
  function reopen() {
    if (race) compare.race(race);
    else compare.compare(compared, view);
  }

  function comparing() {
    const { compared: other, race: axis } = compare.now();
    return Boolean(other || axis);
  }

  /** The view as a query. */
  function link() {
    return written(view, place, facts, { ...compare.now(), gloss: gloss.wanted(), tour: stop });
  }

  /** @param {string[]} notices */
  function tell(notices) {
    note.textContent = notices.join(" ");
  }

  /** @param {Event} event */
  function follow(event) {
    const { step, layer, head: chosen } = /** @type {CustomEvent<Place>} */ (event).detail;
    if (asked) return; // until the view of the link is there, the player shows the one before
    if (step === place.step && sameHead({ layer, head: chosen }, place)) return;
    place = { step, layer, head: chosen };
    compare.at(place);
    beam.at(step);
    surgery.at(place);
    numbers.at(step);
    if (shown) downloads.show(shown = { ...shown, ...place });
    keep();
  }

  /** Keep the view in the address, and for the reader's return from another page. */
  function keep() {
    leave("left", String(link()));
    bar.soon();
  }

  return {
    update: theme.restyle,
    destroy() {
      letKeys();
      document.removeEventListener("attention-player", follow);
      document.removeEventListener("keydown", editKey);
      bar.stop();
      live.destroy();
      compare.destroy();
      numbers.destroy();
      for (const atlas of atlases) atlas.destroy();
      theme.stop();
    },
  };
}

/** The window and the attention type of a view. @param {LiveView} view */
const runOf = ({ how, type }) => (type === null ? how : { ...how, type });

/** @param {EventTarget | null} target */
const isText = (target) => target instanceof HTMLInputElement && target.type === "text";
