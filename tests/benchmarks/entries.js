// Put in front of a bundled script, this records the calls of exported functions from other modules. entries.py defines what
// counts.

globalThis.entries = (() => {
  const modules = "MODULES"; // by position: { path, first, last, counted }, with the first and last line in this script
  const script = import.meta.url;
  const wrappers = new WeakMap();
  const wrapped = new WeakSet();
  const visits = new Map(); // by task and chain of modules
  const moduleOfLine = new Map();
  modules.forEach(({ first, last }, module) => {
    for (let line = first; line <= last; line++) moduleOfLine.set(line, module);
  });
  let recording = false;
  let task = 0;
  let taskEnds = false;

  /** The modules whose functions run now, the first one called by the browser; without those that do not count. */
  function running() {
    const { prepareStackTrace, stackTraceLimit } = Error;
    Error.stackTraceLimit = Infinity;
    Error.prepareStackTrace = (_error, sites) => sites;
    const sites = new Error().stack;
    Object.assign(Error, { prepareStackTrace, stackTraceLimit });
    const chain = [];
    for (const site of sites) {
      if (site.isAsync()) break; // the functions below wait, and do not run
      const module = site.getScriptNameOrSourceURL() === script ? moduleOfLine.get(site.getLineNumber()) : undefined;
      if (module !== undefined && modules[module].counted && module !== chain[0]) chain.unshift(module);
    }
    return chain;
  }

  function currentTask() {
    if (!taskEnds) {
      taskEnds = true;
      scheduler.postTask(() => {
        task += 1;
        taskEnds = false;
      }, { priority: "user-blocking" });
    }
    return task;
  }

  /** One of the functions that `module` exports is called. */
  function enter(module) {
    const chain = running();
    if (chain.at(-1) === module) return;
    let key = `task ${currentTask()}`;
    let visit = null;
    for (const place of [...chain, module]) {
      key += ` ${place}`;
      const inner = visits.get(key) ?? { place: visits.size, module: modules[place].path, within: visit?.place ?? null, calls: 0 };
      visits.set(key, inner);
      visit = inner;
    }
    visit.calls += 1;
  }

  function wrappedFunction(module, inner) {
    if (wrapped.has(inner) || /^class\b/.test(Function.prototype.toString.call(inner))) return inner;
    if (!wrappers.has(inner)) {
      const wrapper = new Proxy(inner, {
        apply(target, self, values) {
          if (recording) enter(module);
          const result = Reflect.apply(target, self, values);
          return values.includes(result) ? result : wrappedResult(module, result);
        },
      });
      wrappers.set(inner, wrapper);
      wrapped.add(wrapper);
    }
    return wrappers.get(inner);
  }

  /** The methods of an object are exported by the module that made it. */
  function wrapMethods(module, object) {
    for (const [name, { value, writable }] of Object.entries(Object.getOwnPropertyDescriptors(object))) {
      if (typeof value === "function" && writable) object[name] = wrappedFunction(module, value);
    }
  }

  function wrappedResult(module, result) {
    if (typeof result === "function") return wrappedFunction(module, result);
    if (result instanceof Promise) result.then((settled) => wrappedResult(module, settled), () => {}); // before other listeners
    else if (result && Object.getPrototypeOf(result) === Object.prototype && result.constructor === Object) wrapMethods(module, result);
    return result;
  }

  const canvas = CanvasRenderingContext2D.prototype;
  let output = null;
  let drawnWith = null; // the output at the last drawing on a canvas
  for (const name of ["clearRect", "fill", "fillRect", "fillText", "stroke", "strokeRect", "drawImage"]) {
    const draw = canvas[name];
    canvas[name] = function (...values) {
      if (recording) drawnWith = output.textContent;
      return draw.apply(this, values);
    };
  }

  return {
    /** The exports of a module, each function of which records. */
    exported(module, exports) {
      if (!modules[module].counted) return exports;
      return Object.fromEntries(Object.entries(exports).map(([name, value]) => [name, wrappedResult(module, value)]));
    },

    /**
     * The visits from the next event `input` to the end of the frame in which `element` has another text, with which something
     * was drawn on a canvas. Rejects if there is no such frame within 30 seconds.
     */
    record(element) {
      output = element;
      const before = output.textContent;
      addEventListener("input", () => { recording = true; }, { capture: true, once: true });
      return new Promise((done, fail) => {
        const end = (settle, value) => {
          recording = false;
          clearTimeout(timer);
          settle(value);
        };
        const timer = setTimeout(end, 30_000, fail, new Error("no canvas was drawn with another output"));
        const afterFrame = () => {
          if (drawnWith && drawnWith !== before && drawnWith === output.textContent) end(done, [...visits.values()]);
          else requestAnimationFrame(frame);
        };
        const frame = () => scheduler.postTask(afterFrame, { priority: "user-blocking" });
        requestAnimationFrame(frame);
      });
    },
  };
})();
