// What this project uses of Preact's signals, without components.

export interface ReadonlySignal<T> {
  /** Reading it in an effect, a computed signal or a component subscribes to it. */
  readonly value: T;
  /** The value, without subscribing to it. */
  peek(): T;
  /** Calls `listener` now and after every change; returns a function that ends this. */
  subscribe(listener: (value: T) => void): () => void;
}

export class Signal<T> implements ReadonlySignal<T> {
  constructor(value: T);
  value: T;
  peek(): T;
  subscribe(listener: (value: T) => void): () => void;
}

export function signal<T>(value: T): Signal<T>;
export function computed<T>(compute: () => T): ReadonlySignal<T>;
/** Runs `run` now and after changes of the signals that it reads; returns a function that ends this. */
export function effect(run: () => void | (() => void)): () => void;
/** Effects of changes made in `change` run once, at its end. */
export function batch<T>(change: () => T): T;
/** The result of `read`, without subscribing to signals. */
export function untracked<T>(read: () => T): T;
