// The player's elements by name. Not part of a bundle.

/** The controls for moving between steps, shared with the lab's stages. */
export interface StepsUi {
  first: HTMLButtonElement;
  back: HTMLButtonElement;
  play: HTMLButtonElement;
  forward: HTMLButtonElement;
  last: HTMLButtonElement;
  scrub: HTMLInputElement;
}

export interface Ui extends StepsUi {
  root: HTMLElement;
  frame: HTMLElement;
  sentence: HTMLElement;
  count: HTMLElement;
  badge: HTMLElement;
  note: HTMLElement;
  model: HTMLElement;
  intervention: HTMLElement;
  speed: HTMLSelectElement;
  present: HTMLButtonElement;
  live: HTMLElement;

  gutter: HTMLCanvasElement;
  bars: HTMLCanvasElement;
  map: HTMLCanvasElement;
  row: HTMLElement;
  plot: HTMLElement;
  plots: HTMLElement;
  scroll: HTMLElement;
  stage: HTMLElement;
  tip: HTMLElement;
  vectorNote: HTMLElement;

  table: HTMLDetailsElement;
  tableBody: HTMLElement;

  look: HTMLSelectElement;
  looks: HTMLElement;
  lookNote: HTMLElement;

  next: HTMLElement;
  nextSection: HTMLElement;

  windowSection: HTMLElement;
  windowText: HTMLElement;
  give: HTMLButtonElement;
  knobs: HTMLElement;
  /** A row for each live setting of the window, and the buttons that set one to the window's own default. */
  sliders: HTMLElement;
  links: HTMLElement;
  centerRow: HTMLElement;
  center: HTMLInputElement;
  centerValue: HTMLElement;
  ownCenter: HTMLButtonElement;
  trained: HTMLButtonElement;
  keep: HTMLElement;
  keepBox: HTMLInputElement;
  lost: HTMLElement;
  lostBar: HTMLElement;
  lostLine: HTMLElement;

  viewSection: HTMLElement;
  heat: HTMLElement;
  eos: HTMLElement;
  eosBox: HTMLInputElement;
  ramp: HTMLElement;
  rampMost: HTMLElement;
  legend: HTMLElement;
  later: HTMLElement;
}
