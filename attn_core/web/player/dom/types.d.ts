// The player's elements by name. Nothing of this is in a bundle.

/** What goes from step to step; stages of the lab have the same buttons. */
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
  speed: HTMLSelectElement;
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
  d: HTMLInputElement;
  dValue: HTMLElement;
  sigma: HTMLInputElement;
  sigmaValue: HTMLElement;
  link: HTMLButtonElement;
  trained: HTMLButtonElement;
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
