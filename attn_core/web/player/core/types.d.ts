// What the player's modules hand to each other. Nothing of this is in a bundle.

/** First and last position in view, inclusive. */
export interface Span {
  lo: number;
  hi: number;
}

/** Lists over the source positions. */
export interface Parts {
  scores: number[];
  alignment: number[];
  gaussian: number[];
  weights: number[];
}

/** One step as it is drawn; a row on its way between two steps has a span of real numbers. */
export interface Row extends Parts {
  center: number | null;
  span: Span | null;
}

// The trace, as attn_core.trace writes it.

export interface Look extends Parts {
  layer: number;
  head: number;
}

export interface Step {
  t: number;
  token: string;
  log_prob: number;
  top: [word: string, logProb: number][];
  center: number | null;
  window: [lo: number, hi: number] | null;
  looks: Look[];
}

export interface WindowSettings {
  window?: string | null;
  half_width?: number | null;
  sigma?: number | null;
}

export interface TraceSettings extends WindowSettings {
  trained_window?: WindowSettings;
  gaussian?: string;
  center?: string;
  local_m?: string;
  order?: string;
  attention_type?: string;
  trained_attention_type?: string;
  normalizer?: string;
  intervention?: unknown;
}

export interface Trace {
  model: string;
  settings: TraceSettings;
  source: string[];
  target: string[];
  unknown: number[];
  steps: Step[];
}

/** A window as the hand sets it; `linked`: sigma is the window's own default. */
export interface Settings {
  window: string | null;
  half_width: number | null;
  sigma: number | null;
  linked: boolean;
}

/** What the host is told when the hand lets go. */
export interface Settled extends Settings {
  model: string;
  as_trained: boolean;
  asked?: number;
}

/** How one step's attention is computed again. */
export interface How {
  window: string | null;
  halfWidth: number;
  sigma: number | null;
  rule?: string;
  mode?: string;
  localM?: string;
}

export type Theme = "light" | "dark";
export type RGB = [red: number, green: number, blue: number];

/** 256 CSS colours, the text colour for each, and all of them as a gradient. */
export interface Heat {
  fill: string[];
  ink: string[];
  stops: string;
}

// The geometry of the stage.

/** Which rows of bars there are. */
export interface Kind {
  bell: boolean;
  mode: string;
  hard?: boolean;
  mean?: number;
}

/** A row of bars; `short` is its name on a narrow stage, `aside` stands under the name. */
export interface BarRow {
  key: string;
  name: string;
  short?: string;
  height?: number;
  aside?: string;
}

export interface PlacedRow extends BarRow {
  y: number;
  h: number;
}

export interface Geometry {
  u: number;
  narrow: boolean;
  gutter: number;
  edge: number;
  col: number;
  n: number;
  bars: PlacedRow[];
  ruler: { y: number; h: number };
  words: { y: number; h: number; slant: boolean; font: number; most: number; bar: number };
  map: { y: number; rowHeight: number; rows: number };
  width: number;
  content: number;
  split: number;
  height: number;
  x: (position: number) => number;
  left: (position: number) => number;
  column: (x: number) => number;
}

export type Measure = (text: string, size: number) => number;

export interface LayOutOptions {
  width: number;
  u: number;
  v: number;
  source: string[];
  targets: number;
  rows: BarRow[];
  farthest: number;
  measure: Measure;
}

/** What lies under a point of the plot. */
export type Spot = { part: "column"; column: number } | { part: "map"; row: number; column: number };

/** A row, and the bars of rows with other keys, such as the treatments of the window lab. */
export interface Picture extends Row {
  others?: Record<string, number[]>;
}

/** How a picture is drawn, beside its numbers. */
export interface Shown {
  step: number;
  local: boolean;
  bell: boolean;
  mode: string;
  hard?: boolean;
  sigma: number | null;
  heat: "weights" | "alignment";
  scale: number;
  range: { low: number; high: number };
  source: string[];
  unknown: Set<number>;
  hover: number | null;
  normalizer?: string;
  mean?: number;
  index?: string;
  farthest?: number;
  cell?: { row: number; column: number } | null;
}

export interface View {
  decoded: Settings;
  trained: Settings;
  now: Settings;
  preview: boolean;
  unknowable: boolean;
  rows: Row[];
  theme: Theme;
  source: string[];
  targets: string[];
  onlyOne: boolean;
  look: Shown;
}

/** What a canvas is drawn with (draw/pen.js). */
export interface Paint {
  colors: Record<string, string>;
  family: string;
  heat: Heat;
}

export interface Pen extends Paint {
  ctx: CanvasRenderingContext2D;
}

// The player and its host.

/** What a reader has chosen; `draft`: settings that the hand tries, null for those of the trace. */
export interface Choices {
  look: number | null;
  heat: "weights" | "alignment";
  eos: boolean;
  step: number;
  draft: Settings | null;
  hover: Hover | null;
}

export type Hover = Spot & { x: number; y: number };

/** `waiting`: settings that the host was asked for; `released`: the hand has let go of the draft. */
export interface State extends Choices {
  speed: number;
  playing: boolean;
  busy: boolean;
  waiting: Settings | null;
  released: boolean;
}

export interface Options {
  theme?: string;
  canDecode?: boolean;
  step?: number | null;
  look?: string | null;
  answered?: number | null;
}

export interface Hooks {
  onSettle?: ((settled: Settled) => void) | null;
}

export interface Player {
  update(trace: Trace, options?: Options, hooks?: Hooks): void;
  destroy(): void;
}

/** What hands ask of the player. */
export interface Acts {
  jump(step: number): void;
  move(by: number): void;
  toggle(): void;
  speed(speed: number): void;
  heat(name: "weights" | "alignment"): void;
  eos(eos: boolean): void;
  look(index: number | null): void;
  tables(): void;
  busy(busy: boolean): void;
  halfWidth(halfWidth: number): void;
  sigma(sigma: number): void;
  link(): void;
  give(): void;
  asTrained(): void;
  settle(): void;
  hover(spot: Spot | null, x: number, y: number): void;
  leave(): void;
}
