// The data and elements of the Series page's stage; not part of any bundle.

/** A series: the known days, the calendar of these and of the days to forecast, and the true values of the latter. */
export interface SeriesData {
  history: number[];
  calendar: number[][];
  future: number[];
}

/** What the page sends. */
export interface SeriesPage {
  model: string | null;
  week: number;
  series: SeriesData[];
  addresses: Record<string, { record: string; weights: string }>;
}

/** A forecast: its values, and the attention weights of each of its days over the past. */
export interface Forecast {
  values: number[];
  weights: number[][];
}

/** A value of the past that the reader has moved, by its day. */
export type MovedValues = Record<number, number>;
