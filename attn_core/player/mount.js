// A stage as a Streamlit component (v2), which calls the default export of a module again at every change of data.

/** The export for a stage that `create(host, data)` makes and that has update() and destroy(). */
export function mounted(create) {
  return ({ data, parentElement }) => {
    const host = parentElement.querySelector(".ap-host");
    const kept = (host.kept ??= { calls: 0 });
    const call = ++kept.calls;
    const text = JSON.stringify(data);
    if (kept.text === text) kept.stage.update();
    else {
      kept.stage?.destroy();
      Object.assign(kept, { text, stage: create(host, data) });
    }
    return () => {
      if (call !== kept.calls) return; // a call that a later one has overtaken
      kept.stage.destroy();
      delete host.kept;
    };
  };
}
