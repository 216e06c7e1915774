// palette.js is not a file: the bundler generates it from attn_core/palette.py.

interface Ramp {
  from: [number, number, number];
  chroma: number;
  to: [number, number, number];
}

export const HEAT: Record<"light" | "dark", Ramp>;
export const ON_HEAT: { bright: string; dark: string };
