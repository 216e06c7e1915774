// What this project uses of Preact's signals, in components. Importing it lets components subscribe to signals.

import type { ReadonlySignal, Signal } from "./signals-core.js";

export { batch, computed, effect, Signal, signal, untracked } from "./signals-core.js";
export type { ReadonlySignal } from "./signals-core.js";

export function useSignal<T>(initial: T): Signal<T>;
export function useComputed<T>(compute: () => T): ReadonlySignal<T>;
