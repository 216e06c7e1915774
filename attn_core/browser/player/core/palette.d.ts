// palette.js is not a file: the bundler generates it from attn_core/palette.py.

interface Ramp {
  from: [number, number, number];
  chroma: number;
  to: [number, number, number];
}

export const HEAT: Record<"light" | "dark", Ramp>;
/** The colours of a figure on paper. */
export const FIGURE: Record<"ink" | "outside" | "window" | "background", string>;
export const ON_HEAT: { bright: string; dark: string };
